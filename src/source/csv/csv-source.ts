import path from 'node:path';
import { message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import type { Row } from '../../model/row.js';
import { cellAddress } from '../../util/spreadsheet-text.js';
import type { SheetInfo, Source, SourceOptions } from '../source.js';
import { findFileEnd } from './byte-survey.js';
import { type CsvDialect, recordsAhead } from './csv-records.js';
import { CsvRow } from './csv-row.js';
import { readText } from './file-text.js';
import { findEncoding } from './text-encoding.js';

/** Maximum length of a spreadsheet's cell, in UTF-16 units. */
const CELL_CHARACTERS = 32_767;

/**
 * Opens a text table. The encoding is detected here, from the whole file; each call of `rows` reads the file again.
 * @param format `tsv`: the delimiter is a tab unless the options name another
 */
export async function openCsv(
  file: string,
  format: 'csv' | 'tsv',
  options: SourceOptions = {},
): Promise<Source> {
  const requested = options.delimiter ?? 'auto';
  const given = requested === 'auto' ? (format === 'tsv' ? '\t' : 'auto') : givenDelimiter(file, requested);
  const { encoding, nul, lineEnds, warnings } = await findEncoding(file, options.encoding ?? 'auto');
  // Excel writes .txt with tabs; a table of one column has no delimiter to detect.
  const otherwise = path.extname(file).toLowerCase() === '.txt' ? '\t' : ',';
  const text = readText(file, encoding);
  const separatorLine = await findSeparatorLine(file, encoding);
  const delimiter =
    separatorLine?.delimiter ?? (await findDelimiter(text, options.headerRow ?? 1, given, otherwise));
  const { end, isLineEnded } = await findFileEnd(file, encoding);
  const dialect: CsvDialect = {
    file,
    encoding,
    lineEnds,
    delimiter,
    skipped: separatorLine?.length ?? 0,
    end,
  };
  const name = path.basename(file, path.extname(file));
  const sheet: SheetInfo = { name, position: 1, visibility: 'visible' };
  return {
    isWorkbook: false,
    hasOwnDelimiter: format === 'tsv',
    sheets: [sheet],
    encoding,
    delimiter,
    warnings,
    rows: () => rows(dialect, name, { nul, isLineEnded }),
    close: async () => {},
  };
}

async function* rows(
  dialect: CsvDialect,
  sheet: string,
  { nul, isLineEnded }: { readonly nul: boolean; readonly isLineEnded: boolean },
): AsyncGenerator<readonly Row[]> {
  let number = 0;
  // In a file without a final line end, each page waits for the next one: only then is its last row known to be the
  // last of the file.
  let pending: CsvRow[] = [];
  for await (const records of recordsAhead(dialect)) {
    const page: CsvRow[] = [];
    for (const { fields, faults } of records) {
      number += 1;
      let empty = true;
      for (let index = 0; index < fields.length; index += 1) {
        const text = fields[index]!;
        if (text === '') continue;
        empty = false;
        if (text.length > CELL_CHARACTERS || (nul && text.includes('\0'))) {
          throw cellFault(dialect.file, number, index + 1, text);
        }
      }
      if (!empty) page.push(new CsvRow(sheet, number, fields, { faults }));
    }
    if (page.length === 0) continue;
    const complete = isLineEnded ? page : pending;
    if (complete.length > 0) yield complete;
    pending = page;
  }
  const last = pending.pop();
  if (last && !isLineEnded) yield [...pending, last.unended()];
}

function cellFault(file: string, row: number, column: number, text: string): ProductError {
  const cell = cellAddress(column, row);
  if (text.includes('\0')) return new ProductError('input', message('source.csv_nul', { file, row, cell }));
  const params = { file, row, cell, length: text.length, limit: CELL_CHARACTERS };
  return new ProductError('input', message('source.csv_cell_length', params));
}

const CANDIDATES = [',', ';', '\t', '|'] as const;
/** Search limit for the header record. A longer one has an unclosed quote. */
const SEARCHED_CHARACTERS = 1 << 22;
/**
 * A first line `sep=;`, quoted or not. A program may have padded it with the delimiter over the table's whole width.
 */
const SEPARATOR_LINE = /^"?sep=([^"\r\n])"?\1*(?:\r\n|\r|\n|$)/iu;
const SEPARATOR_LINE_CHARACTERS = 20_000;
const OWN_RESULT = /^"?row"?,"?status"?,"?licenseOrderId"?,"?(?:code"?,"?message|step)"?,/;

