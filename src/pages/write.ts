import { open } from 'node:fs/promises';
import path from 'node:path';
import { message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import { checkWritable, DISK_FULL, type ReplaceGuard, writeAtomically } from '../util/atomic-file.js';
import { write } from '../util/sink.js';
import type { RunPage } from './contract.js';
import { PAGE_GENERATOR, runPage } from './page.js';

const EXTENSIONS = new Set(['.html', '.htm']);

/**
 * Writes the page of a run, whole or not at all.
 * @returns the path written, another one than asked for when that can't be replaced
 * @throws ProductError usage for another extension or a place that can't be written to, internal when the disk is full
 */
export async function writeRunPage(file: string, page: RunPage, guard?: ReplaceGuard): Promise<string> {
  refuseExtension(file);
  try {
    return await writeAtomically(
      file,
      async (sink) => {
        for (const piece of runPage(page)) await write(sink, piece);
      },
      guard,
    );
  } catch (error) {
    throw told(error, file);
  }
}

/** The beginning of a page, which names its generator. */
const HEAD_BYTES = 4096;

/** Whether a file is the page of a run. A file that cannot be read is none. */
export async function isRunPage(file: string): Promise<boolean> {
  try {
    const handle = await open(file);
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
      return buffer.toString('utf8', 0, bytesRead).includes(PAGE_GENERATOR);
    } finally {
      await handle.close();
    }
  } catch {
    return false;
  }
}

/**
 * Whether a page could be written there, told before anything is sent.
 * @throws ProductError usage when not
 */
export async function checkPageTarget(file: string): Promise<void> {
  refuseExtension(file);
  try {
    await checkWritable(file);
  } catch (error) {
    throw told(error, file);
  }
}

function refuseExtension(file: string): void {
  if (EXTENSIONS.has(path.extname(file).toLowerCase())) return;
  throw new ProductError('usage', message('html.extension', { file }));
}

function told(error: unknown, file: string): unknown {
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (code === undefined || syscall === undefined) return error;
  const kind = DISK_FULL.has(code) ? 'internal' : 'usage';
  return new ProductError(kind, message('html.unwritable', { file, reason: code }), { cause: error });
}
