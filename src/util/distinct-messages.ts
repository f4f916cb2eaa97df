import type { Message } from '../errors/message.js';

/** Each of them once, in order. */
export function distinctMessages(all: readonly Message[]): readonly Message[] {
  return [...new Map(all.map((it) => [JSON.stringify(it), it])).values()];
}
