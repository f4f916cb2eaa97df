/** Numbers that follow from a text alone, so that a case can be made again anywhere (sfc32). */
export class Random {
  readonly #state = new Uint32Array(4);

  constructor(seed: string) {
    let hash = 2166136261;
    for (let i = 0; i < 4; i += 1) {
      for (const char of `${i}${seed}`) hash = Math.imul(hash ^ char.codePointAt(0)!, 16777619);
      this.#state[i] = hash;
    }
    for (let i = 0; i < 12; i += 1) this.#next();
  }

  /** 0 to `below` - 1. */
  int(below: number): number {
    return below <= 1 ? 0 : Math.floor((this.#next() / 2 ** 32) * below);
  }

  chance(probability: number): boolean {
    return this.#next() / 2 ** 32 < probability;
  }

  pick<T>(from: readonly T[]): T {
    if (from.length === 0) throw new Error('nothing to pick from');
    return from[this.int(from.length)]!;
  }

  /** 1 to `most`, small numbers far more often. */
  few(most: number): number {
    return 1 + this.int(1 + this.int(most));
  }

  #next(): number {
    const s = this.#state;
    const sum = (s[0]! + s[1]! + s[3]!) >>> 0;
    s[3] = s[3]! + 1;
    s[0] = s[1]! ^ (s[1]! >>> 9);
    s[1] = s[2]! + (s[2]! << 3);
    s[2] = ((s[2]! << 21) | (s[2]! >>> 11)) + sum;
    return sum;
  }
}
