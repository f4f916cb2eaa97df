import { open } from 'node:fs/promises';
import { message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';

/** Large enough for many rows, small enough for several in memory. */
const CHUNK_BYTES = 128 * 1024;

/**
 * The bytes of a file from `start` and before `end`, in chunks, one read ahead; ending the iteration early closes the
 * file.
 */
export async function* readBytes(
  file: string,
  start = 0,
  end = Number.POSITIVE_INFINITY,
): AsyncGenerator<Buffer> {
  const handle = await open(file, 'r');
  const read = async (position: number): Promise<Buffer> => {
    const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
    const { bytesRead } = await handle.read(buffer, 0, Math.min(CHUNK_BYTES, end - position), position);
    return buffer.subarray(0, bytesRead);
  };
  let next = read(start);
  try {
    for (let position = start; ; ) {
      const chunk = await next;
      if (chunk.length === 0) return;
      position += chunk.length;
      next = read(position);
      // Awaited in the next round. A failure before that must not become an unhandled rejection.
      next.catch(() => {});
      yield chunk;
    }
  } finally {
    await next.catch(() => {});
    await handle.close();
  }
}

/**
 * The file's text in chunks, without a byte order mark. Bytes that are invalid in the encoding end the reading, and no
 * character is split between chunks.
 * @param end number of bytes to read; default all
 */
export async function* readText(file: string, encoding: string, end?: number): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  let offset = 0;
  let first = true;
  const decode = (chunk?: Buffer): string => {
    try {
      const text = chunk ? decoder.decode(chunk, { stream: true }) : decoder.decode();
      // The decoder keeps GB18030's byte order mark in the text.
      const whole = first && text.startsWith('\ufeff') ? text.slice(1) : text;
      if (text !== '') first = false;
      return whole;
    } catch {
      throw new ProductError('input', message('source.csv_undecodable', { file, encoding, offset }));
    }
  };
  for await (const chunk of readBytes(file, 0, end)) {
    const text = decode(chunk);
    offset += chunk.length;
    if (text !== '') yield text;
  }
  const rest = decode();
  if (rest !== '') yield rest;
}
