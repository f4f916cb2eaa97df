import { message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import type { Row } from '../model/row.js';
import { driftFields } from '../reconcile/compare.js';
import { RECONCILE_COLUMNS } from '../reconcile/input.js';
import { openSource } from '../source/open.js';
import type { AppContext } from './context.js';
import { withLedger } from './open.js';
import { showRun } from './runs.js';

const IN_SYNC: ReadonlySet<string> = new Set(['in_sync', 'skipped']);

/**
 * A comparison, and the rows of its result that aren't in sync: `after` a line of it, `limit` at most.
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
  // The result was moved, or lies on another machine.
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

/** What its actions would send, or sent, each as a run of its own. */
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
