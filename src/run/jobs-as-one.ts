import { type Message, message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import type { Connection } from '../model/connection.js';
import type { Job } from '../model/job.js';
import { operationNamed } from '../platform/operations/index.js';
import { requireRun } from './run-checks.js';
import type { RunServices } from './run-context.js';
import type { RunEnd } from './run-end.js';
import { applyPlan, refuseWithoutAppKey, startRun } from './run-job.js';

/** Several jobs that were carried out as one. */
export interface Together {
  /** One for each job that was planned, in order; those that were not carried out ended as plans. */
  readonly ends: readonly RunEnd[];
  /** Why not all was carried out. */
  readonly refusal?: Message;
}

/**
 * Plans all jobs before the first item of any is sent, holds the limits against their sum, then carries them out one
 * after the other. Jobs that go together have the same limits. What ends one that was begun ends them all, but is no
 * error any more: what was sent must be told.
 * @throws ProductError as `startRun`, before anything was sent
 */
export async function runJobsAsOne(
  services: RunServices,
  jobs: readonly Job[],
  connection: Connection,
  parent: string,
): Promise<Together> {
  const ends: RunEnd[] = [];
  for (const job of jobs) refuseWithoutAppKey(job, connection);
  for (const job of jobs) {
    if (services.stop.cause) return { ends, refusal: message('run.stopped_between') };
    const end = await startRun(services, job, connection, 'plan', { parent });
    ends.push(end);
    if (end.status !== 'completed') {
      return { ends, refusal: end.reason ?? message('run.action_invalid', { run: end.run, job: job.name }) };
    }
  }
  const broken = await brokenTogether(services, jobs, ends);
  if (broken) return { ends, refusal: broken };
  for (const [index, planned] of ends.entries()) {
    if (services.stop.cause) return { ends, refusal: message('run.stopped_between') };
    if (planned.items === 0) continue;
    const end = await carryOut(services, planned, connection);
    ends[index] = end;
    if (end.status !== 'completed') {
      return { ends, refusal: end.reason ?? message('run.action_stopped', { run: end.run }) };
    }
  }
  return { ends };
}

async function carryOut(services: RunServices, planned: RunEnd, connection: Connection): Promise<RunEnd> {
  const { ledger } = services;
  const { run } = planned;
  try {
    const plan = await requireRun(ledger, run);
    const now = {
      connection,
      job: { sha256: plan.jobSha256 },
      input: { sha256: plan.inputSha256 },
      maxAgeMs: Number.POSITIVE_INFINITY,
    };
    return await applyPlan(services, plan, now, (settings) => settings);
  } catch (error) {
    if (!(error instanceof ProductError)) throw error;
    const { kind, requests, retries } = await requireRun(ledger, run);
    // Never begun, where another process has it.
    const counts = kind === 'run' ? await ledger.runs.counts(run) : planned.counts;
    return { ...planned, kind, status: 'stopped', counts, requests, retries, reason: error.detail };
  }
}

/** The limit that all the plans break together, if any. */
async function brokenTogether(
  { ledger }: RunServices,
  jobs: readonly Job[],
  ends: readonly RunEnd[],
): Promise<Message | undefined> {
  const [job] = jobs;
  if (!job) return undefined;
  const { maxItems, maxDeletes } = job.safety;
  const items = ends.reduce((sum, it) => sum + it.items, 0);
  if (items > maxItems) return message('run.max_items', { items, limit: maxItems });
  let deletes = 0;
  for (const [index, { run }] of ends.entries()) {
    const { revokes } = operationNamed(jobs[index]!.operation);
    if (!revokes) continue;
    for await (const { body } of ledger.plan.bodies(run)) deletes += revokes(body);
  }
  return deletes > maxDeletes ? message('run.max_deletes', { count: deletes, limit: maxDeletes }) : undefined;
}
