import { expect, test } from 'vitest';
import { carry, order, planRun, SUCCEEDED } from '../../support/ledger-samples.js';
import { POSTGRES, useLedger } from '../../support/ledgers.js';

const here = useLedger(POSTGRES);

test('what was pruned does not stay in the files of the tables, the index of things among them', async () => {
  await planRun(here.ledger, 'r', [order(1, { things: [5] })]);
  await carry(here.ledger, 'r', 1, { 1: SUCCEEDED });
  await here.ledger.runs.patch('r', { state: 'completed', endedAt: 1 });
  expect(await here.ledger.runs.prune(Date.now())).toBe(1);
  const vacuumed = () =>
    here.ask<{ relname: string }>(
      "SELECT relname FROM pg_stat_user_tables WHERE relname IN ('things', 'kept_things', 'items') AND vacuum_count > 0",
    );
  await expect.poll(vacuumed).toHaveLength(3);
});
