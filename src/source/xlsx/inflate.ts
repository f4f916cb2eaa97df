import { Readable } from 'node:stream';
import { crc32, createInflateRaw, type ZlibOptions } from 'node:zlib';
import type { Entry, ZipFile } from 'yauzl';
import { message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';

/** Large chunks: a thread-pool round trip costs as much as scanning some tens of kilobytes. */
const CHUNK = 256 * 1024;
/** Unpacked bytes waiting to be scanned: enough that the thread which inflates never waits for the one that scans. */
const AHEAD: ZlibOptions & { readableHighWaterMark: number } = {
  chunkSize: CHUNK,
  readableHighWaterMark: 4 * CHUNK,
};

export interface EntryRead {
  readonly file: string;
  readonly zip: ZipFile;
  readonly entry: Entry;
  readonly name: string;
  /** Fills the buffer from a position of the file; gives the number of bytes read, 0 at the file's end. */
  readAt(buffer: Buffer, position: number): Promise<number>;
}

/** An entry's unpacked bytes; size and checksum are compared with the directory's before the last chunk is over. */
export async function* inflated(from: EntryRead): AsyncGenerator<Buffer> {
  const { file, entry, name } = from;
  const method = entry.compressionMethod;
  if (entry.isEncrypted())
    throw new ProductError('input', message('source.zip_entry_encrypted', { file, name }));
  if (method !== 0 && method !== 8)
    throw new ProductError('input', message('source.zip_method', { file, name, method }));
  const start = await dataStart(from);
  const packed = rawBytes(from, start);
  let size = 0;
  let sum = 0;
  for await (const chunk of method === 0 ? packed : inflate(packed, from)) {
    size += chunk.length;
    if (size > entry.uncompressedSize) break;
    sum = crc32(chunk, sum);
    yield chunk;
  }
  if (size !== entry.uncompressedSize)
    throw new ProductError('input', message('source.zip_size', { file, name }));
  if (sum !== entry.crc32) throw new ProductError('input', message('source.zip_crc', { file, name }));
}

async function dataStart({ file, zip, entry, name }: EntryRead): Promise<number> {
  const header = await zip.readLocalFileHeaderPromise(entry).catch(() => undefined);
  // A local name that differs would make another program read another content than this one.
  if (header?.fileName.equals(entry.fileNameRaw)) return header.fileDataStart;
  throw new ProductError('input', message('source.zip_entry_damaged', { file, name }));
}

async function* rawBytes(from: EntryRead, start: number): AsyncGenerator<Buffer> {
  const end = start + from.entry.compressedSize;
  for (let position = start; position < end; ) {
    const buffer = Buffer.allocUnsafeSlow(Math.min(CHUNK, end - position));
    const length = await from.readAt(buffer, position);
    if (length === 0) throw new ProductError('input', message('source.zip_truncated', { file: from.file }));
    position += length;
    yield buffer.subarray(0, length);
  }
}

async function* inflate(packed: AsyncGenerator<Buffer>, from: EntryRead): AsyncGenerator<Buffer> {
  const source = Readable.from(packed, { objectMode: true, highWaterMark: 2 });
  const stream = createInflateRaw(AHEAD);
  source.on('error', (error) => stream.destroy(error));
  source.pipe(stream);
  try {
    for await (const chunk of stream) yield chunk as Buffer;
  } catch (error) {
    if (error instanceof ProductError) throw error;
    const params = { file: from.file, name: from.name };
    throw new ProductError('input', message('source.zip_entry_damaged', params), { cause: error });
  } finally {
    source.unpipe(stream);
    source.destroy();
    stream.destroy();
  }
}
