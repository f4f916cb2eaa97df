import { message } from '../../errors/message.js';
import type { Ledger } from '../../ledger/contract/ledger.js';
import type { Run } from '../../ledger/contract/run.js';
import type { Connection } from '../../model/connection.js';
import { type Status, standsAt } from '../../model/status.js';
import { takenFrom } from '../report/steps/step-columns.js';
import { noSuchRow, refusePruned, refuseStepRun } from '../run-checks.js';
import { hasSteps, stepRunsOf, stepsSettings } from '../step-runs.js';
import {
  type Resolved,
  type ResolveServices,
  type RowResolution,
  resolveRowOf,
  verifyRowsOf,
} from './resolve.js';

/**
 * `resolveRowOf` for a run that a person names: of one of several steps, in the step at which the row stands.
 * @throws ProductError as `resolveRowOf`, and usage for a step run
 */
export async function resolveRow(
  services: ResolveServices,
  run: Run,
  known: RowResolution,
): Promise<Resolved> {
  refuseStepRun(run);
  const of = await runOfRow(services.ledger, run, known.row);
  const resolved = await resolveRowOf(services, of, known);
  const steps = of.step === undefined || known.as !== 'succeeded' ? [] : stepsSettings(run).job.steps;
  const name = steps[(of.step ?? 0) - 1]?.name ?? '';
  const taken = [...takenFrom(steps, name)].filter((it) => it !== 'licenseOrderId');
  if (taken.length === 0) return resolved;
  // Nobody can say what the reply would have held.
  const warning = message('resolve.nothing_returned', { step: name, fields: taken.join(', ') });
  return { ...resolved, settled: resolved.settled.map((it) => ({ warning, ...it })) };
}

/**
 * `verifyRowsOf` for a run that a person names: of one of several steps, in all of them, or in the one at which the row
 * stands.
 * @throws ProductError as `verifyRowsOf`, and usage for a step run
 */
export async function verifyRun(
  services: ResolveServices,
  run: Run,
  connection: Connection,
  row?: number,
): Promise<Resolved> {
  refuseStepRun(run);
  const { ledger } = services;
  if (row !== undefined || !hasSteps(run)) {
    const of = row === undefined ? run : await runOfRow(ledger, run, row);
    return verifyRowsOf(services, of, connection, row);
  }
  refusePruned(run);
  const settled: Resolved['settled'][number][] = [];
  const left: Resolved['left'][number][] = [];
  for (const { run: of } of await stepRunsOf(ledger, run)) {
    if (!of || !(await ledger.runs.counts(of.id)).unknown) continue;
    const resolved = await verifyRowsOf(services, of, connection);
    settled.push(...resolved.settled);
    left.push(...resolved.left);
  }
  return { settled, left };
}

/** The run that has a row's outcome to settle. */
async function runOfRow(ledger: Ledger, run: Run, row: number): Promise<Run> {
  if (!hasSteps(run)) return run;
  refusePruned(run);
  const found: { readonly of: Run; readonly status: Status }[] = [];
  for (const { run: of } of await stepRunsOf(ledger, run)) {
    const status = of && (await ledger.report.row(of.id, row))?.result.status;
    if (of && status) found.push({ of, status });
  }
  const [first] = found;
  if (!first) throw await noSuchRow(ledger, run, row, (await stepRunsOf(ledger, run))[0]?.run?.id);
  const unknown = found.find(({ status }) => status === 'unknown');
  if (unknown) return unknown.of;
  // What was said before may be corrected, although the row went on since.
  for (const { of } of found) if ((await ledger.resolutions.settled(of.id, row)).length > 0) return of;
  return (found[standsAt(found.map((it) => it.status))] ?? first).of;
}