/** @throws ProductError usage if the job's delimiter is not one character. */
export function givenDelimiter(file: string, requested: string): string {
  if (requested === '\\t' || requested.toLowerCase() === 'tab') return '\t';
  if ([...requested].length !== 1 || /["\r\n\0]/.test(requested)) {
    throw new ProductError('usage', message('source.csv_delimiter', { file, delimiter: requested }));
  }
  return requested;
}

/**
 * The delimiter: the candidate that occurs most often in the header record, outside quotes. A result file of this
 * program always has commas, whatever header row or delimiter the job names.
 * @param requested `auto` or the job's delimiter
 * @param otherwise used if no candidate occurs, or two occur equally often
 */
export async function findDelimiter(
  text: AsyncIterable<string>,
  headerRow: number,
  requested: string,
  otherwise: string,
): Promise<string> {
  const scan = new HeaderScan(headerRow);
  let length = 0;
  for await (const chunk of text) {
    length += chunk.length;
    if (scan.add(chunk) || length > SEARCHED_CHARACTERS) break;
  }
  if (OWN_RESULT.test(scan.opening)) return ',';
  if (requested !== 'auto') return requested;
  const ranked = CANDIDATES.map((it) => ({ it, count: scan.counts.get(it) ?? 0 }));
  const most = Math.max(...ranked.map(({ count }) => count));
  const winners = ranked.filter(({ count }) => count === most);
  return most > 0 && winners.length === 1 ? winners[0]!.it : otherwise;
}

/**
 * The first line, if it names the delimiter for Excel; `length` is its number of characters with the line end. Excel
 * does not count it as a row, so row numbers begin after it. It has priority over the job's delimiter, as a byte order
 * mark has over the encoding: with any other delimiter the file is read wrongly.
 */
export async function findSeparatorLine(
  file: string,
  encoding: string,
): Promise<{ readonly delimiter: string; readonly length: number } | undefined> {
  for await (const text of readText(file, encoding)) {
    const found = SEPARATOR_LINE.exec(text.slice(0, SEPARATOR_LINE_CHARACTERS));
    return found ? { delimiter: found[1]!, length: found[0].length } : undefined;
  }
  return undefined;
}

/** Counts the candidates in the header record. Handles quotes, and skips the records before it. */
class HeaderScan {
  readonly counts = new Map<string, number>();
  /** The file's first characters. */
  opening = '';
  #record = 1;
  readonly #headerRecord: number;
  #state: 'start' | 'plain' | 'quoted' | 'closing' = 'start';
  #afterReturn = false;

  constructor(headerRow: number) {
    this.#headerRecord = headerRow;
  }

  /** True when the header record has ended. */
  add(chunk: string): boolean {
    if (this.opening.length < 80) this.opening += chunk.slice(0, 80);
    for (const char of chunk) {
      if (this.#afterReturn) {
        this.#afterReturn = false;
        if (char === '\n') continue;
      }
      if (this.#state === 'quoted') {
        if (char === '"') this.#state = 'closing';
        continue;
      }
      if (char === '"' && this.#state !== 'plain') {
        this.#state = 'quoted';
        continue;
      }
      if (char === '\n' || char === '\r') {
        if (this.#record === this.#headerRecord) return true;
        this.#record += 1;
        this.#state = 'start';
        this.#afterReturn = char === '\r';
        continue;
      }
      this.#state = 'plain';
      if ((CANDIDATES as readonly string[]).includes(char)) {
        this.#state = 'start';
        if (this.#record === this.#headerRecord) this.counts.set(char, (this.counts.get(char) ?? 0) + 1);
      }
    }
    return false;
  }
}
