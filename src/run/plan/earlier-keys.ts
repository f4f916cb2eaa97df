import type { Ledger } from '../../ledger/contract/ledger.js';
import { type MappedItem, withEarlierContent } from '../../model/item.js';
import type { PlanBuffer } from './plan-buffer.js';

const ITEMS_AT_ONCE = 500;
/** An order may have thousands of lines. */
const CHARACTERS_AT_ONCE = 4 * 1024 * 1024;

/**
 * Recognises items that an earlier version of the program sent. It derived another key from the same cells: from the
 * order of rows, or from the decimals and literals of number formats. An item whose earlier key is in the ledger keeps
 * that key, so that it is treated as a repeat.
 */
export class EarlierKeys {
  readonly #ledger: Ledger;
  readonly #run: string;
  #waiting: MappedItem[] = [];
  #characters = 0;

  constructor(ledger: Ledger, run: string) {
    this.#ledger = ledger;
    this.#run = run;
  }

  /** Passes the item to the buffer, directly if no item has to wait. The order of items is preserved. */
  add(item: MappedItem, buffer: PlanBuffer): void {
    if (this.#waiting.length === 0 && !hasEarlierKeys(item)) buffer.item(item);
    else {
      this.#waiting.push(item);
      this.#characters += item.bodyJson.length;
    }
  }

  /** Passes the waiting items to the buffer. Call it between rows. */
  async flush(buffer: PlanBuffer, _sheet: string, when: 'full' | 'all'): Promise<void> {
    const isFull = this.#waiting.length >= ITEMS_AT_ONCE || this.#characters >= CHARACTERS_AT_ONCE;
    if (when === 'full' && !isFull) return;
    const items = this.#waiting;
    this.forget();
    for (let start = 0; start < items.length; start += ITEMS_AT_ONCE) {
      const chunk = items.slice(start, start + ITEMS_AT_ONCE);
      for (const item of await asEarlierVersions(this.#ledger, this.#run, chunk)) buffer.item(item);
    }
  }

  /** Discards the waiting items, because the sheet is read again. */
  forget(): void {
    this.#waiting = [];
    this.#characters = 0;
  }
}

/** The items. Those that an earlier version sent get the key and content of that version. */
export async function asEarlierVersions(
  ledger: Ledger,
  run: string,
  items: readonly MappedItem[],
): Promise<readonly MappedItem[]> {
  const candidates = items
    .filter(hasEarlierKeys)
    .flatMap(({ key, earlierKeys = [] }) => [key!, ...earlierKeys]);
  if (candidates.length === 0) return items;
  const held = await ledger.plan.whichHeld(run, candidates);
  // Applied to all items with the key: the file may have the same order twice, written differently.
  const keys = new Map<string, string>();
  for (const { key, earlierKeys = [] } of items) {
    const earlier = key === undefined || held.has(key) ? undefined : earlierKeys.find((old) => held.has(old));
    if (earlier !== undefined) keys.set(key!, earlier);
  }
  return items.map((item): MappedItem => {
    const { key, content, earlierContent, subject } = item;
    if (key === undefined) return item;
    const earlier = keys.get(key);
    const isHeld = earlier !== undefined || held.has(key);
    return {
      ...item,
      key: earlier ?? key,
      subject: earlier !== undefined && subject === key ? earlier : subject,
      content: isHeld && earlierContent !== undefined ? withEarlierContent(content, earlierContent) : content,
    };
  });
}

function hasEarlierKeys({ key, earlierKeys, earlierContent }: MappedItem): boolean {
  return key !== undefined && (earlierKeys !== undefined || earlierContent !== undefined);
}
