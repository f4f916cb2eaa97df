import { message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import type { Ledger } from '../../ledger/contract/ledger.js';
import type { Run } from '../../ledger/contract/runs.js';
import type { Json } from '../../model/json.js';
import type { Row } from '../../model/row.js';
import type { Status } from '../../model/status.js';
import { driftFields } from '../../reconcile/compare.js';
import { RECONCILE_COLUMNS } from '../../reconcile/input.js';
import { rowsByStatus } from '../../run/report/row-results.js';
import { itemRunsOf } from '../../run/step-runs.js';
import { openSource } from '../../source/open-source.js';
import { type AppContext, wordsOf } from '../context.js';
import { type RowOutcome, rowOutcome } from '../export.js';
import { showRun } from '../runs.js';
import { runNamed, withLedger } from '../with-ledger.js';

export interface RowsQuery {
  /** Only rows with higher numbers. */
  readonly after: number;
  readonly limit: number;
  readonly statuses?: readonly Status[] | undefined;
  /** Part of a text of the row (what it concerns, the order's id, the code, the message, a result column); or its number. */
  readonly search?: string | undefined;
}

/** Time limit of one page. It contains what was found by then, and `next` continues there. */
const PAGE_MS = 80;

interface ListedRow extends RowOutcome {
  /** The values by which users recognise the row: order number, customer, locks. Empty if the row has no item. */
  readonly about: readonly string[];
}

interface RowsPage {
  readonly items: readonly ListedRow[];
  /** What `after` is on the next page; absent at the end. */
  readonly next?: number;
  /** Number of matching rows, if known without reading them all. */
  readonly total?: number;
}

/** A page of a run's rows by ascending row. It may contain fewer rows than the limit, even none, although more follow. */
export function rowsPageData(context: AppContext, id: string, query: RowsQuery): Promise<RowsPage> {
  return withLedger(context, async ({ ledger }) => {
    const run = await runNamed(ledger, id);
    const found = await pageOf(ledger, run, query, context);
    const total = await totalOf(ledger, run, query);
    return { ...found, ...(total === undefined ? {} : { total }) };
  });
}

async function pageOf(
  ledger: Ledger,
  run: Run,
  { after, limit, statuses, search }: RowsQuery,
  context: AppContext,
): Promise<RowsPage> {
  const until = performance.now() + PAGE_MS;
  const text = search?.trim().toLowerCase() ?? '';
  const items: ListedRow[] = [];
  const words = wordsOf(context);
  const parts = await itemRunsOf(ledger, run);
  const found = rowsByStatus(ledger, run, statuses, after);
  try {
    for (let part = await found.next(); !part.done; part = await found.next()) {
      const { rows, lookedTo } = part.value;
      const nextUnlessOver = async (next: number) =>
        (await found.next()).done ? { items } : { items, next };
      const shown = text === '' ? rows.slice(0, limit - items.length) : rows;
      const about = await identifyingTexts(
        ledger,
        parts,
        shown.map((it) => it.row),
      );
      for (const [at, it] of rows.entries()) {
        const outcome = { ...rowOutcome(it, words), about: about.get(it.row) ?? [] };
        if (text === '' || matches(outcome, text)) items.push(outcome);
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

function matches(
  { row, licenseOrderId = '', code = '', message, columns, about }: ListedRow,
  text: string,
): boolean {
  const texts = [licenseOrderId, code, message, ...about, ...Object.values(columns)];
  return String(row) === text || texts.some((it) => it.toLowerCase().includes(text));
}

/** Fields of requests by which users recognise an order, a lock or a customer, the best known first. */
const IDENTIFYING_FIELDS = [
  'channelOrderId',
  'customerName',
  'identity',
  'assetNum',
  'assetNums',
  'assetNos',
  'crmCustomerId',
  'channelCustomerId',
  'customerId',
];

/** The values of the identifying fields of each row's items, in the order of the fields. */
async function identifyingTexts(
  ledger: Ledger,
  runs: readonly Run[],
  rows: readonly number[],
): Promise<ReadonlyMap<number, readonly string[]>> {
  const found = new Map<number, Set<string>[]>();
  for (const { id } of runs) {
    for (const { row, sent } of await ledger.report.bodiesOf(id, rows)) {
      const texts = found.get(row) ?? IDENTIFYING_FIELDS.map(() => new Set<string>());
      found.set(row, texts);
      // The body of an asset number's order, and of a lock, is a text.
      for (const it of sent) collectTexts(it, 'identity', texts);
    }
  }
  return new Map([...found].map(([row, texts]) => [row, [...new Set(texts.flatMap((it) => [...it]))]]));
}

function collectTexts(value: Json | undefined, field: string, texts: readonly Set<string>[]): void {
  if (Array.isArray(value)) for (const it of value) collectTexts(it, field, texts);
  else if (typeof value === 'object' && value !== null)
    for (const [name, it] of Object.entries(value)) collectTexts(it, name, texts);
  else if (value !== undefined && value !== '') texts[IDENTIFYING_FIELDS.indexOf(field)]?.add(String(value));
}

async function totalOf(
  ledger: Ledger,
  run: Run,
  { statuses, search }: RowsQuery,
): Promise<number | undefined> {
  if (search !== undefined && search.trim() !== '') return undefined;
  if (!statuses) return run.rows;
  const counts = await ledger.runs.counts(run.id);
  return statuses.reduce((sum, it) => sum + (counts[it] ?? 0), 0);
}

const IN_SYNC: ReadonlySet<string> = new Set(['in_sync', 'skipped']);

/**
 * A comparison, and the rows of its result that are not in sync: those after the line `after`, at most `limit`.
 * @throws ProductError usage for another kind of run
 */
export async function reconciliationData(
  context: AppContext,
  id: string,
  { after = 0, limit, status }: { readonly after?: number; readonly limit: number; readonly status?: string },
) {
  const { run } = await showRun(context, id);
  if (run.kind !== 'reconcile')
    throw new ProductError('usage', message('reconcile.no_comparison', { run: id }));
  const { output } = run;
  const drift: ReturnType<typeof driftLine>[] = [];
  const plans = await plansOf(context, id);
  if (output === undefined) return { run, drift, plans };
  const source = await openSource(output).catch((error: unknown) => {
    if (error instanceof ProductError) return undefined;
    throw error;
  });
  // The result was moved, or is on another machine.
  if (!source) return { run, drift, plans, gone: output };
  try {
    const sheet = source.sheets.find((it) => it.name === 'Results') ?? source.sheets[0]!;
    for await (const page of source.rows(sheet)) {
      for (const row of page) {
        if (row.number <= Math.max(after, 1)) continue;
        const line = driftLine(row);
        if (IN_SYNC.has(line.status) || (status !== undefined && line.status !== status)) continue;
        if (drift.length === limit) return { run, drift, plans, next: drift.at(-1)!.line };
        drift.push(line);
      }
    }
    return { run, drift, plans };
  } finally {
    await source.close();
  }
}

/** The runs of its actions: plans, or what was sent. */
function plansOf(context: AppContext, id: string) {
  return withLedger(context, async ({ ledger }) =>
    (await ledger.runs.children(id)).map((it) => ({
      run: it.id,
      job: it.job,
      operation: it.operation,
      items: it.items,
    })),
  );
}

/** A row of the result, as data. */
function driftLine(row: Row) {
  const text = (name: (typeof RECONCILE_COLUMNS)[number]): string =>
    row.cell(RECONCILE_COLUMNS.indexOf(name) + 1)?.text.trim() ?? '';
  const shown = Number(text('row'));
  return {
    line: row.number,
    ...(shown > 0 ? { row: shown } : {}),
    status: text('status'),
    fields: driftFields(text('differences')),
    ...(text('action') ? { action: text('action') } : {}),
    ...(text('outcome') ? { outcome: text('outcome') } : {}),
    ...(text('message') ? { message: text('message') } : {}),
  };
}
