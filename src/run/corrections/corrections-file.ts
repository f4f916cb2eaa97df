import { type Message, message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import type { Correction } from '../../model/correction.js';
import type { Header, Row } from '../../model/row.js';
import { openSource } from '../../source/open.js';
import { openTable, type Table } from '../../source/table.js';
import { columnLetters } from '../../util/address.js';
import { fold } from '../../util/fold.js';
import { nearest } from '../../util/nearest.js';
import { csvField, harmless } from './csv-field.js';

/** The headers that a file of corrections must have; others beside them are let be. */
const ROW = 'row';
const COLUMN = 'column';
const VALUE = 'value';
const WANTED = [ROW, COLUMN, VALUE];

const LETTERS = /^[a-z]{1,3}$/i;
const NUMBER = /^[1-9]\d{0,8}$/;
const FAULTS_TOLD = 20;

/**
 * Corrections as a .csv with the columns `row`, `column` and `value`: a column by its letter or its header.
 * @param table whose cells are corrected
 * @throws ProductError usage, naming the lines that are wrong
 */
export async function readCorrections(
  file: string,
  table: Pick<Table, 'headers' | 'headerRow' | 'sheet'>,
  env: NodeJS.ProcessEnv | undefined,
): Promise<readonly Correction[]> {
  if (!/\.(?:csv|tsv|txt)$/i.test(file))
    throw new ProductError('usage', message('corrections.file_format', { file }));
  const source = await openSource(file, { env });
  try {
    const own = await openTable(source, {
      headerRow: 1,
      resultColumns: [],
      stepResults: [],
      asAnyOther: true,
    });
    const columns = WANTED.map((name) => own.headers.find((it) => it.folded === name)?.column);
    if (columns.includes(undefined)) {
      const found = own.headers.map(({ text }) => text).join(', ');
      throw new ProductError('usage', message('corrections.file_headers', { file, found }));
    }
    const reader = new CorrectionsReader(file, table, columns as [number, number, number]);
    for await (const page of own.rows()) for (const line of page) reader.add(line);
    return reader.end();
  } finally {
    await source.close();
  }
}

class CorrectionsReader {
  readonly #file: string;
  readonly #table: Pick<Table, 'headers' | 'headerRow' | 'sheet'>;
  readonly #columns: readonly [row: number, column: number, value: number];
  readonly #found = new Map<string, Correction & { readonly line: number }>();
  readonly #faults: Message[] = [];

  constructor(
    file: string,
    table: Pick<Table, 'headers' | 'headerRow' | 'sheet'>,
    columns: readonly [number, number, number],
  ) {
    this.#file = file;
    this.#table = table;
    this.#columns = columns;
  }

  add(line: Row): void {
    const at = { file: this.#file, line: line.number };
    const [rowText = '', name = ''] = this.#columns.map((it) => line.cell(it)?.text.trim());
    if (line.faults) {
      this.#faults.push(
        ...line.faults.map(({ message: it }) => message('corrections.line', { ...at, why: it })),
      );
      return;
    }
    if (!NUMBER.test(rowText)) {
      this.#faults.push(message('corrections.row_wrong', { ...at, text: rowText }));
      return;
    }
    const row = Number(rowText);
    const { headerRow } = this.#table;
    if (row <= headerRow) {
      this.#faults.push(message('corrections.row_header', { ...at, row, headerRow }));
      return;
    }
    const header = this.#header(name, at);
    if (!header) return;
    // The text with its blanks, as a cell of the sheet has it.
    const cell = line.cell(this.#columns[2]);
    // What was typed is a text, also if it begins like a formula.
    const text = (cell?.kind === 'no_result' ? cell.raw : cell?.text) ?? '';
    const key = `${row} ${header.column}`;
    const before = this.#found.get(key);
    if (before && before.text !== text)
      this.#faults.push(
        message('corrections.twice', { ...at, cell: columnLetters(header.column) + row, other: before.line }),
      );
    else this.#found.set(key, { row, column: header.column, header: header.text, text, line: line.number });
  }

  end(): readonly Correction[] {
    const [first, ...others] = this.#faults;
    if (first) throw new ProductError('usage', first, { others: others.slice(0, FAULTS_TOLD) });
    return [...this.#found.values()].map(({ line: _, ...it }) => it);
  }

  /** A header counts before a letter; where a name may mean two columns, it is refused. */
  #header(name: string, at: { readonly file: string; readonly line: number }): Header | undefined {
    const { headers, sheet } = this.#table;
    const letters = LETTERS.test(name) ? name.toUpperCase() : undefined;
    const found = headers.filter((it) => it.folded === fold(name));
    const byLetter = headers.find((it) => columnLetters(it.column) === letters);
    const meant = byLetter && !found.includes(byLetter) ? [...found, byLetter] : found;
    if (meant.length === 1) return meant[0];
    if (meant.length > 1) {
      const columns = meant.map((it) => columnLetters(it.column)).join(', ');
      // A letter that is no header besides means one column only, even if two headers are alike.
      this.#faults.push(message('corrections.column_twice', { ...at, name, columns }));
      return undefined;
    }
    const near = nearest(
      name,
      headers.map(({ text }) => text),
    );
    const params = { ...at, name, sheet: sheet.name };
    this.#faults.push(
      near === undefined
        ? message('corrections.column_unknown', params)
        : message('corrections.column_near', { ...params, near }),
    );
    return undefined;
  }
}

/**
 * Corrections as `readCorrections` reads them, for the same acts on the command line. What a spreadsheet would take for a
 * formula stands in it as the text of one.
 */
export function correctionsText(cells: readonly Correction[]): string {
  const lines = cells.map(
    ({ row, column, text }) => `${row},${columnLetters(column)},${csvField(harmless(text), ',')}\r\n`,
  );
  return `\ufeff${WANTED.join(',')}\r\n${lines.join('')}`;
}
