import type { Ledger } from '../../ledger/contract/ledger.js';
import { withFormerContent } from '../../model/content.js';
import type { MappedItem } from '../../model/item.js';
import type { PlanBuffer } from './plan-buffer.js';

const ITEMS_AT_ONCE = 500;
/** An order may have thousands of lines. */
const CHARACTERS_AT_ONCE = 4 * 1024 * 1024;

/**
 * Finds items that an earlier version of the program sent. It gave another key to the same cells: by the order of rows, or by
 * the decimals and literals of number formats. An item whose former key is in the ledger keeps that key, so that it is a repeat.
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

  /** Gives the item to the buffer, at once if it has no former key and no other item waits: the order is kept. */
  add(item: MappedItem, buffer: PlanBuffer): void {
    if (this.#waiting.length === 0 && !hasFormer(item)) buffer.item(item);
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
      const some = await asEarlierVersions(this.#ledger, this.#run, items.slice(at, at + ITEMS_AT_ONCE));
      for (const item of some) buffer.item(item);
    }
  }

  /** Forgets what was added: the sheet is read again. */
  forget(): void {
    this.#waiting = [];
    this.#characters = 0;
  }
}

/** The items; those that an earlier version sent have the key, and the content, that it gave them. */
export async function asEarlierVersions(
  ledger: Ledger,
  run: string,
  items: readonly MappedItem[],
): Promise<readonly MappedItem[]> {
  const asked = items.filter(hasFormer).flatMap(({ key, formerKeys = [] }) => [key!, ...formerKeys]);
  if (asked.length === 0) return items;
  const held = await ledger.plan.whichHeld(run, asked);
  // The same order twice in this file has one key, whichever way its rows are written.
  const keys = new Map<string, string>();
  for (const { key, formerKeys = [] } of items) {
    const former = key === undefined || held.has(key) ? undefined : formerKeys.find((it) => held.has(it));
    if (former !== undefined) keys.set(key!, former);
  }
  return items.map((item): MappedItem => {
    const { key, content, formerContent, subject } = item;
    if (key === undefined) return item;
    const former = keys.get(key);
    const isHeld = former !== undefined || held.has(key);
    return {
      ...item,
      ...(former === undefined ? {} : { key: former, subject: subject === key ? former : subject }),
      ...(isHeld && formerContent !== undefined
        ? { content: withFormerContent(content, formerContent) }
        : {}),
    };
  });
}

function hasFormer({ key, formerKeys, formerContent }: MappedItem): boolean {
  return key !== undefined && (formerKeys !== undefined || formerContent !== undefined);
}
