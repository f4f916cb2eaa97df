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
  readonly field: string | undefined;
  text: Message | string;
  count: number;
  readonly first: CellsKind['first'];
  readonly rows: RowList;
}

export type RowProblems = Pick<RowResult, 'row' | 'status' | 'faults' | 'messages' | 'code'>;

/** Whether a person has to look at the row. */
export function isFaulty(result: RowProblems & Partial<RowResult>): boolean {
  if (result.status === 'not_sent') return result.faults.length > 0;
  return !NEEDS_NOTHING.has(result.status) || heldByUnknown(result as RowResult) !== undefined;
}

/** A name of a kind of fault: the same message about the same field. */
export function kindOfFault({ message, field }: Pick<Fault, 'message' | 'field'>): string {
  return idOf(message.code, `${messageKey(message)} ${field}`);
}

function kindOfText(text: Message | string, { status, code }: RowProblems): string {
  return idOf(typeof text === 'string' ? status : text.code, `${status} ${code ?? ''} ${messageKey(text)}`);
}

function idOf(name: string, key: string): string {
  return `${name}-${createHash('sha256').update(key).digest('hex').slice(0, 8)}`;
}

/**
 * Faults that are the row's own. A fault of a group is repeated at each of its rows; it counts where its cell is, or at the
 * row if that is nowhere in this sheet.
 */
export function ownFaults({ row, faults }: Pick<RowProblems, 'row' | 'faults'>): readonly Fault[] {
  const own = faults.filter((it) => it.row === row);
  return own.length > 0 ? own : faults;
}

/** Groups what is wrong with rows by kind, and remembers which rows have which. */
export class CellsKinds {
  readonly #kinds = new Map<string, Growing>();
  /** Digests are dear: one for each kind, not for each fault. */
  readonly #ids = new Map<string, string>();

  add(index: number, result: RowProblems): void {
    const { row, status, faults } = result;
    for (const fault of ownFaults(result)) {
      const key = `${messageKey(fault.message)} ${fault.field}`;
      const id = this.#idOf(key, () => kindOfFault(fault));
      const field = fault.field?.split('.').at(-1);
      const column = fault.row === row ? fault.column : undefined;
      this.#count(index, id, { status, field, text: fault.message }, { row, ...(column ? { column } : {}) });
    }
    if (faults.length > 0) return;
    for (const said of result.messages) {
      if (isBareStatus(said)) continue;
      const { text, step } = said;
      this.#count(index, kindOfText(text, result), { status, field: step, text }, { row });
    }
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

  #idOf(key: string, make: () => string): string {
    let id = this.#ids.get(key);
    if (id === undefined) {
      id = make();
      if (this.#ids.size < KINDS * 4) this.#ids.set(key, id);
    }
    return id;
  }

  #count(
    index: number,
    id: string,
    about: Pick<Growing, 'status' | 'field' | 'text'>,
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
