import type { DriftStatus } from '../../model/comparison.js';
import type { Status } from '../../model/status.js';
import { commonText, DIFFERS } from '../../util/text.js';
import type { ResultValue } from '../result-line.js';

export interface ResultProblem {
  readonly status: Status | DriftStatus;
  /** As the column `row` of `Results` shows it. */
  readonly row: ResultValue;
  /** The cell of `Results` to look at. */
  readonly cell: string;
  readonly message: string;
}

/** Statuses in order of urgency. */
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
interface ProblemGroup {
  readonly status: Status | DriftStatus;
  /** Number of all problems; `lines` may have fewer. */
  readonly count: number;
  readonly lines: readonly ResultProblem[];
  /** The common part of all messages; '' if they have none. */
  readonly message: string;
}

/** Maximum number of lines of the sheet `Problems`. */
const LINES = 10_000;
/** Longer messages are cut; `Results` has the whole text. */
const MESSAGE_CHARACTERS = 1000;

/** Rows that need attention, collected while `Results` is written, in bounded memory. */
export class ProblemList {
  readonly #limit: number;
  readonly #groups = new Map<
    Status | DriftStatus,
    { count: number; message: string; readonly lines: ResultProblem[] }
  >();
  #count = 0;
  #kept = 0;

  constructor(limit = LINES) {
    this.#limit = limit;
  }

  get count(): number {
    return this.#count;
  }

  /** Number of problems without a line. */
  get left(): number {
    return this.#count - this.#kept;
  }

  add(problem: ResultProblem): void {
    const { status } = problem;
    const group = this.#groups.get(status) ?? { count: 0, message: problem.message, lines: [] };
    this.#groups.set(status, group);
    group.count += 1;
    group.message = short(commonText(group.message, problem.message));
    this.#count += 1;
    // One line of each status is always kept, for the overview.
    if (this.#kept >= this.#limit && !this.#makeRoom(status) && group.lines.length > 0) return;
    this.#kept += 1;
    group.lines.push({ ...problem, message: short(problem.message) });
  }

  /** Groups in order of urgency. */
  groups(): readonly ProblemGroup[] {
    return ORDER.flatMap((status) => {
      const group = this.#groups.get(status);
      return group ? [{ status, ...group, message: group.message === DIFFERS ? '' : group.message }] : [];
    });
  }

  /** Drops a line of a less urgent status, so that ten thousand rows that were not sent do not hide an invalid one. */
  #makeRoom(status: Status | DriftStatus): boolean {
    for (const later of ORDER.slice(ORDER.indexOf(status) + 1).reverse()) {
      const lines = this.#groups.get(later)?.lines ?? [];
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
  // Copied, as a slice would keep the whole text in memory.
  return `${Buffer.from(text.slice(0, MESSAGE_CHARACTERS), 'utf16le').toString('utf16le')}…`;
}
