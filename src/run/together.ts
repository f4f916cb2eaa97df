import { type Message, message } from '../errors/message.js';
import type { Connection } from '../model/connection.js';
import type { Job } from '../model/job.js';
import { operationNamed } from '../platform/operations/index.js';
import { existing } from './existing-run.js';
import type { RunEnd } from './run-end.js';
import { applyPlan, startRun } from './run-job.js';
import type { RunParts } from './run-parts.js';

/** Several jobs that were carried out as one. */
export interface Together {
  /** One for each job that was planned, in order; those that were not carried out ended as plans. */
  readonly ends: readonly RunEnd[];
  /** Why not all was carried out. */
  readonly refusal?: Message;
}

/**
 * Plans all jobs before the first item of any is sent, holds the limits against their sum, then carries them out one
 * after the other. Jobs that go together have the same limits.
 * @throws ProductError as `startRun`
 */
export async function runTogether(
  parts: RunParts,
  jobs: readonly Job[],
  connection: Connection,
  parent: string,
): Promise<Together> {
  const ends: RunEnd[] = [];
  for (const job of jobs) {
    if (parts.stop.cause) return { ends, refusal: message('run.stopped_between') };
    const end = await startRun(parts, job, connection, 'plan', { parent });
    ends.push(end);
    if (end.status !== 'completed') {
      return { ends, refusal: end.reason ?? message('run.action_invalid', { run: end.run, job: job.name }) };
    }
  }
  const broken = await brokenTogether(parts, jobs, ends);
  if (broken) return { ends, refusal: broken };
  for (const [index, planned] of ends.entries()) {
    if (parts.stop.cause) return { ends, refusal: message('run.stopped_between') };
    if (planned.items === 0) continue;
    const plan = await existing(parts.ledger, planned.run);
    const now = {
      connection,
      jobSha256: plan.jobSha256,
      inputSha256: plan.inputSha256,
      maxAgeMs: Number.POSITIVE_INFINITY,
    };
    const end = await applyPlan(parts, plan, now, (settings) => settings);
    ends[index] = end;
    if (end.status !== 'completed') {
      return { ends, refusal: end.reason ?? message('run.action_stopped', { run: end.run }) };
    }
  }
  return { ends };
}

/** The limit that all the plans break together, if any. */
async function brokenTogether(
  { ledger }: RunParts,
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
