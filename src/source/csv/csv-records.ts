import { stat } from 'node:fs/promises';
import { CsvError, Parser } from 'csv-parse';
import { canReadInThread, ReadingThread } from '../reading-thread.js';
import type { LineEnds } from './byte-survey.js';
import { readBytes, readText } from './file-text.js';
import { type CsvRecord, LenientRecordReader } from './lenient-records.js';

/** Bytes parsed at a time. Few, as each blank line is a record and takes far more memory than its byte. */
const PIECE = 16 * 1024;
/** A record beyond these limits is treated as malformed; the lenient reader then reports the problem. */
const RECORD_BYTES = 1024 * 1024;
const RECORD_FIELDS = 16_384;
/** The parser compares each of these at every character, so only those that occur are set. */
const RECORD_ENDS: Readonly<Record<LineEnds, string[]>> = {
  lf: ['\n'],
  crlf: ['\r\n', '\n'],
  mixed: ['\r\n', '\n', '\r'],
};

/** A private part of csv-parse: its state within a record. `test/dependencies.test.ts` checks that it exists. */
interface ParserState {
  readonly record: readonly string[];
  expectedRecordLength: number | undefined;
}

/** A private part of csv-parse: its step at the end of a record. */
interface ParserSteps {
  __onRecord(push: unknown): unknown;
}

/**
 * Collects records as they are parsed, bypassing the stream's queue: one await for a chunk instead of one for a record.
 */
class Collector extends Parser {
  #records: string[][] = [];
  readonly #state = (this as unknown as { readonly state: ParserState }).state;

  constructor(delimiter: string, lineEnds: LineEnds) {
    super({ bom: true, delimiter, record_delimiter: RECORD_ENDS[lineEnds], relax_column_count: true });
    // For each record whose width differs from the first, the parser creates an error with a stack and drops it: a
    // million blank lines would take half a minute. So each record's own width is set as the expected one. It is set as
    // a plain value, because a getter in the parser's state would slow down every character.
    const state = this.#state;
    const steps = (this as unknown as { readonly api: ParserSteps }).api;
    const onRecord = steps.__onRecord;
    steps.__onRecord = function (push) {
      state.expectedRecordLength = state.record.length;
      return onRecord.call(this, push);
    };
  }

  /** Number of fields read so far of an incomplete record. */
  get fieldsSoFar(): number {
    return this.#state.record.length;
  }

  override push(record: unknown): boolean {
    if (record !== null) this.#records.push(record as string[]);
    return true;
  }

  collected(): string[][] {
    const records = this.#records;
    this.#records = [];
    return records;
  }
}

/**
 * The records before the first malformed one: a quote within an unquoted field, text next to a quoted field, an
 * unclosed quote, or a record beyond the limits. A blank line is `['']`; records may have any width.
 * @param source UTF-8, or text
 * @returns whether that was the whole file
 */
export async function* strictRecords(
  source: AsyncIterable<Buffer | string>,
  { delimiter, lineEnds }: { readonly delimiter: string; readonly lineEnds: LineEnds },
): AsyncGenerator<readonly string[][], 'whole' | 'not well formed'> {
  const parser = new Collector(delimiter, lineEnds);
  let failure: Error | undefined;
  parser.on('error', (error) => {
    failure = error;
  });
  const settled = (run: (done: (error?: Error | null) => void) => void): Promise<Error | undefined> =>
    new Promise((resolve) => run((error) => resolve(error ?? undefined)));
  let pending = 0;
  try {
    for await (const chunk of source) {
      const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
      for (let at = 0; at < bytes.length; at += PIECE) {
        const piece = bytes.subarray(at, at + PIECE);
        const error = await settled((done) => parser.write(piece, done));
        const records = parser.collected();
        if (records.length > 0) yield records;
        if (error) return notWellFormed(error);
        pending = records.length > 0 ? 0 : pending + piece.length;
        if (parser.fieldsSoFar > RECORD_FIELDS || pending > RECORD_BYTES) return 'not well formed';
      }
    }
    const error = (await settled((done) => parser.end(done))) ?? failure;
    const records = parser.collected();
    if (records.length > 0) yield records;
    return error ? notWellFormed(error) : 'whole';
  } finally {
    parser.destroy();
  }
}

function notWellFormed(error: Error): 'not well formed' {
  if (error instanceof CsvError) return 'not well formed';
  throw error;
}

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
 * All records of the file, in chunks. csv-parse reads a well-formed file, and is fast. From the first malformed record
 * on, `LenientRecordReader` continues: it reports the errors of each record and still reads the others.
 * @throws ProductError input for an unclosed quote, and for a record that is too large
 */
export async function* readRecords(dialect: CsvDialect): AsyncGenerator<readonly CsvRecord[]> {
  const { file, encoding, skipped, end } = dialect;
  // The parser works on UTF-8 bytes, which were validated before.
  const source = encoding === 'utf-8' && skipped === 0 ? readBytes(file, 0, end) : textOf(dialect);
  const strict = strictRecords(source, dialect);
  let emitted = 0;
  try {
    for (;;) {
      const { done, value } = await strict.next();
      if (done) {
        // The file is read again from the start.
        if (value === 'not well formed') yield* piecesAfter(emitted, lenientRecords(dialect));
        return;
      }
      emitted += value.length;
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

/** The chunks without the given number of characters or elements at the start; empty chunks are dropped. */
export async function* piecesAfter<Piece extends string | readonly unknown[]>(
  count: number,
  chunks: AsyncIterable<Piece>,
): AsyncGenerator<Piece> {
  let passed = count;
  for await (const chunk of chunks) {
    if (chunk.length > passed) yield passed > 0 ? (chunk.slice(passed) as Piece) : chunk;
    passed = Math.max(0, passed - chunk.length);
  }
}

const WORKER = 'record-worker';
/** From this size on a thread is faster: starting one takes 10 MB and 50 ms. */
const LARGE = 8 * 1024 ** 2;
/** Records after which the thread takes over: by then the caller reads more than a header or a sample. */
const SAMPLE = 1000;

/** Work of the thread: the records after those that were already returned. */
export interface RecordWork {
  readonly dialect: CsvDialect;
  readonly emitted: number;
}

/**
 * The records of a file, in chunks. Those of a large file are split in another thread while this one maps them.
 * @throws ProductError as `readRecords` does.
 */
export async function* recordsAhead(dialect: CsvDialect): AsyncGenerator<readonly CsvRecord[]> {
  const { size } = await stat(dialect.file);
  const inThread = size >= LARGE && canReadInThread(WORKER);
  let emitted = 0;
  let whole = true;
  for await (const records of readRecords(dialect)) {
    yield records;
    emitted += records.length;
    if (inThread && emitted >= SAMPLE) {
      whole = false;
      break;
    }
  }
  if (whole) return;
  const work: RecordWork = { dialect, emitted };
  const thread = new ReadingThread<readonly CsvRecord[]>(WORKER, work);
  try {
    yield* thread.chunks();
  } finally {
    await thread.end();
  }
}
