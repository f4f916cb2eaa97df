import { inflated } from './inflate.js';
import type { PackedEntry } from './packed-entry.js';
import { lastRow, type RowBlock } from './row-block.js';
import { scanSheet } from './scan-sheet.js';
import { canScanInThread, ScanThread } from './scan-thread.js';
import type { TextOffsets } from './text-offsets.js';

/** From this unpacked size on a thread pays off: starting one takes 10 MB and 50 ms. */
const LARGE = 32 * 1024 ** 2;
/** Blocks after which the thread is started: by then the caller wants more than a header or a sample. */
const SAMPLE = 8;

/**
 * The rows of a worksheet, in order. A large one is scanned in another thread while this one decodes and maps its rows.
 * Until that thread has overtaken this one, the rows are scanned here.
 * @throws ProductError input: see `scanSheet`.
 */
export async function* scanPart(
  fd: number,
  entry: PackedEntry,
  sheet: string,
  texts: TextOffsets,
): AsyncGenerator<RowBlock> {
  const place = { file: entry.file, part: entry.name };
  const here = scanSheet(inflated(fd, entry), sheet, texts, place);
  if (entry.size < LARGE || !canScanInThread()) {
    yield* here;
    return;
  }
  let thread: ScanThread | undefined;
  try {
    let count = 0;
    let row = 0;
    let overtaken = false;
    for await (const block of here) {
      yield block;
      count += 1;
      row = lastRow(block);
      if (count === SAMPLE) thread = new ScanThread({ fd, entry, sheet, texts: texts.shared });
      overtaken = thread?.isPast(row) === true;
      if (overtaken) break;
    }
    if (thread && overtaken) yield* thread.blocks(row);
  } finally {
    await thread?.end();
  }
}
