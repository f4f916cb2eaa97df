import fc from 'fast-check';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { reportRows } from '../../../src/run/report/row-results.js';
import { resumeRun } from '../../../src/run/start-run.js';
import { type Answer, FakePlatform } from '../../support/fake-platform.js';
import { Fixture } from '../../support/job-runs.js';
import { collect } from '../../support/ledger-samples.js';
import { OnboardingPlatform, onboarding, onboardingRows, stepOf } from '../../support/onboarding.js';

const RUNS = 12;

let fixture: Fixture;
let platform: FakePlatform;

beforeEach(async () => {
  fixture = await Fixture.open();
  platform = await new FakePlatform(() => 'reset').start();
});

afterEach(async () => {
  await platform.stop();
  await fixture.close();
});

/** A few customers over the rows, some known already; some rows that are wrong, some that the job excludes. */
const row = fc.record({
  order: fc.integer({ min: 1, max: 12 }),
  customer: fc.integer({ min: 1, max: 4 }),
  known: fc.boolean(),
  locks: fc.constantFrom('1', '2', '1', 'x'),
  nodes: fc.constantFrom('5', '5', '5', '', 'many'),
});

/** The outcome of the requests, in turn. */
const ANSWERS: readonly (Answer | 'done')[] = [
  'done',
  'done',
  'done',
  'done',
  { body: { code: '13004', message: 'no', cause: 'why' } },
  { body: { code: 0, message: 'success' } },
  'reset',
];

it('every row counts once, in the whole run and in each step, whatever becomes of it', async () => {
  let stories = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(row, { minLength: 1, maxLength: 14 }),
      fc.infiniteStream(fc.integer({ min: 0, max: ANSWERS.length - 1 })),
      fc.constantFrom('onPartial: stop', 'onPartial: continue'),
      async (rows, answers, first) => {
        stories += 1;
        const done = new OnboardingPlatform();
        const orders = new Map<string, number>();
        platform.answer = (seen) => {
          const of = ANSWERS[answers.next().value as number]!;
          const { step, of: name } = stepOf(seen);
          if (step === 'order') orders.set(name, (orders.get(name) ?? 0) + 1);
          return of === 'done' ? done.answer(seen) : of;
        };
        const lines = rows.map(({ order, customer, known, locks, nodes }) =>
          [
            `S${stories}-${order}`,
            `C${stories}-${customer}`,
            known ? `ID-${customer}` : '',
            locks,
            nodes,
          ].join(','),
        );
        await fixture.file('rows.csv', onboardingRows(lines));
        const job = onboarding({
          first,
          extra: 'run: { onInvalid: skip, retries: 0, stopAfterFailures: 1000 }\n',
        });
        let end = await fixture.run(await fixture.file('job.yaml', job), {
          connection: platform.connection(),
        });
        if (end.status === 'stopped') {
          end = await resumeRun(fixture.parts(), (await fixture.ledger.runs.get(end.run))!, (it) => it);
        }
        const sum = (counts: object): number =>
          Object.values(counts).reduce((all: number, it) => all + Number(it), 0);
        expect(sum(end.counts)).toBe(rows.length);
        expect(await fixture.ledger.runs.counts(end.run)).toEqual(end.counts);
        for (const { id, rows: own } of await fixture.ledger.runs.children(end.run)) {
          expect(own).toBe(rows.length);
          expect(sum(await fixture.ledger.runs.counts(id))).toBe(rows.length);
        }
        const whole = (await fixture.ledger.runs.get(end.run))!;
        const reported = (await collect(reportRows(fixture.ledger, whole))).flat().map((it) => it.row);
        expect(reported).toEqual(rows.map((_, at) => at + 2));
        for (const times of orders.values()) expect(times).toBe(1);
      },
    ),
    { numRuns: RUNS },
  );
});
