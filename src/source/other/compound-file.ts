import { readFile, stat } from 'node:fs/promises';
import { message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';

const SIGNATURE = Buffer.from('d0cf11e0a1b11ae1', 'hex');
/** The file is read whole; the process that reads it has 1 GB. */
const MAX_FILE_MB = 400;

/** Sector numbers from here on are special: end of a chain, free, part of the table itself. */
const NO_SECTOR = 0xfffffffa;
const NO_ENTRY = 0xffffffff;
const HEADER_SECTORS = 109;
const ENTRY_BYTES = 128;
const STREAM = 2;
const ROOT = 5;

interface Stream {
  readonly start: number;
  readonly size: number;
}

/** A table of sectors and the bytes they number. */
interface Sectors {
  readonly bytes: Buffer;
  readonly next: Uint32Array;
  readonly size: number;
  /** Sector 0 begins after the header, which occupies one sector; small sectors begin at 0. */
  readonly first: number;
}

/**
 * A compound file ([MS-CFB]), the format of .xls files and encrypted workbooks. A stream is rejected if its chain of
 * sectors is shorter than its stated size, is circular or leaves the file; other wrong statements have no effect.
 */
export class CompoundFile {
  readonly file: string;
  readonly #large: Sectors;
  readonly #cutoff: number;
  /** Streams of the root storage by name; those of embedded objects are in other storages. */
  readonly #streams = new Map<string, Stream>();
  #small: Sectors | undefined;
  readonly #smallStart: number;
  #root: Stream | undefined;

  /** @throws ProductError input if the file is not a compound file, or is damaged */
  static async open(path: string, file: string): Promise<CompoundFile> {
    const { size } = await stat(path);
    if (size > MAX_FILE_MB * 1024 ** 2) {
      throw new ProductError('input', message('source.other_file_size', { file, limit: MAX_FILE_MB }));
    }
    return new CompoundFile(await readFile(path), file);
  }

  private constructor(bytes: Buffer, file: string) {
    this.file = file;
    if (bytes.length < 512 || !bytes.subarray(0, 8).equals(SIGNATURE)) throw this.damaged(0);
    const shift = bytes.readUInt16LE(30);
    if ((shift !== 9 && shift !== 12) || bytes.readUInt16LE(32) !== 6) throw this.damaged(30);
    const size = 1 << shift;
    this.#large = { bytes, next: this.#table(bytes, size), size, first: size };
    this.#cutoff = bytes.readUInt32LE(56);
    this.#smallStart = bytes.readUInt32LE(60);
    this.#list(this.#chain(this.#large, bytes.readUInt32LE(48)));
  }

  has(name: string): boolean {
    return this.#streams.has(name);
  }

  /** A stream of the root storage; undefined if there is none of that name. */
  stream(name: string): Buffer | undefined {
    const found = this.#streams.get(name);
    if (!found) return undefined;
    const { start, size } = found;
    return size < this.#cutoff
      ? this.#chain(this.#smallOnes(), start, size)
      : this.#chain(this.#large, start, size);
  }

  damaged(offset: number): ProductError {
    return new ProductError('input', message('source.compound_damaged', { file: this.file, offset }));
  }

  /**
   * For each sector the next one of its chain. The sectors of the table are listed in the header and in their own
   * chain.
   */
  #table(bytes: Buffer, size: number): Uint32Array {
    const count = Math.ceil(bytes.length / size);
    const perSector = size / 4;
    const parts: number[] = [];
    const note = (at: number): void => {
      const sector = bytes.readUInt32LE(at);
      if (sector < NO_SECTOR) parts.push(sector);
    };
    for (let i = 0; i < HEADER_SECTORS; i += 1) note(76 + 4 * i);
    const seen = new Set<number>();
    for (let sector = bytes.readUInt32LE(68); sector < NO_SECTOR; ) {
      const at = (sector + 1) * size;
      if (seen.has(sector) || at + size > bytes.length) throw this.damaged(at);
      seen.add(sector);
      for (let i = 0; i < perSector - 1; i += 1) note(at + 4 * i);
      sector = bytes.readUInt32LE(at + size - 4);
    }
    // Entries beyond the file's sectors are meaningless and never read.
    const next = new Uint32Array(count).fill(NO_SECTOR);
    for (const [index, sector] of parts.entries()) {
      if (index * perSector >= count) break;
      const at = (sector + 1) * size;
      if (at + size > bytes.length) throw this.damaged(at);
      const here = Math.min(perSector, count - index * perSector);
      for (let i = 0; i < here; i += 1) next[index * perSector + i] = bytes.readUInt32LE(at + 4 * i);
    }
    return next;
  }

  /** The bytes of a chain: as many as stated, or all if no size is stated. */
  #chain({ bytes, next, size, first }: Sectors, start: number, stated?: number): Buffer {
    const parts: Buffer[] = [];
    const seen = new Uint8Array(next.length);
    let left = stated ?? Number.POSITIVE_INFINITY;
    for (let sector = start; left > 0; sector = next[sector]!) {
      const at = first + sector * size;
      if (sector >= NO_SECTOR && stated === undefined) break;
      if (sector >= next.length || seen[sector] === 1) throw this.damaged(at);
      seen[sector] = 1;
      // Some programs cut the last sector at the end of its stream.
      const part = bytes.subarray(at, at + Math.min(size, left));
      if (part.length < Math.min(size, left) && stated !== undefined) throw this.damaged(at);
      parts.push(part);
      left -= part.length;
    }
    return Buffer.concat(parts);
  }

  #smallOnes(): Sectors {
    if (!this.#small) {
      const { start = NO_SECTOR, size = 0 } = this.#root ?? {};
      const table = this.#chain(this.#large, this.#smallStart);
      const next = new Uint32Array(Math.floor(table.length / 4));
      for (let i = 0; i < next.length; i += 1) next[i] = table.readUInt32LE(4 * i);
      this.#small = { bytes: this.#chain(this.#large, start, size), next, size: 64, first: 0 };
    }
    return this.#small;
  }

  /** Finds the streams in the root: its child and the siblings of that, in any order of links. */
  #list(directory: Buffer): void {
    const count = Math.floor(directory.length / ENTRY_BYTES);
    if (count === 0 || directory[66] !== ROOT) throw this.damaged(48);
    this.#root = { start: directory.readUInt32LE(116), size: directory.readUInt32LE(120) };
    const seen = new Set<number>();
    const waiting = [directory.readUInt32LE(76)];
    for (let index = waiting.pop(); index !== undefined; index = waiting.pop()) {
      if (index === NO_ENTRY) continue;
      if (index >= count || seen.has(index)) throw this.damaged(48);
      seen.add(index);
      const entry = directory.subarray(index * ENTRY_BYTES, (index + 1) * ENTRY_BYTES);
      waiting.push(entry.readUInt32LE(68), entry.readUInt32LE(72));
      if (entry[66] !== STREAM) continue;
      const length = Math.min(64, entry.readUInt16LE(64));
      const name = entry.toString('utf16le', 0, Math.max(0, length - 2));
      this.#streams.set(name, { start: entry.readUInt32LE(116), size: entry.readUInt32LE(120) });
    }
  }
}
