import { type Message, message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import type { InputStore, KeptInput } from '../../ledger/contract/inputs.js';
import type { Job, StepsJob } from '../../model/job.js';
import type { CorrectedBy, Correction, Header, KeptCorrections, Row } from '../../model/row.js';
import { openSource } from '../../source/open-source.js';
import { openTable, type Table } from '../../source/table.js';
import { nearest } from '../../util/name-match.js';
import { columnLetters } from '../../util/spreadsheet-text.js';
import { fold } from '../../util/text.js';
import { openInput } from '../input/opened-input.js';
import { CorrectedCells, correctedTable } from './corrected-table.js';
import { EXCLUDE, INCLUDE, keepCorrections, Overlay, WHOLE_ROW } from './overlay.js';

/** The headers that a corrections file must have. Other columns are ignored. */
const ROW = 'row';
const COLUMN = 'column';
const VALUE = 'value';
const HEADERS = [ROW, COLUMN, VALUE];

const LETTERS = /^[a-z]{1,3}$/i;
const NUMBER = /^[1-9]\d{0,8}$/;
const ERRORS_SHOWN = 20;

/**
 * Corrections as a .csv with the columns `row`, `column` and `value`: a column by its letter or its header. A line
 * without a column excludes the row (`exclude`), or includes it again (`include`).
 * @param table the table with the corrected cells
 * @throws ProductError usage, naming the invalid lines
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
    const corrections = await openTable(source, {
      headerRow: 1,
      resultColumns: [],
      stepResults: [],
      asAnyOther: true,
    });
    const columns = HEADERS.map((name) => corrections.headers.find(({ folded }) => folded === name)?.column);
    if (columns.includes(undefined)) {
      const found = corrections.headers.map(({ text }) => text).join(', ');
      throw new ProductError('usage', message('corrections.file_headers', { file, found }));
    }
    const reader = new CorrectionsReader(file, table, columns as [number, number, number]);
    for await (const page of corrections.rows()) for (const line of page) reader.add(line);
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
    const place = { file: this.#file, line: line.number };
    const [rowText = '', name = ''] = this.#columns.map((column) => line.cell(column)?.text.trim());
    if (line.faults) {
      this.#faults.push(
        ...line.faults.map(({ message: fault }) => message('corrections.line', { ...place, why: fault })),
      );
      return;
    }
    if (!NUMBER.test(rowText)) {
      this.#faults.push(message('corrections.row_wrong', { ...place, text: rowText }));
      return;
    }
    const row = Number(rowText);
    const { headerRow } = this.#table;
    if (row <= headerRow) {
      this.#faults.push(message('corrections.row_header', { ...place, row, headerRow }));
      return;
    }
    // The text with its leading and trailing blanks, as in a cell of the sheet.
    const cell = line.cell(this.#columns[2]);
    const isOfRow = name === '' && (cell?.text === EXCLUDE || cell?.text === INCLUDE);
    const header = isOfRow ? { column: WHOLE_ROW, text: '' } : this.#header(name, place);
    if (!header) return;
    // The input is text, even if it begins like a formula.
    const text = (cell?.kind === 'no_result' ? cell.raw : cell?.text) ?? '';
    const key = `${row} ${header.column}`;
    const earlier = this.#found.get(key);
    if (earlier && earlier.text !== text)
      this.#faults.push(
        message('corrections.twice', {
          ...place,
          cell: columnLetters(header.column) + row,
          other: earlier.line,
        }),
      );
    else this.#found.set(key, { row, column: header.column, header: header.text, text, line: line.number });
  }

  end(): readonly Correction[] {
    const [first, ...furtherFaults] = this.#faults;
    if (first) throw new ProductError('usage', first, { others: furtherFaults.slice(0, ERRORS_SHOWN) });
    return [...this.#found.values()].map(({ line: _, ...correction }) => correction);
  }

  /** A header has priority over a letter. A name that may mean two columns is rejected. */
  #header(name: string, place: { readonly file: string; readonly line: number }): Header | undefined {
    const { headers, sheet } = this.#table;
    const letters = LETTERS.test(name) ? name.toUpperCase() : undefined;
    const found = headers.filter((header) => header.folded === fold(name));
    const byLetter = headers.find((header) => columnLetters(header.column) === letters);
    const candidates = byLetter && !found.includes(byLetter) ? [...found, byLetter] : found;
    if (candidates.length === 1) return candidates[0];
    if (candidates.length > 1) {
      const columns = candidates.map((header) => columnLetters(header.column)).join(', ');
      // A letter that is not a header too means one column only, even if two headers are equal.
      this.#faults.push(message('corrections.column_twice', { ...place, name, columns }));
      return undefined;
    }
    const near = nearest(
      name,
      headers.map(({ text }) => text),
    );
    const params = { ...place, name, sheet: sheet.name };
    this.#faults.push(
      near === undefined
        ? message('corrections.column_unknown', params)
        : message('corrections.column_near', { ...params, near }),
    );
    return undefined;
  }
}

