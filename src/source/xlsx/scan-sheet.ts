import type { PartPlace } from './place.js';
import type { RowBlock } from './row-block.js';
import { SheetScanner } from './sheet-scanner.js';
import type { TextOffsets } from './text-offsets.js';
import { utf8Chunks } from './xml-encoding.js';

/** Bytes of XML in one block. Small, as a caller that keeps one row keeps its whole block in memory. */
const BLOCK = 64 * 1024;

/**
 * The rows of a worksheet, in order.
 * @param chunks its part, unpacked
 * @param sheet its name, as messages call it
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
