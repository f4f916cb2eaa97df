import { afterEach, describe, expect, it } from 'vitest';
import {
  CorrectionQueue,
  type QueuedAction,
} from '../../../src/console/pages/pages/import/correction-queue.js';

/** What a browser keeps for all tabs of the console. */
class Kept {
  readonly #items = new Map<string, string>();
  get length(): number {
    return this.#items.size;
  }
  key(index: number): string | null {
    return [...this.#items.keys()][index] ?? null;
  }
  getItem(key: string): string | null {
    return this.#items.get(key) ?? null;
  }
  setItem(key: string, value: string): void {
    this.#items.set(key, value);
  }
  removeItem(key: string): void {
    this.#items.delete(key);
  }
}

describe('corrections that wait for the network', () => {
  const open: CorrectionQueue<string>[] = [];
  afterEach(() => {
    for (const it of open.splice(0)) it.close();
  });

  function tab(store: Kept, isOnline: boolean): { queue: CorrectionQueue<string>; sent: string[] } {
    const sent: string[] = [];
    const queue = new CorrectionQueue<string>({
      key: 'corrections.1',
      store,
      send: async ({ act }) => {
        if (!isOnline) throw new Error('no network');
        sent.push(act);
        return act;
      },
      isUnanswered: () => true,
      answered: () => {},
      refused: () => {},
      pause: () => new Promise(() => {}),
    });
    open.push(queue);
    return { queue, sent };
  }

  const typed = (act: string): QueuedAction => ({
    act,
    kind: 'corrections',
    cells: [{ row: 2, column: 1, text: act }],
  });

  it('of two tabs are all there after a reload, in their order', async () => {
    const store = new Kept();
    const first = tab(store, false);
    const second = tab(store, false);
    for (const act of ['a', 'b', 'c']) first.queue.add(typed(act));
    await new Promise((resolve) => setTimeout(resolve, 5));
    second.queue.add(typed('d'));
    const again = tab(store, true);
    await expect.poll(() => again.sent).toEqual(['a', 'b', 'c', 'd']);
    expect(again.queue.waiting.value).toEqual([]);
    expect(store.length).toBe(0);
  });

  it('of another import, and what else is kept, are left alone', async () => {
    const store = new Kept();
    store.setItem('corrections.10.x', '{}');
    const only = tab(store, true);
    only.queue.add(typed('a'));
    await expect.poll(() => only.sent).toEqual(['a']);
    expect(store.length).toBe(1);
  });

  it('take their undo with them when they are rejected: it undoes no earlier one', async () => {
    const sent: string[] = [];
    const queue = new CorrectionQueue<string>({
      key: 'corrections.2',
      store: new Kept(),
      send: async ({ act }) => {
        sent.push(act);
        if (act === 'rejected') throw new Error('changed by another user');
        return act;
      },
      isUnanswered: () => false,
      answered: () => {},
      refused: () => {},
      pause: () => new Promise(() => {}),
    });
    open.push(queue);
    queue.add(typed('rejected'));
    queue.add(typed('b'));
    for (const act of ['undo b', 'undo rejected', 'undo earlier']) queue.add({ act, kind: 'undo' });
    await expect.poll(() => queue.waiting.value).toEqual([]);
    expect(sent).toEqual(['rejected', 'b', 'undo b', 'undo earlier']);
  });
});
