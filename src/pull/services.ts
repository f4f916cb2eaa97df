import type { Message } from '../errors/message.js';
import type { Comparison } from '../model/comparison.js';
import type { Connection } from '../model/connection.js';
import type { JobRun } from '../model/job.js';
import type { Header } from '../model/row.js';
import type { PlatformClient } from '../platform/client/client.js';
import type { PauseEvent } from '../platform/client/request-gate.js';
import type { SourceOptions } from '../source/source.js';
import type { Clock } from '../util/clock.js';
import type { StopSignal } from '../util/stop-signal.js';

/** The spreadsheet with the keys: a row for each enterprise, or each customer of a channel. */
interface KeySheet extends Pick<SourceOptions, 'password' | 'env'> {
  readonly file: string;
  /** Name or 1-based position; default the first visible sheet. */
  readonly sheet?: string | number;
  readonly headerRow: number;
}

export interface PullOptions {
  readonly comparison: Comparison;
  readonly keys: KeySheet;
  /** Path of the result; .xlsx, .csv or .ndjson. */
  readonly output: string;
  readonly connection: Connection;
  readonly run: JobRun;
}

type FindKeyColumns = (headers: readonly Header[], sheet: string) => ReadonlyMap<string, Header>;

export interface PullServices {
  readonly clock: Clock;
  /** Folder of the ledger, with the notes of written results. It may not exist. */
  readonly stateFolder: string;
  readonly stop: StopSignal;
  readonly findColumns: FindKeyColumns;
  /** Called after the keys have been read, so that an invalid file needs no credential. */
  openClient(): Promise<{ readonly client: PlatformClient; close(): Promise<void> }>;
  readonly warn: (warning: Message) => void;
  readonly progress: (progress: {
    readonly stage: 'plan' | 'execute';
    readonly done: number;
    readonly total?: number;
  }) => void;
  readonly paused: (pause: PauseEvent | undefined) => void;
}

export interface PullEnd {
  readonly status: 'completed' | 'stopped' | 'interrupted';
  /** Distinct keys of the sheet. */
  readonly keys: number;
  /** Keys with a reply without records. */
  readonly empty: number;
  /** Keys without a valid reply, and rows whose key cannot be read. */
  readonly unanswered: number;
  readonly records: number;
  readonly requests: number;
  readonly retries: number;
  /** Absent if the pull did not complete: no partial file is written. */
  readonly output?: string;
  /** Why it did not complete. */
  readonly reason?: Message;
  readonly exitCode: number;
}
