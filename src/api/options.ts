import { type Language, message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import { nearestName } from '../util/name-match.js';

/** Environment and callbacks of a call. All paths may be relative to `cwd`. */
export interface CommonOptions {
  /** Default `process.cwd()`. */
  readonly cwd?: string;
  /** Variables for `${NAME}` and credentials; default `process.env`. */
  readonly env?: NodeJS.ProcessEnv;
  /** Of messages in results; default `en`. */
  readonly language?: Language;
  /** The ledger's file in place of the one that `license-sync.yaml` names. */
  readonly ledger?: string;
  /** If aborted, no further request is sent, requests in flight finish, and the result is written. The run can be resumed. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: ReportedProgress) => void;
  readonly onWarning?: (text: string) => void;
}

export interface ReportedProgress {
  readonly stage: 'plan' | 'execute' | 'report';
  /** Rows read, items (or requests of a comparison) with an outcome, or rows written. */
  readonly done: number;
  /** Known from the execute stage on. */
  readonly total?: number;
}

/** What is about to be sent, for the confirmation. */
export interface Question {
  readonly job: string;
  readonly operation: string;
  readonly connection: string;
  readonly items: number;
  /** The ledger at `location` has sent nothing to the platform yet, and this user has sent to it with the ledger `other`. */
  readonly otherLedger?: { readonly location: string; readonly other: string; readonly platform: string };
  /** Rows that this job sent before, and whose locks or customers later runs changed. */
  readonly changed?: { readonly count: number; readonly rows: string; readonly runs: string };
}

/** Settings that override those of the job file. */
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
  /** Number of items sent first; the rest requires confirmation. */
  readonly canary?: number;
  /**
   * How confirmations are given (contract section 7: deletions, `confirm: always`, the rest after a canary, a new ledger).
   * `true` confirms in advance; a function is called; without either such a run is refused with exit code 4.
   */
  readonly confirm?: boolean | ((question: Question) => boolean | Promise<boolean>);
}

/** For functions that read a spreadsheet for the first time. */
export interface CorrectionsOption {
  /** A .csv with the columns `row`, `column` and `value`: corrections of cells. */
  readonly corrections?: string;
}

/** For functions that send nothing. */
export interface OfflineOption {
  /** Lookups are not requested: fields that they fill are treated as present, and a warning names them. */
  readonly offline?: boolean;
}

const KNOWN: Readonly<Record<keyof RunOptions, true>> = {
  cwd: true,
  env: true,
  language: true,
  ledger: true,
  signal: true,
  onProgress: true,
  onWarning: true,
  connection: true,
  input: true,
  output: true,
  set: true,
  concurrency: true,
  maxItems: true,
  maxDeletes: true,
  onInvalid: true,
  canary: true,
  confirm: true,
};

/**
 * Danger: a misspelt option, or one for another function, would be ignored, and rows could be sent that should only be
 * checked. Without an id `resumeRun` would resume the last run of the ledger; it can be missing, because a retry or a revert
 * may create no run.
 * @param texts arguments that must not be empty
 * @param extra further option names of the function
 * @throws ProductError usage
 */
export function checkCall(
  options: object,
  texts: Readonly<Partial<Record<'run' | 'plan' | 'jobFile', unknown>>> = {},
  extra: readonly string[] = [],
): void {
  const known = [...Object.keys(KNOWN), ...extra];
  for (const name of Object.keys(options)) {
    if (known.includes(name)) continue;
    const near = nearestName(name, known);
    throw new ProductError(
      'usage',
      near === undefined
        ? message('run.no_such_option', { name, known: known.join(', ') })
        : message('run.no_such_option_near', { name, near }),
    );
  }
  for (const [name, value] of Object.entries(texts)) {
    if (typeof value === 'string' && value !== '') continue;
    const what = name === 'jobFile' ? 'jobs/orders.yaml' : '20261121-194523-405b3e';
    const shown = value === '' ? '""' : String(value);
    throw new ProductError('usage', message('run.no_text_given', { name, value: shown, what }));
  }
}
