import type { Message } from '../errors/message.js';
import type { Connection } from '../model/connection.js';
import type { Job } from '../model/job.js';
import type { RunCounts } from '../model/run-counts.js';
import { follow, StopSignal } from '../util/stop-signal.js';
import { runJobsAsOne } from './jobs-as-one.js';
import { resultMessage } from './report/result-message.js';
import type { RunServices } from './run-context.js';
import type { ActionEnd, RunEnd } from './run-end.js';

export interface ActedRow {
  readonly row: number;
  readonly status: string;
  readonly message: string;
}

/** Runs of actions with what became of their rows. */
export interface ActionRuns {
  readonly runs: readonly (ActionEnd & {
    readonly exitCode: number;
    rows(): AsyncIterable<readonly ActedRow[]>;
  })[];
  readonly refusal?: Message;
}

/** Carries out the actions of a reconciliation (`parent`) as runs like any other. */
export function runActions(
  services: RunServices,
  connection: Connection,
): (jobs: readonly Job[], parent: string) => Promise<ActionRuns> {
  return async (jobs, parent) => {
    // What stops an action doesn't stop the reconciliation: it still has to see what became of its records.
    const stop = new StopSignal();
    const release = follow(stop, services.stop);
    const { ends, refusal } = await runJobsAsOne({ ...services, stop }, jobs, connection, parent).finally(
      release,
    );
    const runs = ends.map((end) => ({
      run: end.run,
      operation: end.operation,
      ...(refusal ? leftAsPlan(end) : { status: end.status, counts: end.counts }),
      requests: end.requests,
      retries: end.retries,
      exitCode: end.exitCode,
      ...(end.output === undefined ? {} : { output: end.output }),
      rows: () => rowsOf(services, end.run),
    }));
    return refusal ? { runs, refusal } : { runs };
  };
}

/** A plan that was to be carried out and wasn't: its rows are no dry run's. */
function leftAsPlan({ kind, status, counts }: RunEnd): Pick<ActionEnd, 'status' | 'counts'> {
  if (kind !== 'plan') return { status, counts };
  const { valid = 0, ...others } = counts;
  const unsent: RunCounts = valid > 0 ? { not_sent: valid } : {};
  return {
    status: valid > 0 && status === 'completed' ? 'stopped' : status,
    counts: { ...others, ...unsent },
  };
}

/** What was only planned was not sent. */
async function* rowsOf({ ledger, language }: RunServices, run: string): AsyncGenerator<readonly ActedRow[]> {
  for await (const page of ledger.report.rows(run, 'not_sent')) {
    yield page.map((it) => ({ row: it.row, status: it.status, message: resultMessage(it, language) }));
  }
}
