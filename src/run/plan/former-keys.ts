import type { Ledger } from '../../ledger/contract/ledger.js';
import type { MappedItem } from '../../model/item.js';
import type { PlanBuffer } from './plan-buffer.js';

const ITEMS_AT_ONCE = 500;
/** An order may have thousands of lines. */
const CHARACTERS_AT_ONCE = 4 * 1024 * 1024;

/**
 * Orders that an earlier version of the program got through. It knew one without a mapped number by its content as the rows
 * stood; now it is known in whatever order they stand, by another key. One that the ledger has by the former key keeps that,
 * so that it is held back.
 */
export class FormerKeys {
  readonly #ledger: Ledger;
  readonly #run: string;
  #waiting: MappedItem[] = [];
  #characters = 0;

  constructor(ledger: Ledger, run: string) {
    this.#ledger = ledger;
    this.#run = run;
  }

  /** It goes to the buffer at once, unless it has to be looked for; then so do those after it, to keep their order. */
  add(item: MappedItem, buffer: PlanBuffer): void {
    if (this.#waiting.length === 0 && item.formerKey === undefined) buffer.item(item);
    else {
      this.#waiting.push(item);
      this.#characters += item.bodyJson.length;
    }
  }

  /** Gives the buffer the items that wait. Call it between rows. */
  async settle(buffer: PlanBuffer, _sheet: string, when: 'full' | 'all'): Promise<void> {
    const isFull = this.#waiting.length >= ITEMS_AT_ONCE || this.#characters >= CHARACTERS_AT_ONCE;
    if (when === 'full' && !isFull) return;
    const items = this.#waiting;
    this.forget();
    for (let at = 0; at < items.length; at += ITEMS_AT_ONCE) {
      await this.#settle(buffer, items.slice(at, at + ITEMS_AT_ONCE));
    }
  }

  /** What was added counts no more: the sheet is read again. */
  forget(): void {
    this.#waiting = [];
    this.#characters = 0;
  }

  async #settle(buffer: PlanBuffer, items: readonly MappedItem[]): Promise<void> {
    const former = items.flatMap(({ formerKey }) => (formerKey === undefined ? [] : [formerKey]));
    const held = await this.#ledger.plan.whichHeld(this.#run, former);
    // The same order twice in this file has one key, whichever way its rows stand.
    const keys = new Map<string, string>();
    for (const { key, formerKey } of items) {
      if (key !== undefined && formerKey !== undefined && held.has(formerKey)) keys.set(key, formerKey);
    }
    for (const item of items) {
      const key = item.key === undefined ? undefined : keys.get(item.key);
      buffer.item(key === undefined ? item : { ...item, key });
    }
  }
}
