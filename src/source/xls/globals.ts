import { message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import type { SheetInfo } from '../contract.js';
import { BUILTIN_FORMATS } from '../xlsx/builtin-formats.js';
import { formatOf, type Styles } from '../xlsx/styles.js';
import { CodePage } from './code-page.js';
import { BOF, EOF, Records } from './records.js';
import { hasStruckRun, TextReader, type XlsText } from './texts.js';

const FILE_PASS = 0x2f;
const CODE_PAGE = 0x42;
const DATE_MODE = 0x22;
const BOUND_SHEET = 0x85;
const FORMAT = 0x41e;
const XF = 0xe0;
const SST = 0xfc;
const FONT = 0x31;
const RECALCULATION = 0x1c1;
const STRUCK_OUT = 0x08;

const EXCEL_97 = 0x600;
const EXCEL_95 = 0x500;
const GLOBALS = 0x05;
export const WORKSHEET = 0x10;
/** Kinds of a sheet, as the workbook lists them: with cells that people fill in. */
const WITH_CELLS = 0;

/** A worksheet and where in the stream it begins. */
export interface XlsSheet {
  readonly info: SheetInfo;
  readonly at: number;
}

/** What stands in front of the sheets ([MS-XLS] 2.1.7.20.3): the workbook's own records. */
export interface XlsGlobals {
  /** Texts have a code page, and stand in the cells themselves. */
  readonly old: boolean;
  readonly date1904: boolean;
  readonly codePage: CodePage;
  readonly sheets: readonly XlsSheet[];
  readonly texts: readonly string[];
  /** Indices of texts with characters that are struck out. */
  readonly struckTexts: ReadonlySet<number>;
  readonly styles: Styles;
  readonly struckFonts: ReadonlySet<number>;
  /** Styles whose font is struck out. */
  readonly struck: ReadonlySet<number>;
  /** No calculation engine is named: whatever opens the workbook calculates its formulas ([MS-XLS] 2.4.215). */
  readonly pending: boolean;
}

/** @throws ProductError input when the workbook is encrypted, damaged, or from before Excel 5. */
export function readGlobals(stream: Buffer, file: string): XlsGlobals {
  const records = new Records(stream, 0, file);
  records.next();
  const begins: number = records.type;
  if (begins !== BOF) throw new ProductError('input', message('source.xls_too_old', { file }));
  records.need(4);
  const version = records.data.readUInt16LE(0);
  if (version !== EXCEL_97 && version !== EXCEL_95) {
    throw new ProductError('input', message('source.xls_too_old', { file }));
  }
  if (records.data.readUInt16LE(2) !== GLOBALS) throw records.broken();
  const old = version === EXCEL_95;
  let codePage = new CodePage(undefined, file);
  let date1904 = false;
  let tabs = 0;
  let texts: readonly XlsText[] = [];
  let pending = !old;
  let fonts = 0;
  const struckFonts = new Set<number>();
  const struck = new Set<number>();
  const sheets: XlsSheet[] = [];
  const codes = new Map<number, string>();
  const used: number[] = [];
  for (records.next(); records.type !== EOF; records.next()) {
    const { data } = records;
    switch (records.type) {
      case FILE_PASS:
        throw new ProductError('input', message('source.other_encrypted', { file, kind: '.xls' }));
      case CODE_PAGE:
        records.need(2);
        codePage = new CodePage(data.readUInt16LE(0), file);
        break;
      case DATE_MODE:
        records.need(2);
        date1904 = data.readUInt16LE(0) === 1;
        break;
      case BOUND_SHEET: {
        records.need(8);
        tabs += 1;
        const at = data.readUInt32LE(0);
        const visibility = (['visible', 'hidden', 'very_hidden'] as const)[data[4]! & 3] ?? 'hidden';
        const kind = data[5];
        const name = old ? byteText(records, 6, codePage, false) : new TextReader(records, 6).text(false);
        if (kind === WITH_CELLS) sheets.push({ info: { name, position: tabs, visibility }, at });
        break;
      }
      case FORMAT: {
        records.need(3);
        const code = old ? byteText(records, 2, codePage, false) : new TextReader(records, 2).text();
        codes.set(data.readUInt16LE(0), code);
        break;
      }
      case XF:
        records.need(4);
        if (struckFonts.has(data.readUInt16LE(0))) struck.add(used.length);
        used.push(data.readUInt16LE(2));
        break;
      case FONT:
        records.need(4);
        // No font has the number 4.
        if (data.readUInt16LE(2) & STRUCK_OUT) struckFonts.add(fonts < 4 ? fonts : fonts + 1);
        fonts += 1;
        break;
      case RECALCULATION:
        records.need(8);
        pending = data.readUInt32LE(4) === 0;
        break;
      case SST:
        records.need(8);
        texts = sharedTexts(records);
    }
  }
  const styles = formatsOf(used, codes);
  const struckTexts = new Set<number>();
  for (const [index, { text, runs }] of texts.entries())
    if (hasStruckRun(text, runs, struckFonts)) struckTexts.add(index);
  const own = { texts: texts.map(({ text }) => text), struckTexts, styles, struckFonts, struck };
  return { old, date1904, codePage, sheets, ...own, pending };
}

/** As many texts as the table holds; how many it claims is of no consequence. */
function sharedTexts(records: Records): readonly XlsText[] {
  const texts: XlsText[] = [];
  for (const reader = new TextReader(records, 8); !reader.done; ) texts.push(reader.richText());
  return texts;
}

/** A text of a workbook before Excel 97. */
export function byteText(records: Records, at: number, codePage: CodePage, wideCount: boolean): string {
  const { data } = records;
  const start = at + (wideCount ? 2 : 1);
  records.need(start);
  const end = start + (wideCount ? data.readUInt16LE(at) : data[at]!);
  records.need(end);
  return codePage.text(data.subarray(start, end));
}

function formatsOf(used: readonly number[], codes: ReadonlyMap<number, string>): Styles {
  const formats = new Map<number, Styles[number]>();
  return used.map((id) => {
    if (!formats.has(id)) formats.set(id, formatOf(codes.get(id) ?? BUILTIN_FORMATS[id] ?? ''));
    return formats.get(id);
  });
}
