import { type Language, message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import { nearestName } from '../util/nearest.js';

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
  /** The ledger at `location` has sent nothing to the platform yet, and this user has sent to it with the ledger `other`. */
  readonly otherLedger?: { readonly location: string; readonly other: string; readonly platform: string };
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
   * How a yes is had where one is needed (contract section 7: deletions, `confirm: always`, what a canary leaves, a new ledger).
   * `true` gives it beforehand; a function is asked; without either such a run is refused with exit code 4.
   */
  readonly confirm?: boolean | ((question: Question) => boolean | Promise<boolean>);
}

/** Of what reads a spreadsheet for the first time. */
export interface CorrectionsOption {
  /** A .csv with the columns `row`, `column` and `value`: cells that are read otherwise than the file has them. */
  readonly corrections?: string;
}

/** Of what sends nothing. */
export interface OfflineOption {
  /** Look-ups are not asked: what they fill counts as given, and a warning names it. */
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
 * Danger: an option that is misspelt, or meant for another function, would be passed over, and rows be sent that were
 * only to be checked.
 * @param own names that only this function has
 * @throws ProductError usage
 */
export function refuseUnknownOptions(options: object, own: readonly string[] = []): void {
  const known = [...Object.keys(KNOWN), ...own];
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
}

/**
 * Danger: without its id `resumeRun` would go on with the last run of the ledger, and a retry or a plan that made none has
 * none to give.
 * @throws ProductError usage
 */
export function refuseNoText(name: 'run' | 'plan' | 'jobFile', value: unknown): void {
  if (typeof value === 'string' && value !== '') return;
  const what = name === 'jobFile' ? 'jobs/orders.yaml' : '20261121-194523-405b3e';
  const shown = value === '' ? '""' : String(value);
  throw new ProductError('usage', message('run.no_text_given', { name, value: shown, what }));
}