/**
 * Corrections in the form that `readCorrections` reads, for the command line. Text that a spreadsheet would interpret
 * as a formula is written as the text of one.
 */
export function correctionsText(cells: readonly Correction[]): string {
  const lines = cells.map(
    ({ row, column, text }) => `${row},${columnLetters(column)},${csvField(formulaAsText(text), ',')}\r\n`,
  );
  return `\ufeff${HEADERS.join(',')}\r\n${lines.join('')}`;
}

/** Text that a spreadsheet would interpret as a formula, except signed numbers. */
const FORMULA = /^\s*[=+\-@\t\r]/u;
const SIGNED_NUMBER = /^[+-]?\d+(?:\.\d+)?$/u;

/** Writes a formula as text, in a form that is read as the same text: `="=1+1"`. */
export function formulaAsText(text: string): string {
  if (!FORMULA.test(text) || SIGNED_NUMBER.test(text.trim()) || /^\s*="(?:[^"]|"")*"\s*$/u.test(text))
    return text;
  return `="${text.replaceAll('"', '""')}"`;
}

/** Quotes a field if a reader could interpret it as more than its text. */
export function csvField(text: string, delimiter: string): string {
  return text.includes(delimiter) || /[",;\t|\r\n]|^\s|\s$/u.test(text)
    ? `"${text.replaceAll('"', '""')}"`
    : text;
}

/** Corrections to plan a run with: of an import, of a file, or the stored ones of another run on the same input. */
export type GivenCorrections =
  | { readonly cells: readonly (Correction & CorrectedBy)[] }
  | { readonly file: string; readonly by: CorrectedBy }
  | { readonly kept: KeptCorrections };

/**
 * Stores the corrections in the ledger after checking that they match the input's headers.
 * @throws ProductError usage for corrections that do not match
 */
export async function takeCorrections(
  inputs: InputStore,
  job: Job | StepsJob,
  input: KeptInput,
  given: GivenCorrections,
  env: NodeJS.ProcessEnv | undefined,
): Promise<KeptCorrections | undefined> {
  if ('kept' in given) return given.kept;
  const copy = await inputs.file(input);
  if (copy === undefined) throw new Error('the input that was just stored is missing');
  const opened = await openInput(job, copy, env);
  try {
    const cells = 'cells' in given ? given.cells : await readCorrections(given.file, opened.table, env);
    const overlay = Overlay.of(cells);
    correctedTable(opened.table, overlay, new CorrectedCells());
    const by = new Map<string, CorrectedBy>();
    if ('cells' in given)
      for (const { row, column, who, at } of given.cells) by.set(`${row} ${column}`, { who, at });
    return await keepCorrections(inputs, overlay, (row, column) =>
      'cells' in given ? by.get(`${row} ${column}`) : given.by,
    );
  } finally {
    await opened.source.close();
  }
}

/** @throws ProductError usage if each file of a folder is a separate run: corrections belong to one file */
export function refuseCorrectedPattern({ source: { pattern, file } }: Pick<Job, 'source'>): void {
  if (pattern) throw new ProductError('usage', message('corrections.one_file', { pattern: file }));
}
