import { inflated } from './inflate.js';
import type { PackedEntry } from './packed-entry.js';
import { lastRow, type RowBlock } from './row-block.js';
import { scanSheet } from './scan-sheet.js';
import { canScanInThread, ScanThread } from './scan-thread.js';
import type { TextOffsets } from './text-offsets.js';

/** Unpacked bytes from which on a thread pays, which takes some 10 MB and 50 ms to begin. */
const LARGE = 32 * 1024 ** 2;
/** Blocks after which a reader wants more than a header or a sample. */
const SAMPLE = 8;

/**
 * The rows of a worksheet, in order. Those of a large one are scanned in a thread, so that they are decoded and mapped
 * at the same time; until the thread has overtaken, they are scanned here.
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
