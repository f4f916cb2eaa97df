const FIRST_SLOTS = 1024;
/** The table is doubled beyond this load, because probing for a free slot then takes long. */
const FULL = 0.6;

/**
 * A set of keys in 14 to 27 bytes per key, independent of length: only 64 bits of each are stored. Never misses a key
 * that was added. Reports a new key as present with a probability of about 10⁻⁸ among a million.
 */
export class SeenKeys {
  /** Two words per key; both 0: free. */
  #slots = new Uint32Array(FIRST_SLOTS * 2);
  #count = 0;

  /** Adds a key; true if it is new. */
  addIfNew(key: string): boolean {
    // Two multiplicative hashes, each mixed with the other's bits at the end.
    let high = 0x9e3779b9;
    let low = 0x85ebca6b;
    for (let index = 0; index < key.length; index += 1) {
      const code = key.charCodeAt(index);
      high = Math.imul(high ^ code, 0x9e3779b1);
      low = Math.imul(low ^ code, 0x5f356495);
    }
    high = Math.imul(high ^ (high >>> 16), 0x85ebca6b) ^ Math.imul(low ^ (low >>> 13), 0xc2b2ae35);
    low = Math.imul(low ^ (low >>> 16), 0x85ebca6b) ^ Math.imul(high ^ (high >>> 13), 0xc2b2ae35);
    if (!this.#put(high >>> 0, low >>> 0 || 1)) return false;
    this.#count += 1;
    if (this.#count > (this.#slots.length / 2) * FULL) this.#grow();
    return true;
  }

  /** False if the words are present. */
  #put(high: number, low: number): boolean {
    const slots = this.#slots;
    const mask = slots.length - 1;
    let slot = (high << 1) & mask;
    while (slots[slot + 1] !== 0) {
      if (slots[slot] === high && slots[slot + 1] === low) return false;
      slot = (slot + 2) & mask;
    }
    slots[slot] = high;
    slots[slot + 1] = low;
    return true;
  }

  #grow(): void {
    const before = this.#slots;
    this.#slots = new Uint32Array(before.length * 2);
    for (let slot = 0; slot < before.length; slot += 2) {
      if (before[slot + 1] !== 0) this.#put(before[slot]!, before[slot + 1]!);
    }
  }
}
