import { message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import type { Ledger } from '../../ledger/contract/ledger.js';
import type { Run } from '../../ledger/contract/run.js';
import type { Connection } from '../../model/connection.js';
import { type Status, standsAt } from '../../model/status.js';
import type { RowRanges } from '../input/row-ranges.js';
import { takenFrom } from '../report/steps/step-columns.js';
import { noSuchRow, refusePruned, refuseStepRun, requireRow } from '../run-checks.js';
import { hasSteps, stepRunsOf, stepsSettings } from '../step-runs.js';
import {
  type DecidedItem,
  type ItemToResolve,
  itemsToResolve,
  type Resolved,
  type ResolveServices,
  type RowResolution,
  settleDecided,
  underLock,
  unknownIn,
  verifyRowsOf,
} from './resolve.js';

/** What a person found out about the unknown rows of a range; rows in it that are not unknown stay as they are. */
export interface RangeResolution extends Omit<RowResolution, 'row'> {
  readonly rows: readonly [first: number, last: number];
}

/** Resolutions of one run, each with the item of the row that was named. */
type Decided = Map<number, DecidedItem>;

/**
 * Resolves rows, each with all rows of its order, as a person says; of a run of several steps, in the step that a row is at.
 * If no item of a row is unknown any more, its earlier resolution is corrected; the audit keeps both. Either all are
 * resolved, or none.
 * @throws ProductError usage when a row does not exist, is neither unknown nor was resolved, or already has that status,
 *   when two rows of one order are resolved differently, and when the run is going on
 */
export async function resolveRows(
  services: ResolveServices,
  run: Run,
  known: readonly (RowResolution | RangeResolution)[],
): Promise<Resolved> {
  refuseStepRun(run);
  const parts = await partsOf(services.ledger, run);
  return underLock(services, parts, async () => {
    const decided = new Map(parts.map((part): [Run, Decided] => [part, new Map()]));
    for (const it of known) await decide(services, run, it, decided);
    refuseSharedOrder(run, decided);
    await services.record?.();
    const settled: Resolved['settled'][number][] = [];
    for (const [part, items] of decided) {
      if (items.size === 0) continue;
      const resolved = await settleDecided(services, part, [...items.values()]);
      const warning = part.step === undefined ? undefined : nothingReturned(run, part.step);
      settled.push(
        ...resolved.settled.map((it) => (warning && it.to === 'succeeded' ? { warning, ...it } : it)),
      );
    }
    return { settled, left: [] };
  });
}

/** Finds the items of a row, or of a range. */
async function decide(
  { ledger, note }: ResolveServices,
  run: Run,
  given: RowResolution | RangeResolution,
  decided: ReadonlyMap<Run, Decided>,
): Promise<void> {
  const add = (part: Run, items: readonly ItemToResolve[], known: RowResolution): void => {
    for (const item of items) {
      const before = decided.get(part)!.get(item.item);
      if (before && !isSame(before.known, known)) {
        const params = { run: run.id, row: before.known.row, other: known.row };
        throw new ProductError('usage', message('resolve.contradiction', params));
      }
      if (!before) decided.get(part)!.set(item.item, { item, known });
    }
  };
  if (!('rows' in given)) {
    const known = { note, ...given };
    const named = await runOfRow(ledger, run, given.row);
    const part = [...decided.keys()].find(({ id }) => id === named.id)!;
    add(part, await itemsToResolve(ledger, part, known), known);
    return;
  }
  const { rows, ...rest } = given;
  let found = 0;
  for (const part of decided.keys()) {
    const items = await unknownIn(ledger, part, [rows]);
    found += items.length;
    for (const item of items)
      add(part, [item], { note, ...rest, row: item.rows.find((it) => it >= rows[0]) ?? rows[0] });
  }
  if (found === 0) throw await noneUnknown(ledger, run, rows);
}

function isSame(one: RowResolution, other: RowResolution): boolean {
  return one.as === other.as && one.licenseOrderId === other.licenseOrderId;
}

async function noneUnknown(
  ledger: Ledger,
  run: Run,
  [first, last]: readonly [number, number],
): Promise<ProductError> {
  if (first !== last)
    return new ProductError('usage', message('resolve.none_in_range', { run: run.id, first, last }));
  const { status } = (await requireRow(ledger, await runOfRow(ledger, run, first), first)).result;
  return new ProductError('usage', message('resolve.not_unknown', { run: run.id, row: first, status }));
}

/** @throws ProductError usage where several items would get one licence order */
function refuseSharedOrder({ id: run }: Run, decided: ReadonlyMap<Run, Decided>): void {
  const rows = new Map<string, number[]>();
  for (const { item, known } of [...decided.values()].flatMap((it) => [...it.values()])) {
    if (known.licenseOrderId === undefined) continue;
    const named = rows.get(known.licenseOrderId) ?? [];
    rows.set(known.licenseOrderId, [...named, item.rows[0] ?? known.row]);
  }
  for (const [id, named] of rows) {
    if (named.length < 2) continue;
    const params = { run, id, rows: [...new Set(named)].join(', '), count: named.length };
    throw new ProductError('usage', message('resolve.several_items', params));
  }
}

/** What a person cannot know of a step: what its reply would have returned to later steps. */
function nothingReturned(run: Run, step: number) {
  const { steps } = stepsSettings(run).job;
  const name = steps[step - 1]?.name ?? '';
  const taken = [...takenFrom(steps, name)].filter((it) => it !== 'licenseOrderId');
  if (taken.length === 0) return undefined;
  return message('resolve.nothing_returned', { step: name, fields: taken.join(', ') });
}

/**
 * `verifyRowsOf` for a run that a person names: of one of several steps, in all of them.
 * @param rows as ranges; all unknown rows if absent
 * @throws ProductError as `verifyRowsOf`, and usage for a step run and for rows of which none is unknown
 */
export async function verifyRun(
  services: ResolveServices,
  run: Run,
  connection: Connection,
  rows?: RowRanges,
): Promise<Resolved> {
  refuseStepRun(run);
  const { ledger } = services;
  const settled: Resolved['settled'][number][] = [];
  const left: Resolved['left'][number][] = [];
  for (const part of await partsOf(ledger, run)) {
    if (!rows && hasSteps(run) && !(await ledger.runs.counts(part.id)).unknown) continue;
    const resolved = await verifyRowsOf(services, part, connection, rows);
    settled.push(...resolved.settled);
    left.push(...resolved.left);
  }
  const [range] = rows ?? [];
  if (range && settled.length + left.length === 0) throw await noneUnknown(ledger, run, range);
  return { settled, left };
}

/** The run itself, or its step runs. */
async function partsOf(ledger: Ledger, run: Run): Promise<readonly Run[]> {
  if (!hasSteps(run)) return [run];
  refusePruned(run);
  return (await stepRunsOf(ledger, run)).flatMap((it) => it.run ?? []);
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
