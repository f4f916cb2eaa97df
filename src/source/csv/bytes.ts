import { open } from 'node:fs/promises';

/** Large enough that a chunk holds many rows, small enough to be held a few times over. */
const CHUNK_BYTES = 128 * 1024;

/**
 * The bytes of a file from `start` on and before `end`, in chunks, one read ahead; ending the iteration early closes the
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
      // Awaited in the next round. A failure before that must not count as an unhandled rejection.
      next.catch(() => {});
      yield chunk;
    }
  } finally {
    await next.catch(() => {});
    await handle.close();
  }
}
