import type { Entry, ZipFile } from 'yauzl';
import { message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';

/** A package's bytes: an open file, or memory, where an encrypted workbook was decrypted. */
export type PackageBytes = number | Buffer;

/** Where an entry's bytes are in its file, and what they must unpack to. */
export interface PackedEntry {
  /** What messages call the file. */
  readonly file: string;
  readonly name: string;
  readonly deflated: boolean;
  /** In bytes of the file. */
  readonly start: number;
  readonly packedSize: number;
  /** Of the unpacked bytes, as the directory states them. */
  readonly size: number;
  readonly crc32: number;
}

/** @throws ProductError input when the entry is encrypted, packed in another way, or not the directory's. */
export async function locateEntry(
  file: string,
  name: string,
  zip: ZipFile,
  entry: Entry,
): Promise<PackedEntry> {
  const method = entry.compressionMethod;
  if (entry.isEncrypted())
    throw new ProductError('input', message('source.zip_entry_encrypted', { file, name }));
  if (method !== 0 && method !== 8)
    throw new ProductError('input', message('source.zip_method', { file, name, method }));
  const header = await zip.readLocalFileHeaderPromise(entry).catch(() => undefined);
  // If the local name differs, another program might read other content under this name.
  if (!header?.fileName.equals(entry.fileNameRaw))
    throw new ProductError('input', message('source.zip_entry_damaged', { file, name }));
  return {
    file,
    name,
    deflated: method === 8,
    start: header.fileDataStart,
    packedSize: entry.compressedSize,
    size: entry.uncompressedSize,
    crc32: entry.crc32,
  };
}
