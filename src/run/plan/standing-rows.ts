import { type Message, message } from '../../errors/message.js';
import type { StepMapping } from '../../mapping/steps/contract.js';
import type { Row } from '../../model/row.js';
import { RowNumbers } from '../../source/row-numbers.js';
import type { Blocked, Standing } from './other-steps.js';
import type { PlanBuffer } from './plan-buffer.js';

/** Rows of a step on their way to their items: those that don't go on hold back the rows that belong together with them. */
export class StandingRows {
  readonly #buffer: PlanBuffer;
  readonly #blocked = new Map<number, Blocked>();

  readonly #invalid: ReadonlySet<number>;
  /** Rows that no step takes, of a job that says `unmatched: skip`. */
  readonly unmatched = new RowNumbers();

  /** @param invalid rows that have their verdict already */
  constructor(buffer: PlanBuffer, invalid: ReadonlySet<number> = new Set()) {
    this.#buffer = buffer;
    this.#invalid = invalid;
  }

  /** The row with the results of earlier steps; undefined, with its verdict, where it takes no part. */
  take(row: Row, standing: Standing, steps: StepMapping, identities?: readonly string[]): Row | undefined {
    const own = steps.withResults(row, standing.results, identities);
    if (this.#invalid.has(row.number)) return own;
    if (standing.kind === 'blocked') {
      // It goes to its group even so: what it belongs to is not whole without it.
      this.#blocked.set(row.number, standing.blocked);
      return own;
    }
    const when = steps.when(own, standing.results);
    if (when.kind === 'goes') return own;
    if (when.kind === 'unmatched') this.unmatched.add(row.number);
    this.#buffer.verdict(
      when.kind === 'fault'
        ? { row: row.number, status: 'invalid', faults: [when.fault] }
        : { row: row.number, status: 'skipped', message: leftOutMessage(when.kind) },
    );
    return undefined;
  }

  /** Whether one of the rows doesn't go on: then none of them does, and each has its verdict. */
  holdsBack(rows: readonly Row[]): boolean {
    if (this.#blocked.size === 0 && this.#invalid.size === 0) return false;
    if (rows.some(({ number }) => this.#invalid.has(number))) return this.#withInvalid(rows);
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

  /** Nothing is sent of an order one of whose rows is invalid; those rows have been told why. */
  #withInvalid(rows: readonly Row[]): true {
    const invalid = rows.filter(({ number }) => this.#invalid.has(number)).map(({ number }) => number);
    const together = message('run.invalid_together', { rows: invalid.slice(0, 10).join(', ') });
    for (const { number } of rows) {
      this.#blocked.delete(number);
      if (!this.#invalid.has(number))
        this.#buffer.verdict({ row: number, status: 'invalid', message: together });
    }
    return true;
  }
}

/** Why a step does not take a row. */
export function leftOutMessage(kind: 'left_out' | 'unmatched'): Message {
  return message(kind === 'unmatched' ? 'steps.unmatched_row' : 'steps.left_out');
}
