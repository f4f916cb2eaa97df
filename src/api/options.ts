import type { Language } from '../errors/message.js';

/** Where a call looks for things, and whom it tells. All paths may be relative to `cwd`. */
export interface CommonOptions {
  /** Default `process.cwd()`. */
  readonly cwd?: string;
  /** Variables for `${NAME}` and credentials; default `process.env`. */
  readonly env?: NodeJS.ProcessEnv;
  /** Of messages in results; default `en`. */
  readonly language?: Language;
  /** The ledger's file in place of the one that `license-sync.yaml` names. */
  readonly ledger?: string;
  /** Aborted: no further request is begun, what is in flight is waited for, the result is written; resumable. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: ProgressTold) => void;
  readonly onWarning?: (text: string) => void;
}

export interface ProgressTold {
  readonly stage: 'plan' | 'execute' | 'report';
  /** Rows read, items (or requests of a comparison) settled, or rows written. */
  readonly done: number;
  /** Known from the execute stage on. */
  readonly total?: number;
}

/** What is about to happen, for whoever must say yes. */
export interface Question {
  readonly job: string;
  readonly operation: string;
  readonly connection: string;
  readonly items: number;
}

/** Settings that a call lays over those of the job file. */
export interface RunOptions extends CommonOptions {
  /** By name, as `--connection`. */
  readonly connection?: string;
  /** The spreadsheet, in place of the job's. */
  readonly input?: string;
  /** The result file (.xlsx, .csv, .ndjson), in place of the job's. */
  readonly output?: string;
  /** As `--set`: `run.retries=2`. */
  readonly set?: readonly string[];
  readonly concurrency?: number;
  readonly maxItems?: number;
  readonly maxDeletes?: number;
  readonly onInvalid?: 'abort' | 'skip';
  /** The first so many items are sent by themselves, before a yes is wanted for the rest. */
  readonly canary?: number;
  /**
   * How a yes is had where one is needed (contract section 7: deletions, `confirm: always`, what a canary leaves).
   * `true` gives it beforehand; a function is asked; without either such a run is refused with exit code 4.
   */
  readonly confirm?: boolean | ((question: Question) => boolean | Promise<boolean>);
}
