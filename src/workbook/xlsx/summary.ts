import { writtenValue } from './cell-value.js';
import { BANNER, LABEL, WRAPPED } from './look.js';
import type { BookParts } from './parts.js';
import { SheetStream } from './sheet.js';

const LABEL_WIDTH = 22;
const VALUE_WIDTH = 90;

/** Sheet `Summary`: label and value; says SANDBOX first where nothing was real. */
export function writeSummary({ book, sink, looks, table }: BookParts, name: string): void {
  const sheet = new SheetStream(book, sink, looks, {
    name,
    widths: [LABEL_WIDTH, VALUE_WIDTH],
    frozen: false,
    sandbox: table.sandbox,
  });
  if (table.sandbox) {
    sheet.add([
      { value: 'SANDBOX', style: BANNER },
      { value: 'simulated platform: nothing of this took effect', style: WRAPPED },
    ]);
  }
  for (const [label, value] of table.summary()) {
    const written = writtenValue(value);
    sheet.add([
      { value: label, style: LABEL },
      written && { ...written, style: { ...WRAPPED, ...(written.format ? { numFmt: written.format } : {}) } },
    ]);
  }
  sheet.end();
}
