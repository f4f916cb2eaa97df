import { openExistingLedger } from '../ledger/open.js';
import { type DifferenceLine, differenceOf } from '../run/report/difference.js';
import type { RunEnd } from '../run/run-end.js';
import type { CarriedRun } from './context.js';

/**
 * What a run would change that was only planned, line by line; nothing where it was carried out, or failed.
 * @param all every item, not the first few of each kind
 */
export async function* differences(carried: CarriedRun, all: boolean): AsyncGenerator<DifferenceLine> {
  const planned = plannedRun(carried);
  if (!planned || carried.ledger === undefined) return;
  const ledger = await openExistingLedger(carried.ledger);
  if (!ledger) return;
  try {
    const run = await ledger.runs.get(planned.run);
    if (run) yield* differenceOf(ledger, run, all);
  } finally {
    await ledger.close();
  }
}

function plannedRun(carried: CarriedRun): RunEnd | undefined {
  if (carried.kind !== 'run') return undefined;
  const { end } = carried;
  return end.kind === 'plan' || end.kind === 'dry_run' ? end : undefined;
}
