import type { Clock } from '../util/clock.js';

interface Round {
  readonly everyMs: number;
  readonly work: () => Promise<void>;
  nap: AbortController;
  again: boolean;
}

/** Things done again and again, each by itself, one after the other; what fails is done again at its next time. */
export class Rounds {
  readonly #clock: Clock;
  readonly #rounds = new Map<string, Round>();
  readonly #loops: Promise<void>[] = [];
  #ended = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  every(name: string, everyMs: number, work: () => Promise<void>): void {
    const round = { everyMs, work, nap: new AbortController(), again: false };
    this.#rounds.set(name, round);
    this.#loops.push(this.#loop(round));
  }

  /** Does it as soon as it can be done. */
  now(name: string): void {
    const round = this.#rounds.get(name);
    if (!round) return;
    round.again = true;
    round.nap.abort();
  }

  /** Waits for what is being done. */
  async stop(): Promise<void> {
    this.#ended = true;
    for (const { nap } of this.#rounds.values()) nap.abort();
    await Promise.all(this.#loops);
  }

  async #loop(round: Round): Promise<void> {
    while (!this.#ended) {
      if (!round.again) await this.#clock.sleep(round.everyMs, round.nap.signal);
      if (this.#ended) return;
      round.nap = new AbortController();
      round.again = false;
      await round.work().catch(() => {});
    }
  }
}
