import { type Message, message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import type { Ledger } from '../../ledger/contract/ledger.js';
import type { NewResolution, ResolvedTo, UnknownItem } from '../../ledger/contract/resolutions.js';
import type { Run } from '../../ledger/contract/runs.js';
import { TAKEN_OVER } from '../../ledger/rules/attempts.js';
import { timezoneOf } from '../../ledger/stored-settings.js';
import { takeLock } from '../../ledger/take-lock.js';
import type { Connection } from '../../model/connection.js';
import type { PauseEvent } from '../../platform/client/request-gate.js';
import type { Clock } from '../../util/clock.js';
import { wholeRunOf } from '../../util/run-id.js';
import { zonedText } from '../../util/zoned-time.js';
import { comparedAcrossRuns } from '../execute/attempt-outcomes.js';
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
  /** Source of credentials; default: the process's environment. */
  readonly env?: NodeJS.ProcessEnv;
  /** The user of the operating system and the machine, for the audit: `wang@desk-7`. */
  readonly who: string;
  /** The user's note. */
  readonly note?: string;
  /** Called right before outcomes are written, so that a rejected resolution is never recorded as done. */
  readonly record?: () => Promise<void>;
  /** Called when the platform requests a wait, and with undefined at its end. */
  readonly paused?: (pause: PauseEvent | undefined) => void;
}

