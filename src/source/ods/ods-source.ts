import { message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import type { Row } from '../../model/row.js';
import { MergedRanges } from '../merged-ranges.js';
import type { SheetInfo, Source } from '../source.js';
import { PlainRow } from '../stored-row.js';
import type { PackagePart, ZipPackage } from '../xlsx/zip.js';
import { type OdsVisitor, scanPart } from './ods-scan.js';
import { OdsStyles } from './ods-styles.js';
import { TABLE, TablesVisitor, TableVisitor } from './ods-tables.js';

/** Rows in one page. */
const PAGE = 256;

/**
 * Opens an OpenDocument spreadsheet. All of it is scanned once, so that a file that is damaged anywhere is rejected.
 * @throws ProductError input if it is encrypted, damaged, or not a spreadsheet
 */
export async function openOds(zip: ZipPackage): Promise<Source> {
  const { file } = zip;
  await refuseEncrypted(zip);
  const content = zip.part('content.xml');
  if (!content) throw new ProductError('input', message('source.xlsx_no_workbook', { file }));
  const styles = new OdsStyles();
  const named = zip.part('styles.xml');
  if (named) await scanned(zip, named, styles);
  const tables = new TablesVisitor();
  await scanned(zip, content, combinedVisitor(styles, tables));
  if (!tables.isSpreadsheet)
    throw new ProductError('input', message('source.xlsx_is_other_office', { file }));
  const sheets = tables.sheets(styles);
  if (sheets.length === 0) throw new ProductError('input', message('source.xlsx_no_sheets', { file }));
  return new OdsSource(zip, content, { styles, sheets, date1904: tables.date1904 });
}

interface Document {
  readonly styles: OdsStyles;
  readonly sheets: ReturnType<TablesVisitor['sheets']>;
  readonly date1904: boolean;
}

class OdsSource implements Source {
  readonly isWorkbook = true;
  readonly warnings = [];
  readonly sheets: readonly SheetInfo[];
  readonly #zip: ZipPackage;
  readonly #content: PackagePart;
  readonly #document: Document;

  constructor(zip: ZipPackage, content: PackagePart, document: Document) {
    this.#zip = zip;
    this.#content = content;
    this.#document = document;
    this.sheets = document.sheets.map((it) => it.info);
  }

  async *rows(sheet: SheetInfo): AsyncGenerator<readonly Row[]> {
    const waiting: { readonly row: PlainRow; readonly times: number }[] = [];
    const handler = {
      row: (row: PlainRow, times: number) => waiting.push({ row, times }),
      merge: () => undefined,
    };
    for await (const _ of this.#scan(sheet, handler)) {
      yield* pages(waiting);
      waiting.length = 0;
    }
  }

  async merges(sheet: SheetInfo): Promise<MergedRanges> {
    const numbers: number[] = [];
    const handler = {
      row: () => undefined,
      merge: (...range: readonly number[]) => numbers.push(...range),
    };
    for await (const _ of this.#scan(sheet, handler));
    return MergedRanges.of(numbers);
  }

  async close(): Promise<void> {
    this.#zip.close();
  }

  #scan(sheet: SheetInfo, handler: ConstructorParameters<typeof TableVisitor>[4]): AsyncGenerator<undefined> {
    const { styles, sheets, date1904 } = this.#document;
    const found = sheets.find((it) => it.info.position === sheet.position);
    if (!found) throw new Error(`no sheet at position ${sheet.position}`);
    const table = new TableVisitor(this.#zip.file, found.info, styles, date1904, handler);
    return scanPart(this.#zip, this.#content, only(found.index, table));
  }
}

/** Expands repeated rows. */
function* pages(
  rows: readonly { readonly row: PlainRow; readonly times: number }[],
): Generator<readonly PlainRow[]> {
  let page: PlainRow[] = [];
  for (const { row, times } of rows) {
    for (let i = 0; i < times; i += 1) {
      const { sheet, hidden } = row;
      page.push(i === 0 ? row : new PlainRow({ sheet, number: row.number + i, hidden }, row.cells()));
      if (page.length < PAGE) continue;
      yield page;
      page = [];
    }
  }
  if (page.length > 0) yield page;
}

async function scanned(zip: ZipPackage, part: PackagePart, visitor: OdsVisitor): Promise<void> {
  for await (const _ of scanPart(zip, part, visitor));
}

function combinedVisitor(first: OdsVisitor, second: OdsVisitor): OdsVisitor {
  return {
    open: (path, given) => {
      if (path.startsWith(TABLE)) second.open(path, given);
      else {
        const attributes = cached(given);
        first.open(path, attributes);
        second.open(path, attributes);
      }
    },
    text: (path, text) => first.text(path, text),
    close: (path) => first.close(path),
  };
}

/** Attributes can be read once from the scanner. */
function cached<T>(get: () => T): () => T {
  let value: T | undefined;
  return () => (value ??= get());
}

/** Passes on the tokens within one of the tables. */
function only(index: number, visitor: OdsVisitor): OdsVisitor {
  let table = -1;
  return {
    open: (path, given) => {
      if (path === TABLE) table += 1;
      else if (table === index) visitor.open(path, given);
    },
    text: (path, text) => {
      if (table === index) visitor.text(path, text);
    },
    close: (path) => {
      if (table === index) visitor.close(path);
    },
  };
}

/** An encrypted document has encryption data for each part, or contains only an encrypted package. */
async function refuseEncrypted(zip: ZipPackage): Promise<void> {
  const manifest = zip.part('META-INF/manifest.xml');
  let encrypted = zip.part('encrypted-package') !== undefined;
  if (manifest) {
    await scanned(zip, manifest, {
      open: (path) => {
        encrypted ||= path.endsWith('/encryption-data');
      },
      text: () => undefined,
      close: () => undefined,
    });
  }
  if (!encrypted) return;
  throw new ProductError('input', message('source.other_encrypted', { file: zip.file, kind: '.ods' }));
}
