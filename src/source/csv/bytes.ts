import { open } from 'node:fs/promises';

/** Large enough that a chunk holds many rows, small enough to be held a few times over. */
const CHUNK_BYTES = 128 * 1024;

/** The bytes of a file from `start` on, in chunks; ending the iteration early closes the file. */
export async function* readBytes(file: string, start = 0): AsyncGenerator<Buffer> {
  const handle = await open(file, 'r');
  try {
    for (let position = start; ; ) {
      const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
      const { bytesRead } = await handle.read(buffer, 0, CHUNK_BYTES, position);
      if (bytesRead === 0) return;
      position += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await handle.close();
  }
}
