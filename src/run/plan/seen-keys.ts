const FIRST_SLOTS = 1024;
/** Slots are doubled when so much of them is taken: beyond, looking for a free one takes long. */
const FULL = 0.6;

/**
 * Tells whether a key was there before, in 14 to 27 bytes a key whatever its length: only 64 bits of each are kept.
 * Never overlooks one that was; may take one for another, some 10⁻⁸ likely among a million.
 */
export class SeenKeys {
  /** Two words a key; both 0: free. */
  #slots = new Uint32Array(FIRST_SLOTS * 2);
  #taken = 0;

  /** Takes in a key; true when it was there already. */
  add(key: string): boolean {
    // Two multiplicative hashes side by side, each stirred with the other's bits at the end.
    let one = 0x9e3779b9;
    let two = 0x85ebca6b;
    for (let at = 0; at < key.length; at += 1) {
      const code = key.charCodeAt(at);
      one = Math.imul(one ^ code, 0x9e3779b1);
      two = Math.imul(two ^ code, 0x5f356495);
    }
    one = Math.imul(one ^ (one >>> 16), 0x85ebca6b) ^ Math.imul(two ^ (two >>> 13), 0xc2b2ae35);
    two = Math.imul(two ^ (two >>> 16), 0x85ebca6b) ^ Math.imul(one ^ (one >>> 13), 0xc2b2ae35);
    if (!this.#put(one >>> 0, two >>> 0 || 1)) return true;
    this.#taken += 1;
    if (this.#taken > (this.#slots.length / 2) * FULL) this.#grow();
    return false;
  }

  /** False when the words are there already. */
  #put(one: number, two: number): boolean {
    const slots = this.#slots;
    const mask = slots.length - 1;
    let at = (one << 1) & mask;
    while (slots[at + 1] !== 0) {
      if (slots[at] === one && slots[at + 1] === two) return false;
      at = (at + 2) & mask;
    }
    slots[at] = one;
    slots[at + 1] = two;
    return true;
  }

  #grow(): void {
    const before = this.#slots;
    this.#slots = new Uint32Array(before.length * 2);
    for (let at = 0; at < before.length; at += 2) {
      if (before[at + 1] !== 0) this.#put(before[at]!, before[at + 1]!);
    }
  }
}
