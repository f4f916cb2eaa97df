import { type Message, message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import type { Ledger } from '../../ledger/contract/ledger.js';
import type { ResolvedTo, Settlement, UnknownItem } from '../../ledger/contract/resolutions.js';
import type { Run } from '../../ledger/contract/run.js';
import { timezoneOf } from '../../ledger/kept-settings.js';
import { TAKEN_OVER } from '../../ledger/rules/attempts.js';
import { takeLock } from '../../ledger/take-lock.js';
import type { Connection } from '../../model/connection.js';
import type { PauseNews } from '../../platform/client/request-gate.js';
import type { Clock } from '../../util/clock.js';
import { wholeRunOf } from '../../util/run-id.js';
import { zonedText } from '../../util/zoned-time.js';
import { comparedAcrossRuns } from '../execute/given-ids.js';
import { inRanges, type RowRanges } from '../input/row-ranges.js';
import { operationOf, refusePruned, requireRow } from '../run-checks.js';
import { refuseOtherHost } from '../run-connection.js';
import { unpackSettings } from '../settings.js';
import { outcomesInOtherRuns } from './other-runs.js';
import { verifyItems } from './verify-items.js';

export interface ResolveServices {
  readonly ledger: Ledger;
  /** Folder of the ledger. */
  readonly stateFolder: string;
  readonly clock: Clock;
  /** Where credentials are looked for; the process's own when absent. */
  readonly env?: NodeJS.ProcessEnv;
  /** The user of the operating system and the machine, for the audit: `wang@desk-7`. */
  readonly who: string;
  /** The person's note. */
  readonly note?: string;
  /** Called right before outcomes are written: what is refused is never recorded as done. */
  readonly record?: () => Promise<void>;
  /** Called when the platform asks for a pause, and with undefined when the pause is over. */
  readonly paused?: (pause: PauseNews | undefined) => void;
}

interface ResolvedItem {
  readonly rows: readonly number[];
  readonly to: 'succeeded' | 'failed';
  /** The earlier resolution, where this one corrects it. */
  readonly corrects?: 'succeeded' | 'failed';
  readonly licenseOrderId?: string;
  readonly evidence?: Message | string;
  /** Set when it may have been carried out twice; a person should look. */
  readonly warning?: Message;
}

interface LeftItem {
  readonly rows: readonly number[];
  readonly reason: Message;
  readonly detail?: Message | string;
}

export interface Resolved {
  readonly settled: readonly ResolvedItem[];
  readonly left: readonly LeftItem[];
}

/** What a person found out about a row. */
export interface RowResolution {
  readonly row: number;
  readonly as: 'succeeded' | 'failed';
  readonly licenseOrderId?: string;
  /** In place of the note of all rows. */
  readonly note?: string;
}

/** An item that a person resolves, with its status so far. */
export interface ItemToResolve {
  readonly item: number;
  readonly rows: readonly number[];
  readonly status: ResolvedTo;
  readonly licenseOrderId?: string;
}

/** An item with what a person found out about one of its rows. */
export interface DecidedItem {
  readonly item: ItemToResolve;
  readonly known: RowResolution;
}

/** Writes what a person found out about items of a run. */
export async function settleDecided(
  services: ResolveServices,
  run: Run,
  decided: readonly DecidedItem[],
): Promise<Resolved> {
  const { ledger } = services;
  const items = decided.map(({ item }) => item);
  const { settled } = await settle(ledger, run, items, settlementsOf(services, run, decided));
  const rowOf = new Map(decided.map(({ item, known }) => [item.rows[0], known.row]));
  const warned: ResolvedItem[] = [];
  for (const it of settled) {
    const row = rowOf.get(it.rows[0]);
    const through =
      it.to === 'succeeded' && row !== undefined
        ? (await outcomesInOtherRuns(ledger, run, row)).through
        : undefined;
    if (!through) warned.push(it);
    else {
      const { run: other, ...rest } = through;
      const params = { rows: it.rows.join(', '), other, ...rest };
      warned.push({ ...it, warning: message('resolve.through_elsewhere', params) });
    }
  }
  return { settled: warned, left: [] };
}

/**
 * The row's unknown items, with all rows of their orders; if there are none, those resolved before, whose resolution is
 * corrected.
 * @throws ProductError usage when the row does not exist, is neither unknown nor was resolved, or already has that status
 */
export async function itemsToResolve(
  ledger: Ledger,
  run: Run,
  { row, as, licenseOrderId, note }: RowResolution,
): Promise<readonly ItemToResolve[]> {
  const { result } = await requireRow(ledger, run, row);
  const unknown = await toResolve(unknownItems(ledger, run, row));
  if (unknown.length > 0) return unknown;
  const before = await ledger.resolutions.settled(run.id, row);
  if (before.length === 0) {
    const params = { run: wholeRunOf(run.id), row, status: result.status };
    throw new ProductError('usage', message('resolve.not_unknown', params));
  }
  const changed = before.filter(
    (it) => it.status !== as || licenseOrderId !== undefined || note !== undefined,
  );
  if (changed.length === 0) {
    throw new ProductError('usage', message('resolve.already', { run: wholeRunOf(run.id), row, status: as }));
  }
  return changed;
}

/** The unknown items of a run with a row in the ranges. */
export async function unknownIn(
  ledger: Ledger,
  run: Run,
  ranges: RowRanges,
): Promise<readonly ItemToResolve[]> {
  return toResolve(unknownItems(ledger, run, ranges));
}

async function toResolve(unknown: AsyncIterable<UnknownItem>): Promise<readonly ItemToResolve[]> {
  const items: ItemToResolve[] = [];
  for await (const { item, rows } of unknown) items.push({ item, rows, status: 'unknown' });
  return items;
}

function settlementsOf(
  { clock, who }: ResolveServices,
  run: Run,
  decided: readonly DecidedItem[],
): readonly Settlement[] {
  const at = clock.now();
  const said = { who, time: zonedText(at, timezoneOf(run)) };
  return decided.map(({ item, known: { as, licenseOrderId, note } }) => ({
    item: item.item,
    ids: idsOfResolution(run, { as, licenseOrderId })(item),
    outcome: {
      status: as,
      message:
        note === undefined
          ? message('resolve.by_operator_bare', said)
          : message('resolve.by_operator', { ...said, note }),
      licenseOrderId,
    },
    at,
    who,
    how: 'operator',
    corrects: true,
    evidence: note,
  }));
}

/**
 * Resolves those of the run's unknown items (or of some rows) whose outcome the platform proves. Each enterprise or
 * customer is asked once, and nothing is changed there. The other items stay unknown, with what was seen.
 * @throws ProductError usage when the platform can't be asked at all
 */
export async function verifyRowsOf(
  services: ResolveServices,
  run: Run,
  connection: Connection,
  only?: RowRanges,
): Promise<Resolved> {
  refuseOtherHost(run, connection);
  return underLock(services, [run], async () => {
    const { ledger, clock, who, note } = services;
    const items: UnknownItem[] = [];
    for await (const it of unknownItems(ledger, run, only)) items.push(it);
    if (items.length > 0) await services.record?.();
    const left: LeftItem[] = [];
    const settlements: Settlement[] = [];
    const by = { who, how: 'platform', note } as const;
    for (const { item, finding } of await verifyItems({ ...services, run, connection }, items)) {
      const at = clock.now();
      if (finding.kind === 'settled') {
        const { evidence, columns } = finding;
        const outcome = { status: 'succeeded', message: evidence, columns } as const;
        settlements.push({ item: item.item, outcome, at, ...by, evidence });
        continue;
      }
      const { reason, detail, seen } = finding;
      left.push({ rows: item.rows, reason, detail });
      if (!seen) continue;
      // It stays unknown, and its row shows what was seen.
      const outcome = { status: 'unknown', message: reason } as const;
      settlements.push({ item: item.item, outcome, at, ...by, evidence: reason });
    }
    const unknown = items.map(({ item, rows }): ItemToResolve => ({ item, rows, status: 'unknown' }));
    const { settled } = await settle(ledger, run, unknown, settlements);
    const byRow = (a: { rows: readonly number[] }, b: { rows: readonly number[] }): number =>
      (a.rows[0] ?? 0) - (b.rows[0] ?? 0);
    return { settled: [...settled].sort(byRow), left: left.sort(byRow) };
  });
}

/** The licence order that a person names belongs to the item from now on, as if the platform had replied with it. */
function idsOfResolution(run: Run, { as, licenseOrderId }: Pick<RowResolution, 'as' | 'licenseOrderId'>) {
  const { job, connection } = unpackSettings(run.settings);
  const operation = operationOf(run);
  const idsOf = (id: string | undefined): readonly string[] =>
    (id !== undefined && operation.gives?.ids({ status: 'succeeded', licenseOrderId: id })) || [];
  return (before: ItemToResolve): NonNullable<Settlement['ids']> => ({
    given: idsOf(licenseOrderId),
    withdrawn: as === 'failed' || licenseOrderId !== undefined ? idsOf(before.licenseOrderId) : [],
    acrossRuns: comparedAcrossRuns({ operation, connection, job }),
  });
}

/**
 * Runs `work` while no process can send: the job's lock is held. Attempts that a killed process left open are unknown
 * from here on.
 * @param runs of one job: a run, or its step runs
 */
export async function underLock(
  { ledger }: ResolveServices,
  runs: readonly Run[],
  work: () => Promise<Resolved>,
): Promise<Resolved> {
  const [first] = runs;
  if (!first) return { settled: [], left: [] };
  for (const run of runs) refusePruned(run);
  const lock = await takeLock(ledger, first.job, first.scope, wholeRunOf(first.id));
  try {
    for (const run of runs) {
      const { repeatable } = operationOf(run);
      await ledger.execution.recover(run.id, repeatable, { status: 'unknown', message: message('run.died') });
    }
    return await work();
  } finally {
    await lock.release();
  }
}

/** @throws ProductError usage for one that cannot be resolved yet */
async function* unknownItems(
  ledger: Ledger,
  run: Run,
  only: number | RowRanges | undefined,
): AsyncGenerator<UnknownItem> {
  const isIn = typeof only === 'object' ? inRanges(only) : () => true;
  for await (const item of ledger.resolutions.unknown(run.id, typeof only === 'number' ? only : undefined)) {
    if (!item.rows.some(isIn)) continue;
    await refuseTooEarly(ledger, run, item);
    yield item;
  }
}

/**
 * A worker whose chunk was taken over may only have been stopped: woken, it still sends what it was about to send, once
 * and within the request's time limit. Until then nobody can have found out what became of it.
 * @throws ProductError usage, naming when
 */
async function refuseTooEarly(ledger: Ledger, run: Run, { rows, attempts }: UnknownItem): Promise<void> {
  const since = attempts.filter((it) => it.event === TAKEN_OVER).map((it) => it.endedAt ?? 0);
  if (since.length === 0 || !ledger.queue) return;
  const certain = Math.max(...since) + unpackSettings(run.settings).job.run.timeoutMs;
  if ((await ledger.queue.now()) >= certain) return;
  // Shown to the second: never too early.
  const when = zonedText(Math.ceil(certain / 1000) * 1000, timezoneOf(run));
  const params = { run: wholeRunOf(run.id), row: rows[0] ?? 0, when };
  throw new ProductError('usage', message('team.too_early', params));
}

async function settle(
  ledger: Ledger,
  run: Run,
  items: readonly ItemToResolve[],
  settlements: readonly Settlement[],
): Promise<{ readonly settled: readonly ResolvedItem[] }> {
  const done = new Set(await ledger.resolutions.settle(run.id, settlements));
  if (unpackSettings(run.settings).job.undoes) await ledger.undoings.settle(run.id);
  const before = new Map(items.map((it) => [it.item, it]));
  const settled: ResolvedItem[] = [];
  for (const { item, outcome, evidence } of settlements) {
    const { status: to, licenseOrderId } = outcome;
    if (to === 'unknown' || !done.has(item)) continue;
    const was = before.get(item);
    settled.push({
      rows: was?.rows ?? [],
      to,
      corrects: was?.status === 'unknown' ? undefined : was?.status,
      licenseOrderId,
      evidence,
    });
  }
  return { settled };
}
