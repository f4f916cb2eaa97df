import { createHash } from 'node:crypto';
import type { Message } from '../../errors/message.js';
import type { RowResult } from '../../ledger/contract/report.js';
import type { Fault } from '../../model/row.js';
import { NEEDS_NOTHING, type Status } from '../../model/status.js';
import { commonMessage, isBareStatus, messageKey } from '../report/result-message.js';
import { heldByUnknown } from '../report/row-results.js';
import type { CellsKind } from './cells-file.js';

/** Limit of kinds, because texts of the platform may differ in every row. Beyond it, only known kinds are counted. */
const KINDS = 300;

/** Row indexes within the file, four bytes each. */
export class RowList {
  #numbers = new Uint32Array(64);
  length = 0;

  /** Adds a row once. Rows come in ascending order. */
  add(index: number): void {
    if (this.length > 0 && this.#numbers[this.length - 1] === index) return;
    if (this.length === this.#numbers.length) {
      const more = new Uint32Array(this.length * 2);
      more.set(this.#numbers);
      this.#numbers = more;
    }
    this.#numbers[this.length] = index;
    this.length += 1;
  }

  bytes(): Buffer {
    const bytes = Buffer.alloc(this.length * 4);
    for (let i = 0; i < this.length; i += 1) bytes.writeUInt32LE(this.#numbers[i]!, i * 4);
    return bytes;
  }
}

interface Growing {
  readonly id: string;
  readonly status: Status;
  readonly field?: string;
  text: Message | string;
  count: number;
  first: CellsKind['first'];
  readonly rows: RowList;
}

export type RowProblems = Pick<RowResult, 'row' | 'status' | 'faults' | 'messages' | 'code'>;

/** Whether a user has to look at the row. */
export function isFaulty(result: RowProblems & Partial<RowResult>): boolean {
  if (result.status === 'not_sent') return result.faults.length > 0;
  return !NEEDS_NOTHING.has(result.status) || heldByUnknown(result as RowResult) !== undefined;
}

type IdOf = (name: string, key: string) => string;

const idOf: IdOf = (name, key) => `${name}-${createHash('sha256').update(key).digest('hex').slice(0, 8)}`;

/** Identifies a kind of error: the same message about the same field. */
export function kindOfFault({ message, field }: Pick<Fault, 'message' | 'field'>, id: IdOf = idOf): string {
  return id(message.code, `${messageKey(message)} ${field}`);
}

/** The kinds of problems of one row, each as often as it occurs. */
export function kindsOf(
  result: RowProblems,
  sheet: string,
  id: IdOf = idOf,
): readonly (Pick<CellsKind, 'id' | 'status' | 'text' | 'first'> & { readonly field?: string })[] {
  const { row, status, faults, code, messages } = result;
  if (!isFaulty(result)) return [];
  if (faults.length > 0)
    return ownFaults(result, sheet).map((fault) => {
      const field = fault.field?.split('.').at(-1);
      const isHere = fault.sheet === sheet;
      return {
        id: kindOfFault(fault, id),
        status,
        field,
        text: fault.message,
        first: {
          row,
          sheet: isHere && fault.column === undefined ? undefined : fault.sheet,
          column: isHere ? fault.column : undefined,
        },
      };
    });
  return messages
    .filter((itemMessage) => !isBareStatus(itemMessage))
    .map(({ text, step }) => ({
      id: id(typeof text === 'string' ? status : text.code, `${status} ${code ?? ''} ${messageKey(text)}`),
      status,
      field: step,
      text,
      first: { row },
    }));
}

/**
 * The row's own errors. An error of a group counts once, at its cell's row, unless the cell is in another sheet. The
 * same error of a cell that fills several fields counts once.
 */
export function ownFaults(
  { row, faults }: Pick<RowProblems, 'row' | 'faults'>,
  sheet: string,
): readonly Fault[] {
  const own = faults.filter((fault) => fault.sheet !== sheet || fault.row === row);
  if (own.length < 2) return own;
  const errors = new Set<string>();
  return own.filter((fault) => {
    if (fault.column === undefined) return true;
    const error = `${fault.sheet} ${fault.row} ${fault.column} ${messageKey(fault.message)}`;
    return !errors.has(error) && errors.add(error);
  });
}

/** Groups the problems of rows by kind and records the rows of each. */
export class CellsKinds {
  readonly #kinds = new Map<string, Growing>();
  /** Caches ids, because digests are expensive. */
  readonly #ids = new Map<string, string>();

  add(index: number, result: RowProblems, sheet: string): void {
    for (const { id, first, ...problem } of kindsOf(result, sheet, this.#idOf))
      this.#count(index, id, problem, first);
  }

  list(): readonly (Omit<CellsKind, 'at'> & { readonly list: RowList })[] {
    return [...this.#kinds.values()]
      .sort((a, b) => b.count - a.count)
      .map(({ id, status, field, text, count, first, rows }) => ({
        id,
        status,
        code: typeof text === 'string' ? undefined : text.code,
        field,
        text,
        count,
        rows: rows.length,
        first,
        list: rows,
      }));
  }

  readonly #idOf: IdOf = (name, key) => {
    let id = this.#ids.get(key);
    if (id === undefined) {
      id = idOf(name, key);
      if (this.#ids.size < KINDS * 4) this.#ids.set(key, id);
    }
    return id;
  };

  #count(
    index: number,
    id: string,
    problem: Pick<Growing, 'status' | 'text'> & { readonly field?: string },
    first: CellsKind['first'],
  ): void {
    let kind = this.#kinds.get(id);
    if (!kind) {
      if (this.#kinds.size >= KINDS) return;
      kind = { ...problem, id, count: 0, first, rows: new RowList() };
      this.#kinds.set(id, kind);
    } else kind.text = commonMessage(kind.text, problem.text);
    kind.count += 1;
    kind.rows.add(index);
  }
}
