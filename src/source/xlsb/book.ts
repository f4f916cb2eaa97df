import { message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import type { SheetInfo } from '../contract.js';
import { hasStruckRun } from '../xls/texts.js';
import { BUILTIN_FORMATS } from '../xlsx/builtin-formats.js';
import { relationships } from '../xlsx/relationships.js';
import { formatOf, type Styles } from '../xlsx/styles.js';
import type { PackagePart, ZipPackage } from '../xlsx/zip.js';
import { type BinaryRecord, partRecords } from './records.js';

const END_BOOK = 132;
const BOOK_PROPERTIES = 153;
const SHEET = 156;
const CALCULATION = 157;
const FONT = 43;
const TEXT_ITEM = 19;
const END_TEXTS = 160;
const FORMAT = 44;
const XF = 47;
const BEGIN_CELL_XFS = 617;
const END_CELL_XFS = 618;
const END_STYLES = 279;
const DATE_1904 = 1;
const STRUCK_OUT = 0x08;
const HAS_RUNS = 0x01;
/** Flags of a workbook's calculation: all formulas must be calculated on opening, or some were not calculated. */
const CALCULATION_FLAGS = 24;
const PENDING = 0x11;
/** Texts are in memory: as many characters as the tables of .xlsx files may have bytes. */
const MAX_TEXT_MB = 256;

const VISIBILITY = ['visible', 'hidden', 'very_hidden'] as const;

export interface XlsbSheet {
  readonly info: SheetInfo;
  readonly part: PackagePart;
}

/** What the sheets of a workbook share. */
export interface XlsbBook {
  readonly sheets: readonly XlsbSheet[];
  readonly date1904: boolean;
  /** It says that its formulas must be calculated on opening, or that some of them were not calculated. */
  readonly pending: boolean;
  readonly texts: readonly string[];
  /** Indices of texts with characters that are struck out. */
  readonly struckTexts: ReadonlySet<number>;
  readonly styles: Styles;
  readonly struckFonts: ReadonlySet<number>;
  /** Styles whose font is struck out. */
  readonly struck: ReadonlySet<number>;
}

interface XlsbStyles {
  readonly styles: Styles;
  readonly struckFonts: ReadonlySet<number>;
  readonly struck: ReadonlySet<number>;
}

/** @throws ProductError input when a part is damaged, or a sheet that the workbook names is missing. */
export async function readBook(zip: ZipPackage, part: PackagePart): Promise<XlsbBook> {
  const { file } = zip;
  const related = await relationships(zip, part.name);
  const byId = new Map(related.map((it) => [it.id, it]));
  const sheets: XlsbSheet[] = [];
  let tabs = 0;
  let date1904 = false;
  let pending = false;
  for await (const record of partRecords(zip, part, END_BOOK)) {
    if (record.type === BOOK_PROPERTIES) date1904 = (record.u32(0) & DATE_1904) !== 0;
    if (record.type === CALCULATION) pending = ((record.data[CALCULATION_FLAGS] ?? 0) & PENDING) !== 0;
    if (record.type !== SHEET) continue;
    tabs += 1;
    const relationship = byId.get(record.text(8));
    const name = record.text(record.textEnd(8));
    const visibility = VISIBILITY[record.u32(0)] ?? 'hidden';
    if (relationship && relationship.type !== 'worksheet') continue;
    if (!relationship?.part) {
      throw new ProductError('input', message('source.xlsx_sheet_missing', { file, sheet: name }));
    }
    sheets.push({ info: { name, position: tabs, visibility }, part: relationship.part });
  }
  if (sheets.length === 0) throw new ProductError('input', message('source.xlsx_no_sheets', { file }));
  const texts = related.find((it) => it.type === 'sharedStrings')?.part;
  const stylesPart = related.find((it) => it.type === 'styles')?.part;
  const styles = await readStyles(zip, stylesPart);
  return { sheets, date1904, pending, ...styles, ...(await readTexts(zip, texts, styles.struckFonts)) };
}

/** As many texts as the part holds; how many it claims is of no consequence. */
async function readTexts(
  zip: ZipPackage,
  part: PackagePart | undefined,
  struckFonts: ReadonlySet<number>,
): Promise<Pick<XlsbBook, 'texts' | 'struckTexts'>> {
  const texts: string[] = [];
  const struckTexts = new Set<number>();
  if (!part) return { texts, struckTexts };
  let characters = 0;
  for await (const record of partRecords(zip, part, END_TEXTS)) {
    if (record.type !== TEXT_ITEM) continue;
    // The first byte says what follows the text: runs of other fonts, how it is pronounced.
    const text = record.text(1);
    characters += text.length;
    if (characters > MAX_TEXT_MB * 1024 ** 2) {
      const params = { file: zip.file, limit: MAX_TEXT_MB };
      throw new ProductError('input', message('source.xlsx_strings_too_large', params));
    }
    if (hasStruckRuns(record, 0, struckFonts)) struckTexts.add(texts.length);
    texts.push(text);
  }
  return { texts, struckTexts };
}

/** Whether some characters of a text with runs of fonts are struck out. @param at where its flags are */
export function hasStruckRuns(record: BinaryRecord, at: number, struckFonts: ReadonlySet<number>): boolean {
  record.need(at + 1);
  if ((record.data[at]! & HAS_RUNS) === 0 || struckFonts.size === 0) return false;
  const start = record.textEnd(at + 1);
  const runs: [number, number][] = [];
  for (let i = 0, count = record.u32(start); i < count; i += 1)
    runs.push([record.u16(start + 4 + 4 * i), record.u16(start + 6 + 4 * i)]);
  return hasStruckRun(record.text(at + 1), runs, struckFonts);
}

async function readStyles(zip: ZipPackage, part: PackagePart | undefined): Promise<XlsbStyles> {
  const struckFonts = new Set<number>();
  const struck = new Set<number>();
  if (!part) return { styles: [], struckFonts, struck };
  let fonts = 0;
  const codes = new Map<number, string>();
  const used: number[] = [];
  let within = false;
  for await (const record of partRecords(zip, part, END_STYLES)) {
    if (record.type === FORMAT) codes.set(record.u16(0), record.text(2));
    else if (record.type === BEGIN_CELL_XFS) within = true;
    else if (record.type === END_CELL_XFS) within = false;
    else if (record.type === FONT) {
      if (record.u16(2) & STRUCK_OUT) struckFonts.add(fonts);
      fonts += 1;
    } else if (record.type === XF && within) {
      if (struckFonts.has(record.u16(4))) struck.add(used.length);
      used.push(record.u16(2));
    }
  }
  const formats = new Map<number, Styles[number]>();
  const styles = used.map((id) => {
    if (!formats.has(id)) formats.set(id, formatOf(codes.get(id) ?? BUILTIN_FORMATS[id] ?? ''));
    return formats.get(id);
  });
  return { styles, struckFonts, struck };
}
