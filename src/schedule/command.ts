import type { StartOrder } from './decide.js';
import type { ScheduledJob } from './scheduled-job.js';

/** Flags of the scheduler that its runs get too. */
export interface PassedFlags {
  readonly connection?: string;
  readonly logFile?: string;
  readonly metricsFile?: string;
  /** Reconciliations that have actions carry them out. */
  readonly apply?: boolean;
  readonly yes?: boolean;
}

/** The arguments of the program that carry out one due time of a job; without what is about its output. */
export function jobArgs(job: ScheduledJob, file: string, passed: PassedFlags): readonly string[] {
  const apply = job.kind === 'reconcile' && job.hasActions && passed.apply === true;
  return [
    job.kind,
    file,
    ...(apply ? ['--apply'] : []),
    ...(passed.connection === undefined ? [] : ['--connection', passed.connection]),
    ...common(passed),
  ];
}

/** The arguments for an order of the scheduler; `ledger` is where the run to go on with is found. */
export function orderArgs(
  job: ScheduledJob,
  order: StartOrder,
  passed: PassedFlags,
  ledger: string,
): readonly string[] {
  const args = order.resume
    ? ['resume', order.resume.id, '--ledger', ledger, ...common(passed)]
    : jobArgs(job, job.file, passed);
  return [...args, '--json', '--quiet'];
}

function common({ logFile, metricsFile, yes }: PassedFlags): readonly string[] {
  return [
    ...(yes === true ? ['--yes'] : []),
    ...(logFile === undefined ? [] : ['--log-file', logFile]),
    ...(metricsFile === undefined ? [] : ['--metrics-file', metricsFile]),
  ];
}
