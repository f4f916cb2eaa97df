import { CsvError, Parser } from 'csv-parse';
import type { LineEnds } from './survey.js';

/** Bytes parsed at a time: blank lines alone are as many records, each far larger in memory than its line. */
const PIECE = 16 * 1024;
/** More bytes or fields than these in one record, and it is left to whoever tells what is wrong with it. */
const RECORD_BYTES = 1024 * 1024;
const RECORD_FIELDS = 16_384;
/** The parser tries each at every character, so only those that occur are named. */
const RECORD_ENDS: Readonly<Record<LineEnds, string[]>> = {
  lf: ['\n'],
  crlf: ['\r\n', '\n'],
  mixed: ['\r\n', '\n', '\r'],
};

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

  constructor(delimiter: string, lineEnds: LineEnds) {
    super({ bom: true, delimiter, record_delimiter: RECORD_ENDS[lineEnds], relax_column_count: true });
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
 * The records up to the first one that is not well formed: a quote inside a plain field, text beside a quoted one, a
 * quote that is never closed, or more than a record may hold. Blank lines are `['']`; any width will do.
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
        if (parser.begun > RECORD_FIELDS || pending > RECORD_BYTES) return 'not well formed';
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
