/** Number of cached texts, and the longest text that is cached. */
const SLOTS = 1 << 17;
const LENGTH = 128;

/**
 * Caches texts that were requested more than once, by index. Most texts are requested once; caching those would only
 * burden the garbage collector.
 */
export class TextCache {
  readonly #mask: number;
  /** By slot, the index requested last and the index whose text is cached, each plus 1, as 0 is none. */
  readonly #asked: Uint32Array;
  readonly #kept: Uint32Array;
  readonly #texts: string[];

  /** @param count number of texts */
  constructor(count: number) {
    const slots = Math.min(SLOTS, 2 ** Math.ceil(Math.log2(Math.max(1, count))));
    this.#mask = slots - 1;
    this.#asked = new Uint32Array(slots);
    this.#kept = new Uint32Array(slots);
    this.#texts = new Array<string>(slots).fill('');
  }

  get(index: number): string | undefined {
    const slot = index & this.#mask;
    return this.#kept[slot] === index + 1 ? this.#texts[slot] : undefined;
  }

  /** Caches the text if it is offered for the second time. */
  offer(index: number, text: string): void {
    const slot = index & this.#mask;
    if (this.#asked[slot] !== index + 1) this.#asked[slot] = index + 1;
    else if (text.length <= LENGTH) {
      this.#kept[slot] = index + 1;
      this.#texts[slot] = text;
    }
  }
}
