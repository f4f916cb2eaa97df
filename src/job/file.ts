import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { isAbsolute, relative, resolve } from 'node:path';
import { message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';

/** A job file has a page or two. A longer file is of another kind. */
const MAX_BYTES = 1024 * 1024;

interface FileText {
  /** Absolute. */
  readonly path: string;
  /** The path as shown to users: relative to the current folder if it is within it. */
  readonly name: string;
  readonly text: string;
  /** Of the bytes, hex. */
  readonly sha256: string;
}

/**
 * Reads a UTF-8 file and removes its BOM.
 * @param content replaces the content of the file, which then need not exist
 * @throws ProductError usage for a file that can't be read
 */
export async function readTextFile(file: string, cwd: string, content?: string): Promise<FileText> {
  const path = resolve(cwd, file);
  const fromCwd = relative(cwd, path);
  const name = fromCwd.startsWith('..') || isAbsolute(fromCwd) ? path : fromCwd;
  let bytes = Buffer.from(content ?? '');
  try {
    if (content !== undefined) return { path, name, text: content, sha256: sha256Hex(bytes) };
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
    return { path, name, text, sha256: sha256Hex(bytes) };
  } catch (cause) {
    throw new ProductError('usage', message('job.not_utf8', { file: name }), { cause });
  }
}

function sha256Hex(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
