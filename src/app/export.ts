import path from 'node:path';
import type { MessageSurface } from '../errors/message-surface.js';
import type { RowResult } from '../ledger/contract/report.js';
import type { Status } from '../model/status.js';
import { warningTo } from '../run/observer.js';
import { exportCorrectedInput, exportResult } from '../run/report/export-result.js';
import { writeHtmlReport } from '../run/report/html-report.js';
import { resultMessage } from '../run/report/result-message.js';
import { allColumns, reportRows } from '../run/report/row-results.js';
import { systemClock } from '../util/clock.js';
import type { AppContext } from './context.js';
import { runNamed, withLedger } from './with-ledger.js';

/** `runs export`: writes a run's result again. Returns the path written. */
export function exportRun(
  context: AppContext,
  id: string,
  output: string,
  onlyAttention = false,
): Promise<string> {
  const { language, cwd, env, found } = context;
  return withLedger(context, async ({ ledger }) =>
    exportResult(
      { ledger, language, observer: warningTo(found), env },
      await runNamed(ledger, id),
      path.resolve(cwd, output),
      onlyAttention,
    ),
  );
}

/** `runs export --corrected`: writes the run's input with the run's corrections. Returns the path written. */
export function exportCorrected(context: AppContext, id: string, output: string): Promise<string> {
  const { language, cwd, env, found } = context;
  return withLedger(context, async ({ ledger }) =>
    exportCorrectedInput(
      { ledger, language, observer: warningTo(found), env },
      await runNamed(ledger, id),
      path.resolve(cwd, output),
    ),
  );
}

/** `runs report`: writes a run's web page. Returns the path written. */
export function reportRun(context: AppContext, id: string, output: string): Promise<string> {
  const { language, cwd, found } = context;
  return withLedger(context, async ({ ledger }) =>
    writeHtmlReport(
      { ledger, language, clock: systemClock, warn: (it) => void found?.(it) },
      await runNamed(ledger, id),
      path.resolve(cwd, output),
    ),
  );
}

/** The outcome of one row of the source. */
export interface RowOutcome {
  /** As Excel numbers it. */
  readonly row: number;
  readonly status: Status;
  readonly licenseOrderId?: string;
  /** The platform's code, or the HTTP status. */
  readonly code?: string;
  /** Errors of its cells, or messages of its items; may be empty. */
  readonly message: string;
  /** Number of requests with this row. */
  readonly attempts: number;
  /** The operation's result columns; for a job of steps the result columns after `licenseOrderId`. */
  readonly columns: Readonly<Record<string, string>>;
}

/** A row as plain data, texts in the language. */
export function rowOutcome(it: RowResult, language: MessageSurface): RowOutcome {
  const { row, status, licenseOrderId, code, attempts } = it;
  const columns = allColumns(it, language);
  return { row, status, licenseOrderId, code, message: resultMessage(it, language), attempts, columns };
}

/** The rows of a run from the ledger by ascending row, also of a stopped or killed run. */
export function rowsOf(context: AppContext, id: string): Promise<readonly RowOutcome[]> {
  return withLedger(context, async ({ ledger }) => {
    const rows: RowOutcome[] = [];
    for await (const page of reportRows(ledger, await runNamed(ledger, id))) {
      for (const it of page) rows.push(rowOutcome(it, context.language));
    }
    return rows;
  });
}
