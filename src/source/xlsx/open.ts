import path from 'node:path';
import type { Row } from '../../model/row.js';
import type { SheetInfo, Source } from '../contract.js';
import type { MergedRanges } from '../merged-ranges.js';
import { checkKind } from './package-kind.js';
import { scanPart } from './scan-part.js';
import { readSharedStrings, type SharedStrings } from './shared-strings.js';
import { readSheetEnd, type SheetEnd } from './sheet-end.js';
import { type ReadStyles, readStyles } from './styles.js';
import { findWorkbook, readWorkbook, type Workbook, type WorksheetPart } from './workbook.js';
import { rowsOf } from './xlsx-row.js';
import { utf8Chunks } from './xml-encoding.js';
import { type PackagePart, ZipPackage } from './zip.js';

/**
 * Opens an .xlsx or .xlsm workbook for streaming. Memory is bounded by the shared texts and the largest row.
 * @param file path of the workbook.
 * @returns undefined when the package holds a workbook of another kind.
 * @throws ProductError input when the file is no package, is damaged or unsafe, or lacks a sheet it names.
 */
export async function openXlsx(file: string): Promise<Source | undefined> {
  const shown = path.basename(file);
  await checkKind(file, shown);
  const zip = await ZipPackage.open(file, shown);
  try {
    const found = await findWorkbook(zip);
    if (found.kind === 'xlsx') return await openWorkbook(zip, found.part);
  } catch (error) {
    zip.close();
    throw error;
  }
  zip.close();
  return undefined;
}

/** The same in a package that is open already, by its workbook part. The package is closed with the source. */
export async function openWorkbook(zip: ZipPackage, part: PackagePart): Promise<Source> {
  return new XlsxSource(zip, await readWorkbook(zip, part));
}

class XlsxSource implements Source {
  readonly isWorkbook = true;
  readonly sheets: readonly SheetInfo[];
  readonly warnings = [];
  readonly #zip: ZipPackage;
  readonly #workbook: Workbook;
  /** By the sheet's position. */
  readonly #ends = new Map<number, Promise<SheetEnd>>();
  #tables: Promise<readonly [SharedStrings, ReadStyles]> | undefined;

  constructor(zip: ZipPackage, workbook: Workbook) {
    this.#zip = zip;
    this.#workbook = workbook;
    this.sheets = workbook.worksheets.map((it) => it.info);
  }

  async merges(sheet: SheetInfo): Promise<MergedRanges> {
    let end = this.#ends.get(sheet.position);
    if (!end) {
      const { part } = this.#worksheet(sheet);
      const place = { file: this.#zip.file, part: part.name };
      end = readSheetEnd(utf8Chunks(this.#zip.chunks(part), place), place);
      this.#ends.set(sheet.position, end);
    }
    return (await end).merges;
  }

  async *rows(sheet: SheetInfo): AsyncGenerator<readonly Row[]> {
    const found = this.#worksheet(sheet);
    const zip = this.#zip;
    this.#tables ??= Promise.all([
      readSharedStrings(zip, this.#workbook.sharedStrings),
      readStyles(zip, this.#workbook.styles),
    ]);
    const [strings, styles] = await this.#tables;
    const sheetName = found.info.name;
    const { date1904 } = this.#workbook;
    // A table is read after its merged ranges. Who looks at the first rows only does not wait for the end of the sheet.
    const end = await this.#ends.get(sheet.position);
    const pending = this.#workbook.pending || end?.pending === true;
    const { formats, struck } = styles;
    const context = { sheet: sheetName, strings, styles: formats, struck, date1904, pending };
    const blocks = zip.reading(found.part, (fd, entry) =>
      scanPart(fd, entry, sheetName, strings.offsets, pending),
    );
    for await (const block of blocks) yield rowsOf(block, context);
  }

  async close(): Promise<void> {
    this.#zip.close();
  }

  #worksheet(sheet: SheetInfo): WorksheetPart {
    const found = this.#workbook.worksheets.find((it) => it.info.position === sheet.position);
    if (!found) throw new Error(`no sheet at position ${sheet.position}`);
    return found;
  }
}
