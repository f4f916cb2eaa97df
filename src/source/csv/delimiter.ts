import { message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';

const CANDIDATES = [',', ';', '\t', '|'] as const;
/** A header that goes on for longer has an open quote. */
const SEARCHED_CHARACTERS = 1 << 22;
const OWN_RESULT = /^"?row"?,"?status"?,"?licenseOrderId"?,"?code"?,"?message"?,/;

/** @throws ProductError usage when the job's delimiter is not one character. */
export function givenDelimiter(file: string, wanted: string): string {
  if (wanted === '\\t' || wanted.toLowerCase() === 'tab') return '\t';
  if ([...wanted].length !== 1 || /["\r\n\0]/.test(wanted)) {
    throw new ProductError('usage', message('source.csv_delimiter', { file, delimiter: wanted }));
  }
  return wanted;
}

/**
 * The character that parts the header record's fields: the one that is there most often outside quotes. A result
 * file of ours keeps its comma whatever row or character the job names.
 * @param wanted `auto` or the job's own delimiter
 * @param otherwise taken when none is there, or two equally often
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

/** Counts the candidates in one record, passing over those before it, quotes understood. */
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

  /** True when the record is over. */
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
