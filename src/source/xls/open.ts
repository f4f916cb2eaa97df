import { message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import type { Row } from '../../model/row.js';
import type { SheetInfo, Source } from '../contract.js';
import { MergedRanges } from '../merged-ranges.js';
import { readGlobals, type XlsGlobals } from './globals.js';
import { checkSheet, readSheet, type XlsContent } from './sheet.js';

/** Rows in one page. */
const PAGE = 256;

/**
 * Opens the workbook stream of an .xls file of Excel 5 to 2003.
 * @param file what messages call it
 * @throws ProductError input when it is encrypted, damaged or of another kind, or has no worksheet
 */
export function openXls(stream: Buffer, file: string): Source {
  const book = readGlobals(stream, file);
  if (book.sheets.length === 0) throw new ProductError('input', message('source.xlsx_no_sheets', { file }));
  // A file that is cut off is refused whole, whatever sheet is asked for.
  for (const sheet of book.sheets) checkSheet(stream, file, sheet);
  return new XlsSource(stream, file, book);
}

class XlsSource implements Source {
  readonly isWorkbook = true;
  readonly warnings = [];
  readonly sheets: readonly SheetInfo[];
  readonly #stream: Buffer;
  readonly #file: string;
  readonly #book: XlsGlobals;
  /** The sheet that was read last. */
  #content: { readonly position: number; readonly content: XlsContent } | undefined;

  constructor(stream: Buffer, file: string, book: XlsGlobals) {
    this.#stream = stream;
    this.#file = file;
    this.#book = book;
    this.sheets = book.sheets.map((it) => it.info);
  }

  async *rows(sheet: SheetInfo): AsyncGenerator<readonly Row[]> {
    const { rows } = this.#read(sheet);
    for (let at = 0; at < rows.length; at += PAGE) yield rows.slice(at, at + PAGE);
  }

  async merges(sheet: SheetInfo): Promise<MergedRanges> {
    return MergedRanges.of(this.#read(sheet).merges);
  }

  async close(): Promise<void> {}

  #read({ position }: SheetInfo): XlsContent {
    if (this.#content?.position !== position) {
      const sheet = this.#book.sheets.find((it) => it.info.position === position);
      if (!sheet) throw new Error(`no sheet at position ${position}`);
      this.#content = { position, content: readSheet(this.#stream, this.#file, sheet, this.#book) };
    }
    return this.#content.content;
  }
}
