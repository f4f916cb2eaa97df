import { message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import { hasStruckRun } from '../binary-cells.js';
import type { SheetInfo } from '../source.js';
import { BUILTIN_FORMATS, formatOf, type Styles } from '../xlsx/xlsx-styles.js';
import { BOF, EOF, Records, TextReader, type XlsText } from './xls-records.js';

/** Encodings of texts in workbooks before Excel 97, by code page number. */
const ENCODINGS: Readonly<Record<number, string>> = {
  866: 'ibm866',
  874: 'windows-874',
  932: 'shift_jis',
  936: 'gbk',
  949: 'euc-kr',
  950: 'big5',
  10000: 'macintosh',
  10007: 'x-mac-cyrillic',
  32768: 'macintosh',
  32769: 'windows-1252',
  54936: 'gb18030',
  65001: 'utf-8',
};

/** Decodes texts with one or more bytes per character. */
class CodePage {
  readonly #file: string;
  readonly #number: number | undefined;
  readonly #decode: ((bytes: Buffer) => string) | undefined;

  /** @param number as in the workbook; undefined if it has none */
  constructor(number: number | undefined, file: string) {
    this.#file = file;
    this.#number = number;
    const windows =
      number !== undefined && number >= 1250 && number <= 1258 ? `windows-${number}` : undefined;
    const name = windows ?? ENCODINGS[number ?? 0];
    if (name === undefined) return;
    const decoder = new TextDecoder(name, { fatal: true, ignoreBOM: true });
    this.#decode = (bytes) => decoder.decode(bytes);
  }

  /** @throws ProductError input if the bytes are invalid in the code page, or it is unknown and they are not ASCII */
  text(bytes: Buffer): string {
    if (bytes.every((byte) => byte < 0x80)) return bytes.toString('latin1');
    try {
      if (this.#decode) return this.#decode(bytes);
    } catch {
      // Reported below.
    }
    const params = { file: this.#file, number: this.#number ?? '-' };
    throw new ProductError('input', message('source.xls_code_page', params));
  }
}

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
/** Kind of a sheet in the workbook's list: a worksheet. */
const WITH_CELLS = 0;

/** A worksheet and its start in the stream. */
export interface XlsSheet {
  readonly info: SheetInfo;
  readonly at: number;
}

/** The records in front of the sheets ([MS-XLS] 2.1.7.20.3), which belong to the workbook. */
export interface XlsGlobals {
  /** Texts have a code page, and are stored in the cells. */
  readonly old: boolean;
  readonly date1904: boolean;
  readonly codePage: CodePage;
  readonly sheets: readonly XlsSheet[];
  readonly texts: readonly string[];
  /** Indices of texts with struck-out characters. */
  readonly struckTexts: ReadonlySet<number>;
  readonly styles: Styles;
  readonly struckFonts: ReadonlySet<number>;
  /** Styles whose font is struck out. */
  readonly struck: ReadonlySet<number>;
  /** No calculation engine is named: any program calculates the formulas on opening ([MS-XLS] 2.4.215). */
  readonly pending: boolean;
}

/** @throws ProductError input if the workbook is encrypted, damaged, or older than Excel 5. */
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
  const formats = { texts: texts.map(({ text }) => text), struckTexts, styles, struckFonts, struck };
  return { old, date1904, codePage, sheets, ...formats, pending };
}

/** Reads as many texts as the table contains; the stated number is ignored. */
function sharedTexts(records: Records): readonly XlsText[] {
  const texts: XlsText[] = [];
  for (const reader = new TextReader(records, 8); !reader.done; ) texts.push(reader.richText());
  return texts;
}

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
