import type { Ledger } from '../../ledger/contract/ledger.js';
import type { RowResult } from '../../ledger/contract/report.js';
import type { Run } from '../../ledger/contract/run.js';
import type { Status } from '../../model/status.js';
import { pendingAs, reportRows } from '../../run/report/steps/steps-rows.js';
import { hasSteps } from '../../run/step-runs.js';
import type { AppContext } from '../context.js';
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
  { language }: AppContext,
): Promise<RowsPage> {
  const until = performance.now() + ANSWERED_WITHIN_MS;
  const text = search?.trim().toLowerCase() ?? '';
  const items: RowOutcome[] = [];
  const fits = (it: RowResult): RowOutcome | undefined => {
    if (statuses && !statuses.includes(it.status)) return undefined;
    const told = rowOutcome(it, language);
    return text === '' || holds(told, text) ? told : undefined;
  };
  let at = after;
  for (;;) {
    const jump = await nextRow(ledger, run, statuses, at);
    if (jump === 'end') return { items };
    at = jump.after;
    if (jump.found) {
      for await (const page of reportRows(ledger, run, at)) {
        for (const it of page) {
          const told = fits(it);
          if (told) items.push(told);
          at = it.row;
          if (items.length === limit) return { items, next: at };
        }
        // Rare ones are jumped to; where they are many, reading on is quicker.
        const isRare = statuses !== undefined && !page.some((it) => statuses.includes(it.status));
        if (isRare || performance.now() > until) break;
      }
      // Nothing followed.
      if (at === jump.after) return { items };
    }
    if (performance.now() > until) return { items, next: at };
  }
}

/** Where to read on: before the next row of these statuses, or after those that were looked through in vain. */
async function nextRow(
  ledger: Ledger,
  run: Run,
  statuses: readonly Status[] | undefined,
  after: number,
): Promise<{ readonly after: number; readonly found: boolean } | 'end'> {
  if (!statuses || hasSteps(run)) return { after, found: true };
  const { row, lookedTo } = await ledger.report.nextOf(run.id, statuses, {
    pendingAs: pendingAs(run),
    after,
  });
  if (row !== undefined) return { after: row - 1, found: true };
  return lookedTo === undefined ? 'end' : { after: lookedTo, found: false };
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
