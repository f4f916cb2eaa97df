import { Readable } from 'node:stream';
import { createInflateRaw, type ZlibOptions } from 'node:zlib';

/** Large chunks: a thread-pool round trip costs as much as scanning some tens of kilobytes. */
const CHUNK = 256 * 1024;
/** Unpacked bytes waiting to be scanned: enough that the thread which inflates never waits for the one that scans. */
const AHEAD: ZlibOptions & { readableHighWaterMark: number } = {
  chunkSize: CHUNK,
  readableHighWaterMark: 4 * CHUNK,
};

/**
 * Inflates raw deflate data by way of a stream; the slower way (see `inflateInPlace`).
 * @throws what reading throws, and the errors of node:zlib, with their `code`s
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
