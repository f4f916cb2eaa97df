import { open } from 'node:fs/promises';
import path from 'node:path';
import { message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import type { Row } from '../../model/row.js';
import type { MergedRanges } from '../merged-ranges.js';
import type { SheetInfo, Source } from '../source.js';
import { scanPart } from './scan-part.js';
import { readSharedStrings, type SharedStrings } from './shared-strings.js';
import { readSheetEnd, type SheetEnd } from './sheet-end.js';
import { rowsOf } from './xlsx-row.js';
import { type ReadStyles, readStyles } from './xlsx-styles.js';
import { findWorkbook, readWorkbook, type Workbook, type WorksheetPart } from './xlsx-workbook.js';
import { utf8Chunks } from './xml-part.js';
import { type PackagePart, ZipPackage } from './zip.js';

const HEAD = 1024;

/**
 * Rejects files that only have the extension of a workbook, each kind with its own advice.
 * @param path of the file; `file` is the name for messages.
 * @throws ProductError input: unreadable, empty, HTML, text, or not a zip file.
 */
async function checkKind(path: string, file: string): Promise<void> {
  const head = await firstBytes(path, file);
  if (head.length === 0) throw new ProductError('input', message('source.xlsx_empty_file', { file }));
  if (head[0] === 0x50 && head[1] === 0x4b) return;
  throw new ProductError('input', message(textKind(head), { file }));
}

async function firstBytes(path: string, file: string): Promise<Buffer> {
  try {
    const handle = await open(path, 'r');
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD), 0, HEAD, 0);
      return buffer.subarray(0, bytesRead);
    } finally {
      await handle.close();
    }
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? String(error);
    throw new ProductError('input', message('source.xlsx_unreadable', { file, reason }), { cause: error });
  }
}

function textKind(
  head: Buffer,
): 'source.xlsx_is_html' | 'source.xlsx_is_text' | 'source.xlsx_not_a_workbook' {
  // Zero bytes of UTF-16 are removed. Text has no other control characters.
  const wide = (head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff);
  const text = (wide ? head.filter((byte) => byte !== 0) : head).toString('latin1');
  if (/^[^<]{0,4}\s*<(!doctype|html|head|body|table|\?xml|meta|!--)/i.test(text))
    return 'source.xlsx_is_html';
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters distinguish binary data from text.
  return /[\x00-\x08\x0e-\x1f]/.test(text) ? 'source.xlsx_not_a_workbook' : 'source.xlsx_is_text';
}

/**
 * Opens an .xlsx or .xlsm workbook for streaming. Memory is bounded by the shared texts and the largest row.
 * @param file path of the workbook.
 * @returns undefined if the package contains a workbook of another kind.
 * @throws ProductError input if the file is not a package, is damaged or unsafe, or a sheet that it names is missing.
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

/** The same for a package that is already open, by its workbook part. The package is closed with the source. */
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
    // A table is read after its merged ranges. A caller that reads only the first rows does not wait for the sheet's
    // end.
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
