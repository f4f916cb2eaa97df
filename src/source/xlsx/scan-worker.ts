// The main file of the thread that scans a worksheet.
import { serveReading } from '../reading-thread.js';
import { inflated } from './inflate.js';
import type { RowBlock } from './row-blocks.js';
import { type ScanWork, scanSheet } from './scan-part.js';
import { TextOffsets } from './shared-text-index.js';

void serveReading(
  ({ fd, entry, sheet, texts, pending }: ScanWork) => {
    const place = { file: entry.file, part: entry.name };
    return scanSheet(inflated(fd, entry), sheet, new TextOffsets(texts), place, pending);
  },
  8,
  // A block's arrays share one ArrayBuffer, which is transferred, not copied.
  ({ rows }: RowBlock) => [rows.buffer as ArrayBuffer],
);
