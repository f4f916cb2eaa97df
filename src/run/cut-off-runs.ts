import { type Message, message } from '../errors/message.js';
import type { Ledger } from '../ledger/contract/ledger.js';
import type { RunQuery } from '../ledger/contract/runs.js';
import { isCutOff } from './live-state.js';

/** A run of the same job whose process died before the run ended. */
export interface CutOffRun {
  readonly run: string;
  readonly input: string;
  /** Rows that may have been carried out. Nobody was told of them. */
  readonly unknown: number;
  readonly notSent: number;
}

type JobOnPlatform = Pick<RunQuery, 'job' | 'connection' | 'scope'>;

/**
 * The job's runs that were cut off and never resumed, newest first. They must be mentioned: after a new run over
 * another input nobody would remember them, nor their unknown rows.
 * @param except the run that asks
 */
export async function cutOffRuns(
  ledger: Ledger,
  { job, connection, scope }: JobOnPlatform,
  except?: string,
): Promise<readonly CutOffRun[]> {
  const found: CutOffRun[] = [];
  for (const run of await ledger.runs.listOf({ job, connection, scope, unended: true })) {
    if (run.id === except || run.kind !== 'run' || !(await isCutOff(ledger, run))) continue;
    const { unknown = 0, not_sent: notSent = 0 } = await ledger.runs.counts(run.id);
    found.push({ run: run.id, input: run.inputFile, unknown, notSent });
  }
  return found;
}

/** The cut-off runs that have unknown rows, which must not be forgotten. */
export async function doubtfulRuns(
  ledger: Ledger,
  of: JobOnPlatform,
  except?: string,
): Promise<readonly CutOffRun[]> {
  return (await cutOffRuns(ledger, of, except)).filter((it) => it.unknown > 0);
}

/** A new run's warnings: one for each cut-off run with unknown rows, and one for the newest whatever it left. */
export function cutOffWarnings(runs: readonly CutOffRun[]): readonly Message[] {
  return runs.flatMap((it, index) => {
    if (it.unknown > 0) return [doubtWarning(it)];
    return index === 0 && it.notSent > 0 ? [unsentWarning(it)] : [];
  });
}

function unsentWarning({ run, input, notSent }: CutOffRun): Message {
  return message('run.cut_off_unsent', { run, input, rows: notSent });
}

export function doubtWarning({ run, input, unknown }: CutOffRun): Message {
  return message('run.cut_off_unknown', { run, input, rows: unknown });
}
