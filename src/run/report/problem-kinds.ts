import { type Language, type Message, message, render, renderText } from '../../errors/message.js';
import type { RowResult } from '../../ledger/contract/report.js';
import { NEEDS_NOTHING, type Status } from '../../model/status.js';
import { cellAddress } from '../../util/spreadsheet-text.js';
import { commonMessage, isBareStatus, messageKey } from './result-message.js';

/** Problems of one kind, over all rows of a run. */
export interface RowProblemKind {
  readonly status: Status;
  /** The invalid field, for a cell; otherwise the step of the rows, in a job of steps. */
  readonly field?: string;
  /** The common message, without the values that differ. */
  readonly text: Message | string;
  readonly count: number;
  /** The first few: a cell (`Orders!D7`) or a row number. */
  readonly places: readonly (string | number)[];
}

const PLACES = 5;
/** Limit of kinds, because texts of the platform may differ in every row. Beyond it, only known kinds are counted. */
const KINDS = 300;

/** Up to this number of different values have a line each. */
const LISTED_VALUES = 3;

interface Kind {
  readonly status: Status;
  readonly field: string | undefined;
  text: Message | string;
  count: number;
  readonly places: (string | number)[];
  /** By full text; undefined once there are too many. */
  byText?: Map<string, Kind> | undefined;
}

/** Groups a run's problems by kind: the same error of the same field, or the same refusal. */
export class ProblemKinds {
  readonly #kinds = new Map<string, Kind>();

  /** Counts a row's problems. Successful rows have none, unless they wait for an unknown row of another run. */
  add(result: RowResult): void {
    const { row, status, faults, code } = result;
    const isFine = NEEDS_NOTHING.has(status) || status === 'not_sent';
    const messages = isFine
      ? result.messages.filter(({ reason }) => reason?.kind === 'held_unknown')
      : result.messages;
    if (isFine && messages.length === 0) return;
    for (const fault of faults) {
      // An error of a group is repeated at each of its rows. It is counted once.
      if (fault.row !== row && faults.some((rowFault) => rowFault.row === row)) continue;
      const cell = fault.column === undefined ? undefined : cellAddress(fault.column, fault.row);
      const field = fault.field?.split('.').at(-1);
      const place = cell === undefined ? fault.row : `${fault.sheet}!${cell}`;
      const problem = { status, field, text: fault.message };
      this.#count(`${messageKey(fault.message)} ${fault.field}`, problem, place);
    }
    if (faults.length > 0) return;
    const withText = messages.filter((itemMessage) => !isBareStatus(itemMessage));
    const texts = withText.length > 0 ? withText : [{ text: code ?? status }];
    for (const { text, step } of texts) {
      // In a job of steps, problems are separated by step.
      this.#count(
        `${status} ${code ?? ''} ${step ?? ''} ${messageKey(text)}`,
        { status, field: step, text },
        row,
      );
    }
  }

  /** Counts an invalid row of a joined sheet. */
  addJoined(text: Message, place: string): void {
    this.#count(messageKey(text), { status: 'invalid', field: undefined, text }, place);
  }

  /** The most frequent first. */
  list(): readonly RowProblemKind[] {
    return [...this.#kinds.values()]
      .flatMap((kind) => (kind.byText ? [...kind.byText.values()] : [kind]))
      .sort((a, b) => b.count - a.count)
      .map(({ field, byText: _, ...kind }) => (field === undefined ? kind : { ...kind, field }));
  }

  #count(key: string, problem: Pick<Kind, 'status' | 'field' | 'text'>, place: string | number): void {
    let kind = this.#kinds.get(key);
    if (!kind) {
      if (this.#kinds.size >= KINDS) return;
      kind = { ...problem, count: 0, places: [], byText: new Map() };
      this.#kinds.set(key, kind);
    }
    const { byText } = kind;
    kind.text = commonMessage(kind.text, problem.text);
    if (byText) {
      const full = JSON.stringify(problem.text);
      const variant = byText.get(full) ?? { ...problem, count: 0, places: [] };
      byText.set(full, variant);
      add(variant, place);
      if (byText.size > LISTED_VALUES) kind.byText = undefined;
    }
    add(kind, place);
  }
}

function add(kind: Kind, place: string | number): void {
  if (kind.places.includes(place)) return;
  kind.count += 1;
  if (kind.places.length < PLACES) kind.places.push(place);
}

/** `licenseType: "abc" is not allowed; …` */
export function problemText({ field, text }: RowProblemKind, language: Language): string {
  const rendered = renderText(text, language);
  return field === undefined ? rendered : `${field}: ${rendered}`;
}

/** The first places of a problem as texts: `Orders!D7`, `row 8`. */
export function problemPlaces({ places }: RowProblemKind, language: Language): readonly string[] {
  return places.map((place) =>
    typeof place === 'string' ? place : render(message('run.place_row', { row: place }), language),
  );
}
