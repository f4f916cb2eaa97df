import type { Wording } from '../errors/at-page.js';
import type { RowResult } from '../ledger/contract/report.js';
import type { Status } from '../model/status.js';
import { resultMessage } from '../run/report/result-message.js';
import { allColumns, reportRows } from '../run/report/steps/steps-rows.js';
import type { AppContext } from './context.js';
import { runNamed, withLedger } from './open.js';

/** What became of one row of the source. */
export interface RowOutcome {
  /** As Excel numbers it. */
  readonly row: number;
  readonly status: Status;
  readonly licenseOrderId?: string;
  /** The platform's code, or the HTTP status. */
  readonly code?: string;
  /** Faults of its cells, or what was said of its items; the empty text where there is nothing to say. */
  readonly message: string;
  /** Requests that carried it. */
  readonly attempts: number;
  /** The operation's own result columns; of a job of steps those of the result's sheet behind `licenseOrderId`. */
  readonly columns: Readonly<Record<string, string>>;
}

/** A row as plain data, its texts in the language. */
export function rowOutcome(it: RowResult, language: Wording): RowOutcome {
  const { row, status, licenseOrderId, code, attempts } = it;
  const columns = allColumns(it, language);
  return { row, status, licenseOrderId, code, message: resultMessage(it, language), attempts, columns };
}

/** The rows of a run from the ledger, by ascending row, also of one that was stopped or killed. */
export function rowsOf(context: AppContext, id: string): Promise<readonly RowOutcome[]> {
  return withLedger(context, async ({ ledger }) => {
    const rows: RowOutcome[] = [];
    for await (const page of reportRows(ledger, await runNamed(ledger, id))) {
      for (const it of page) rows.push(rowOutcome(it, context.language));
    }
    return rows;
  });
}
