import { message } from '../errors/message.js';
import { WebRefusal } from './problem.js';

/** Of one session: some pages side by side. Of all: each costs a connection. */
const MOST_OF_ONE = 24;
const MOST_OF_ALL = 1000;

/** Counts the streams of events that are open. */
export class EventStreams {
  readonly #open = new Map<string, number>();
  #all = 0;

  /**
   * Counts a stream as long as it goes on.
   * @throws WebRefusal where the session, or all of them, have too many open
   */
  async opened(key: string, open: () => Promise<Response>): Promise<Response> {
    const own = this.#open.get(key) ?? 0;
    if (own >= MOST_OF_ONE || this.#all >= MOST_OF_ALL)
      throw new WebRefusal(429, message('console.too_many_streams'), { headers: { 'retry-after': '10' } });
    this.#count(key, 1);
    let over = false;
    const end = (): void => {
      if (!over) this.#count(key, -1);
      over = true;
    };
    try {
      const answer = await open();
      if (!answer.body) end();
      return answer.body ? new Response(watched(answer.body, end), answer) : answer;
    } catch (error) {
      end();
      throw error;
    }
  }

  #count(key: string, change: 1 | -1): void {
    this.#all += change;
    const own = (this.#open.get(key) ?? 0) + change;
    if (own === 0) this.#open.delete(key);
    else this.#open.set(key, own);
  }
}

/** The same stream; `end` is called when it is over, or nobody reads it any more. */
function watched(body: ReadableStream<Uint8Array>, end: () => void): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (!done) return controller.enqueue(value);
        end();
        controller.close();
      } catch (error) {
        end();
        controller.error(error);
      }
    },
    async cancel(reason) {
      end();
      await reader.cancel(reason);
    },
  });
}
