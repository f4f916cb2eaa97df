import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { isAbsolute, relative, resolve } from 'node:path';
import { message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';

/** A job is a page or two; more is another kind of file. */
const MAX_BYTES = 1024 * 1024;

interface FileText {
  /** Absolute. */
  readonly path: string;
  /** As shown to people: from the current folder where it lies within. */
  readonly name: string;
  readonly text: string;
  /** Of the bytes, hex. */
  readonly sha256: string;
}

/** Reads a UTF-8 file (a BOM is dropped); ProductError of kind usage when that can't be done. */
export async function readTextFile(file: string, cwd: string): Promise<FileText> {
  const path = resolve(cwd, file);
  const within = relative(cwd, path);
  const name = within.startsWith('..') || isAbsolute(within) ? path : within;
  let bytes: Buffer;
  try {
    const { size } = await stat(path);
    if (size > MAX_BYTES)
      throw new ProductError('usage', message('job.file_too_large', { file: name, limit: '1 MB' }));
    bytes = await readFile(path);
  } catch (cause) {
    if (cause instanceof ProductError) throw cause;
    const { code } = cause as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR')
      throw new ProductError('usage', message('job.file_missing', { file: name }), { cause });
    const detail = code ?? String(cause);
    throw new ProductError('usage', message('job.file_unreadable', { file: name, detail }), { cause });
  }
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return { path, name, text, sha256: createHash('sha256').update(bytes).digest('hex') };
  } catch (cause) {
    throw new ProductError('usage', message('job.not_utf8', { file: name }), { cause });
  }
}
