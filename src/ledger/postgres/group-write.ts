/** What one of a group came to. */
export type Came<T> = { readonly value: T } | { readonly error: unknown };

interface Waiting<Asked, T> {
  readonly asked: Asked;
  readonly resolve: (value: T) => void;
  readonly reject: (error: unknown) => void;
}

/** Carries a group; gives for each what it came to, in their order. No two groups have the same lane at once. */
type Carry<Asked, T> = (group: readonly Asked[], lane: number) => Promise<readonly Came<T>[]>;

/** More lines make a statement no cheaper, and hold up those that came first. */
const MOST_AT_ONCE = 500;

/**
 * Gathers what is asked for within one turn of the event loop, or while statements are under way, and has it carried
 * together: a commit costs a flush of the server's disk however many share it. Each gets its own answer.
 */
export class GroupWrite<Asked, T> {
  readonly #carry: Carry<Asked, T>;
  readonly #lanes: number;
  /** Numbers of lanes that have nothing under way. */
  readonly #free: number[];
  #waiting: Waiting<Asked, T>[] = [];
  #scheduled = false;
  readonly #idle: (() => void)[] = [];

  /** @param lanes how many groups may be under way at once */
  constructor(carry: Carry<Asked, T>, lanes: number) {
    this.#carry = carry;
    this.#lanes = lanes;
    this.#free = Array.from({ length: lanes }, (_, index) => index);
  }

  add(asked: Asked): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ asked, resolve, reject });
      this.#schedule();
    });
  }

  /** Resolves once nothing is waiting or under way. */
  async idle(): Promise<void> {
    while (this.#waiting.length > 0 || this.#free.length < this.#lanes) {
      await new Promise<void>((resolve) => this.#idle.push(resolve));
    }
  }

  #schedule(): void {
    if (this.#scheduled || this.#waiting.length === 0 || this.#free.length === 0) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      const lane = this.#free.pop();
      if (lane === undefined) return;
      const group = this.#waiting.splice(0, MOST_AT_ONCE);
      void this.#run(group, lane).finally(() => {
        this.#free.push(lane);
        this.#schedule();
        for (const resolve of this.#idle.splice(0)) resolve();
      });
      this.#schedule();
    });
  }

  async #run(group: readonly Waiting<Asked, T>[], lane: number): Promise<void> {
    try {
      const came = await this.#carry(
        group.map((it) => it.asked),
        lane,
      );
      group.forEach((it, index) => {
        const one = came[index]!;
        if ('error' in one) it.reject(one.error);
        else it.resolve(one.value);
      });
    } catch (error) {
      for (const it of group) it.reject(error);
    }
  }
}
