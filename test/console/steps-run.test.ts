import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { onboarding, onboardingRows, onboardingWith } from '../support/onboarding.js';
import { eventsOf, type RunsFixture, runsFixture } from '../support/runs-fixture.js';

const ROWS = 6;
let fixture: RunsFixture;

beforeEach(async () => {
  fixture = await runsFixture();
  await writeFile(path.join(fixture.folder, 'orders.yaml'), `${onboarding()}connection: sandbox\n`);
  const rows = Array.from({ length: ROWS }, (_, at) => `SO-${at},Customer ${at},,2,5`);
  await writeFile(path.join(fixture.folder, 'rows.csv'), onboardingRows(rows));
});

afterEach(() => fixture.close());

test('a run of steps is one run at the console: its news count all its steps, and each is reported with its own', async () => {
  const plan = await fixture.run('plan');
  const { items, operations, may } = (await fixture.get(`/plans/${plan}`)) as {
    items: number;
    operations: { step: string; items: number }[];
    may: object;
  };
  expect(operations.map((it) => [it.step, it.items])).toEqual([
    ['customer', ROWS],
    ['numbers', ROWS],
    ['order', ROWS],
  ]);
  expect(items).toBe(3 * ROWS);
  expect(may).toMatchObject({ send: true, rehearse: true });
  await fixture.sends(plan, items);
  const heard = await eventsOf(fixture, plan);
  const news = heard
    .filter((it) => it.event === 'run')
    .map((it) => it.data as { done: number; total: number });
  expect(news.at(-1)).toMatchObject({ done: 3 * ROWS, total: 3 * ROWS });
  expect(news.map((it) => it.done)).toEqual(news.map((it) => it.done).sort((a, b) => a - b));
  expect(heard.at(-1)).toMatchObject({
    event: 'over',
    data: { state: 'completed', counts: { succeeded: ROWS } },
  });
  expect(await fixture.get(`/runs/${plan}`)).toMatchObject({
    applied: expect.any(String),
    steps: ['customer', 'numbers', 'order'].map((name) => ({
      name,
      status: 'completed',
      counts: { succeeded: ROWS },
    })),
    may: { revert: true },
  });
  expect(await fixture.get(`/runs/${plan}/rows/2`)).toMatchObject({
    status: 'succeeded',
    steps: [{ name: 'customer' }, { name: 'numbers' }, { name: 'order' }],
  });
});

test('what a plan of steps skips is reported by the header that the step reads, not by one of another step', async () => {
  const twice = onboardingWith([
    [
      '  - name: order',
      '  - name: more\n    operation: asset.numbers\n    map: { size: Nodes }\n  - name: order',
    ],
  ]);
  await writeFile(
    path.join(fixture.folder, 'orders.yaml'),
    `${twice}connection: sandbox\nrun: { onInvalid: skip }\n`,
  );
  await writeFile(path.join(fixture.folder, 'rows.csv'), onboardingRows(['SO-1,A,,many,5', 'SO-2,B,,2,5']));
  const { skipped } = (await fixture.get(`/plans/${await fixture.run('plan')}`)) as {
    skipped: { status: string; reason: string }[];
  };
  const invalid = skipped.filter((it) => it.status === 'invalid').map((it) => it.reason);
  expect(invalid).toEqual([expect.stringMatching(/^Locks/)]);
});
