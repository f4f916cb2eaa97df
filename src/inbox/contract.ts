import type { Message } from '../errors/message.js';
import type { Connection } from '../model/connection.js';
import type { Job } from '../model/job.js';
import type { CutOffRun } from '../run/cut-off-runs.js';
import type { RunEnd } from '../run/run-end.js';
import type { LeftFile } from './find-files.js';

export interface InboxOptions {
  /** Its source is a pattern. */
  readonly job: Job;
  readonly connection: Connection;
  /** A dry run checks each file and moves none. */
  readonly kind: 'run' | 'dry_run';
  /** Of each file. */
  readonly canary?: number;
  /** Told of each run, in order, before the next file is taken up. */
  readonly ended?: (run: InboxRun) => Promise<void>;
}

/** The run of one file. */
export interface InboxRun {
  readonly input: string;
  readonly end: RunEnd;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly durationMs: number;
  /** What ended it before it had a result. */
  readonly error?: unknown;
}

/** A file that was only moved: its rows were sent before. */
export interface MovedFile {
  readonly file: string;
  /** Absent where it could not be moved. */
  readonly movedTo?: string;
  /** The run that sent them. */
  readonly run: string;
  readonly reason: Message;
  /** What it adds to the exit code of the command. */
  readonly exitCode: number;
}

/** What became of all files that fit. */
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
  /** Runs of the job that were cut off and have unknown rows, whatever became of their files. */
  readonly doubts: readonly CutOffRun[];
  /** The worst of all. */
  readonly exitCode: number;
  /** What ended the command before all files had their turn. */
  readonly failure?: unknown;
}
