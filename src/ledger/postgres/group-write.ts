/** The result of one request of a group. */
export type GroupResult<T> = { readonly value: T } | { readonly error: unknown };

interface Waiting<Request, T> {
  readonly request: Request;
  readonly resolve: (value: T) => void;
  readonly reject: (error: unknown) => void;
}

/** Writes a group and returns a result for each request, in order. Concurrent groups have different lanes. */
type WriteGroup<Request, T> = (group: readonly Request[], lane: number) => Promise<readonly GroupResult<T>[]>;

/** More requests make a statement no cheaper, and delay the first ones. */
const MOST_AT_ONCE = 500;

/**
 * Collects requests of one turn of the event loop, or made while statements are in progress, and writes them together, because
 * a commit costs a flush of the server's disk for any number of requests. Each request gets a separate result.
 */
export class GroupWrite<Request, T> {
  readonly #write: WriteGroup<Request, T>;
  readonly #lanes: number;
  /** Numbers of idle lanes. */
  readonly #free: number[];
  #waiting: Waiting<Request, T>[] = [];
  #scheduled = false;
  readonly #idle: (() => void)[] = [];

  /** @param lanes maximum number of concurrent groups */
  constructor(write: WriteGroup<Request, T>, lanes: number) {
    this.#write = write;
    this.#lanes = lanes;
    this.#free = Array.from({ length: lanes }, (_, index) => index);
  }

  add(request: Request): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ request, resolve, reject });
      this.#schedule();
    });
  }

  /** Resolves when nothing is waiting or in progress. */
  async idle(): Promise<void> {
    while (this.#waiting.length > 0 || this.#free.length < this.#lanes)
      await new Promise<void>((resolve) => this.#idle.push(resolve));
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

  async #run(group: readonly Waiting<Request, T>[], lane: number): Promise<void> {
    try {
      const results = await this.#write(
        group.map((it) => it.request),
        lane,
      );
      group.forEach(({ resolve, reject }, index) => {
        const result = results[index]!;
        if ('error' in result) reject(result.error);
        else resolve(result.value);
      });
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  }
}
