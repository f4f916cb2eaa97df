import type { RunCommandResult } from '../../app/context.js';
import {
  isUtility,
  type UseCase,
  type UseCaseInput,
  type Utility,
  type UtilityInput,
} from '../../app/use-cases.js';
import type { Language, Message } from '../../errors/message.js';
import type { MessageSurface } from '../../errors/message-surface.js';
import type { ErrorKind } from '../../errors/product-error.js';
import type { Caller } from '../../people/identity.js';
import type { PauseEvent } from '../../platform/client/request-gate.js';
import type { Progress } from '../../run/observer.js';

/** A use case with its input, as sent to a child process. */
export type ChildWork =
  | { [Use in UseCase]: { readonly use: Use; readonly input: Readonly<UseCaseInput<Use>> } }[UseCase]
  | UtilityTask;

/** Work that starts no run and changes nothing on the platform. */
export type UtilityTask = {
  [Use in Utility]: { readonly use: Use; readonly input: Readonly<UtilityInput<Use>> };
}[Utility];

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

export function isUtilityTask(work: ChildWork): work is UtilityTask {
  return isUtility(work.use);
}

/** Work that changes nothing on the platform and reports nothing when it is stopped. */
export function isSafeToKill({ use }: ChildWork): boolean {
  return isUtility(use) || use === 'check_import' || use === 'plan_import';
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
  readonly exitCode: number;
  /** The object that `--json` prints. */
  readonly summary: RunCommandResult['summary'];
  /** What a utility returned. */
  readonly result?: unknown;
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
