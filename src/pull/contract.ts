import type { Message } from '../errors/message.js';
import type { Comparison } from '../model/comparison.js';
import type { Connection } from '../model/connection.js';
import type { JobRun } from '../model/job.js';
import type { Header } from '../model/row.js';
import type { PlatformClient } from '../platform/client/client.js';
import type { PauseNews } from '../platform/client/request-gate.js';
import type { SourceOptions } from '../source/contract.js';
import type { Clock } from '../util/clock.js';
import type { StopSignal } from '../util/stop-signal.js';

/** Where the keys stand: a spreadsheet with a row for each enterprise, or each customer of a channel. */
interface KeySheet extends Pick<SourceOptions, 'password' | 'env'> {
  readonly file: string;
  /** Name or 1-based position; default the first visible sheet. */
  readonly sheet?: string | number;
  readonly headerRow: number;
}

export interface PullWish {
  readonly comparison: Comparison;
  readonly keys: KeySheet;
  /** Where the sheet goes; .xlsx, .csv or .ndjson. */
  readonly output: string;
  readonly connection: Connection;
  readonly run: JobRun;
}

/** The header that names each field of the key, found by whoever knows headers. */
type FindKeyColumns = (headers: readonly Header[], sheet: string) => ReadonlyMap<string, Header>;

export interface PullServices {
  readonly clock: Clock;
  /** Of the ledger: has the notes of written results. It may not exist. */
  readonly stateFolder: string;
  readonly stop: StopSignal;
  readonly findColumns: FindKeyColumns;
  /** Called when the keys have been read: a faulty file needs no credential. */
  openClient(): Promise<{ readonly client: PlatformClient; close(): Promise<void> }>;
  readonly warn: (warning: Message) => void;
  readonly progress: (progress: {
    readonly stage: 'plan' | 'execute';
    readonly done: number;
    readonly total?: number;
  }) => void;
  readonly paused: (pause: PauseNews | undefined) => void;
}

/** How a pull ended. */
export interface PullEnd {
  readonly status: 'completed' | 'stopped' | 'interrupted';
  /** Distinct keys of the sheet. */
  readonly keys: number;
  /** Keys that were answered without a record. */
  readonly empty: number;
  /** Keys without an answer, and rows whose key can't be read. */
  readonly unanswered: number;
  readonly records: number;
  readonly requests: number;
  readonly retries: number;
  /** Absent where nothing was written: half of the records would pass for all of them. */
  readonly output?: string;
  /** Why it was not brought to its end. */
  readonly reason?: Message;
  readonly exitCode: number;
}
