import { message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import type { Status } from '../model/status.js';
import { resultMessage } from '../run/report/result-message.js';
import { withLedger } from './open.js';
import { type CommonOptions, refuseUnknownOptions } from './options.js';

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
  /** The operation's own result columns. */
  readonly columns: Readonly<Record<string, string>>;
}

/**
 * The rows of a run from the ledger, by ascending row, also of one that was stopped or killed.
 * @throws LicenseSyncError (usage) when there is no such run
 */
export async function runRows(run: string, options: CommonOptions = {}): Promise<readonly RowOutcome[]> {
  refuseUnknownOptions(options);
  return withLedger(undefined, options, async ({ ledger, parts }) => {
    const kept = await ledger.runs.get(run);
    if (!kept) {
      throw new ProductError('usage', message('run.no_such_run', { location: ledger.location, run }));
    }
    const rows: RowOutcome[] = [];
    const pendingAs = kept.kind === 'run' ? 'not_sent' : 'valid';
    for await (const page of ledger.report.rows(run, pendingAs)) {
      for (const it of page) {
        const { row, status, licenseOrderId, code, attempts, columns } = it;
        rows.push({
          row,
          status,
          message: resultMessage(it, parts.language),
          attempts,
          columns,
          ...(licenseOrderId === undefined ? {} : { licenseOrderId }),
          ...(code === undefined ? {} : { code }),
        });
      }
    }
    return rows;
  });
}
