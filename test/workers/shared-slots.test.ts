import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Ledger } from '../../src/ledger/contract/ledger.js';
import { openLedger } from '../../src/ledger/open.js';
import type { LimitStore } from '../../src/ledger/postgres/limits.js';
import { systemClock } from '../../src/util/clock.js';
import { SharedSlots } from '../../src/workers/shared-limits.js';
import { type PostgresPlace, postgresPlace } from '../support/postgres/shared-server.js';
import { until } from '../support/until.js';

const MOST = 10;

let place: PostgresPlace;
let ledger: Ledger;

beforeEach(async () => {
  place = await postgresPlace();
  ledger = await openLedger(place.url);
});

afterEach(async () => {
  await ledger.close();
  await place.remove();
});

/** Requests of one worker that are in progress. */
class Requests {
  readonly #slots: SharedSlots;
  underWay = 0;

  constructor(worker: string, limits: Pick<LimitStore, 'holdSlots'>) {
    const own = { worker, most: MOST, slots: MOST, scope: 'place', holdMs: 15_000, clock: systemClock };
    this.#slots = new SharedSlots({
      ...own,
      limits: {
        ...ledger.queue!.limits,
        holdSlots: limits.holdSlots.bind(ledger.queue!.limits),
      } as LimitStore,
    });
  }

  begin(count: number): void {
    for (let n = 0; n < count; n += 1) {
      void this.#slots.take().then(() => {
        this.underWay += 1;
      });
    }
  }

  end(count = this.underWay): void {
    for (let n = 0; n < count; n += 1) this.#slots.release();
    this.underWay -= count;
  }
}

test('what others may have been given since is not begun while an answer is in progress', async () => {
  const { limits } = ledger.queue!;
  let isHeldUp = false;
  let goOn = (): void => {};
  const heldUp = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  let asked = 0;
  const slow: LimitStore['holdSlots'] = async (...question) => {
    const answer = await limits.holdSlots(...question);
    asked += isHeldUp ? 1 : 0;
    if (isHeldUp) await heldUp;
    return answer;
  };
  const one = new Requests('one', { holdSlots: slow });
  const other = new Requests('other', limits);
  one.begin(MOST);
  await until(() => one.underWay === MOST);
  one.end(MOST - 1);
  isHeldUp = true;
  await until(() => asked > 0);
  // The ledger knows of one request by now, and has nine to give.
  one.begin(MOST - 1);
  other.begin(MOST);
  await until(() => other.underWay > 0);
  await delay(500);
  expect(one.underWay + other.underWay).toBeLessThanOrEqual(MOST);
  isHeldUp = false;
  goOn();
  await delay(1000);
  expect(one.underWay + other.underWay).toBeLessThanOrEqual(MOST);
  other.end();
  await until(() => one.underWay + other.underWay === MOST);
  for (; one.underWay + other.underWay > 0; await delay(50)) {
    one.end();
    other.end();
  }
  // The last message of each is that it needs none.
  await delay(1000);
});
