import { type CsvRecord, RecordReader } from './record-reader.js';
import type { LineEnds } from './survey.js';
import { readText } from './text.js';

export interface CsvDialect {
  readonly file: string;
  readonly encoding: string;
  readonly lineEnds: LineEnds;
  readonly delimiter: string;
  /** Characters at the file's begin that are no record: a line `sep=;`. */
  readonly skipped: number;
}

/**
 * All records of the file in chunks.
 * @throws ProductError input for an unclosed quote, and for a record that is too large to be one.
 */
export async function* readRecords(dialect: CsvDialect): AsyncGenerator<readonly CsvRecord[]> {
  const { file, encoding, lineEnds, delimiter } = dialect;
  const reader = new RecordReader(file, delimiter, lineEnds);
  let skipped = dialect.skipped;
  for await (const text of readText(file, encoding)) {
    const records = reader.push(skipped > 0 ? text.slice(skipped) : text);
    skipped = Math.max(0, skipped - text.length);
    if (records.length > 0) yield records;
  }
  const records = reader.end();
  if (records.length > 0) yield records;
}
