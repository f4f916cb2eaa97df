import type { MessagePort } from 'node:worker_threads';
import { carried } from '../../errors/carried-error.js';
import type { Ledger, RunLock } from '../contract.js';
import { BatchedPort } from './batched-port.js';
import { type Answered, type Asked, type Call, METHODS, type Portion } from './calls.js';

/** Values of a list sent at once; pages count by what is on them. */
const PORTION = 500;

type Methods = Readonly<Record<string, (...args: readonly unknown[]) => unknown>>;

/** Does with a ledger what is asked through a port, until `close`, which ends the port too. */
export function serveLedger(ledger: Ledger, port: MessagePort): void {
  const answers = new BatchedPort<Answered>(port);
  const served = new ServedLedger(ledger);
  port.on('message', (asked: readonly Asked[]) => {
    for (const { id, call } of asked) {
      served.answer(call).then(
        (value) => answers.post({ id, value }),
        (error: unknown) => answers.post({ id, error: carried(error) }),
      );
    }
  });
}

class ServedLedger {
  readonly #ledger: Ledger;
  readonly #lists = new Map<number, AsyncIterator<unknown>>();
  readonly #locks = new Map<number, RunLock>();
  #last = 0;

  constructor(ledger: Ledger) {
    this.#ledger = ledger;
  }

  /** Begins at once, so that calls are begun in the order in which they were made. */
  async answer(call: Call): Promise<unknown> {
    switch (call.do) {
      case 'call':
        return this.#call(call);
      case 'more':
        return this.#more(call.list);
      case 'enough':
        await this.#lists.get(call.list)?.return?.();
        this.#lists.delete(call.list);
        return undefined;
      case 'lock':
        return this.#keep(this.#locks, await this.#ledger.lock(...call.args));
      case 'release':
        await this.#locks.get(call.lock)?.release();
        this.#locks.delete(call.lock);
        return undefined;
      case 'close':
        return this.#ledger.close();
    }
  }

  #call({ store, method, args }: Call & { do: 'call' }): unknown {
    const kind = (METHODS[store] as Readonly<Record<string, 'value' | 'list'>>)[method];
    const found = (this.#ledger[store] as unknown as Methods)[method];
    if (kind === undefined || found === undefined) throw new Error(`no method ${store}.${method}`);
    const answer = found.apply(this.#ledger[store], args as unknown[]);
    if (kind === 'value') return answer;
    return this.#keep(this.#lists, (answer as AsyncIterable<unknown>)[Symbol.asyncIterator]());
  }

  async #more(list: number): Promise<Portion> {
    const values: unknown[] = [];
    for (let size = 0; size < PORTION; ) {
      const next = await this.#lists.get(list)?.next();
      if (next === undefined || next.done) {
        this.#lists.delete(list);
        return { values, done: true };
      }
      values.push(next.value);
      size += Array.isArray(next.value) ? next.value.length : 1;
    }
    return { values, done: false };
  }

  #keep<T>(kept: Map<number, T>, value: T): number {
    this.#last += 1;
    kept.set(this.#last, value);
    return this.#last;
  }
}
