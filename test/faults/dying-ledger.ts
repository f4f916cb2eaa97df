import type { Ledger } from '../../src/ledger/contract/ledger.js';

/** A ledger for a program that dies: it takes intents, but never what an attempt came to. */
export function dyingLedger(ledger: Ledger): Ledger {
  const close = (): Promise<never> => Promise.reject(new Error('the program died'));
  return instead(ledger, 'execution', instead(ledger.execution, 'close', close));
}

/** The same object but for one member; its methods keep their own `this`. */
function instead<T extends object, K extends keyof T>(target: T, name: K, value: T[K]): T {
  return new Proxy(target, {
    get(_, asked) {
      if (asked === name) return value;
      const found: unknown = Reflect.get(target, asked, target);
      return typeof found === 'function' ? found.bind(target) : found;
    },
  });
}
