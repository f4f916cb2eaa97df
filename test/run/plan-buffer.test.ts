import { describe, expect, it } from 'vitest';
import { message } from '../../src/errors/message.js';
import type { Ledger } from '../../src/ledger/contract/ledger.js';
import type { PlannedItems } from '../../src/model/item.js';
import { PlanBuffer } from '../../src/run/plan/plan-buffer.js';
import { order } from '../support/ledger-samples.js';

/** A ledger that writes when the test lets it. */
class SlowPlan {
  readonly said: string[] = [];
  readonly #waiting: ((error?: Error) => void)[] = [];

  get store(): Ledger['plan'] {
    const take = (what: string): Promise<void> => {
      this.said.push(what);
      return new Promise((resolve, reject) => {
        this.#waiting.push((error) => (error ? reject(error) : resolve()));
      });
    };
    return {
      addItems: (_run: string, { rows }: PlannedItems) =>
        take(`items ${rows[0]?.[0]} to ${rows.at(-1)?.[0]}`),
      addVerdicts: (_run: string, verdicts: readonly unknown[]) => take(`verdicts ${verdicts.length}`),
      addWarnings: (_run: string, warnings: readonly unknown[]) => take(`warnings ${warnings.length}`),
      clear: () => take('clear'),
    } as unknown as Ledger['plan'];
  }

  /** Done with the oldest that is waiting. */
  async finish(error?: Error): Promise<void> {
    this.#waiting.shift()?.(error);
    await new Promise(setImmediate);
  }
}

async function isDone(promise: Promise<unknown>): Promise<boolean> {
  let done = false;
  promise.then(
    () => {
      done = true;
    },
    () => undefined,
  );
  await new Promise(setImmediate);
  return done;
}

function fill(buffer: PlanBuffer, from: number, upto: number): void {
  for (let row = from; row <= upto; row += 1) buffer.item(order(row));
}

describe('the buffer of a plan', () => {
  it('writes five hundred at a time, and waits until they are written', async () => {
    const slow = new SlowPlan();
    const buffer = new PlanBuffer(slow.store, 'r1');
    fill(buffer, 2, 500);
    await buffer.writeIfFull();
    expect(slow.said).toEqual([]);
    fill(buffer, 501, 600);
    const settled = buffer.writeIfFull();
    expect(slow.said).toEqual(['items 2 to 600']);
    expect(await isDone(settled)).toBe(false);
    await slow.finish();
    expect(await isDone(settled)).toBe(true);
  });

  it('writes fewer of large ones', async () => {
    const slow = new SlowPlan();
    const buffer = new PlanBuffer(slow.store, 'r1');
    for (const row of [2, 3]) buffer.item(order(row, { body: 'x'.repeat(2_200_000) }));
    void buffer.writeIfFull();
    expect(slow.said).toEqual(['items 2 to 3']);
  });

  it('is flushed when all is written, in the order in which it was given', async () => {
    const slow = new SlowPlan();
    const buffer = new PlanBuffer(slow.store, 'r1');
    buffer.warn(message('run.filtered'));
    buffer.verdict({ row: 2, status: 'skipped' });
    fill(buffer, 3, 3);
    const flushed = buffer.flush();
    expect(await isDone(flushed)).toBe(false);
    expect(slow.said).toEqual(['items 3 to 3', 'verdicts 1', 'warnings 1']);
    for (let left = 3; left > 0; left -= 1) {
      expect(await isDone(flushed)).toBe(false);
      await slow.finish();
    }
    expect(await isDone(flushed)).toBe(true);
  });

  it('reports a write that failed', async () => {
    const slow = new SlowPlan();
    const buffer = new PlanBuffer(slow.store, 'r1');
    fill(buffer, 2, 501);
    const settled = buffer.writeIfFull();
    await Promise.all([expect(settled).rejects.toThrow('disk full'), slow.finish(new Error('disk full'))]);
  });

  it('forgets what was gathered when it is discarded', async () => {
    const slow = new SlowPlan();
    const buffer = new PlanBuffer(slow.store, 'r1');
    fill(buffer, 2, 9);
    const discarded = buffer.discard();
    expect(slow.said).toEqual(['clear']);
    await slow.finish();
    await discarded;
    await buffer.flush();
    expect(slow.said).toHaveLength(1);
  });
});
