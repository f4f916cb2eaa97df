import { stat } from 'node:fs/promises';
import { message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import type { Ledger } from '../../ledger/contract/ledger.js';
import type { Run } from '../../ledger/contract/runs.js';
import { compareRows, type RowDifference } from '../../rehearse/compare.js';
import {
  keptRows,
  type RowCame,
  refuseUnrehearsable,
  rehearsalAt,
  rehearsalOf,
  resultOf,
} from '../../rehearse/stored-rehearsals.js';
import { displayedFile } from '../../source/source.js';
import type { AppContext } from '../context.js';
import { type OpenedLedger, runNamed, withLedger } from '../with-ledger.js';

/** Time limit of one page; the next page continues there. */
const PAGE_MS = 1000;

interface RehearsedPage<T> {
  readonly items: readonly T[];
  /** What `after` is on the next page; absent at the end. */
  readonly next?: number;
}

/** The last rehearsal of a plan; without `ended` none is stored. */
export function rehearsalData(context: AppContext, id: string) {
  return withLedger(context, async ({ ledger }) => {
    const run = await runNamed(ledger, id);
    const { stateFolder } = ledger;
    const { job, connection, operation, kind } = run;
    const input = displayedFile(run.inputFile);
    const about = { run: id, job, connection, operation, input, sent: kind === 'run' };
    const stored = await rehearsalAt(stateFolder, id);
    if (!stored) return about;
    const { by, endedAt, counts = {}, steps, warnings = [] } = stored.facts;
    const hasResult = await stat(resultOf(stored.file)).catch(() => undefined);
    return {
      ...about,
      by,
      ended: new Date(endedAt).toISOString(),
      rows: Object.values(counts).reduce((sum, it) => sum + it, 0),
      counts,
      steps,
      warnings,
      result: hasResult !== undefined,
      // Only a rehearsal before the run can be compared with it.
      comparable: kind === 'run' && (await rehearsalOf(stateFolder, run)) !== undefined,
    };
  });
}

/** Refuses a run that cannot be rehearsed, before the rehearsal starts. */
export function checkRehearsable(context: AppContext, id: string): Promise<void> {
  const check = async ({ ledger }: OpenedLedger) => refuseUnrehearsable(await runNamed(ledger, id));
  return withLedger(context, check, { act: 'rehearse', run: id });
}

/** When the last rehearsal of a plan ended, for pages that link to it. */
export async function rehearsedView({ stateFolder }: Ledger, { id, planHash }: Run) {
  const stored = planHash === undefined ? undefined : await rehearsalAt(stateFolder, id);
  return stored ? { rehearsed: new Date(stored.facts.endedAt).toISOString() } : {};
}

export function rehearsedRows(
  context: AppContext,
  id: string,
  { after, limit, status }: { readonly after: number; readonly limit: number; readonly status?: string },
): Promise<RehearsedPage<RowCame>> {
  return withLedger(context, async ({ ledger }) => {
    const { file } = await storedRehearsal(ledger, await runNamed(ledger, id));
    const rows = keptRows(file, after);
    return pageOf(rows, (it) => (status === undefined || it.status === status ? it : undefined), limit);
  });
}

/** Rows of a sent plan whose outcome differs from the rehearsal. */
export function rehearsalDifferences(
  context: AppContext,
  id: string,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<RehearsedPage<RowDifference> & { readonly compared: number }> {
  return withLedger(context, async ({ ledger }) => {
    const run = await runNamed(ledger, id);
    const stored = run.kind === 'run' ? await rehearsalOf(ledger.stateFolder, run) : undefined;
    if (!stored) throw noneOf(id);
    let compared = 0;
    const found = compareRows(ledger, run, stored.file, context.language, after);
    const page = await pageOf(
      counted(found, () => (compared += 1)),
      ({ difference }) => difference,
      limit,
    );
    return { ...page, compared };
  });
}

/** The workbook of a rehearsal: its path, and the job. */
export function rehearsalResult(
  context: AppContext,
  id: string,
): Promise<{ readonly file: string; readonly job: string }> {
  return withLedger(context, async ({ ledger }) => {
    const run = await runNamed(ledger, id);
    return { file: resultOf((await storedRehearsal(ledger, run)).file), job: run.job };
  });
}

async function storedRehearsal(ledger: Ledger, { id }: Run) {
  const stored = await rehearsalAt(ledger.stateFolder, id);
  if (!stored) throw noneOf(id);
  return stored;
}

function noneOf(run: string): ProductError {
  return new ProductError('usage', message('rehearse.none_of', { run }));
}

async function* counted<T>(found: AsyncIterable<T>, count: () => void): AsyncGenerator<T> {
  for await (const row of found) {
    count();
    yield row;
  }
}

async function pageOf<T extends { readonly row: number }, Item>(
  rows: AsyncIterable<T>,
  toItem: (row: T) => Item | undefined,
  limit: number,
): Promise<RehearsedPage<Item>> {
  const until = performance.now() + PAGE_MS;
  const items: Item[] = [];
  for await (const row of rows) {
    const item = toItem(row);
    if (item !== undefined) items.push(item);
    if (items.length === limit || performance.now() > until) return { items, next: row.row };
  }
  return { items };
}
