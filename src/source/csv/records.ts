import { readBytes } from './bytes.js';
import { type CsvRecord, LenientRecordReader } from './lenient-records.js';
import { strictRecords } from './strict-records.js';
import type { LineEnds } from './survey.js';
import { readText } from './text.js';

export interface CsvDialect {
  readonly file: string;
  readonly encoding: string;
  readonly lineEnds: LineEnds;
  readonly delimiter: string;
  /** Characters to skip at the start of the file: a line `sep=;`. */
  readonly skipped: number;
}

/**
 * All records of the file, in chunks. csv-parse reads a well-formed file, and is fast. From the first record that isn't
 * well formed, `LenientRecordReader` continues: it reports the faults of each record and still reads the others.
 * @throws ProductError input for an unclosed quote, and for a record that is too large to be one.
 */
export async function* readRecords(dialect: CsvDialect): AsyncGenerator<readonly CsvRecord[]> {
  const { file, encoding, skipped } = dialect;
  // The parser works on UTF-8 bytes, whose validity has been checked by now.
  const source = encoding === 'utf-8' && skipped === 0 ? readBytes(file) : textAfter(dialect);
  const strict = strictRecords(source, dialect);
  let given = 0;
  try {
    for (;;) {
      const { done, value } = await strict.next();
      if (done) {
        if (value === 'not well formed') yield* lenientRecords(dialect, given);
        return;
      }
      given += value.length;
      yield value.map((fields) => ({ fields }));
    }
  } finally {
    // Closes the file when the caller stops early.
    await strict.return('whole');
  }
}

/** Reads the file again from the start, without the records that were yielded already. */
async function* lenientRecords(dialect: CsvDialect, given: number): AsyncGenerator<readonly CsvRecord[]> {
  const reader = new LenientRecordReader(dialect.file, dialect.delimiter, dialect.lineEnds);
  let passed = given;
  const left = (records: readonly CsvRecord[]): readonly CsvRecord[] => {
    const kept = passed > 0 ? records.slice(passed) : records;
    passed = Math.max(0, passed - records.length);
    return kept;
  };
  for await (const text of textAfter(dialect)) {
    const records = left(reader.push(text));
    if (records.length > 0) yield records;
  }
  const records = left(reader.end());
  if (records.length > 0) yield records;
}

async function* textAfter({ file, encoding, skipped }: CsvDialect): AsyncGenerator<string> {
  let passed = skipped;
  for await (const text of readText(file, encoding)) {
    if (text.length > passed) yield passed > 0 ? text.slice(passed) : text;
    passed = Math.max(0, passed - text.length);
  }
}
