import { type Message, message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import type { Ledger, Run, Settlement, UnknownItem } from '../ledger/contract.js';
import type { Connection } from '../model/connection.js';

import type { Clock } from '../util/clock.js';
import { operationOf, refusePruned } from './existing-run.js';
import { refuseOtherHost } from './own-connection.js';
import { rowNamed } from './row-named.js';
import { stamp } from './verify/finding.js';
import { verifyItems } from './verify/verify-items.js';

export interface ResolveParts {
  readonly ledger: Ledger;
  /** Folder of the ledger. */
  readonly stateFolder: string;
  readonly clock: Clock;
  /** The user of the operating system, for the audit. */
  readonly who: string;
}

export interface SettledItem {
  readonly rows: readonly number[];
  readonly to: 'succeeded' | 'failed';
  readonly licenseOrderId?: string;
  readonly evidence?: Message | string;
}

export interface LeftItem {
  readonly rows: readonly number[];
  readonly reason: Message;
  readonly detail?: Message | string;
}

export interface Resolved {
  readonly settled: readonly SettledItem[];
  readonly left: readonly LeftItem[];
}

/** What a person found out about a row. */
export interface Knowledge {
  readonly row: number;
  readonly as: 'succeeded' | 'failed';
  readonly licenseOrderId?: string;
  readonly note?: string;
}

/**
 * Settles a row as a person says; all rows of its order with it.
 * @throws ProductError usage when the row isn't unknown or isn't there, and while the run is going on.
 */
export function settleRow(parts: ResolveParts, run: Run, known: Knowledge): Promise<Resolved> {
  return underLock(parts, run, async () => {
    const { ledger, clock, who } = parts;
    const { row, as, licenseOrderId, note } = known;
    const items = await unknownItems(ledger, run, row);
    if (licenseOrderId !== undefined && items.length > 1) {
      const params = { run: run.id, row, count: items.length };
      throw new ProductError('usage', message('resolve.several_items', params));
    }
    const at = clock.now();
    const said = { who, time: stamp(at) };
    const settlements = items.map(({ item }): Settlement => {
      const order = licenseOrderId === undefined ? {} : { licenseOrderId };
      const text =
        note === undefined
          ? message('resolve.by_operator_bare', said)
          : message('resolve.by_operator', { ...said, note });
      return {
        item,
        outcome: { status: as, message: text, ...order },
        at,
        who,
        how: 'operator',
        ...(note === undefined ? {} : { evidence: note }),
      };
    });
    return settle(ledger, run, items, settlements);
  });
}

/**
 * Settles what the platform can tell of the run's unknown items (of one row, if it is given), asking each enterprise or
 * customer once and changing nothing there; the rest is left, with the reason.
 * @throws ProductError usage when the named row isn't unknown, and when the platform can't be asked at all.
 */
export async function verifyRun(
  parts: ResolveParts,
  run: Run,
  connection: Connection,
  row?: number,
): Promise<Resolved> {
  refuseOtherHost(run, connection);
  return underLock(parts, run, async () => {
    const { ledger, clock, who } = parts;
    const items = await unknownItems(ledger, run, row);
    const settled: SettledItem[] = [];
    const left: LeftItem[] = [];
    for await (const found of verifyItems({ ...parts, run, connection }, items)) {
      const settlements: Settlement[] = [];
      for (const { item, finding } of found) {
        if (finding.kind === 'left') {
          const { kind: _, ...why } = finding;
          left.push({ rows: item.rows, ...why });
          continue;
        }
        const { status, evidence, columns } = finding;
        const outcome = { status, message: evidence, ...(columns ? { columns } : {}) };
        settlements.push({ item: item.item, outcome, at: clock.now(), who, how: 'platform', evidence });
      }
      // Answer by answer, so that what was found out stays when the rest can't be asked.
      settled.push(...(await settle(ledger, run, items, settlements)).settled);
    }
    const byRow = (a: { rows: readonly number[] }, b: { rows: readonly number[] }): number =>
      (a.rows[0] ?? 0) - (b.rows[0] ?? 0);
    return { settled: settled.sort(byRow), left: left.sort(byRow) };
  });
}

/** Nobody may be sending while outcomes are settled; what a killed process left open counts as unknown from here on. */
async function underLock(
  { ledger }: ResolveParts,
  run: Run,
  work: () => Promise<Resolved>,
): Promise<Resolved> {
  refusePruned(run);
  const lock = await ledger.lock(run.job, run.connection, run.id);
  try {
    const { repeatable } = operationOf(run);
    await ledger.execution.recover(run.id, repeatable, { status: 'unknown', message: message('run.died') });
    return await work();
  } finally {
    await lock.release();
  }
}

async function unknownItems(ledger: Ledger, run: Run, row?: number): Promise<readonly UnknownItem[]> {
  const story = row === undefined ? undefined : await rowNamed(ledger, run, row);
  const items: UnknownItem[] = [];
  for await (const item of ledger.resolutions.unknown(run.id, row)) items.push(item);
  if (story && items.length === 0) {
    const params = { run: run.id, row: story.result.row, status: story.result.status };
    throw new ProductError('usage', message('resolve.not_unknown', params));
  }
  return items;
}

async function settle(
  ledger: Ledger,
  run: Run,
  items: readonly UnknownItem[],
  settlements: readonly Settlement[],
): Promise<Resolved> {
  const done = new Set(await ledger.resolutions.settle(run.id, settlements));
  const rows = new Map(items.map((it) => [it.item, it.rows]));
  const settled = settlements
    .filter(({ item }) => done.has(item))
    .map(({ item, outcome, evidence }) => ({
      rows: rows.get(item) ?? [],
      to: outcome.status,
      ...(outcome.licenseOrderId === undefined ? {} : { licenseOrderId: outcome.licenseOrderId }),
      ...(evidence === undefined ? {} : { evidence }),
    }));
  return { settled, left: [] };
}
