import { CsvError, type Options, Parser } from 'csv-parse';
import { message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import { readBytes } from './bytes.js';
import { mendQuotes } from './mend-quotes.js';
import type { LineEnds } from './survey.js';
import { readText } from './text.js';

export interface CsvDialect {
  readonly file: string;
  readonly encoding: string;
  /** Length of the byte order mark. */
  readonly bom: number;
  readonly lineEnds: LineEnds;
  readonly delimiter: string;
}

/** Longer ones come from a quote that is never closed; without a bound the rest of the file would be one field. */
const RECORD_BYTES = 16 * 1024 * 1024;
/** As many as a sheet has columns; millions of empty ones would fit into a record of that size. */
export const MAX_FIELDS = 16_384;
/** Bytes parsed at a time: blank lines alone are as many records, each far larger in memory than its line. */
const PIECE = 16 * 1024;
/** The parser tries each at every character, so only those that occur are named. */
const RECORD_ENDS: Readonly<Record<LineEnds, string[]>> = {
  lf: ['\n'],
  crlf: ['\r\n', '\n'],
  mixed: ['\r\n', '\n', '\r'],
};
const LOOSE_QUOTES = new Set(['CSV_INVALID_CLOSING_QUOTE', 'INVALID_OPENING_QUOTE']);

/** What the parser keeps of the record that it is in. */
interface ParserState {
  readonly record: readonly string[];
  expectedRecordLength: number | undefined;
}

/** The parser's own step at the end of a record. */
interface ParserSteps {
  __onRecord(push: unknown): unknown;
}

/** Takes records as they are parsed, past the stream's own queue: one await for a chunk, not one for a record. */
class Collector extends Parser {
  #records: string[][] = [];
  readonly #state = (this as unknown as { readonly state: ParserState }).state;

  constructor(options: Options) {
    super(options);
    // For each record of another width than the first the parser makes an error with a stack, and drops it again:
    // a million blank lines would take half a minute. So every width is the one expected. Set as a plain value: a
    // getter in its state would slow every character.
    const state = this.#state;
    const steps = (this as unknown as { readonly api: ParserSteps }).api;
    const onRecord = steps.__onRecord;
    steps.__onRecord = function (push) {
      state.expectedRecordLength = state.record.length;
      return onRecord.call(this, push);
    };
  }

  /** Fields of the record that isn't complete yet. */
  get begun(): number {
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
 * All records of the file in chunks, blank ones as `['']`, of any width.
 * @throws ProductError input for an unclosed quote, and for a record that is too large to be one.
 */
export async function* readRecords(dialect: CsvDialect): AsyncGenerator<readonly string[][]> {
  const { file, encoding, bom, delimiter } = dialect;
  // UTF-8 is what the parser works in, and its validity is known by now.
  const source = encoding === 'utf-8' ? readBytes(file, bom) : readText(file, encoding);
  let done = 0;
  try {
    for await (const records of parse(dialect, source, { relax_quotes: false })) {
      done += records.length;
      yield records;
    }
  } catch (error) {
    if (!(error instanceof CsvError) || !LOOSE_QUOTES.has(error.code)) throw error;
    // Read again from the start with quotes mended, leaving out what was given already.
    const mended = mendQuotes(file, readText(file, encoding), delimiter);
    yield* parse(dialect, mended, { relax_quotes: true, from: done + 1 });
  }
}

async function* parse(
  { file, delimiter, lineEnds }: CsvDialect,
  source: AsyncIterable<Buffer | string>,
  options: Options,
): AsyncGenerator<readonly string[][]> {
  const parser = new Collector({
    delimiter,
    record_delimiter: RECORD_ENDS[lineEnds],
    relax_column_count: true,
    ...options,
  });
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
        if (error) throw faultOf(error, file, parser);
        if (parser.begun > MAX_FIELDS) throw tooManyFields(file, parser.info.records + 1);
        pending = records.length > 0 ? 0 : pending + piece.length;
        if (pending > RECORD_BYTES) {
          const params = { file, row: parser.info.records + 1, limit: RECORD_BYTES >> 20 };
          throw new ProductError('input', message('source.csv_record_size', params));
        }
      }
    }
    const error = (await settled((done) => parser.end(done))) ?? failure;
    const records = parser.collected();
    if (records.length > 0) yield records;
    if (error) throw faultOf(error, file, parser);
  } finally {
    parser.destroy();
  }
}

export function tooManyFields(file: string, row: number): ProductError {
  return new ProductError('input', message('source.csv_fields', { file, row, limit: MAX_FIELDS }));
}

function faultOf(error: Error, file: string, parser: Parser): Error {
  if (!(error instanceof CsvError)) return error;
  const row = parser.info.records + 1;
  const column = Number((error as { column?: number }).column ?? 0) + 1;
  if (error.code === 'CSV_QUOTE_NOT_CLOSED') {
    return new ProductError('input', message('source.csv_quote_open', { file, row, column }), {
      cause: error,
    });
  }
  return error;
}
