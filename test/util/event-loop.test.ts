import { expect, it } from 'vitest';
import { EventLoopTurns } from '../../src/util/clock.js';

it('a loop that never waits lets timers and signals be heard in between', async () => {
  const turns = new EventLoopTurns();
  let isHeard = false;
  setImmediate(() => {
    isHeard = true;
  });
  let rounds = 0;
  while (!isHeard) {
    rounds += 1;
    if (turns.isDue) await turns.take();
  }
  expect(rounds).toBeGreaterThan(1);
});
