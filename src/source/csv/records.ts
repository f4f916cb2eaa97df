import { readBytes } from './bytes.js';
import { type CsvRecord, RecordReader } from './record-reader.js';
import { strictRecords } from './strict-records.js';
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
 * All records of the file in chunks. A well-formed file, as most are, is read by csv-parse. From the first record on that
 * is not well formed a reader of our own goes on, which tells what is wrong with each record and reads the others.
 * @throws ProductError input for an unclosed quote, and for a record that is too large to be one.
 */
export async function* readRecords(dialect: CsvDialect): AsyncGenerator<readonly CsvRecord[]> {
  const { file, encoding, skipped } = dialect;
  // UTF-8 is what the parser works in, and its validity is known by now.
  const source = encoding === 'utf-8' && skipped === 0 ? readBytes(file) : textAfter(dialect);
  const strict = strictRecords(source, dialect);
  let given = 0;
  try {
    for (;;) {
      const { done, value } = await strict.next();
      if (done) {
        if (value === 'not well formed') yield* tellingRecords(dialect, given);
        return;
      }
      given += value.length;
      yield value.map((fields) => ({ fields }));
    }
  } finally {
    // Ended early, it must still close the file.
    await strict.return('whole');
  }
}

/** Read again from the start, leaving out what was given already. */
async function* tellingRecords(dialect: CsvDialect, given: number): AsyncGenerator<readonly CsvRecord[]> {
  const reader = new RecordReader(dialect.file, dialect.delimiter, dialect.lineEnds);
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
