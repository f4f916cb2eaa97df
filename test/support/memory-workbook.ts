import type { FileSource, SheetInfo } from '../../src/source/source.js';
import { row, text } from './result-table.js';

/** A workbook in memory: sheets by name, each a list of rows from row 1. */
export function memoryWorkbook(sheets: Record<string, string[][]>, hidden: string[] = []): FileSource {
  const infos: SheetInfo[] = Object.keys(sheets).map((name, index) => ({
    name,
    position: index + 1,
    visibility: hidden.includes(name) ? 'hidden' : 'visible',
  }));
  return {
    file: '/tmp/book.xlsx',
    isWorkbook: true,
    sheets: infos,
    warnings: [],
    async *rows(sheet) {
      for (const [index, texts] of sheets[sheet.name]!.entries()) {
        if (texts.length > 0)
          yield [
            row(
              index + 1,
              texts.map((it) => (it === '' ? undefined : text(it))),
            ),
          ];
      }
    },
    close: async () => {},
  };
}
