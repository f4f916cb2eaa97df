import { read } from 'node:fs';
import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { constants, crc32, createInflateRaw, type InflateRaw, type ZlibOptions } from 'node:zlib';
import type { Entry, ZipFile } from 'yauzl';
import { message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';

/** Large chunks: a thread-pool round trip costs as much as scanning some tens of kilobytes. */
const CHUNK = 256 * 1024;
/** Decompressed bytes waiting to be scanned: enough that the inflating thread never waits for the scanning one. */
const AHEAD: ZlibOptions & { readableHighWaterMark: number } = {
  chunkSize: CHUNK,
  readableHighWaterMark: 4 * CHUNK,
};

/**
 * Inflates raw deflate data as a stream; the slower method (see `inflateInPlace`).
 * @throws the errors of the reading, and those of node:zlib, with their `code`s
 */
export async function* inflateByStream(packed: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const source = Readable.from(packed, { objectMode: true, highWaterMark: 2 });
  const stream = createInflateRaw(AHEAD);
  source.on('error', (error) => stream.destroy(error));
  source.pipe(stream);
  try {
    for await (const chunk of stream) yield chunk as Buffer;
  } finally {
    source.unpipe(stream);
    source.destroy();
    stream.destroy();
  }
}

/** Decompressed bytes at a time: few enough to be still in the processor's cache when they are scanned. */
const OUTPUT_CHUNK = 64 * 1024;
/** After this many decompressed bytes other work of the process gets a turn: one read may expand a hundred times. */
const TURN = 1024 * 1024;
const NOTHING = Buffer.alloc(0);

/**
 * Private parts of node:zlib's streams. They are not documented, but npm's own unpacker has used them since Node 10;
 * `canInflateInPlace` checks that they exist.
 */
interface Internals {
  readonly _handle: {
    writeSync(
      flush: number,
      input: Buffer,
      inputStart: number,
      inputLength: number,
      output: Buffer,
      outputStart: number,
      outputLength: number,
    ): void;
  };
  /** After a write: bytes left in the output buffer and in the input. */
  readonly _writeState: Uint32Array;
}

export function canInflateInPlace(): boolean {
  const stream = createInflateRaw();
  const { _handle, _writeState } = stream as unknown as Partial<Internals>;
  stream.close();
  return typeof _handle?.writeSync === 'function' && _writeState instanceof Uint32Array;
}

/**
 * Inflates raw deflate data on this thread, always into the same buffer: a chunk is valid until the next is requested.
 * This is faster than passing data to a thread and back in newly allocated memory.
 * @throws the errors of the reading, and those of node:zlib, with their `code`s
 */
export async function* inflateInPlace(packed: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const stream = createInflateRaw();
  // An error is also emitted, but `errored` is checked below.
  stream.on('error', () => {});
  const unpacked = Buffer.allocUnsafeSlow(OUTPUT_CHUNK);
  let since = 0;
  try {
    for await (const bytes of packed) {
      for (const chunk of outputChunks(stream, constants.Z_NO_FLUSH, bytes, unpacked)) {
        yield chunk;
        since += chunk.length;
        if (since < TURN) continue;
        await setImmediate();
        since = 0;
      }
    }
    // Detects data that ends too early.
    yield* outputChunks(stream, constants.Z_FINISH, NOTHING, unpacked);
  } finally {
    stream.close();
  }
}

function* outputChunks(
  stream: InflateRaw,
  flush: number,
  packed: Buffer,
  unpacked: Buffer,
): Generator<Buffer> {
  const { _handle: handle, _writeState: state } = stream as unknown as Internals;
  let left = packed.length;
  for (let room = 0; room === 0; ) {
    handle.writeSync(flush, packed, packed.length - left, left, unpacked, 0, OUTPUT_CHUNK);
    if (stream.errored) throw stream.errored;
    [room = 0, left = 0] = state;
    if (room < OUTPUT_CHUNK) yield unpacked.subarray(0, OUTPUT_CHUNK - room);
  }
}

const readFile = promisify(read);

/**
 * An entry's decompressed bytes, in chunks that are valid until the next is requested. Size and checksum are compared
 * with the directory's at the end.
 * @param fd of the file, which any thread of the process may read, or its bytes.
 * @throws ProductError input if the entry is truncated or damaged, or differs from its stated size or checksum.
 */
export async function* inflated(fd: PackageBytes, entry: PackedEntry): AsyncGenerator<Buffer> {
  const { file, name } = entry;
  const packed = packedBytes(fd, entry);
  let size = 0;
  let sum = 0;
  for await (const chunk of entry.deflated ? inflate(packed, entry) : packed) {
    size += chunk.length;
    if (size > entry.size) break;
    sum = crc32(chunk, sum);
    yield chunk;
  }
  if (size !== entry.size) throw new ProductError('input', message('source.zip_size', { file, name }));
  if (sum !== entry.crc32) throw new ProductError('input', message('source.zip_crc', { file, name }));
}

async function* packedBytes(
  fd: PackageBytes,
  { file, start, packedSize }: PackedEntry,
): AsyncGenerator<Buffer> {
  const end = start + packedSize;
  if (typeof fd !== 'number') {
    if (end > fd.length) throw new ProductError('input', message('source.zip_truncated', { file }));
    yield fd.subarray(start, end);
    return;
  }
  for (let position = start; position < end; ) {
    const buffer = Buffer.allocUnsafeSlow(Math.min(CHUNK, end - position));
    const { bytesRead } = await readFile(fd, buffer, 0, buffer.length, position);
    if (bytesRead === 0) throw new ProductError('input', message('source.zip_truncated', { file }));
    position += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

async function* inflate(packed: AsyncIterable<Buffer>, { file, name }: PackedEntry): AsyncGenerator<Buffer> {
  try {
    yield* canInflateInPlace() ? inflateInPlace(packed) : inflateByStream(packed);
  } catch (error) {
    if (error instanceof ProductError) throw error;
    throw new ProductError('input', message('source.zip_entry_damaged', { file, name }), { cause: error });
  }
}

/** A package's bytes: an open file, or memory for a decrypted workbook. */
export type PackageBytes = number | Buffer;

/** Position of an entry's bytes in its file, with its expected size and checksum. */
export interface PackedEntry {
  /** The file's name for messages. */
  readonly file: string;
  readonly name: string;
  readonly deflated: boolean;
  /** In bytes of the file. */
  readonly start: number;
  readonly packedSize: number;
  /** Of the decompressed bytes, as stated in the directory. */
  readonly size: number;
  readonly crc32: number;
}

/** @throws ProductError input if the entry is encrypted, of another compression, or differs from the directory. */
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
