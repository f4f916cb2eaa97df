import path from 'node:path';
import type { Message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';

/** Where inputs are kept: `inputs`, a folder named by their SHA-256, and the file's own name. */
const KEPT = /(?:^|[\\/])inputs[\\/][0-9a-f]{64}$/;

/** What people call a run's file. One that was put in at the console lies in the ledger's folder, and they know its name only. */
export function toldFile(file: string): string {
  return KEPT.test(path.dirname(file)) ? path.basename(file) : file;
}

/** Runs `work`, which reads the stored copy, and names the user's file in its errors. */
export async function withOriginalName<T>(copy: string, file: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ProductError)) throw error;
    const renamed = (it: Message): Message => originalName(it, copy, file);
    throw new ProductError(error.kind, renamed(error.detail), {
      cause: error,
      others: error.others.map(renamed),
    });
  }
}

/** The message with the user's file in place of the stored copy. */
export function originalName(it: Message, copy: string, file: string): Message {
  const params = Object.entries(it.params).map(
    ([name, value]) => [name, value === copy ? file : value] as const,
  );
  return { code: it.code, params: Object.fromEntries(params) };
}
