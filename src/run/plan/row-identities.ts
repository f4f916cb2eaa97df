import { hash } from 'node:crypto';
import { expressionText } from '../../model/cell.js';
import type { Job } from '../../model/job.js';
import type { Header, Row } from '../../model/row.js';
import type { NamingColumns } from '../input/input-reading.js';
import { SeenKeys } from './seen-keys.js';

const HEX_DIGITS = 16;

/**
 * Names the rows of a job of steps by what stands in them, so that a row is known again whatever its number: its cells in the
 * columns that this step and those before it map, and in those that tell whose items of later steps it belongs to. A cell that
 * only a later step reads may be corrected: the row keeps what it got. Of rows that agree in all of these each is one of its own,
 * told apart by how many were above it. All rows of the sheet have to be counted, those too that take no part: else the second
 * of two would be taken for the first once that one is left out, and get what was the other's.
 *
 * Where a later step groups rows, a row that is there twice, equal in all that any step reads, counts once there (contract
 * section 4). So it is one row to the steps before as well: else an order would take what was drawn for each of its copies.
 */
export class RowIdentities {
  readonly #columns: readonly number[];
  readonly #begin: string;
  readonly #seen = new SeenKeys();
  /** How often a row was there that was there more than once. */
  readonly #repeated = new Map<string, number>();
  /** All columns that any step reads, where a later one groups rows. */
  readonly #whole: readonly number[] | undefined;
  readonly #copies = new SeenKeys();
  /** Which of the rows that are named alike a whole row is, where it isn't the first. */
  readonly #places = new Map<string, number>();

  /** @param naming columns of the job's sheet; `headers`: of all its columns */
  constructor(
    { name, step }: Pick<Job, 'name' | 'step'>,
    { columns, whole }: Omit<NamingColumns, 'headers'>,
    headers: readonly Header[],
  ) {
    // In the order of their names: a sheet whose columns were moved has the same rows.
    const read = headers.filter((it) => columns.includes(it.column));
    this.#columns = [...read].sort((a, b) => (a.folded < b.folded ? -1 : 1)).map((it) => it.column);
    this.#whole = whole;
    // Another job, or another step of this one, asks for something else even where it asks the same. A step that is the only
    // one of its operation may be given another name: what it did stays done.
    this.#begin = identityBegin(name, step?.oneOfSeveral ? step.name : '');
  }

  /** To be asked for each row of the sheet, once and in order. */
  next(row: Row): string {
    const own = `${this.#begin} ${this.#digest(row, this.#columns)}`;
    const copied = this.#whole && this.#digest(row, this.#whole);
    if (copied !== undefined && this.#copies.add(copied)) return placed(own, this.#places.get(copied) ?? 1);
    if (!this.#seen.add(own)) return own;
    const times = (this.#repeated.get(own) ?? 1) + 1;
    this.#repeated.set(own, times);
    if (copied !== undefined) this.#places.set(copied, times);
    return placed(own, times);
  }

  #digest(row: Row, columns: readonly number[]): string {
    const texts = columns.map((column) => expressionText(row.cell(column)));
    return hash('sha256', JSON.stringify(texts), 'hex').slice(0, HEX_DIGITS * 2);
  }
}

function placed(own: string, times: number): string {
  return times === 1 ? own : `${own} ${times}`;
}

/** What identities of a step begin with. */
export function identityBegin(job: string, step: string | undefined): string {
  return hash('sha256', JSON.stringify([job, step]), 'hex').slice(0, HEX_DIGITS);
}

/** The identity that the row has under other names of its job and step. */
export function identityUnder(begin: string, identity: string): string {
  return begin + identity.slice(HEX_DIGITS);
}
