import { createHash } from 'node:crypto';
import type { Message } from '../../errors/message.js';
import type { RowResult } from '../../ledger/contract/report.js';
import type { Fault } from '../../model/fault.js';
import { NEEDS_NOTHING, type Status } from '../../model/status.js';
import { heldByUnknown } from '../report/held-rows.js';
import { commonMessage, isBareStatus, messageKey } from '../report/row-messages.js';
import type { CellsKind } from './format.js';

/** Beyond so many kinds, only known ones are counted: a platform's texts may differ in every row. */
const KINDS = 300;

/** Row numbers within the file, four bytes each. */
export class RowList {
  #numbers = new Uint32Array(64);
  length = 0;

  /** Each row once: they come in order. */
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
    for (let at = 0; at < this.length; at += 1) bytes.writeUInt32LE(this.#numbers[at]!, at * 4);
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

/** Whether a person has to look at the row. */
export function isFaulty(result: RowProblems & Partial<RowResult>): boolean {
  if (result.status === 'not_sent') return result.faults.length > 0;
  return !NEEDS_NOTHING.has(result.status) || heldByUnknown(result as RowResult) !== undefined;
}

type IdOf = (name: string, key: string) => string;

const idOf: IdOf = (name, key) => `${name}-${createHash('sha256').update(key).digest('hex').slice(0, 8)}`;

/** A name of a kind of fault: the same message about the same field. */
export function kindOfFault({ message, field }: Pick<Fault, 'message' | 'field'>, id: IdOf = idOf): string {
  return id(message.code, `${messageKey(message)} ${field}`);
}

/** The kinds of problems that one row of a sheet has, as often as it has them. */
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
        ...(field === undefined ? {} : { field }),
        text: fault.message,
        first: {
          row,
          ...(isHere && fault.column === undefined ? {} : { sheet: fault.sheet }),
          ...(isHere && fault.column !== undefined ? { column: fault.column } : {}),
        },
      };
    });
  return messages
    .filter((it) => !isBareStatus(it))
    .map(({ text, step }) => ({
      id: id(typeof text === 'string' ? status : text.code, `${status} ${code ?? ''} ${messageKey(text)}`),
      status,
      ...(step === undefined ? {} : { field: step }),
      text,
      first: { row },
    }));
}

/**
 * Faults that are the row's own. A fault of a group is repeated at each of its rows; it counts where its cell is, or at
 * each of them if that is in another sheet.
 */
export function ownFaults(
  { row, faults }: Pick<RowProblems, 'row' | 'faults'>,
  sheet: string,
): readonly Fault[] {
  return faults.filter((it) => it.sheet !== sheet || it.row === row);
}

/** Groups what is wrong with rows by kind, and remembers which rows have which. */
export class CellsKinds {
  readonly #kinds = new Map<string, Growing>();
  /** Digests are dear: one for each kind, not for each fault. */
  readonly #ids = new Map<string, string>();

  add(index: number, result: RowProblems, sheet: string): void {
    for (const { id, first, ...about } of kindsOf(result, sheet, this.#idOf))
      this.#count(index, id, about, first);
  }

  list(): readonly (Omit<CellsKind, 'at'> & { readonly list: RowList })[] {
    return [...this.#kinds.values()]
      .sort((a, b) => b.count - a.count)
      .map(({ id, status, field, text, count, first, rows }) => ({
        id,
        status,
        ...(typeof text === 'string' ? {} : { code: text.code }),
        ...(field === undefined ? {} : { field }),
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
    about: Pick<Growing, 'status' | 'text'> & { readonly field?: string },
    first: CellsKind['first'],
  ): void {
    let kind = this.#kinds.get(id);
    if (!kind) {
      if (this.#kinds.size >= KINDS) return;
      kind = { ...about, id, count: 0, first, rows: new RowList() };
      this.#kinds.set(id, kind);
    } else kind.text = commonMessage(kind.text, about.text);
    kind.count += 1;
    kind.rows.add(index);
  }
}
