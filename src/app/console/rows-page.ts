import type { Ledger } from '../../ledger/contract/ledger.js';
import type { Run } from '../../ledger/contract/run.js';
import type { Status } from '../../model/status.js';
import { rowsByStatus } from '../../run/report/steps/steps-rows.js';
import { type AppContext, wordsOf } from '../context.js';
import { runNamed, withLedger } from '../open.js';
import { type RowOutcome, rowOutcome } from '../rows.js';

export interface RowsWanted {
  /** Only rows with higher numbers. */
  readonly after: number;
  readonly limit: number;
  readonly statuses?: readonly Status[] | undefined;
  /** Part of the order's id, the platform's code, the message or a result column, in any case; or the row's number. */
  readonly search?: string | undefined;
}

/** A page is answered after so long, with what was found until then: `next` says where to go on. */
const ANSWERED_WITHIN_MS = 80;

interface RowsPage {
  readonly items: readonly RowOutcome[];
  /** What `after` is on the next page; absent at the end. */
  readonly next?: number;
  /** Rows that match, where that is known without reading them all. */
  readonly total?: number;
}

/** A page of a run's rows by ascending row. It may hold fewer than were asked for, even none, although more follow. */
export function rowsPageData(context: AppContext, id: string, wanted: RowsWanted): Promise<RowsPage> {
  return withLedger(context, async ({ ledger }) => {
    const run = await runNamed(ledger, id);
    const found = await pageOf(ledger, run, wanted, context);
    const total = await totalOf(ledger, run, wanted);
    return { ...found, ...(total === undefined ? {} : { total }) };
  });
}

async function pageOf(
  ledger: Ledger,
  run: Run,
  { after, limit, statuses, search }: RowsWanted,
  context: AppContext,
): Promise<RowsPage> {
  const until = performance.now() + ANSWERED_WITHIN_MS;
  const text = search?.trim().toLowerCase() ?? '';
  const items: RowOutcome[] = [];
  const words = wordsOf(context);
  const found = rowsByStatus(ledger, run, statuses, after);
  try {
    for (let part = await found.next(); !part.done; part = await found.next()) {
      const { rows, lookedTo } = part.value;
      const nextUnlessOver = async (next: number) =>
        (await found.next()).done ? { items } : { items, next };
      for (const [at, it] of rows.entries()) {
        const told = rowOutcome(it, words);
        if (text === '' || holds(told, text)) items.push(told);
        if (items.length === limit)
          return at + 1 < rows.length ? { items, next: it.row } : nextUnlessOver(it.row);
      }
      if (performance.now() > until) return nextUnlessOver(lookedTo);
    }
    return { items };
  } finally {
    await found.return(undefined);
  }
}

function holds({ row, licenseOrderId = '', code = '', message, columns }: RowOutcome, text: string): boolean {
  const texts = [licenseOrderId, code, message, ...Object.values(columns)];
  return String(row) === text || texts.some((it) => it.toLowerCase().includes(text));
}

async function totalOf(
  ledger: Ledger,
  run: Run,
  { statuses, search }: RowsWanted,
): Promise<number | undefined> {
  if (search !== undefined && search.trim() !== '') return undefined;
  if (!statuses) return run.rows;
  const counts = await ledger.runs.counts(run.id);
  return statuses.reduce((sum, it) => sum + (counts[it] ?? 0), 0);
}
