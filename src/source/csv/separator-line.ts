import { readText } from './text.js';

/** `sep=;`, quoted or not, and padded with the delimiter where a program wrote it over the table's whole width. */
const SEPARATOR_LINE = /^"?sep=([^"\r\n])"?\1*(?:\r\n|\r|\n|$)/iu;
const LONGEST = 20_000;

export interface SeparatorLine {
  readonly delimiter: string;
  /** Characters that the line takes, its end included. */
  readonly length: number;
}

/**
 * The first line, where it names the delimiter for Excel. Excel takes it for no row, so rows are counted after it. What
 * it says outranks the job, as a byte order mark does: by any other delimiter the file reads as nonsense.
 */
export async function findSeparatorLine(file: string, encoding: string): Promise<SeparatorLine | undefined> {
  for await (const text of readText(file, encoding)) {
    const found = SEPARATOR_LINE.exec(text.slice(0, LONGEST));
    return found ? { delimiter: found[1]!, length: found[0].length } : undefined;
  }
  return undefined;
}
