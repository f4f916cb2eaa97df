import { stat } from 'node:fs/promises';
import { message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import type { Ledger } from '../../ledger/contract/ledger.js';
import type { Run } from '../../ledger/contract/run.js';
import { compareRows, type RowDifference } from '../../rehearse/compare.js';
import { keptRows, type RowCame, rehearsalAt, rehearsalOf, resultOf } from '../../rehearse/kept.js';
import { refuseUnrehearsable } from '../../rehearse/rehearsable.js';
import { toldFile } from '../../source/original-name.js';
import type { AppContext } from '../context.js';
import { type OpenedLedger, runNamed, withLedger } from '../open.js';

/** So long rows are looked through for one answer; the next one goes on there. */
const ANSWERED_WITHIN_MS = 1000;

interface RehearsedPage<T> {
  readonly items: readonly T[];
  /** What `after` is on the next page; absent at the end. */
  readonly next?: number;
}

/** What came of the last rehearsal of a plan, as a whole; without `ended` none is kept. */
export function rehearsalData(context: AppContext, id: string) {
  return withLedger(context, async ({ ledger }) => {
    const run = await runNamed(ledger, id);
    const { stateFolder } = ledger;
    const { job, connection, operation, kind } = run;
    const input = toldFile(run.inputFile);
    const told = { run: id, job, connection, operation, input, sent: kind === 'run' };
    const kept = await rehearsalAt(stateFolder, id);
    if (!kept) return told;
    const { by, endedAt, counts = {}, steps, warnings = [] } = kept.facts;
    const hasResult = await stat(resultOf(kept.file)).catch(() => undefined);
    return {
      ...told,
      ...(by === undefined ? {} : { by }),
      ended: new Date(endedAt).toISOString(),
      rows: Object.values(counts).reduce((sum, it) => sum + it, 0),
      counts,
      ...(steps ? { steps } : {}),
      warnings,
      result: hasResult !== undefined,
      // Of what was sent since: one that came later tells of nothing.
      comparable: kind === 'run' && (await rehearsalOf(stateFolder, run)) !== undefined,
    };
  });
}

/** Refuses what can't be rehearsed, before anybody waits for it. */
export function checkRehearsable(context: AppContext, id: string): Promise<void> {
  const check = async ({ ledger }: OpenedLedger) => refuseUnrehearsable(await runNamed(ledger, id));
  return withLedger(context, check, { act: 'rehearse', run: id });
}

/** When the last rehearsal of a plan ended, for pages that lead there. */
export async function rehearsedTold({ stateFolder }: Ledger, { id, planHash }: Run) {
  const kept = planHash === undefined ? undefined : await rehearsalAt(stateFolder, id);
  return kept ? { rehearsed: new Date(kept.facts.endedAt).toISOString() } : {};
}

/** Rows of a rehearsal by ascending number. */
export function rehearsedRows(
  context: AppContext,
  id: string,
  { after, limit, status }: { readonly after: number; readonly limit: number; readonly status?: string },
): Promise<RehearsedPage<RowCame>> {
  return withLedger(context, async ({ ledger }) => {
    const { file } = await keptOf(ledger, await runNamed(ledger, id));
    const rows = keptRows(file, after);
    return pageOf(rows, (it) => (status === undefined || it.status === status ? it : undefined), limit);
  });
}

/** Rows that came out otherwise than they were rehearsed, once the plan was sent. */
export function rehearsalDifferences(
  context: AppContext,
  id: string,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<RehearsedPage<RowDifference> & { readonly compared: number }> {
  return withLedger(context, async ({ ledger }) => {
    const run = await runNamed(ledger, id);
    const kept = run.kind === 'run' ? await rehearsalOf(ledger.stateFolder, run) : undefined;
    if (!kept) throw noneOf(id);
    let compared = 0;
    const found = compareRows(ledger, run, kept.file, context.language, after);
    const page = await pageOf(
      counted(found, () => (compared += 1)),
      ({ difference }) => difference,
      limit,
    );
    return { ...page, compared };
  });
}

/** The workbook of a rehearsal: where it lies, and of which job. */
export function rehearsalResult(
  context: AppContext,
  id: string,
): Promise<{ readonly file: string; readonly job: string }> {
  return withLedger(context, async ({ ledger }) => {
    const run = await runNamed(ledger, id);
    return { file: resultOf((await keptOf(ledger, run)).file), job: run.job };
  });
}

async function keptOf(ledger: Ledger, { id }: Run) {
  const kept = await rehearsalAt(ledger.stateFolder, id);
  if (!kept) throw noneOf(id);
  return kept;
}

function noneOf(run: string): ProductError {
  return new ProductError('usage', message('rehearse.none_of', { run }));
}

async function* counted<T>(found: AsyncIterable<T>, count: () => void): AsyncGenerator<T> {
  for await (const it of found) {
    count();
    yield it;
  }
}

async function pageOf<T extends { readonly row: number }, Told>(
  rows: AsyncIterable<T>,
  fits: (it: T) => Told | undefined,
  limit: number,
): Promise<RehearsedPage<Told>> {
  const until = performance.now() + ANSWERED_WITHIN_MS;
  const items: Told[] = [];
  for await (const it of rows) {
    const told = fits(it);
    if (told !== undefined) items.push(told);
    if (items.length === limit || performance.now() > until) return { items, next: it.row };
  }
  return { items };
}
