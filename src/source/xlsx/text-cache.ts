/** Texts kept at most, and the length up to which one is kept. */
const SLOTS = 1 << 17;
const LENGTH = 128;

/**
 * Texts that were asked for more than once, by their index. Most texts are asked for once; those would only be more
 * for the garbage collector to carry about.
 */
export class TextCache {
  readonly #mask: number;
  /** The index last asked for, and the one whose text is kept, by slot; one more than it is, as 0 is for none. */
  readonly #asked: Uint32Array;
  readonly #kept: Uint32Array;
  readonly #texts: string[];

  /** @param count indexes are below it */
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

  /** Keeps the text if this is not the first time. */
  offer(index: number, text: string): void {
    const slot = index & this.#mask;
    if (this.#asked[slot] !== index + 1) this.#asked[slot] = index + 1;
    else if (text.length <= LENGTH) {
      this.#kept[slot] = index + 1;
      this.#texts[slot] = text;
    }
  }
}
