import path from 'node:path';
import type { Row } from '../../model/row.js';
import type { SheetInfo, Source } from '../contract.js';
import { checkKind } from './package-kind.js';
import { readSharedStrings, type SharedStrings } from './shared-strings.js';
import { SheetScanner } from './sheet-scanner.js';
import { readStyles, type Styles } from './styles.js';
import { readWorkbook, type Workbook } from './workbook.js';
import { utf8Chunks } from './xml-encoding.js';
import { ZipPackage } from './zip.js';

/** XML bytes whose rows share their memory: whoever keeps one row keeps these together. */
const BLOCK = 64 * 1024;

/**
 * Opens an .xlsx or .xlsm workbook for streaming. Memory is bounded by the shared texts and the largest row.
 * @param file path of the workbook.
 * @throws ProductError input when the file is no such workbook, is damaged or unsafe, or lacks a sheet it names.
 */
export async function openXlsx(file: string): Promise<Source> {
  const shown = path.basename(file);
  await checkKind(file, shown);
  const zip = await ZipPackage.open(file, shown);
  try {
    return new XlsxSource(zip, await readWorkbook(zip));
  } catch (error) {
    zip.close();
    throw error;
  }
}

class XlsxSource implements Source {
  readonly format = 'xlsx';
  readonly sheets: readonly SheetInfo[];
  readonly warnings = [];
  readonly #zip: ZipPackage;
  readonly #workbook: Workbook;
  #tables: Promise<readonly [SharedStrings, Styles]> | undefined;

  constructor(zip: ZipPackage, workbook: Workbook) {
    this.#zip = zip;
    this.#workbook = workbook;
    this.sheets = workbook.worksheets.map((it) => it.info);
  }

  async *rows(sheet: SheetInfo): AsyncGenerator<readonly Row[]> {
    const found = this.#workbook.worksheets.find((it) => it.info.position === sheet.position);
    if (!found) throw new Error(`no sheet at position ${sheet.position}`);
    const zip = this.#zip;
    this.#tables ??= Promise.all([
      readSharedStrings(zip, this.#workbook.sharedStrings),
      readStyles(zip, this.#workbook.styles),
    ]);
    const [strings, styles] = await this.#tables;
    const place = { file: zip.file, part: found.part.name };
    const context = { sheet: found.info.name, strings, styles, date1904: this.#workbook.date1904 };
    const scanner = new SheetScanner(context, place);
    for await (const chunk of utf8Chunks(zip.chunks(found.part), place)) {
      for (let at = 0; at < chunk.length; at += BLOCK) {
        const rows = scanner.push(chunk.subarray(at, at + BLOCK));
        if (rows.length > 0) yield rows;
      }
    }
    const rest = scanner.finish();
    if (rest.length > 0) yield rest;
  }

  async close(): Promise<void> {
    this.#zip.close();
  }
}