interface ResolvedItem {
  readonly rows: readonly number[];
  readonly to: 'succeeded' | 'failed';
  /** The earlier resolution, if this one corrects it. */
  readonly corrects?: 'succeeded' | 'failed';
  readonly licenseOrderId?: string;
  readonly evidence?: Message | string;
  /** Set if the item may have been executed twice; a user should check. */
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

/** A user's resolution of a row. */
export interface RowResolution {
  readonly row: number;
  readonly as: 'succeeded' | 'failed';
  readonly licenseOrderId?: string;
  /** Replaces the note of all rows. */
  readonly note?: string;
}

/** An item that a user resolves, with its present status. */
export interface ItemToResolve {
  readonly item: number;
  readonly rows: readonly number[];
  readonly status: ResolvedTo;
  readonly licenseOrderId?: string;
}

/** An item with a user's resolution of one of its rows. */
export interface DecidedItem {
  readonly item: ItemToResolve;
  readonly known: RowResolution;
}

/** Records a user's resolutions of items of a run. */
export async function recordDecided(
  services: ResolveServices,
  run: Run,
  decided: readonly DecidedItem[],
): Promise<Resolved> {
  const { ledger } = services;
  const items = decided.map(({ item }) => item);
  const { settled } = await recordResolutions(ledger, run, items, resolutionsOf(services, run, decided));
  const rowOf = new Map(decided.map(({ item, known }) => [item.rows[0], known.row]));
  const warned: ResolvedItem[] = [];
  for (const item of settled) {
    const row = rowOf.get(item.rows[0]);
    const sentElsewhere =
      item.to === 'succeeded' && row !== undefined
        ? (await outcomesInOtherRuns(ledger, run, row)).sent
        : undefined;
    if (!sentElsewhere) warned.push(item);
    else {
      const { run: otherRun, ...rest } = sentElsewhere;
      const params = { rows: item.rows.join(', '), other: otherRun, ...rest };
      warned.push({ ...item, warning: message('resolve.through_elsewhere', params) });
    }
  }
  return { settled: warned, left: [] };
}

/**
 * The row's unknown items, with all rows of their orders. If there are none, the items resolved before, whose
 * resolution is corrected.
 * @throws ProductError usage if the row does not exist, is neither unknown nor was resolved, or already has that status
 */
export async function itemsToResolve(
  ledger: Ledger,
  run: Run,
  { row, as, licenseOrderId, note }: RowResolution,
): Promise<readonly ItemToResolve[]> {
  const { result } = await requireRow(ledger, run, row);
  const unknown = await toResolve(unknownItems(ledger, run, row));
  if (unknown.length > 0) return unknown;
  const before = await ledger.resolutions.correctable(run.id, row);
  if (before.length === 0) {
    const params = { run: wholeRunOf(run.id), row, status: result.status };
    throw new ProductError('usage', message('resolve.not_unknown', params));
  }
  const changed = before.filter(
    (resolved) => resolved.status !== as || licenseOrderId !== undefined || note !== undefined,
  );
  if (changed.length === 0)
    throw new ProductError('usage', message('resolve.already', { run: wholeRunOf(run.id), row, status: as }));
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

function resolutionsOf(
  { clock, who }: ResolveServices,
  run: Run,
  decided: readonly DecidedItem[],
): readonly NewResolution[] {
  const at = clock.now();
  const author = { who, time: zonedText(at, timezoneOf(run)) };
  return decided.map(({ item, known: { as, licenseOrderId, note } }) => ({
    item: item.item,
    ids: idsOfResolution(run, { as, licenseOrderId })(item),
    outcome: {
      status: as,
      message:
        note === undefined
          ? message('resolve.by_operator_bare', author)
          : message('resolve.by_operator', { ...author, note }),
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
 * Resolves the unknown items of the run (or of some rows) whose outcome the platform's data proves. Sends one query per
 * enterprise or customer and changes nothing there. The other items stay unknown, with what was seen.
 * @throws ProductError usage if the platform cannot be queried at all
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
    for await (const item of unknownItems(ledger, run, only)) items.push(item);
    if (items.length > 0) await services.record?.();
    const left: LeftItem[] = [];
    const resolutions: NewResolution[] = [];
    const by = { who, how: 'platform', note } as const;
    for (const { item, finding } of await verifyItems({ ...services, run, connection }, items)) {
      const at = clock.now();
      if (finding.kind === 'resolved') {
        const { evidence, columns } = finding;
        const outcome = { status: 'succeeded', message: evidence, columns } as const;
        resolutions.push({ item: item.item, outcome, at, ...by, evidence });
        continue;
      }
      const { reason, detail, seen } = finding;
      left.push({ rows: item.rows, reason, detail });
      if (!seen) continue;
      // It stays unknown, and its row shows what was seen.
      const outcome = { status: 'unknown', message: reason } as const;
      resolutions.push({ item: item.item, outcome, at, ...by, evidence: reason });
    }
    const unknown = items.map(({ item, rows }): ItemToResolve => ({ item, rows, status: 'unknown' }));
    const { settled } = await recordResolutions(ledger, run, unknown, resolutions);
    const byRow = (a: { rows: readonly number[] }, b: { rows: readonly number[] }): number =>
      (a.rows[0] ?? 0) - (b.rows[0] ?? 0);
    return { settled: [...settled].sort(byRow), left: left.sort(byRow) };
  });
}

/** The licence order that a user names then belongs to the item, as if the platform had returned it. */
function idsOfResolution(run: Run, { as, licenseOrderId }: Pick<RowResolution, 'as' | 'licenseOrderId'>) {
  const { job, connection } = unpackSettings(run.settings);
  const operation = operationOf(run);
  const idsOf = (id: string | undefined): readonly string[] =>
    (id !== undefined && operation.gives?.ids({ status: 'succeeded', licenseOrderId: id })) || [];
  return (before: ItemToResolve): NonNullable<NewResolution['ids']> => ({
    given: idsOf(licenseOrderId),
    withdrawn: as === 'failed' || licenseOrderId !== undefined ? idsOf(before.licenseOrderId) : [],
    acrossRuns: comparedAcrossRuns({ operation, connection, job }),
  });
}

/**
 * Runs `work` while no process can send, by holding the job's lock. Attempts that a killed process left open become
 * unknown.
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

/** @throws ProductError usage for an item that cannot be resolved yet */
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
 * Rejects an early resolution. A worker whose chunk was taken over may only have been suspended: when it resumes, it
 * still sends its current request once, within the request's time limit. The outcome cannot be known before that.
 * @throws ProductError usage, naming the time
 */
async function refuseTooEarly(ledger: Ledger, run: Run, { rows, attempts }: UnknownItem): Promise<void> {
  const since = attempts.filter(({ event }) => event === TAKEN_OVER).map(({ endedAt }) => endedAt ?? 0);
  if (since.length === 0 || !ledger.queue) return;
  const certain = Math.max(...since) + unpackSettings(run.settings).job.run.timeoutMs;
  if ((await ledger.queue.now()) >= certain) return;
  // Rounded up to a second, so that the shown time is never too early.
  const when = zonedText(Math.ceil(certain / 1000) * 1000, timezoneOf(run));
  const params = { run: wholeRunOf(run.id), row: rows[0] ?? 0, when };
  throw new ProductError('usage', message('team.too_early', params));
}

async function recordResolutions(
  ledger: Ledger,
  run: Run,
  items: readonly ItemToResolve[],
  resolutions: readonly NewResolution[],
): Promise<{ readonly settled: readonly ResolvedItem[] }> {
  const done = new Set(await ledger.resolutions.record(run.id, resolutions));
  if (unpackSettings(run.settings).job.undoes) await ledger.reversals.finish(run.id);
  const before = new Map(items.map((item) => [item.item, item]));
  const settled: ResolvedItem[] = [];
  for (const { item, outcome, evidence } of resolutions) {
    const { status: to, licenseOrderId } = outcome;
    if (to === 'unknown' || !done.has(item)) continue;
    const previous = before.get(item);
    settled.push({
      rows: previous?.rows ?? [],
      to,
      corrects: previous?.status === 'unknown' ? undefined : previous?.status,
      licenseOrderId,
      evidence,
    });
  }
  return { settled };
}
