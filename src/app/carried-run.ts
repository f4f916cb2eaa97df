import type { InboxEnd } from '../inbox/contract.js';
import type { NothingToRetry } from '../run/retry/retry.js';
import type { RunEnd } from '../run/run-end.js';
import type { Failure } from './failure.js';

/** How a use case ended that carries a run. */
export type CarriedRun = CarriedFacts &
  (
    | { readonly kind: 'run'; readonly end: RunEnd }
    /** Each file of an input folder is a run of its own. */
    | { readonly kind: 'inbox'; readonly end: InboxEnd; readonly failure?: Failure }
    | { readonly kind: 'nothing'; readonly end: NothingToRetry }
    | { readonly kind: 'failed'; readonly error: unknown; readonly failure: Failure }
  );

interface CarriedFacts {
  readonly exitCode: number;
  readonly durationMs: number;
  /** The object that `--json` prints (contract section 7). */
  readonly summary: Readonly<Record<string, unknown>>;
  /** Web pages that were written. */
  readonly reports: readonly string[];
}
