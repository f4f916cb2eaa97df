import type { Message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';

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
