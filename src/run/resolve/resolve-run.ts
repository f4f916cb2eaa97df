import { message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import type { Ledger } from '../../ledger/contract/ledger.js';
import type { Run } from '../../ledger/contract/runs.js';
import type { Connection } from '../../model/connection.js';
import { type Status, statusPosition } from '../../model/status.js';
import type { RowRanges } from '../input/row-ranges.js';
import { fieldsUsedFrom } from '../report/steps-form.js';
import { noSuchRow, refusePruned, refuseStepRun, requireRow } from '../run-checks.js';
import { hasSteps, itemRunsOf, stepRunsOf, stepsSettings } from '../step-runs.js';
import {
  type DecidedItem,
  type ItemToResolve,
  itemsToResolve,
  type Resolved,
  type ResolveServices,
  type RowResolution,
  recordDecided,
  underLock,
  unknownIn,
  verifyRowsOf,
} from './resolve.js';

/** A user's resolution of the unknown rows of a range. Rows in it that are not unknown are not changed. */
export interface RangeResolution extends Omit<RowResolution, 'row'> {
  readonly rows: readonly [first: number, last: number];
}

/** Resolutions of one run by item, each with the row that was named. */
type Decided = Map<number, DecidedItem>;

/**
 * Resolves rows, each with all rows of its order, as a user decided; in a run of several steps, in the step that a row
 * is at. If no item of a row is unknown any more, its earlier resolution is corrected; the audit contains both. Either
 * all are resolved, or none.
 * @throws ProductError usage if a row does not exist, is neither unknown nor was resolved, or already has that status;
 * if two rows of one order are resolved differently; and if the run is executing
 */
export async function resolveRows(
  services: ResolveServices,
  run: Run,
  resolutions: readonly (RowResolution | RangeResolution)[],
): Promise<Resolved> {
  refuseStepRun(run);
  const parts = await partsOf(services.ledger, run);
  return underLock(services, parts, async () => {
    const decided = new Map(parts.map((part): [Run, Decided] => [part, new Map()]));
    for (const resolution of resolutions) await decide(services, run, resolution, decided);
    refuseSharedOrder(run, decided);
    await services.record?.();
    const resolvedItems: Resolved['settled'][number][] = [];
    for (const [part, items] of decided) {
      if (items.size === 0) continue;
      const resolved = await recordDecided(services, part, [...items.values()]);
      const warning = part.step === undefined ? undefined : missingResultsWarning(run, part.step);
      resolvedItems.push(
        ...resolved.settled.map((item) => (warning && item.to === 'succeeded' ? { warning, ...item } : item)),
      );
    }
    return { settled: resolvedItems, left: [] };
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
    const rowRun = await runOfRow(ledger, run, given.row);
    const stepPart = [...decided.keys()].find(({ id }) => id === rowRun.id)!;
    add(stepPart, await itemsToResolve(ledger, stepPart, known), known);
    return;
  }
  const { rows, ...rest } = given;
  let found = 0;
  for (const part of decided.keys()) {
    const items = await unknownIn(ledger, part, [rows]);
    found += items.length;
    for (const item of items)
      add(part, [item], { note, ...rest, row: item.rows.find((row) => row >= rows[0]) ?? rows[0] });
  }
  if (found === 0) throw await noneUnknown(ledger, run, rows);
}

function isSame(a: RowResolution, b: RowResolution): boolean {
  return a.as === b.as && a.licenseOrderId === b.licenseOrderId;
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

/**
 * Rejects one licence order for several items.
 * @throws ProductError usage
 */
function refuseSharedOrder({ id: run }: Run, decided: ReadonlyMap<Run, Decided>): void {
  const rows = new Map<string, number[]>();
  for (const { item, known } of [...decided.values()].flatMap((items) => [...items.values()])) {
    if (known.licenseOrderId === undefined) continue;
    const rowNumbers = rows.get(known.licenseOrderId) ?? [];
    rows.set(known.licenseOrderId, [...rowNumbers, item.rows[0] ?? known.row]);
  }
  for (const [id, rowNumbers] of rows) {
    if (rowNumbers.length < 2) continue;
    const params = { run, id, rows: [...new Set(rowNumbers)].join(', '), count: rowNumbers.length };
    throw new ProductError('usage', message('resolve.several_items', params));
  }
}

/** The warning for a step resolved by a user: later steps lack the values that its reply would have returned. */
function missingResultsWarning(run: Run, step: number) {
  const { steps } = stepsSettings(run).job;
  const name = steps[step - 1]?.name ?? '';
  const fields = [...fieldsUsedFrom(steps, name)].filter((field) => field !== 'licenseOrderId');
  if (fields.length === 0) return undefined;
  return message('resolve.nothing_returned', { step: name, fields: fields.join(', ') });
}

/**
 * `verifyRowsOf` for a run that a user names; in a run of several steps for all of them.
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
  if (hasSteps(run)) refusePruned(run);
  return itemRunsOf(ledger, run);
}

/** The run that has the outcome of a row to resolve. */
async function runOfRow(ledger: Ledger, run: Run, row: number): Promise<Run> {
  if (!hasSteps(run)) return run;
  refusePruned(run);
  const found: { readonly part: Run; readonly status: Status }[] = [];
  for (const { run: part } of await stepRunsOf(ledger, run)) {
    const status = part && (await ledger.report.row(part.id, row))?.result.status;
    if (part && status) found.push({ part, status });
  }
  const [first] = found;
  if (!first) throw await noSuchRow(ledger, run, row, (await stepRunsOf(ledger, run))[0]?.run?.id);
  const unknown = found.find(({ status }) => status === 'unknown');
  if (unknown) return unknown.part;
  // An earlier resolution may be corrected, although the row has continued since.
  for (const { part } of found)
    if ((await ledger.resolutions.correctable(part.id, row)).length > 0) return part;
  return (found[statusPosition(found.map(({ status }) => status))] ?? first).part;
}
