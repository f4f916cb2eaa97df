import { access } from 'node:fs/promises';
import { message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import { writeAtomically } from '../util/atomic-file.js';

/**
 * Writes a file whole or not at all.
 * @returns the path written
 * @throws ProductError usage if it cannot be written there
 */
export async function writeText(file: string, content: string | Uint8Array): Promise<string> {
  try {
    return await writeAtomically(file, async (stream) => {
      await new Promise<void>((resolve, reject) => {
        stream.write(content, (error) => (error ? reject(error) : resolve()));
      });
    });
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === undefined) throw cause;
    throw new ProductError('usage', message('guess.unwritable', { file, reason: code }), { cause });
  }
}

export async function isThere(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
