import type { Message } from '../errors/message.js';

/** The distinct messages, in order. */
export function distinctMessages(all: readonly Message[]): readonly Message[] {
  return [...new Map(all.map((it) => [JSON.stringify(it), it])).values()];
}
