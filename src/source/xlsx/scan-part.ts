import { canReadInThread, ReadingThread } from '../reading-thread.js';
import { inflated, type PackageBytes, type PackedEntry } from './inflate.js';
import { lastRow, type RowBlock, rowsAfter } from './row-blocks.js';
import type { SharedOffsets, TextOffsets } from './shared-text-index.js';
import { SheetScanner } from './sheet-scanner.js';
import { utf8Chunks } from './xml-part.js';
import type { PartPlace } from './xml-text.js';

/** Bytes of XML in one block. Small, as a caller that keeps one row keeps its whole block in memory. */
const BLOCK = 64 * 1024;

/**
 * The rows of a worksheet, in order.
 * @param chunks its part, decompressed
 * @param sheet its name, for messages
 * @param pending see `SheetScanner`
 * @throws ProductError input: see `SheetScanner` and `utf8Chunks`.
 */
export async function* scanSheet(
  chunks: AsyncIterable<Buffer>,
  sheet: string,
  texts: TextOffsets,
  place: PartPlace,
  pending = false,
): AsyncGenerator<RowBlock> {
  const scanner = new SheetScanner(sheet, texts, place, pending);
  for await (const chunk of utf8Chunks(chunks, place)) {
    for (let at = 0; at < chunk.length; at += BLOCK) {
      const block = scanner.push(chunk.subarray(at, at + BLOCK));
      if (block) yield block;
    }
  }
  const rest = scanner.finish();
  if (rest) yield rest;
}

const WORKER = 'scan-worker';

/** From this decompressed size on a thread is faster: starting one takes 10 MB and 50 ms. */
const LARGE = 32 * 1024 ** 2;
/** Blocks after which the thread is started: by then the caller reads more than a header or a sample. */
const SAMPLE = 8;

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
  for await (const { rows, cells, bytes } of thread.chunks()) {
    // A Buffer arrives as a plain Uint8Array.
    const block = { rows, cells, bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length) };
    const rest = rowsAfter(block, row);
    if (rest) yield rest;
  }
}
