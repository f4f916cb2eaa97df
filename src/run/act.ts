import type { Message } from '../errors/message.js';
import type { Connection } from '../model/connection.js';
import type { Job } from '../model/job.js';
import { resultMessage } from './report-message.js';
import type { ActionEnd } from './run-end.js';
import type { RunParts } from './run-parts.js';
import { runTogether } from './together.js';

export interface ActedRow {
  readonly row: number;
  readonly status: string;
  readonly message: string;
}

/** Runs of actions with what became of their rows. */
export interface ActedTogether {
  readonly runs: readonly (ActionEnd & { rows(): AsyncIterable<readonly ActedRow[]> })[];
  readonly refusal?: Message;
}

/** Carries out the actions of a reconciliation (`parent`) as runs like any other. */
export function actWith(
  parts: RunParts,
  connection: Connection,
): (jobs: readonly Job[], parent: string) => Promise<ActedTogether> {
  return async (jobs, parent) => {
    const { ends, refusal } = await runTogether(parts, jobs, connection, parent);
    const runs = ends.map((end) => ({
      run: end.run,
      operation: end.operation,
      status: end.status,
      counts: end.counts,
      requests: end.requests,
      retries: end.retries,
      ...(end.output === undefined ? {} : { output: end.output }),
      rows: () => rowsOf(parts, end.run),
    }));
    return refusal ? { runs, refusal } : { runs };
  };
}

/** What was only planned was not sent. */
async function* rowsOf({ ledger, language }: RunParts, run: string): AsyncGenerator<readonly ActedRow[]> {
  for await (const page of ledger.report.rows(run, 'not_sent')) {
    yield page.map((it) => ({ row: it.row, status: it.status, message: resultMessage(it, language) }));
  }
}
