import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';

/** Whether two paths lead to one file, by whatever names. */
export async function sameFile(one: string, other: string): Promise<boolean> {
  const [a, b] = await Promise.all(
    [one, other].map((it) => stat(it, { bigint: true }).catch(() => undefined)),
  );
  return a !== undefined && b !== undefined && a.ino === b.ino && a.dev === b.dev;
}

/** Digest of a file's bytes, hex; rejects when it can't be read. */
export async function sha256Of(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file, { highWaterMark: 1 << 20 })) hash.update(chunk as Buffer);
  return hash.digest('hex');
}
