import { type Language, type Message, renderText } from '../../errors/message.js';
import type { RowResult } from '../../ledger/contract/report.js';
import { NEEDS_NOTHING, type Status } from '../../model/status.js';
import { cellAddress } from '../../util/address.js';
import { commonMessage, isBareStatus, messageKey } from './row-messages.js';

/** Problems of one kind, over all rows of a run. */
export interface RowProblemKind {
  readonly status: Status;
  /** The field at fault, where a cell is; of a job of steps the step at which else the rows stand. */
  readonly field?: string;
  /** Their message; values that differ and are too many to name are left out. */
  readonly text: Message | string;
  readonly count: number;
  /** The first few: `Orders!D7`, or `row 7`. */
  readonly places: readonly string[];
}

const PLACES = 5;
/** A platform's texts may differ in every row. Beyond so many kinds, only known ones are counted. */
const KINDS = 300;

/** Up to so many different values have a line each. */
const NAMED = 3;

interface Kind {
  readonly status: Status;
  readonly field: string | undefined;
  text: Message | string;
  count: number;
  readonly places: string[];
  /** By their full text; undefined once there are too many of them. */
  named?: Map<string, Kind> | undefined;
}

/** Groups a run's problems by kind: the same fault of the same field, or the same refusal. */
export class ProblemKinds {
  readonly #kinds = new Map<string, Kind>();

  /** Counts a row's problems. Rows that went well have none, unless they wait for an unknown row of another run. */
  add(result: RowResult): void {
    const { row, status, faults, code } = result;
    const isFine = NEEDS_NOTHING.has(status) || status === 'not_sent';
    const messages = isFine
      ? result.messages.filter(({ reason }) => reason?.kind === 'held_unknown')
      : result.messages;
    if (isFine && messages.length === 0) return;
    for (const fault of faults) {
      // A fault of a group is repeated at each of its rows; it is counted once.
      if (fault.row !== row && faults.some((it) => it.row === row)) continue;
      const cell = fault.column === undefined ? undefined : cellAddress(fault.column, fault.row);
      const field = fault.field?.split('.').at(-1);
      const place = cell === undefined ? `row ${fault.row}` : `${fault.sheet}!${cell}`;
      const about = { status, field, text: fault.message };
      this.#count(`${messageKey(fault.message)} ${fault.field}`, about, place);
    }
    if (faults.length > 0) return;
    const said = messages.filter((it) => !isBareStatus(it));
    const told = said.length > 0 ? said : [{ text: code ?? status }];
    for (const { text, step } of told) {
      // Of a job of steps it is told at which step.
      this.#count(
        `${status} ${code ?? ''} ${step ?? ''} ${messageKey(text)}`,
        { status, field: step, text },
        `row ${row}`,
      );
    }
  }

  /** Counts an invalid row of another sheet than the job's. */
  addJoined(text: Message, place: string): void {
    this.#count(messageKey(text), { status: 'invalid', field: undefined, text }, place);
  }

  /** The most frequent first. */
  list(): readonly RowProblemKind[] {
    return [...this.#kinds.values()]
      .flatMap((kind) => (kind.named ? [...kind.named.values()] : [kind]))
      .sort((a, b) => b.count - a.count)
      .map(({ field, named: _, ...it }) => (field === undefined ? it : { ...it, field }));
  }

  #count(key: string, about: Pick<Kind, 'status' | 'field' | 'text'>, place: string): void {
    let kind = this.#kinds.get(key);
    if (!kind) {
      if (this.#kinds.size >= KINDS) return;
      kind = { ...about, count: 0, places: [], named: new Map() };
      this.#kinds.set(key, kind);
    }
    const { named } = kind;
    kind.text = commonMessage(kind.text, about.text);
    if (named) {
      const full = JSON.stringify(about.text);
      const one = named.get(full) ?? { ...about, count: 0, places: [] };
      named.set(full, one);
      add(one, place);
      if (named.size > NAMED) kind.named = undefined;
    }
    add(kind, place);
  }
}

function add(kind: Kind, place: string): void {
  if (kind.places.includes(place)) return;
  kind.count += 1;
  if (kind.places.length < PLACES) kind.places.push(place);
}

/** `licenseType: "abc" is not allowed; …` */
export function problemText({ field, text }: RowProblemKind, language: Language): string {
  const said = renderText(text, language);
  return field === undefined ? said : `${field}: ${said}`;
}
