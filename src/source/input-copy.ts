import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { access, chmod, mkdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import { syncFolder } from '../util/atomic-file.js';
import { removeLeftTemporaries, temporaryPath } from '../util/temporary-file.js';

export interface InputCopy {
  /** Path of the copy; its last part is the input's own file name, so that messages read alike. */
  readonly path: string;
  /** Hex. */
  readonly sha256: string;
}

/**
 * Copies the input durably, under its digest. Plan and report both read the copy: if the file is saved again during the
 * run, its rows don't shift between the two.
 * @throws ProductError usage when the file is missing; input when it changes while being copied.
 */
export async function keepInput(file: string, stateFolder: string): Promise<InputCopy> {
  const before = await stat(file).catch(() => undefined);
  if (!before?.isFile()) throw new ProductError('usage', message('cli.file_missing', { file }));
  const folder = path.join(stateFolder, 'inputs');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await removeLeftTemporaries(folder);
  const temporary = temporaryPath(folder);
  const hash = createHash('sha256');
  try {
    await pipeline(
      createReadStream(file, { highWaterMark: 1 << 20 }),
      new Transform({
        transform(chunk: Buffer, _encoding, done) {
          hash.update(chunk);
          done(null, chunk);
        },
      }),
      createWriteStream(temporary, { mode: 0o600, flush: true }),
    );
    const after = await stat(file);
    if (after.size !== before.size || after.mtimeMs !== before.mtimeMs) {
      throw new ProductError('input', message('run.input_changed', { file }));
    }
    const sha256 = hash.digest('hex');
    const home = path.join(folder, sha256);
    await mkdir(home, { recursive: true, mode: 0o700 });
    const kept = path.join(home, path.basename(file));
    await rename(temporary, kept);
    await chmod(kept, 0o600);
    await syncFolder(home);
    return { path: kept, sha256 };
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** @throws ProductError internal when the copy that a run was planned from is gone or altered. */
export async function checkInputCopy(run: string, copy: string, sha256: string): Promise<void> {
  const missing = await access(copy).then(
    () => false,
    () => true,
  );
  if (!missing) {
    const hash = createHash('sha256');
    for await (const chunk of createReadStream(copy, { highWaterMark: 1 << 20 }))
      hash.update(chunk as Buffer);
    if (hash.digest('hex') === sha256) return;
  }
  throw new ProductError('internal', message('run.input_gone', { run, file: copy }));
}

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
