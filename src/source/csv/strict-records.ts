import { CsvError, Parser } from 'csv-parse';
import type { LineEnds } from './survey.js';

/** Bytes parsed at a time. Few, as each blank line is a record and takes far more memory than its byte. */
const PIECE = 16 * 1024;
/** A record beyond these limits counts as not well formed; the lenient reader then says what is wrong. */
const RECORD_BYTES = 1024 * 1024;
const RECORD_FIELDS = 16_384;
/** The parser compares each of these at every character, so only those that occur are named. */
const RECORD_ENDS: Readonly<Record<LineEnds, string[]>> = {
  lf: ['\n'],
  crlf: ['\r\n', '\n'],
  mixed: ['\r\n', '\n', '\r'],
};

/** A private part of csv-parse: its state within a record. `test/dependencies.test.ts` checks that it is there. */
interface ParserState {
  readonly record: readonly string[];
  expectedRecordLength: number | undefined;
}

/** A private part of csv-parse: its step at the end of a record. */
interface ParserSteps {
  __onRecord(push: unknown): unknown;
}

/** Collects records as they are parsed, bypassing the stream's queue: one await for a chunk instead of one for a record. */
class Collector extends Parser {
  #records: string[][] = [];
  readonly #state = (this as unknown as { readonly state: ParserState }).state;

  constructor(delimiter: string, lineEnds: LineEnds) {
    super({ bom: true, delimiter, record_delimiter: RECORD_ENDS[lineEnds], relax_column_count: true });
    // For each record that is not as wide as the first, the parser creates an error with a stack and drops it: a million
    // blank lines would take half a minute. So each record's own width is made the expected one. It is set as a plain
    // value, because a getter in the parser's state would slow down every character.
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
 * The records before the first that isn't well formed: a quote within an unquoted field, text beside a quoted field, a
 * quote that is never closed, or a record beyond the limits. A blank line is `['']`; records may have any width.
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
