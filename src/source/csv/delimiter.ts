import { message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import { readText } from './text.js';

const CANDIDATES = [',', ';', '\t', '|'] as const;
/** The header record is searched this far. A longer one has a quote that is never closed. */
const SEARCHED_CHARACTERS = 1 << 22;
/** A first line `sep=;`, quoted or not. A program may have padded it with the delimiter over the table's whole width. */
const SEPARATOR_LINE = /^"?sep=([^"\r\n])"?\1*(?:\r\n|\r|\n|$)/iu;
const SEPARATOR_LINE_CHARACTERS = 20_000;
const OWN_RESULT = /^"?row"?,"?status"?,"?licenseOrderId"?,"?(?:code"?,"?message|step)"?,/;

/** @throws ProductError usage when the job's delimiter is not one character. */
export function givenDelimiter(file: string, wanted: string): string {
  if (wanted === '\\t' || wanted.toLowerCase() === 'tab') return '\t';
  if ([...wanted].length !== 1 || /["\r\n\0]/.test(wanted)) {
    throw new ProductError('usage', message('source.csv_delimiter', { file, delimiter: wanted }));
  }
  return wanted;
}

/**
 * The delimiter: the candidate that occurs most often in the header record, outside quotes. A result file of this
 * program always has commas, whatever header row or delimiter the job names.
 * @param wanted `auto` or the job's own delimiter
 * @param otherwise used when no candidate occurs, or two occur equally often
 */
export async function findDelimiter(
  text: AsyncIterable<string>,
  headerRow: number,
  wanted: string,
  otherwise: string,
): Promise<string> {
  const scan = new HeaderScan(headerRow);
  let length = 0;
  for await (const chunk of text) {
    length += chunk.length;
    if (scan.add(chunk) || length > SEARCHED_CHARACTERS) break;
  }
  if (OWN_RESULT.test(scan.opening)) return ',';
  if (wanted !== 'auto') return wanted;
  const ranked = CANDIDATES.map((it) => ({ it, count: scan.counts.get(it) ?? 0 }));
  const most = Math.max(...ranked.map(({ count }) => count));
  const winners = ranked.filter(({ count }) => count === most);
  return most > 0 && winners.length === 1 ? winners[0]!.it : otherwise;
}

/**
 * The first line, if it names the delimiter for Excel; `length` counts its characters with the line end. Excel doesn't
 * count it as a row, so row numbers begin after it. It outranks the job's delimiter, as a byte order mark outranks the
 * encoding: read with any other delimiter, the file is nonsense.
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

/** Counts the candidates in the header record. Understands quotes, and skips the records before it. */
class HeaderScan {
  readonly counts = new Map<string, number>();
  /** The file's first characters. */
  opening = '';
  #record = 1;
  readonly #wanted: number;
  #state: 'start' | 'plain' | 'quoted' | 'closing' = 'start';
  #afterReturn = false;

  constructor(headerRow: number) {
    this.#wanted = headerRow;
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
        if (this.#record === this.#wanted) return true;
        this.#record += 1;
        this.#state = 'start';
        this.#afterReturn = char === '\r';
        continue;
      }
      this.#state = 'plain';
      if ((CANDIDATES as readonly string[]).includes(char)) {
        this.#state = 'start';
        if (this.#record === this.#wanted) this.counts.set(char, (this.counts.get(char) ?? 0) + 1);
      }
    }
    return false;
  }
}
