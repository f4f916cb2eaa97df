import { message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import { hasStruckRun } from '../binary-cells.js';
import type { SheetInfo } from '../source.js';
import { BUILTIN_FORMATS, formatOf, type Styles } from '../xlsx/xlsx-styles.js';
import { relationships } from '../xlsx/xlsx-workbook.js';
import type { PartPlace } from '../xlsx/xml-text.js';
import type { PackagePart, ZipPackage } from '../xlsx/zip.js';

/** Maximum number of bytes read of a record; a cell's text takes 64 KB. */
const MAX_RECORD = 16 * 1024 ** 2;
const LONE_SURROGATE = /[\ud800-\udfff]/gu;

/** A record of a part of an .xlsb file ([MS-XLSB] 2.1.4). */
export class BinaryRecord {
  type = 0;
  data: Buffer = Buffer.alloc(0);
  /** Its start in the part. */
  offset = 0;
  readonly #place: PartPlace;

  constructor(place: PartPlace) {
    this.#place = place;
  }

  broken(): ProductError {
    const params = { ...this.#place, offset: this.offset };
    return new ProductError('input', message('source.xlsb_record_broken', params));
  }

  /** @throws ProductError input if the record has fewer bytes */
  need(bytes: number): void {
    if (this.data.length < bytes) throw this.broken();
  }

  u16(at: number): number {
    this.need(at + 2);
    return this.data.readUInt16LE(at);
  }

  u32(at: number): number {
    this.need(at + 4);
    return this.data.readUInt32LE(at);
  }

  /** A text that begins with its length. */
  text(at: number): string {
    const end = this.textEnd(at);
    const text = this.data.toString('utf16le', at + 4, end);
    return text.replace(LONE_SURROGATE, '\ufffd');
  }

  /** End of a text's bytes. A missing text has no characters. */
  textEnd(at: number): number {
    const count = this.u32(at);
    const end = at + 4 + (count === 0xffffffff ? 0 : 2 * count);
    this.need(end);
    return end;
  }
}

/**
 * The records of a part, in order. The object is reused.
 * @param last type of the record that ends every such part
 * @throws ProductError input if the part ends before or within that record
 */
export async function* partRecords(
  zip: ZipPackage,
  part: PackagePart,
  last: number,
): AsyncGenerator<BinaryRecord> {
  const record = new BinaryRecord({ file: zip.file, part: part.name });
  let rest: Buffer = Buffer.alloc(0);
  let offset = 0;
  let ended = false;
  for await (const chunk of zip.chunks(part)) {
    // Copied, as a chunk is only valid until the next.
    const bytes = Buffer.concat([rest, chunk]);
    let at = 0;
    for (let next = headAt(bytes, at); next; next = headAt(bytes, at)) {
      record.offset = offset + at;
      if (next.length > MAX_RECORD) throw record.broken();
      if (next.start + next.length > bytes.length) break;
      record.type = next.type;
      record.data = bytes.subarray(next.start, next.start + next.length);
      at = next.start + next.length;
      ended ||= next.type === last;
      yield record;
    }
    rest = bytes.subarray(at);
    offset += at;
  }
  record.offset = offset;
  if (rest.length > 0 || !ended) throw record.broken();
}

interface Head {
  readonly type: number;
  readonly start: number;
  readonly length: number;
}

/** Type and length, seven bits per byte; undefined if more bytes are needed. */
function headAt(bytes: Buffer, at: number): Head | undefined {
  let p = at;
  if (p >= bytes.length) return undefined;
  let type = bytes[p++]!;
  if (type & 0x80) {
    if (p >= bytes.length) return undefined;
    type = (type & 0x7f) | ((bytes[p++]! & 0x7f) << 7);
  }
  let length = 0;
  for (let i = 0; i < 4; i += 1) {
    if (p >= bytes.length) return undefined;
    const byte = bytes[p++]!;
    length |= (byte & 0x7f) << (7 * i);
    if ((byte & 0x80) === 0) break;
  }
  return { type, start: p, length };
}

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
/** Flags of a workbook's calculation: formulas must be calculated on opening, or some were not calculated. */
const CALCULATION_FLAGS = 24;
const PENDING = 0x11;
/** Texts are in memory: the same limit as for the tables of .xlsx files. */
const MAX_TEXT_MB = 256;

const VISIBILITY = ['visible', 'hidden', 'very_hidden'] as const;

export interface XlsbSheet {
  readonly info: SheetInfo;
  readonly part: PackagePart;
}

export interface XlsbBook {
  readonly sheets: readonly XlsbSheet[];
  readonly date1904: boolean;
  /** The workbook requires a calculation of its formulas on opening, or some were not calculated. */
  readonly pending: boolean;
  readonly texts: readonly string[];
  /** Indices of texts with struck-out characters. */
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

/** @throws ProductError input if a part is damaged, or a sheet that the workbook names is missing. */
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

/** Reads as many texts as the part contains; the stated number is ignored. */
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
    // The first byte names what follows the text: runs of other fonts, phonetic text.
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

/** Whether some characters of a text with font runs are struck out. @param at position of its flags */
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
