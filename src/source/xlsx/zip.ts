import { close, open } from 'node:fs';
import { promisify } from 'node:util';
import {
  type Entry,
  fromBufferPromise,
  fromFdPromise,
  getFileNameLowLevel,
  validateFileName,
  type ZipFile,
} from 'yauzl';
import { message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import { inflated, locateEntry, type PackageBytes, type PackedEntry } from './inflate.js';

/** Limits of a package, against files that would exhaust memory or disk (promises). */
export const MAX_ENTRIES = 10_000;
const MAX_INFLATED_GB = 4;
const MAX_INFLATED = MAX_INFLATED_GB * 1024 ** 3;
/** Bytes of names, extra fields and comments, which stay in memory; ten thousand ordinary entries have two million. */
const MAX_DIRECTORY = 16 * 1024 ** 2;

const openFile = promisify(open);
const closeFile = promisify(close);

export interface PackagePart {
  /** As stored, with forward slashes. */
  readonly name: string;
  /** Decompressed size, as stated in the directory; any other size is rejected while reading. */
  readonly size: number;
}

/**
 * A zip file read by its central directory. Every entry's name, the number of entries and the stated sizes are checked
 * on opening; size and checksum again when an entry is read to its end.
 */
export class ZipPackage {
  readonly file: string;
  readonly #zip: ZipFile;
  readonly #bytes: PackageBytes;
  /** By name in lowercase, as OPC compares part names. */
  readonly #entries: Directory;
  #reading = 0;
  #closing = false;
  #closed = false;

  private constructor(file: string, zip: ZipFile, bytes: PackageBytes, entries: Directory) {
    this.file = file;
    this.#zip = zip;
    this.#bytes = bytes;
    this.#entries = entries;
  }

  /**
   * @param path of the zip file; `file` is the name for messages.
   * @throws ProductError input: truncated or damaged directory, too many entries, unsafe or repeated names,
   *   stated sizes over 4 GB.
   */
  static async open(path: string, file: string): Promise<ZipPackage> {
    const fd = await openFile(path, 'r');
    let zip: ZipFile;
    try {
      zip = await fromFdPromise(fd, { autoClose: false, decodeStrings: false });
    } catch {
      await closeFile(fd);
      throw new ProductError('input', message('source.zip_truncated', { file }));
    }
    return ZipPackage.#listed(zip, file, fd);
  }

  /** The same for a package in memory. */
  static async ofBytes(bytes: Buffer, file: string): Promise<ZipPackage> {
    let zip: ZipFile;
    try {
      zip = await fromBufferPromise(bytes, { decodeStrings: false });
    } catch {
      throw new ProductError('input', message('source.zip_truncated', { file }));
    }
    return ZipPackage.#listed(zip, file, bytes);
  }

  static async #listed(zip: ZipFile, file: string, bytes: PackageBytes): Promise<ZipPackage> {
    try {
      return new ZipPackage(file, zip, bytes, await directory(zip, file));
    } catch (error) {
      zip.close();
      throw error;
    }
  }

  /** The entry of that name, in any letter case; undefined if there is none. */
  part(name: string): PackagePart | undefined {
    return this.#entries.get(name.toLowerCase())?.part;
  }

  /**
   * The entry's decompressed bytes, in chunks that are valid until the next is requested. Ending early releases all
   * resources.
   * @throws ProductError input if the entry is encrypted, damaged, or differs from its stated size or checksum.
   */
  chunks(part: PackagePart): AsyncGenerator<Buffer> {
    return this.reading(part, inflated);
  }

  /**
   * Yields the results of `read` for the entry. The file stays open until `read` has ended.
   * @throws ProductError input if the entry is encrypted or damaged.
   */
  async *reading<T>(
    part: PackagePart,
    read: (bytes: PackageBytes, entry: PackedEntry) => AsyncGenerator<T>,
  ): AsyncGenerator<T> {
    const found = this.#entries.get(part.name.toLowerCase());
    if (!found || this.#closing) throw new Error(`read of ${part.name} after close`);
    this.#reading += 1;
    try {
      yield* read(this.#bytes, await locateEntry(this.file, part.name, this.#zip, found.entry));
    } finally {
      this.#reading -= 1;
      this.#closeWhenIdle();
    }
  }

  /** Closes the file as soon as no reading uses it. */
  close(): void {
    this.#closing = true;
    this.#closeWhenIdle();
  }

  #closeWhenIdle(): void {
    if (!this.#closing || this.#closed || this.#reading > 0) return;
    this.#closed = true;
    this.#zip.close();
  }
}

type Directory = ReadonlyMap<string, { readonly part: PackagePart; readonly entry: Entry }>;

async function directory(zip: ZipFile, file: string): Promise<Directory> {
  if (zip.entryCount > MAX_ENTRIES) {
    const params = { file, count: zip.entryCount, limit: MAX_ENTRIES };
    throw new ProductError('input', message('source.zip_entries', params));
  }
  if (zip.entryCount === 0) throw new ProductError('input', message('source.zip_no_entries', { file }));
  const entries = new Map<string, { part: PackagePart; entry: Entry }>();
  let total = 0;
  let listing = 0;
  for await (const entry of listed(zip, file)) {
    listing += entry.fileNameLength + entry.extraFieldLength + entry.fileCommentLength;
    if (listing > MAX_DIRECTORY) throw new ProductError('input', message('source.zip_damaged', { file }));
    const name = getFileNameLowLevel(
      entry.generalPurposeBitFlag,
      entry.fileNameRaw,
      entry.extraFields,
      false,
    );
    if (validateFileName(name) !== null || name.includes('\0')) {
      throw new ProductError('input', message('source.zip_name', { file, name }));
    }
    if (name.endsWith('/')) continue;
    if (entries.has(name.toLowerCase())) {
      throw new ProductError('input', message('source.zip_duplicate', { file, name }));
    }
    total += entry.uncompressedSize;
    if (total > MAX_INFLATED) {
      throw new ProductError('input', message('source.zip_inflated', { file, limit: MAX_INFLATED_GB }));
    }
    entries.set(name.toLowerCase(), { part: { name, size: entry.uncompressedSize }, entry });
  }
  return entries;
}

async function* listed(zip: ZipFile, file: string): AsyncGenerator<Entry> {
  const entries = zip.eachEntry();
  for (;;) {
    let next: IteratorResult<Entry>;
    try {
      next = await entries.next();
    } catch {
      // The library's message names the invalid field, which does not help users; they need an undamaged file.
      throw new ProductError('input', message('source.zip_damaged', { file }));
    }
    if (next.done) return;
    yield next.value;
  }
}
