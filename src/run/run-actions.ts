import { type Message, message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import type { Connection } from '../model/connection.js';
import type { Job } from '../model/job.js';
import type { ActionEnd, ActionRow, ActionRuns, RunCounts } from '../model/run-outcome.js';
import { operationNamed } from '../platform/operations/catalogue.js';
import { follow, StopSignal } from '../util/stop-signal.js';
import { brokenLimit } from './execute/may-execute.js';
import { resultMessage } from './report/result-message.js';
import { refuseWithoutAppKey, requireRun } from './run-checks.js';
import type { RunServices } from './run-context.js';
import type { RunEnd } from './run-end.js';
import { applyPlan, startRun } from './start-run.js';

/**
 * Executes the actions of a reconciliation (`parent`) as separate runs, with limits that apply to all of them together.
 * @param onlyPlanned each is stored as a plan, and nothing is sent
 */
export function runActions(
  services: RunServices,
  connection: Connection,
  onlyPlanned = false,
): (jobs: readonly Job[], parent: string) => Promise<ActionRuns> {
  return async (jobs, parent) => {
    // What stops an action does not stop the reconciliation, which still compares the records afterwards.
    const stop = new StopSignal();
    const release = follow(stop, services.stop);
    const all = { jobs, parent, onlyPlanned };
    const { ends, refusal } = await runJobsAsOne({ ...services, stop }, connection, all).finally(release);
    const runs = ends.map((end) => ({
      run: end.run,
      operation: end.operation,
      ...(refusal ? asUnsent(end) : { status: end.status, counts: end.counts }),
      requests: end.requests,
      retries: end.retries,
      exitCode: end.exitCode,
      output: end.output,
      rows: () => rowsOf(services, end.run, onlyPlanned && !refusal ? 'valid' : 'not_sent'),
    }));
    return { runs, refusal };
  };
}

/** The end of a plan that was to be executed and was not. Its valid rows are `not_sent`, unlike those of a dry run. */
function asUnsent({ kind, status, counts }: RunEnd): Pick<ActionEnd, 'status' | 'counts'> {
  if (kind !== 'plan') return { status, counts };
  const { valid = 0, ...otherCounts } = counts;
  const unsent: RunCounts = valid > 0 ? { not_sent: valid } : {};
  return {
    status: valid > 0 && status === 'completed' ? 'stopped' : status,
    counts: { ...otherCounts, ...unsent },
  };
}

async function* rowsOf(
  { ledger, language }: RunServices,
  run: string,
  pendingAs: 'valid' | 'not_sent',
): AsyncGenerator<readonly ActionRow[]> {
  for await (const page of ledger.report.rows(run, pendingAs))
    yield page.map((it) => ({ row: it.row, status: it.status, message: resultMessage(it, language) }));
}

interface JobsEnd {
  /** One for each job that was planned, in order. Those that were not executed ended as plans. */
  readonly ends: readonly RunEnd[];
  /** Why not all was executed. */
  readonly refusal?: Message;
}

/**
 * Plans all jobs before the first item of any is sent, checks the shared limits against their sum, then executes them
 * in order. An error that ends a started run ends them all but is not thrown, because the requests that were sent must
 * be reported.
 * @throws ProductError as `startRun`, before anything was sent
 */
async function runJobsAsOne(
  services: RunServices,
  connection: Connection,
  {
    jobs,
    parent,
    onlyPlanned,
  }: { readonly jobs: readonly Job[]; readonly parent: string; readonly onlyPlanned: boolean },
): Promise<JobsEnd> {
  const ends: RunEnd[] = [];
  for (const job of jobs) refuseWithoutAppKey(job, connection);
  for (const job of jobs) {
    if (services.stop.cause) return { ends, refusal: message('run.stopped_between') };
    const end = await startRun(services, job, connection, 'plan', { parent });
    ends.push(end);
    if (end.status !== 'completed')
      return { ends, refusal: end.reason ?? message('run.action_invalid', { run: end.run, job: job.name }) };
  }
  const [first] = jobs;
  const plans = ends.map(({ run, items }, index) => ({
    run,
    items,
    operation: operationNamed(jobs[index]!.operation),
  }));
  const broken = first && (await brokenLimit(services.ledger, first.safety, plans));
  if (broken) return { ends, refusal: broken };
  if (onlyPlanned) return { ends };
  const waiting = ends.filter((end) => end.needsApproval && end.items > 0).map((end) => end.run);
  if (waiting.length > 0) {
    const plans = waiting.join(', ');
    return { ends, refusal: message('approval.actions_kept', { plans, connection: connection.name }) };
  }
  for (const [index, planned] of ends.entries()) {
    if (services.stop.cause) return { ends, refusal: message('run.stopped_between') };
    if (planned.items === 0) continue;
    const end = await executeAction(services, planned, connection);
    ends[index] = end;
    if (end.status !== 'completed')
      return { ends, refusal: end.reason ?? message('run.action_stopped', { run: end.run }) };
  }
  return { ends };
}

async function executeAction(
  services: RunServices,
  planned: RunEnd,
  connection: Connection,
): Promise<RunEnd> {
  const { ledger } = services;
  const { run } = planned;
  try {
    const plan = await requireRun(ledger, run);
    const job = { sha256: plan.jobSha256 };
    const input = { sha256: plan.inputSha256 };
    const conditions = { connection, job, input, parts: undefined, maxAgeMs: Number.POSITIVE_INFINITY };
    return await applyPlan(services, plan, conditions, (settings) => settings);
  } catch (error) {
    if (!(error instanceof ProductError)) throw error;
    const { kind, requests, retries } = await requireRun(ledger, run);
    // If another process has the run, this one never started it.
    const counts = kind === 'run' ? await ledger.runs.counts(run) : planned.counts;
    return { ...planned, kind, status: 'stopped', counts, requests, retries, reason: error.detail };
  }
}
