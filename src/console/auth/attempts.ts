import { message } from '../../errors/message.js';
import { WebRefusal } from '../problem.js';

const WITHIN_MS = 60_000;
const MOST_OF_ONE = 10;
const MOST_OF_ALL = 200;
/** Addresses that are remembered at most; beyond it the limit of all counts. */
const MOST_KNOWN = 10_000;

/** Counts tries to sign in that went wrong: after some of them an address has to wait. */
export class Attempts {
  readonly #failed = new Map<string, number[]>();
  readonly #now: () => number;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** @throws WebRefusal where too many went wrong within a minute, from that address or altogether */
  check(client: string): void {
    const own = this.#recent(client);
    const all = this.#recent('');
    const late =
      own.length >= MOST_OF_ONE
        ? own.at(-MOST_OF_ONE)
        : all.length >= MOST_OF_ALL
          ? all.at(-MOST_OF_ALL)
          : undefined;
    if (late === undefined) return;
    const seconds = Math.max(1, Math.ceil((late + WITHIN_MS - this.#now()) / 1000));
    throw new WebRefusal(429, message('console.too_many_attempts', { seconds }), {
      headers: { 'retry-after': String(seconds) },
    });
  }

  failed(client: string): void {
    if (this.#failed.size > MOST_KNOWN) this.#failed.clear();
    for (const key of [client, '']) this.#failed.set(key, [...this.#recent(key), this.#now()]);
  }

  #recent(key: string): number[] {
    const since = this.#now() - WITHIN_MS;
    return (this.#failed.get(key) ?? []).filter((at) => at > since);
  }
}
