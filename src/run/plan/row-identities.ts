import { hash } from 'node:crypto';
import { expressionText } from '../../model/cell.js';
import type { Job } from '../../model/job.js';
import type { Header, Row } from '../../model/row.js';
import { SeenKeys } from './seen-keys.js';

const HEX_DIGITS = 16;

/**
 * Names the rows of a job of steps by what stands in them, so that a row is known again whatever its number: its cells in the
 * columns that this step and those before it map, and in those that tell whose items of later steps it belongs to. A cell that
 * only a later step reads may be corrected: the row keeps what it got. Of rows that agree in all of these each is one of its own,
 * told apart by how many were above it. All rows of the sheet have to be counted, those too that take no part: else the second
 * of two would be taken for the first once that one is left out, and get what was the other's.
 */
export class RowIdentities {
  readonly #columns: readonly number[];
  readonly #begin: string;
  readonly #seen = new SeenKeys();
  /** How often a row was there that was there more than once. */
  readonly #repeated = new Map<string, number>();

  /** @param columns of the job's sheet that name a row; `headers`: of all its columns */
  constructor(
    { name, step }: Pick<Job, 'name' | 'step'>,
    columns: readonly number[],
    headers: readonly Header[],
  ) {
    // In the order of their names: a sheet whose columns were moved has the same rows.
    const read = headers.filter((it) => columns.includes(it.column));
    this.#columns = [...read].sort((a, b) => (a.folded < b.folded ? -1 : 1)).map((it) => it.column);
    // Another job, or another step of this one, asks for something else even where it asks the same. A step that is the only
    // one of its operation may be given another name: what it did stays done.
    this.#begin = JSON.stringify([name, step?.oneOfSeveral ? step.name : '']);
  }

  /** To be asked for each row of the sheet, once and in order. */
  next(row: Row): string {
    const texts = this.#columns.map((column) => expressionText(row.cell(column)));
    const own = hash('sha256', `${this.#begin}${JSON.stringify(texts)}`, 'hex').slice(0, HEX_DIGITS * 2);
    if (!this.#seen.add(own)) return own;
    const times = (this.#repeated.get(own) ?? 1) + 1;
    this.#repeated.set(own, times);
    return `${own} ${times}`;
  }
}
