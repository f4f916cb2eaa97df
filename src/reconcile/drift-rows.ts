import { DRIFT_STATUSES, type DriftStatus } from '../model/drift.js';
import type { PageProblem, PageProblems } from '../pages/contract.js';
import type { ResultLine } from '../workbook/contract.js';

/** Most rows on a page; the workbook has all. */
const SHOWN = 5000;

/** Keeps the rows that need attention while the result is written; bounded. */
export class DriftRows {
  readonly #rows: PageProblem[] = [];
  readonly #left = new Map<DriftStatus, number>();

  async *listen(pages: AsyncIterable<readonly ResultLine[]>): AsyncGenerator<readonly ResultLine[]> {
    for await (const page of pages) {
      for (const line of page) this.#add(line);
      yield page;
    }
  }

  #add({ status, problem, values }: ResultLine): void {
    const drift = DRIFT_STATUSES.find((it) => it === status);
    if (problem === undefined || drift === undefined) return;
    if (this.#rows.length >= SHOWN) {
      this.#left.set(drift, (this.#left.get(drift) ?? 0) + 1);
      return;
    }
    const [row] = values;
    this.#rows.push({ row: typeof row === 'number' ? row : undefined, status: drift, message: problem });
  }

  problems(): PageProblems {
    return { rows: this.#rows, left: [...this.#left].map(([status, rows]) => ({ status, rows })) };
  }
}
