import { message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import { ReadAheadDecoder, TextCache, TextOffsets } from './shared-text-index.js';
import { isStruck } from './xlsx-styles.js';
import { attributes, name, utf8Chunks } from './xml-part.js';
import { CDATA, DONE, END, NEED, START, TEXT, XmlScanner } from './xml-scan.js';
import {
  AMPERSAND,
  CR,
  isBlankRange,
  MAY_ESCAPE,
  matches,
  NOT_ASCII,
  type PartPlace,
  STRUCK_TEXT,
  TextBytes,
  textOf,
  UNDERSCORE,
  unescapeText,
} from './xml-text.js';
import type { PackagePart, ZipPackage } from './zip.js';

/** Excel's limit for a cell's text, in UTF-16 units. */
export const MAX_CELL_LENGTH = 32_767;
/** A longer text exceeds the limit in any case: `_x4E2D_` is the longest way to write one unit. */
export const MAX_CELL_BYTES = MAX_CELL_LENGTH * 7;

/** Limit for all texts and their index (eight bytes each). Excel could not open a larger workbook. */
const LIMIT_MB = 160;
const LIMIT = LIMIT_MB * 1024 ** 2;
/** Bytes for the text that exceeds the limit; without it everything would be copied before it is rejected. */
const LAST = 2 * 1024 ** 2;

const LT = 0x3c;
const GT = 0x3e;
const SI_OPEN = Buffer.from('<si><t');
const PRESERVE = Buffer.from(' xml:space="preserve">');
const SI_CLOSE = Buffer.from('</t></si>');

const [SST, SI, T, R, RUN_STYLE, STRIKE, CHOICE, ALTERNATE] = [
  'sst',
  'si',
  't',
  'r',
  'rPr',
  'strike',
  'Choice',
  'AlternateContent',
].map(name) as [
  Uint8Array,
  Uint8Array,
  Uint8Array,
  Uint8Array,
  Uint8Array,
  Uint8Array,
  Uint8Array,
  Uint8Array,
];

/** The workbook's shared texts: UTF-8 bytes with an offset for each text, decoded on request. */
export class SharedStrings {
  readonly offsets = new TextOffsets();
  readonly #text: TextBytes;
  readonly #ahead: ReadAheadDecoder;
  #cache: TextCache | undefined;

  /** @param capacity expected size of all texts, in bytes */
  constructor(capacity: number) {
    this.#text = new TextBytes(capacity);
    this.#ahead = new ReadAheadDecoder(this.#text);
  }

  /** @param index below the number of texts; call it only after all texts have been read */
  get(index: number): string {
    const { offsets } = this;
    this.#cache ??= new TextCache(offsets.count);
    const cached = this.#cache.get(index);
    if (cached !== undefined) return cached;
    let text = this.#ahead.decode(offsets.start(index), offsets.start(index + 1), offsets.isAscii(index));
    if (offsets.mayEscape(index)) text = unescapeText(text);
    this.#cache.offer(index, text);
    return text;
  }

  /**
   * Reads consecutive texts in the common form: `<si><t>plain</t></si>`. Stops before any other text and before an
   * incomplete one.
   */
  appendPlain(scanner: XmlScanner): void {
    const { bytes, end } = scanner;
    const text = this.#text;
    text.reserve(end - scanner.pos);
    const target = text.bytes;
    for (;;) {
      let p = scanner.pos;
      if (p + 8 > end || bytes[p + 5] !== 0x74 || !matches(bytes, p, end, SI_OPEN)) return;
      p += SI_OPEN.length;
      if (bytes[p] === GT) p += 1;
      else if (matches(bytes, p, end, PRESERVE)) p += PRESERVE.length;
      else return;
      const start = p;
      let to = text.length;
      let all = 0;
      let flags = 0;
      for (; p < end; p += 1) {
        const byte = bytes[p]!;
        if (byte === LT) break;
        if (byte === AMPERSAND || byte === CR) return;
        if (byte === UNDERSCORE) flags = MAY_ESCAPE;
        all |= byte;
        target[to++] = byte;
      }
      if (p - start > MAX_CELL_LENGTH || !matches(bytes, p, end, SI_CLOSE)) return;
      text.length = to;
      this.close(all > 0x7f ? flags | NOT_ASCII : flags, scanner.place.file);
      scanner.pos = p + SI_CLOSE.length;
    }
  }

  /** Appends a part of the current text; returns flags for `close`. */
  append(scanner: XmlScanner, cdata: boolean): number {
    const { bytes, textStart, textEnd, place } = scanner;
    const begun = this.#text.length - this.offsets.end;
    if (scanner.partial || begun + textEnd - textStart > 4 * MAX_CELL_BYTES) return TOO_LONG;
    return this.#text.append(bytes, textStart, textEnd, cdata, place, scanner.offset);
  }

  /** Start of the next part. */
  get length(): number {
    return this.#text.length;
  }

  /** Ends one element of the current text; returns flags for `close`. */
  endPiece(start: number, flags: number): number {
    return flags & TOO_LONG ? flags : this.#text.unescape(start, flags);
  }

  /** Ends the current text. @throws ProductError input if all texts together are too large. */
  close(flags: number, file: string): void {
    const start = this.offsets.end;
    const tooLong = (flags & TOO_LONG) !== 0 || this.#isLong(start, flags);
    if (tooLong) this.#text.length = start;
    this.offsets.add(flags, tooLong, this.#text.length);
    if (this.#text.length + 8 * this.offsets.count > LIMIT) {
      throw new ProductError('input', message('source.xlsx_strings_too_large', { file, limit: LIMIT_MB }));
    }
  }

  #isLong(start: number, flags: number): boolean {
    const { bytes, length } = this.#text;
    if (length - start <= MAX_CELL_LENGTH) return false;
    return length - start > MAX_CELL_BYTES || textOf(bytes, start, length, flags).length > MAX_CELL_LENGTH;
  }
}

const TOO_LONG = 1 << 30;

/** @throws ProductError input if the part cannot be read, or exceeds the limits. */
export async function readSharedStrings(
  zip: Pick<ZipPackage, 'file' | 'chunks'>,
  part: PackagePart | undefined,
): Promise<SharedStrings> {
  if (!part) return new SharedStrings(0);
  const place: PartPlace = { file: zip.file, part: part.name };
  // The operating system provides memory only when it is written to, so enough for the whole part is allocated at once.
  // (Texts in UTF-16 or Latin-1 may need more bytes in UTF-8.) Growing later would copy everything and need it twice.
  const strings = new SharedStrings(Math.min(2 * part.size, LIMIT + LAST));
  const reader = new StringTable(strings, place);
  for await (const chunk of utf8Chunks(zip.chunks(part), place)) reader.push(chunk);
  reader.finish();
  return strings;
}

/** Reads `sst > si > t` and `sst > si > r > t`; skips phonetic runs and all other elements. */
class StringTable {
  readonly #strings: SharedStrings;
  readonly #scanner: XmlScanner;
  /** Depth of the element that is skipped with its content; 0 if none is. */
  #skipped = 0;
  #inItem = false;
  #inText = false;
  #inRunStyle = false;
  /** The run that is being read is struck out. */
  #struckRun = false;
  #flags = 0;
  /** Start and flags of the element's text that is being read. */
  #pieceStart = 0;
  #pieceFlags = 0;

  constructor(strings: SharedStrings, place: PartPlace) {
    this.#strings = strings;
    this.#scanner = new XmlScanner(place);
  }

  push(chunk: Buffer): void {
    this.#scanner.feed(chunk);
    this.#drain();
  }

  finish(): void {
    this.#scanner.finish();
    this.#drain();
  }

  #drain(): void {
    const scanner = this.#scanner;
    for (;;) {
      if (scanner.depth === 1 && !this.#inItem && this.#skipped === 0 && !scanner.selfClosing) {
        this.#strings.appendPlain(scanner);
      }
      const token = scanner.next();
      if (token === NEED || token === DONE) return;
      if (this.#skipped > 0) {
        if (token === END && scanner.depth < this.#skipped) this.#skipped = 0;
      } else if (token === START) this.#open(scanner);
      else if (token === END) this.#close(scanner);
      else if (this.#inText && (token === TEXT || token === CDATA)) {
        this.#pieceFlags |= this.#strings.append(scanner, token === CDATA);
        const { bytes, textStart, textEnd } = scanner;
        if (this.#struckRun && !isBlankRange(bytes, textStart, textEnd)) this.#flags |= STRUCK_TEXT;
      }
    }
  }

  #open(scanner: XmlScanner): void {
    if (this.#inRunStyle) {
      if (scanner.named(STRIKE)) this.#struckRun = isStruck(attributes(scanner));
      this.#skipped = scanner.depth;
    } else if (this.#inItem) {
      if (scanner.named(R)) this.#struckRun = false;
      if (scanner.named(RUN_STYLE)) this.#inRunStyle = true;
      else if (scanner.named(T)) {
        this.#inText = true;
        this.#pieceStart = this.#strings.length;
        this.#pieceFlags = 0;
      } else if (!scanner.named(R) && !this.#wrapper(scanner)) this.#skipped = scanner.depth;
    } else if (scanner.depth === 1) {
      if (!scanner.named(SST)) throw scanner.broken();
    } else if (scanner.named(SI)) {
      this.#inItem = true;
      this.#struckRun = false;
      this.#flags = 0;
    } else if (!this.#wrapper(scanner)) this.#skipped = scanner.depth;
  }

  #close(scanner: XmlScanner): void {
    if (this.#inRunStyle) {
      if (scanner.named(RUN_STYLE)) this.#inRunStyle = false;
    } else if (this.#inText) {
      this.#inText = false;
      this.#flags |= this.#strings.endPiece(this.#pieceStart, this.#pieceFlags);
    } else if (this.#inItem && scanner.named(SI)) {
      this.#strings.close(this.#flags, scanner.place.file);
      this.#inItem = false;
    }
  }

  #wrapper(scanner: XmlScanner): boolean {
    return scanner.named(CHOICE) || scanner.named(ALTERNATE);
  }
}
