import { canReadInThread, ReadingThread } from '../reading-thread.js';
import { inflated } from './inflate.js';
import type { PackageBytes, PackedEntry } from './packed-entry.js';
import { lastRow, type RowBlock, rowsAfter } from './row-block.js';
import { scanSheet } from './scan-sheet.js';
import type { SharedOffsets, TextOffsets } from './text-offsets.js';

const WORKER = 'scan-worker';

/** From this unpacked size on a thread pays off: starting one takes 10 MB and 50 ms. */
const LARGE = 32 * 1024 ** 2;
/** Blocks after which the thread is started: by then the caller wants more than a header or a sample. */
const SAMPLE = 8;

/** What a thread has to scan. */
export interface ScanWork {
  readonly fd: number;
  readonly entry: PackedEntry;
  readonly sheet: string;
  readonly texts: SharedOffsets;
  readonly pending: boolean;
}

/**
 * The rows of a worksheet, in order. A large one is scanned in another thread while this one decodes and maps its rows.
 * Until that thread has overtaken this one, the rows are scanned here.
 * @param pending see `SheetScanner`
 * @throws ProductError input: see `scanSheet`.
 */
export async function* scanPart(
  fd: PackageBytes,
  entry: PackedEntry,
  sheet: string,
  texts: TextOffsets,
  pending: boolean,
): AsyncGenerator<RowBlock> {
  const place = { file: entry.file, part: entry.name };
  const here = scanSheet(inflated(fd, entry), sheet, texts, place, pending);
  if (typeof fd !== 'number' || entry.size < LARGE || !canReadInThread(WORKER)) {
    yield* here;
    return;
  }
  let thread: ReadingThread<RowBlock> | undefined;
  try {
    let count = 0;
    let row = 0;
    let overtaken = false;
    for await (const block of here) {
      yield block;
      count += 1;
      row = lastRow(block);
      if (count === SAMPLE) {
        const work: ScanWork = { fd, entry, sheet, texts: texts.shared, pending };
        thread = new ReadingThread(WORKER, work);
      }
      overtaken = thread?.skip((it) => lastRow(it) <= row) === true;
      if (overtaken) break;
    }
    if (thread && overtaken) yield* blocksAfter(row, thread);
  } finally {
    await thread?.end();
  }
}

async function* blocksAfter(row: number, thread: ReadingThread<RowBlock>): AsyncGenerator<RowBlock> {
  for await (const { rows, cells, bytes } of thread.pieces()) {
    // A Buffer arrives as a plain Uint8Array.
    const block = { rows, cells, bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length) };
    const rest = rowsAfter(block, row);
    if (rest) yield rest;
  }
}
