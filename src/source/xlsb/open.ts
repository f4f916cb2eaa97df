import type { Row } from '../../model/row.js';
import type { SheetInfo, Source } from '../contract.js';
import { MergedRanges } from '../merged-ranges.js';
import type { PackagePart, ZipPackage } from '../xlsx/zip.js';
import { readBook, type XlsbBook, type XlsbSheet } from './book.js';
import { sheetMerges, sheetRows } from './sheet.js';

/**
 * Opens a binary workbook, whose sheets are streamed.
 * @param part the workbook itself
 * @throws ProductError input when it is damaged, or lacks a sheet that it names
 */
export async function openXlsb(zip: ZipPackage, part: PackagePart): Promise<Source> {
  return new XlsbSource(zip, await readBook(zip, part));
}

class XlsbSource implements Source {
  readonly isWorkbook = true;
  readonly warnings = [];
  readonly sheets: readonly SheetInfo[];
  readonly #zip: ZipPackage;
  readonly #book: XlsbBook;

  constructor(zip: ZipPackage, book: XlsbBook) {
    this.#zip = zip;
    this.#book = book;
    this.sheets = book.sheets.map((it) => it.info);
  }

  rows(sheet: SheetInfo): AsyncGenerator<readonly Row[]> {
    return sheetRows(this.#zip, this.#sheet(sheet), this.#book);
  }

  async merges(sheet: SheetInfo): Promise<MergedRanges> {
    return MergedRanges.of(await sheetMerges(this.#zip, this.#sheet(sheet)));
  }

  async close(): Promise<void> {
    this.#zip.close();
  }

  #sheet({ position }: SheetInfo): XlsbSheet {
    const found = this.#book.sheets.find((it) => it.info.position === position);
    if (!found) throw new Error(`no sheet at position ${position}`);
    return found;
  }
}
