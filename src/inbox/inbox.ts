import type { Message } from '../errors/message.js';
import type { Connection } from '../model/connection.js';
import type { SendingJob } from '../model/job.js';
import type { CutOffRun } from '../run/live-state.js';
import type { RunEnd } from '../run/run-end.js';
import type { LeftFile } from './find-files.js';

export interface InboxOptions {
  /** A job whose source is a pattern. */
  readonly job: SendingJob;
  readonly connection: Connection;
  /** A dry run checks each file and moves none. */
  readonly kind: 'run' | 'dry_run';
  /** Items of each file that are sent first. */
  readonly canary?: number;
  /** For a dry run: lookups are not requested. */
  readonly offline?: true | undefined;
  /** Called with each run, in order, before the next file is processed. */
  readonly ended?: (run: InboxRun) => Promise<void>;
}

/** The run of one file. */
export interface InboxRun {
  readonly input: string;
  readonly end: RunEnd;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly durationMs: number;
  /** The error that ended the run before it had a result. */
  readonly error?: unknown;
}

/** A file that was only moved, because its rows were sent before. */
export interface MovedFile {
  readonly file: string;
  /** Absent if it could not be moved. */
  readonly movedTo?: string;
  /** The run that sent them. */
  readonly run: string;
  readonly reason: Message;
  /** What it contributes to the command's exit code. */
  readonly exitCode: number;
}

/** The end of a command on an input folder. */
export interface InboxEnd {
  readonly pattern: string;
  readonly job: string;
  readonly operation: string;
  readonly connection: string;
  readonly sandbox: boolean;
  readonly kind: InboxOptions['kind'];
  readonly status: RunEnd['status'];
  readonly runs: readonly InboxRun[];
  readonly moved: readonly MovedFile[];
  readonly left: readonly LeftFile[];
  /** The job's interrupted runs with unknown rows. */
  readonly uncertainRuns: readonly CutOffRun[];
  /** The most severe exit code. */
  readonly exitCode: number;
  /** The error that ended the command before all files were processed. */
  readonly failure?: unknown;
}
