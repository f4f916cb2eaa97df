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
  /** Bytes before the end mark of the file (0x1A), or its size. */
  readonly end: number;
}

/**
 * All records of the file, in chunks. csv-parse reads a well-formed file, and is fast. From the first record that isn't
 * well formed, `LenientRecordReader` continues: it reports the faults of each record and still reads the others.
 * @throws ProductError input for an unclosed quote, and for a record that is too large to be one.
 */
export async function* readRecords(dialect: CsvDialect): AsyncGenerator<readonly CsvRecord[]> {
  const { file, encoding, skipped, end } = dialect;
  // The parser works on UTF-8 bytes, whose validity has been checked by now.
  const source = encoding === 'utf-8' && skipped === 0 ? readBytes(file, 0, end) : textOf(dialect);
  const strict = strictRecords(source, dialect);
  let given = 0;
  try {
    for (;;) {
      const { done, value } = await strict.next();
      if (done) {
        // The file is read again from the start.
        if (value === 'not well formed') yield* piecesAfter(given, lenientRecords(dialect));
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

async function* lenientRecords(dialect: CsvDialect): AsyncGenerator<readonly CsvRecord[]> {
  const reader = new LenientRecordReader(dialect.file, dialect.delimiter, dialect.lineEnds);
  for await (const text of textOf(dialect)) yield reader.push(text);
  yield reader.end();
}

function textOf({ file, encoding, skipped, end }: CsvDialect): AsyncGenerator<string> {
  return piecesAfter(skipped, readText(file, encoding, end));
}

/** The pieces without their first so many characters or elements; empty ones are left out. */
export async function* piecesAfter<Piece extends string | readonly unknown[]>(
  count: number,
  pieces: AsyncIterable<Piece>,
): AsyncGenerator<Piece> {
  let passed = count;
  for await (const piece of pieces) {
    if (piece.length > passed) yield passed > 0 ? (piece.slice(passed) as Piece) : piece;
    passed = Math.max(0, passed - piece.length);
  }
}
