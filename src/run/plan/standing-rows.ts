import { message } from '../../errors/message.js';
import type { StepMapping } from '../../mapping/steps/contract.js';
import type { Row } from '../../model/row.js';
import type { Blocked, Standing } from './other-steps.js';
import type { PlanBuffer } from './plan-buffer.js';

/** Rows of a step on their way to their items: those that don't go on hold back the rows that belong together with them. */
export class StandingRows {
  readonly #buffer: PlanBuffer;
  readonly #blocked = new Map<number, Blocked>();

  constructor(buffer: PlanBuffer) {
    this.#buffer = buffer;
  }

  /** The row with the results of earlier steps; undefined, with its verdict, where it takes no part. */
  take(row: Row, standing: Standing, steps: StepMapping, identity?: string): Row | undefined {
    const own = steps.withResults(row, standing.results, identity);
    if (standing.kind === 'blocked') {
      // It goes to its group even so: what it belongs to is not whole without it.
      this.#blocked.set(row.number, standing.blocked);
      return own;
    }
    const when = steps.when(own);
    if (when.kind === 'goes') return own;
    this.#buffer.verdict(
      when.kind === 'fault'
        ? { row: row.number, status: 'invalid', faults: [when.fault] }
        : { row: row.number, status: 'skipped', message: message('steps.left_out') },
    );
    return undefined;
  }

  /** Whether one of the rows doesn't go on: then none of them does, and each has its verdict. */
  holdsBack(rows: readonly Row[]): boolean {
    if (this.#blocked.size === 0) return false;
    const first = rows.find(({ number }) => this.#blocked.has(number));
    const by = first && this.#blocked.get(first.number);
    if (!by) return false;
    const together = message('steps.together', { row: first.number, step: by.step, status: by.status });
    for (const { number } of rows) {
      const own = this.#blocked.get(number);
      this.#blocked.delete(number);
      this.#buffer.verdict({ row: number, status: 'not_sent', message: own?.message ?? together });
    }
    return true;
  }
}
