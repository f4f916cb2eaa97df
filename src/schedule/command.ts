import type { StartOrder } from './decide.js';
import type { ScheduledJob } from './scheduled-job.js';

/** Flags of the scheduler that its runs get too. */
export interface PassedFlags {
  readonly connection?: string;
  readonly logFile?: string;
  readonly metricsFile?: string;
  /** Carry out the actions of reconciliations. */
  readonly apply?: boolean;
  readonly yes?: boolean;
}

/** The program's arguments for one due time of a job, without the flags for its output. */
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

/** The program's arguments for a start order. `ledger`: the address of the one with the run to resume. */
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
