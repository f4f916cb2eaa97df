import { read } from 'node:fs';
import { promisify } from 'node:util';
import { crc32 } from 'node:zlib';
import { message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import { canInflateInPlace, inflateInPlace } from './inflate-in-place.js';
import { inflateByStream } from './inflate-stream.js';
import type { PackageBytes, PackedEntry } from './packed-entry.js';

/** Packed bytes read at a time. */
const CHUNK = 256 * 1024;

const readFile = promisify(read);

/**
 * An entry's unpacked bytes, in chunks that are valid until the next is requested. Size and checksum are compared with the
 * directory's at the end.
 * @param fd of the file, by which any thread of the process may read, or its bytes.
 * @throws ProductError input when the entry is cut off or damaged, or not of its stated size and checksum.
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
