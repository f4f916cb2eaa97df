import { type Message, render } from './message.js';

/**
 * What kind of thing stopped the work; decides the exit code (contract section 7).
 * - usage: command line, job file or connection at fault (2)
 * - input: the spreadsheet is at fault (3)
 * - safety: a safety limit or a refused confirmation (4)
 * - internal: a fault of the program or its ledger (5)
 */
export type ErrorKind = 'usage' | 'input' | 'safety' | 'internal';

/** Exit codes of commands that an error of that kind ended (contract section 7). */
const EXIT_OF: Readonly<Record<ErrorKind, number>> = { usage: 2, input: 3, safety: 4, internal: 5 };

/** Stops a run. Problems of single rows are data (`Fault`), never thrown. */
export class ProductError extends Error {
  override readonly name = 'LicenseSyncError';
  readonly kind: ErrorKind;
  readonly detail: Message;
  /** Further problems found in the same go, each for the person to act on. */
  readonly others: readonly Message[];

  constructor(
    kind: ErrorKind,
    detail: Message,
    options: { cause?: unknown; others?: readonly Message[] } = {},
  ) {
    super(render(detail), options.cause === undefined ? undefined : { cause: options.cause });
    this.kind = kind;
    this.detail = detail;
    this.others = options.others ?? [];
  }

  /** What is wrong, as a word that stays the same: `run.max_items`. */
  get code(): string {
    return this.detail.code;
  }

  /** What a command that it ended would exit with. */
  get exitCode(): number {
    return EXIT_OF[this.kind];
  }
}
