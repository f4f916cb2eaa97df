import type { Message } from '../errors/message.js';
import type { Run } from '../ledger/contract/run.js';
import { EXIT } from '../model/exit-code.js';
import type { RunCounts } from '../model/run-counts.js';
import type { Status } from '../model/status.js';
import type { RowProblemKind } from './report/problem-kinds.js';

/** How a run ended, as commands print it (contract section 7). */
export interface RunEnd {
  readonly run: string;
  readonly job: string;
  readonly operation: string;
  readonly connection: string;
  readonly sandbox: boolean;
  readonly status: 'completed' | 'invalid' | 'stopped' | 'interrupted';
  readonly rows: number;
  /** Items that the plan made of them. */
  readonly items: number;
  readonly counts: RunCounts;
  readonly requests: number;
  readonly retries: number;
  readonly output?: string;
  readonly executeMs: number;
  readonly exitCode: number;
  /** The exit code by its own rows, where unknown rows of a run that was cut off before made it another one. */
  readonly ownExitCode?: number;
  /** Why it stopped, or what a person should do next. */
  readonly reason?: Message;
  readonly kind: Run['kind'];
  /** All that was warned of, from its plan on; each once. */
  readonly warnings?: readonly Message[];
  /** What is wrong with its rows, by kind. */
  readonly problems?: readonly RowProblemKind[];
  /** The run whose rows this one sent again, or the reconciliation whose action it was. */
  readonly parent?: string;
  /** Where the input was moved to, if it came from an input folder. */
  readonly movedTo?: string;
  /** It sent rows of its parent again. */
  readonly retry?: boolean;
  /** Runs that carried out the actions of a reconciliation. */
  readonly actions?: readonly ActionEnd[];
}

/** How the run of one action ended. */
export interface ActionEnd {
  readonly run: string;
  readonly operation: string;
  readonly status: RunEnd['status'];
  readonly counts: RunCounts;
  readonly requests: number;
  readonly retries: number;
  readonly output?: string;
}

/** The exit code of a run that came to its report. */
export function exitCode(end: {
  readonly status: RunEnd['status'];
  readonly counts: Readonly<Partial<Record<Status, number>>>;
  /** Rows held back because an earlier run left them unknown. */
  readonly heldUnknown: number;
  /** Earlier runs of the job were cut off and have unknown rows. */
  readonly doubts?: boolean;
}): number {
  const { counts } = end;
  if (end.status === 'interrupted') return EXIT.interrupted;
  if (end.status === 'invalid') return EXIT.input;
  if ((counts.unknown ?? 0) > 0 || end.heldUnknown > 0 || end.doubts) return EXIT.unknown;
  if (end.status === 'stopped') return EXIT.safety;
  const wrong = (counts.rejected ?? 0) + (counts.failed ?? 0) + (counts.invalid ?? 0);
  return wrong > 0 ? EXIT.someRowsWrong : EXIT.ok;
}
