import { type Language, type Message, render } from '../errors/message.js';
import type { RowResult } from '../ledger/contract.js';
import type { Status } from '../model/status.js';
import { cellAddress } from '../util/address.js';

/** Problems of one kind, over all rows of a run. */
export interface ProblemKind {
  readonly status: Status;
  /** The field at fault, where a cell is. */
  readonly field?: string;
  /** What was said of the first of them. */
  readonly text: Message | string;
  readonly count: number;
  /** The first few: `Orders!D7`, or `row 7`. */
  readonly places: readonly string[];
}

const PLACES = 5;
/** Texts of a platform may differ in every row; beyond so many kinds only those known already are counted. */
const KINDS = 300;
const FINE: ReadonlySet<Status> = new Set(['succeeded', 'accepted', 'skipped', 'valid', 'not_sent']);

interface Kind {
  readonly status: Status;
  readonly field: string | undefined;
  readonly text: Message | string;
  count: number;
  readonly places: string[];
}

/** Gathers what is wrong with the rows of a run by kind: the same fault of the same field, or the same refusal. */
export class ProblemKinds {
  readonly #kinds = new Map<string, Kind>();

  add({ row, status, faults, code, messages }: RowResult): void {
    if (FINE.has(status)) return;
    for (const fault of faults) {
      // A fault of a group stands at each of its rows; it is one.
      if (fault.row !== row && faults.some((it) => it.row === row)) continue;
      const cell = fault.column === undefined ? undefined : cellAddress(fault.column, fault.row);
      const field = fault.field?.split('.').at(-1);
      const place = cell === undefined ? `row ${fault.row}` : `${fault.sheet}!${cell}`;
      this.#count(`${fault.message.code} ${fault.field}`, { status, field, text: fault.message }, place);
    }
    if (faults.length > 0) return;
    const [first] = messages;
    const text = first?.text ?? code ?? status;
    const key = typeof text === 'string' ? text : text.code;
    this.#count(`${status} ${code ?? ''} ${key}`, { status, field: undefined, text }, `row ${row}`);
  }

  /** The most frequent first. */
  list(): readonly ProblemKind[] {
    return [...this.#kinds.values()]
      .sort((a, b) => b.count - a.count)
      .map(({ field, ...it }) => (field === undefined ? it : { ...it, field }));
  }

  #count(key: string, about: Pick<Kind, 'status' | 'field' | 'text'>, place: string): void {
    let kind = this.#kinds.get(key);
    if (!kind) {
      if (this.#kinds.size >= KINDS) return;
      kind = { ...about, count: 0, places: [] };
      this.#kinds.set(key, kind);
    }
    if (kind.places.includes(place)) return;
    kind.count += 1;
    if (kind.places.length < PLACES) kind.places.push(place);
  }
}

/** `licenseType: "abc" is not allowed; …` */
export function problemText({ field, text }: ProblemKind, language: Language): string {
  const said = typeof text === 'string' ? text : render(text, language);
  return field === undefined ? said : `${field}: ${said}`;
}
