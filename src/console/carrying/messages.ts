import type { ApplyInput } from '../../app/apply.js';
import type { CarriedRun } from '../../app/context.js';
import type { ImportFileWish } from '../../app/imports/carry-import.js';
import type { GuessWish } from '../../app/imports/guess-upload.js';
import type { ReconcileInput } from '../../app/reconcile.js';
import type { ResumeInput } from '../../app/resume.js';
import type { RetryInput } from '../../app/retry.js';
import type { RevertInput } from '../../app/revert.js';
import type { RunInput } from '../../app/run.js';
import type { Wording } from '../../errors/at-page.js';
import type { Language, Message } from '../../errors/message.js';
import type { ErrorKind } from '../../errors/product-error.js';
import type { JobChanges } from '../../job/job-changes.js';
import type { Caller } from '../../people/identity.js';
import type { PauseNews } from '../../platform/client/request-gate.js';
import type { Progress } from '../../run/observer.js';

/** A use case with what it is asked, as it is sent to a child. */
export type ChildWork =
  | { readonly use: 'run'; readonly jobFile: string; readonly input: RunInput }
  | { readonly use: 'apply'; readonly run: string; readonly input: ApplyInput }
  | { readonly use: 'resume'; readonly run: string; readonly input: ResumeInput }
  | { readonly use: 'retry'; readonly run: string; readonly input: RetryInput }
  | { readonly use: 'revert'; readonly run: string; readonly input: RevertInput }
  | { readonly use: 'rehearse'; readonly run: string }
  | { readonly use: 'reconcile'; readonly jobFile: string; readonly input: ReconcileInput }
  /** Writes a run's result or page to a file. */
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
  | AsideWork;

/** Work by which no run begins. */
export type AsideWork =
  | { readonly use: 'guess'; readonly wish: GuessWish }
  | ({ readonly use: 'import_file' } & ImportFileWish)
  /** The rows of a run are made ready for a grid. */
  | { readonly use: 'cells'; readonly run: string };

/** What a child is told. All of it travels by its channel: nothing stands in its arguments. */
export type ToChild =
  | {
      readonly kind: 'start';
      readonly work: ChildWork;
      readonly cwd: string;
      readonly language: Language;
      readonly wording: Wording | undefined;
      /** Where the ledger is; it may hold a password. */
      readonly ledger: string;
      /** As whom: looked up in the ledger by the child itself. */
      readonly as: Caller | undefined;
      /** A person said yes at the page to what is sent; to the rest of a canary only where it was shown. */
      readonly yes: 'all' | 'but_the_rest';
    }
  /** As Ctrl-C: nothing more is begun, what is under way ends. */
  | { readonly kind: 'stop' };

/** Work that changes nothing on the platform, and of which nothing is to be reported when it is stopped. */
export function isHarmless({ use }: ChildWork): boolean {
  return ['guess', 'import_file', 'cells', 'export', 'check_import', 'plan_import'].includes(use);
}

/** What a child tells. */
export type FromChild =
  | { readonly kind: 'ready' }
  /** It has heard that it is to stop. */
  | { readonly kind: 'stopping' }
  | { readonly kind: 'started'; readonly run: string }
  | { readonly kind: 'progress'; readonly progress: Progress }
  | { readonly kind: 'paused'; readonly pause: PauseNews | undefined }
  | { readonly kind: 'over'; readonly over: ChildOver };

/** How a child's use case ended. */
export interface ChildOver {
  readonly how: CarriedRun['kind'] | 'file';
  readonly exitCode: number;
  /** The object that `--json` prints. */
  readonly summary: CarriedRun['summary'];
  readonly failure?: ChildFailure;
  /** There was nothing to do, and why. */
  readonly nothing?: Message;
}

/** An error as it is thrown again here; without `product` a fault of the program. */
export interface ChildFailure {
  readonly text: string;
  readonly product?: {
    readonly kind: ErrorKind;
    readonly detail: Message;
    readonly others: readonly Message[];
  };
}
