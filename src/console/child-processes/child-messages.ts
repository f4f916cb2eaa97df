import type { RunCommandResult } from '../../app/context.js';
import type { ApplyInput, ResumeInput, RetryInput, RevertInput } from '../../app/continue-run.js';
import type { GuessOptions } from '../../app/imports/guess-upload.js';
import type { ImportFileOptions } from '../../app/imports/process-import.js';
import type { ReconcileInput } from '../../app/reconcile.js';
import type { RunInput } from '../../app/run.js';
import type { Language, Message } from '../../errors/message.js';
import type { MessageSurface } from '../../errors/message-surface.js';
import type { ErrorKind } from '../../errors/product-error.js';
import type { JobChanges } from '../../job/job-changes.js';
import type { Caller } from '../../people/identity.js';
import type { PauseEvent } from '../../platform/client/request-gate.js';
import type { Progress } from '../../run/observer.js';

/** A use case with its input, as sent to a child process. */
export type ChildWork =
  | { readonly use: 'run'; readonly jobFile: string; readonly input: RunInput }
  | { readonly use: 'apply'; readonly run: string; readonly input: ApplyInput }
  | { readonly use: 'resume'; readonly run: string; readonly input: ResumeInput }
  | { readonly use: 'retry'; readonly run: string; readonly input: RetryInput }
  | { readonly use: 'revert'; readonly run: string; readonly input: RevertInput }
  | { readonly use: 'rehearse'; readonly run: string }
  | { readonly use: 'reconcile'; readonly jobFile: string; readonly input: ReconcileInput }
  /** Writes a run's result workbook or page to a file. */
  | {
      readonly use: 'export';
      readonly run: string;
      readonly what: 'result' | 'report';
      readonly output: string;
    }
  | { readonly use: 'check_import'; readonly import: string }
  | {
      readonly use: 'plan_import';
      readonly import: string;
      readonly changes: Pick<JobChanges, 'onInvalid'>;
    }
  | UtilityTask;

/** Work that starts no run. */
export type UtilityTask =
  | { readonly use: 'guess'; readonly options: GuessOptions }
  | ({ readonly use: 'import_file' } & ImportFileOptions)
  /** Prepares a run's rows for the grid. */
  | { readonly use: 'cells'; readonly run: string };

/** Messages to a child. Everything is sent on the IPC channel, because other users can see process arguments. */
export type ToChild =
  | {
      readonly kind: 'start';
      readonly work: ChildWork;
      readonly cwd: string;
      readonly language: Language;
      readonly wording: MessageSurface | undefined;
      /** Address of the ledger; it may contain a password. */
      readonly ledger: string;
      /** The caller; the child looks it up in the ledger itself. */
      readonly as: Caller | undefined;
      /** What the user confirmed at the page: everything, or everything except the rest of a canary run. */
      readonly confirmed: 'all' | 'but_the_rest';
      /** `ChangedRows.latest` of the rows that the page showed. */
      readonly changed: number | undefined;
    }
  /** Same as Ctrl-C: no new requests are sent, and those in flight finish. */
  | { readonly kind: 'stop' };

/** Work that changes nothing on the platform and reports nothing when it is stopped. */
export function isSafeToKill({ use }: ChildWork): boolean {
  return ['guess', 'import_file', 'cells', 'export', 'check_import', 'plan_import'].includes(use);
}

/** Messages from a child. */
export type FromChild =
  | { readonly kind: 'ready' }
  /** Acknowledges `stop`. */
  | { readonly kind: 'stopping' }
  | { readonly kind: 'started'; readonly run: string }
  | { readonly kind: 'progress'; readonly progress: Progress }
  | { readonly kind: 'paused'; readonly pause: PauseEvent | undefined }
  | { readonly kind: 'over'; readonly over: ChildOver };

/** How a child's use case ended. */
export interface ChildOver {
  readonly how: RunCommandResult['kind'] | 'file';
  readonly exitCode: number;
  /** The object that `--json` prints. */
  readonly summary: RunCommandResult['summary'];
  readonly failure?: ChildFailure;
  /** Why there was nothing to do. */
  readonly nothing?: Message;
}

/** A serialised error; without `product` an internal error. */
export interface ChildFailure {
  readonly text: string;
  readonly product?: {
    readonly kind: ErrorKind;
    readonly detail: Message;
    readonly others: readonly Message[];
  };
}
