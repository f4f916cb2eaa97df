import { hash } from 'node:crypto';
import type { Job } from '../../model/job.js';
import { expressionText, type Header, type Row } from '../../model/row.js';
import type { NamingColumns } from '../input/input-reading.js';
import { SeenKeys } from './seen-keys.js';

const HEX_DIGITS = 16;

/**
 * Identifies the rows of a job of steps by their content, independent of their numbers: by the cells in the columns
 * that this step and earlier ones map, and in those that decide which items of later steps the row belongs to. A cell
 * that only a later step reads may be corrected without losing the row's result. Rows with equal cells are
 * distinguished by the number of such rows above. All rows of the sheet have to be counted, including excluded ones:
 * otherwise, if the first of two is excluded, the second would get its result.
 *
 * If a later step groups rows, copies of a row that are equal in all columns that any step reads are one row there
 * (contract section 4). They are one row for earlier steps as well; otherwise an order would get the results of each
 * copy.
 */
export class RowIdentities {
  readonly #columns: readonly number[];
  readonly #begin: string;
  readonly #seen = new SeenKeys();
  /** Number of occurrences of rows that occur more than once. */
  readonly #repeated = new Map<string, number>();
  /** All columns that any step reads, if a later one groups rows. */
  readonly #whole: readonly number[] | undefined;
  readonly #copies = new SeenKeys();
  /** Position of a whole row among the rows with the same identity, if it is not the first. */
  readonly #places = new Map<string, number>();

  /** @param naming columns of the job's sheet; `headers`: those of all its columns */
  constructor(
    { name, step }: Pick<Job, 'name' | 'step'>,
    { columns, whole }: Omit<NamingColumns, 'headers'>,
    headers: readonly Header[],
  ) {
    // Sorted by name, so that a sheet with moved columns has the same rows.
    const read = headers.filter((header) => columns.includes(header.column));
    this.#columns = [...read].sort((a, b) => (a.folded < b.folded ? -1 : 1)).map((header) => header.column);
    this.#whole = whole;
    // Another job, or another step with the same operation, requests something else even with the same content. A step
    // that is the only one of its operation may be renamed without losing its results.
    this.#begin = identityBegin(name, step?.oneOfSeveral ? step.name : '');
  }

  /** Call it for each row of the sheet, once and in order. */
  next(row: Row): string {
    const identity = `${this.#begin} ${this.#digest(row, this.#columns)}`;
    const copied = this.#whole && this.#digest(row, this.#whole);
    if (copied !== undefined && !this.#copies.addIfNew(copied))
      return placed(identity, this.#places.get(copied) ?? 1);
    if (this.#seen.addIfNew(identity)) return identity;
    const times = (this.#repeated.get(identity) ?? 1) + 1;
    this.#repeated.set(identity, times);
    if (copied !== undefined) this.#places.set(copied, times);
    return placed(identity, times);
  }

  #digest(row: Row, columns: readonly number[]): string {
    const texts = columns.map((column) => expressionText(row.cell(column)));
    return hash('sha256', JSON.stringify(texts), 'hex').slice(0, HEX_DIGITS * 2);
  }
}

function placed(identity: string, times: number): string {
  return times === 1 ? identity : `${identity} ${times}`;
}

/** The beginning of a step's identities. */
export function identityBegin(job: string, step: string | undefined): string {
  return hash('sha256', JSON.stringify([job, step]), 'hex').slice(0, HEX_DIGITS);
}

/** The row's identity under another name of its job or step. */
export function identityUnder(begin: string, identity: string): string {
  return begin + identity.slice(HEX_DIGITS);
}
