import { stat } from 'node:fs/promises';
import { canReadInThread, ReadingThread } from '../reading-thread.js';
import type { CsvRecord } from './lenient-records.js';
import { type CsvDialect, readRecords } from './records.js';

const WORKER = 'record-worker';
/** From this size on a thread pays off: starting one takes 10 MB and 50 ms. */
const LARGE = 8 * 1024 ** 2;
/** Records after which the thread takes over: by then the caller wants more than a header or a sample. */
const SAMPLE = 1000;

/** What the thread has to read: the records after so many that were given already. */
export interface RecordWork {
  readonly dialect: CsvDialect;
  readonly given: number;
}

/**
 * The records of a file, in chunks. Those of a large file are cut in another thread while this one maps them.
 * @throws ProductError as `readRecords` does.
 */
export async function* recordsAhead(dialect: CsvDialect): AsyncGenerator<readonly CsvRecord[]> {
  const { size } = await stat(dialect.file);
  const inThread = size >= LARGE && canReadInThread(WORKER);
  let given = 0;
  let whole = true;
  for await (const records of readRecords(dialect)) {
    yield records;
    given += records.length;
    if (inThread && given >= SAMPLE) {
      whole = false;
      break;
    }
  }
  if (whole) return;
  const work: RecordWork = { dialect, given };
  const thread = new ReadingThread<readonly CsvRecord[]>(WORKER, work);
  try {
    yield* thread.pieces();
  } finally {
    await thread.end();
  }
}
