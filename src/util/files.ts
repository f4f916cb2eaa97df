import { createHash } from 'node:crypto';
import { constants, createReadStream, mkdirSync, statSync } from 'node:fs';
import { mkdir, open, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

export async function sameFile(first: string, second: string): Promise<boolean> {
  const [a, b] = await Promise.all(
    [first, second].map((it) => stat(it, { bigint: true }).catch(() => undefined)),
  );
  return a !== undefined && b !== undefined && a.ino === b.ino && a.dev === b.dev;
}

/** Digest of a file's bytes, hex; rejects if it cannot be read. */
export function sha256Of(file: string): Promise<string> {
  return sha256OfBytes(createReadStream(file, { highWaterMark: 1 << 20 }));
}

export async function sha256OfBytes(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of bytes) hash.update(chunk);
  return hash.digest('hex');
}

/** Writes bytes into a stream, and returns their digest, hex. */
export async function writeHashed(bytes: AsyncIterable<Uint8Array>, target: Writable): Promise<string> {
  const hash = createHash('sha256');
  const hashed = async function* (chunks: AsyncIterable<Uint8Array>) {
    for await (const chunk of chunks) {
      hash.update(chunk);
      yield chunk;
    }
  };
  await pipeline(bytes, hashed, target);
  return hash.digest('hex');
}

/** Longer names are cut; file systems allow 255 bytes, and a character has up to four. */
const MOST_CHARACTERS = 60;
/** Names that Windows reserves for devices, with any extension. */
const DEVICES = /^(?:con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i;

/**
 * A received name as a safe file name on any system: no folder, no characters that control terminals or change the text
 * direction, limited length, its extension unchanged.
 */
export function plainFileName(sent: string): string {
  const last = sent.normalize('NFC').split(/[/\\]/).at(-1)!;
  const plain = last
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}<>:"|?*]/gu, '')
    .replace(/\s+/gu, ' ')
    .replace(/^[\s.~$]+|[\s.]+$/gu, '')
    .replace(DEVICES, '_$&');
  const point = plain.lastIndexOf('.');
  const extension = point > 0 && plain.length - point <= 6 ? plain.slice(point) : '';
  const stem = [...plain.slice(0, plain.length - extension.length)]
    .slice(0, MOST_CHARACTERS)
    .join('')
    .trimEnd();
  return `${stem === '' ? 'upload' : stem}${extension}`;
}

/**
 * Creates a folder and those above it, one by one: Node's own recursive mkdir never ends under `/proc`.
 * @throws the error of the file system; `ENOTDIR` if a path above is a file
 */
export async function makeFolder(folder: string): Promise<void> {
  const stats = await stat(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (stats?.isDirectory()) return;
  if (stats) throw notAFolder(folder);
  const above = path.dirname(folder);
  if (above !== folder) await makeFolder(above);
  try {
    await mkdir(folder);
  } catch (error) {
    // Another process has created it in the meantime.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** The same synchronously, with a mode for new folders. */
export function makeFolderSync(folder: string, mode: number): void {
  const stats = statSync(folder, { throwIfNoEntry: false });
  if (stats?.isDirectory()) return;
  if (stats) throw notAFolder(folder);
  const above = path.dirname(folder);
  if (above !== folder) makeFolderSync(above, mode);
  try {
    mkdirSync(folder, { mode });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

function notAFolder(folder: string): Error {
  return Object.assign(new Error(`not a folder: ${folder}`), { code: 'ENOTDIR', syscall: 'mkdir' });
}

const MAX_BYTES = 65_536;

type PrivateFile =
  | { readonly kind: 'text'; readonly text: string }
  /** Other users may read it. */
  | { readonly kind: 'open_to_others' }
  | { readonly kind: 'unreadable'; readonly reason: string }
  /** Not UTF-8, or with a byte order mark, which is not part of the secret. */
  | { readonly kind: 'unreadable'; readonly reason: string; readonly encoding: string };

/** Reads a file with a credential, without the line break at its end. Never rejects. */
export async function readPrivateFile(path: string): Promise<PrivateFile> {
  let bytes: Buffer;
  let readableByOthers = false;
  try {
    // Without `O_NONBLOCK` opening a pipe without a writer would block, and so would the exit of this process.
    const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      // Checked on the open file, so that it cannot be replaced before it is read.
      const stats = await file.stat();
      if (stats.isFIFO()) return { kind: 'unreadable', reason: 'a pipe' };
      const { mode } = stats;
      readableByOthers = process.platform !== 'win32' && (mode & 0o077) !== 0;
      const { buffer, bytesRead } = await file.read(Buffer.alloc(MAX_BYTES), 0, MAX_BYTES, null);
      bytes = buffer.subarray(0, bytesRead);
    } finally {
      await file.close();
    }
  } catch (error) {
    return { kind: 'unreadable', reason: (error as NodeJS.ErrnoException).code ?? 'unreadable' };
  }
  if (readableByOthers) return { kind: 'open_to_others' };
  const encoding = encodingOf(bytes);
  if (encoding !== undefined) return { kind: 'unreadable', reason: encoding, encoding };
  const value = bytes.toString('utf8').replace(/\r?\n$/u, '');
  return value === '' ? { kind: 'unreadable', reason: 'empty' } : { kind: 'text', text: value };
}

function encodingOf(bytes: Buffer): string | undefined {
  const hex = bytes.toString('hex', 0, 3);
  if (hex === 'efbbbf') return 'UTF-8 with BOM';
  return /^(fffe|feff)/.test(hex) || bytes.includes(0) ? 'UTF-16' : undefined;
}
