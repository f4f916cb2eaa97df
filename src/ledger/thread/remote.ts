import { arrived } from '../../errors/carried-error.js';
import type { Ledger, RunLock } from '../contract.js';
import { BatchedPort, type Port } from './batched-port.js';
import { type Answered, type Asked, type Call, METHODS, type Portion, type StoreName } from './calls.js';

interface Waiting {
  readonly resolve: (value: never) => void;
  readonly reject: (error: unknown) => void;
}

/** A ledger that lies behind a port. Calls reach it in the order in which they are made. */
export class RemoteLedger implements Ledger {
  readonly location: string;
  readonly runs = this.#store('runs');
  readonly plan = this.#store('plan');
  readonly execution = this.#store('execution');
  readonly report = this.#store('report');
  readonly resolutions = this.#store('resolutions');
  readonly schedule = this.#store('schedule');
  readonly #calls: BatchedPort<Asked>;
  readonly #waiting = new Map<number, Waiting>();
  readonly #ended: () => Promise<unknown>;
  #last = 0;
  #closing: Promise<void> | undefined;
  #lost: unknown;

  /** @param ended what else is to be waited for once the ledger is closed */
  constructor(location: string, port: Port, ended: () => Promise<unknown>) {
    this.location = location;
    this.#calls = new BatchedPort(port);
    this.#ended = ended;
  }

  async lock(job: string, connection: string, run: string): Promise<RunLock> {
    const lock = await this.#ask<number>({ do: 'lock', args: [job, connection, run] });
    return { release: () => this.#ask({ do: 'release', lock }) };
  }

  close(): Promise<void> {
    this.#closing ??= this.#ask<void>({ do: 'close' }).finally(() => this.#ended());
    return this.#closing;
  }

  /** Takes in what came back through the port. */
  receive(answers: readonly Answered[]): void {
    for (const it of answers) {
      const waiting = this.#waiting.get(it.id);
      this.#waiting.delete(it.id);
      if ('error' in it) waiting?.reject(arrived(it.error));
      else waiting?.resolve(it.value as never);
    }
  }

  /** Nothing will come back any more. */
  lost(error: unknown): void {
    this.#lost ??= error;
    for (const { reject } of this.#waiting.values()) reject(this.#lost);
    this.#waiting.clear();
  }

  #ask<T>(call: Call): Promise<T> {
    if (this.#lost !== undefined) return Promise.reject(this.#lost);
    return new Promise<T>((resolve, reject) => {
      this.#last += 1;
      this.#waiting.set(this.#last, { resolve, reject });
      this.#calls.post({ id: this.#last, call });
    });
  }

  #store<S extends StoreName>(store: S): Ledger[S] {
    const methods = Object.entries(METHODS[store]).map(([method, kind]) => [
      method,
      kind === 'list'
        ? (...args: unknown[]) => this.#list(store, method, args)
        : (...args: unknown[]) => this.#ask({ do: 'call', store, method, args }),
    ]);
    return Object.fromEntries(methods) as Ledger[S];
  }

  /** The next portion is asked for before this one is used up: one thread reads while the other works. */
  async *#list(store: StoreName, method: string, args: readonly unknown[]): AsyncGenerator<unknown> {
    const list = await this.#ask<number>({ do: 'call', store, method, args });
    const fetch = (): Promise<Portion> => {
      const portion = this.#ask<Portion>({ do: 'more', list });
      // It is told to whoever waits for it; until then it must not count as unhandled.
      portion.catch(() => undefined);
      return portion;
    };
    let open = true;
    try {
      for (let next = fetch(); open; ) {
        const { values, done } = await next;
        open = !done;
        if (open) next = fetch();
        yield* values;
      }
    } finally {
      if (open && this.#lost === undefined) await this.#ask({ do: 'enough', list });
    }
  }
}
