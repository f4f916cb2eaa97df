import type { DriftStatus } from '../../model/drift.js';
import type { Status } from '../../model/status.js';
import { commonText, DIFFERS } from '../../util/common-text.js';
import type { ResultValue } from '../contract.js';

export interface Problem {
  readonly status: Status | DriftStatus;
  /** As the column `row` of `Results` shows it. */
  readonly row: ResultValue;
  /** The cell of `Results` to look at. */
  readonly cell: string;
  readonly message: string;
}

/** What asks most for a person first. */
const ORDER: readonly (Status | DriftStatus)[] = [
  'unknown',
  'invalid',
  'rejected',
  'failed',
  'error',
  'different',
  'missing',
  'extra',
  'not_sent',
  'skipped',
];

/** The problems of one status, in the order of `Results`. */
export interface ProblemKind {
  readonly status: Status | DriftStatus;
  /** All of them; `lines` may hold fewer. */
  readonly count: number;
  readonly lines: readonly Problem[];
  /** What all of them say; '' where they have nothing in common: the first's words are not those of all. */
  readonly said: string;
}

/** Lines of the sheet `Problems`: with more of them nobody reads them one by one. */
const LINES = 10_000;
/** The whole text is in `Results`. */
const MESSAGE_CHARACTERS = 1000;

/** Rows that need attention, kept while `Results` is written; memory is bounded however many there are. */
export class ProblemList {
  readonly #limit: number;
  readonly #kinds = new Map<
    Status | DriftStatus,
    { count: number; said: string; readonly lines: Problem[] }
  >();
  #count = 0;
  #kept = 0;

  constructor(limit = LINES) {
    this.#limit = limit;
  }

  get count(): number {
    return this.#count;
  }

  /** Those that no line is kept of. */
  get left(): number {
    return this.#count - this.#kept;
  }

  add(problem: Problem): void {
    const { status } = problem;
    const kind = this.#kinds.get(status) ?? { count: 0, said: problem.message, lines: [] };
    this.#kinds.set(status, kind);
    kind.count += 1;
    kind.said = short(commonText(kind.said, problem.message));
    this.#count += 1;
    // One line of each kind stays, for the overview.
    if (this.#kept >= this.#limit && !this.#makeRoom(status) && kind.lines.length > 0) return;
    this.#kept += 1;
    kind.lines.push({ ...problem, message: short(problem.message) });
  }

  /** What asks most for a person first. */
  kinds(): readonly ProblemKind[] {
    return ORDER.flatMap((status) => {
      const kind = this.#kinds.get(status);
      return kind ? [{ status, ...kind, said: kind.said === DIFFERS ? '' : kind.said }] : [];
    });
  }

  /** A line of a later kind gives way, so that ten thousand rows not sent don't hide the one at fault. */
  #makeRoom(status: Status | DriftStatus): boolean {
    for (const later of ORDER.slice(ORDER.indexOf(status) + 1).reverse()) {
      const lines = this.#kinds.get(later)?.lines ?? [];
      if (lines.length <= 1) continue;
      lines.pop();
      this.#kept -= 1;
      return true;
    }
    return false;
  }
}

function short(text: string): string {
  if (text.length <= MESSAGE_CHARACTERS) return text;
  // A copy: a mere piece would keep the whole text in memory.
  return `${Buffer.from(text.slice(0, MESSAGE_CHARACTERS), 'utf16le').toString('utf16le')}…`;
}
