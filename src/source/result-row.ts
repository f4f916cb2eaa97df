import { message, render } from '../errors/message.js';
import type { Cell } from '../model/cell.js';
import type { Header, Row, RowFault } from '../model/row.js';
import { withTextMarker } from './csv/row.js';

/** What the result says of a row that was skipped because it is hidden, in every language. */
const HIDDEN = (['en', 'zh'] as const).map((language) => render(message('run.hidden_skipped'), language));
/** The column of messages, also of a step (`order.message`). */
const MESSAGE = /^(?:.+\.)?message$/;

/**
 * Gives rows of a result of this program as the source of the result had them. A .csv hides no rows, and spreadsheet programs
 * show hidden rows again when a filter is cleared, so a row that was skipped as hidden is recognised by its message: otherwise
 * it would be sent when the result is run. An .xlsx result of a .csv has the apostrophes of the .csv, which mark texts.
 * @param headers of the whole row, the result's own among them
 */
export function resultRows(headers: readonly Header[]): (row: Row) => Row {
  const messages = headers.filter(({ text }) => MESSAGE.test(text)).map(({ column }) => column);
  const isHidden = (row: Row): boolean =>
    messages.some((column) => {
      const told = row.cell(column)?.text.trim();
      return told !== undefined && HIDDEN.some((it) => told.startsWith(it));
    });
  return (row) => new ResultRow(row, row.hidden || isHidden(row));
}

class ResultRow implements Row {
  readonly hidden: boolean;
  readonly faults?: readonly RowFault[];
  readonly #row: Row;

  constructor(row: Row, hidden: boolean) {
    this.#row = row;
    this.hidden = hidden;
    if (row.faults) this.faults = row.faults;
  }

  get sheet(): string {
    return this.#row.sheet;
  }

  get number(): number {
    return this.#row.number;
  }

  get marked(): boolean {
    return this.#row.marked === true;
  }

  get isShort(): boolean {
    return this.#row.isShort === true;
  }

  cell(column: number): Cell | undefined {
    const cell = this.#row.cell(column);
    return cell && withTextMarker(cell);
  }

  cells(): readonly Cell[] {
    return this.#row.cells().map(withTextMarker);
  }
}
