import type { Message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';

/** Runs `work` so that faults of the kept copy are told of the file that the user knows. */
export async function speakingOf<T>(copy: string, file: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ProductError)) throw error;
    const told = (it: Message): Message => naming(it, copy, file);
    throw new ProductError(error.kind, told(error.detail), { cause: error, others: error.others.map(told) });
  }
}

/** The message with the user's file in place of the kept copy. */
export function naming(it: Message, copy: string, file: string): Message {
  const params = Object.entries(it.params).map(
    ([name, value]) => [name, value === copy ? file : value] as const,
  );
  return { code: it.code, params: Object.fromEntries(params) };
}
