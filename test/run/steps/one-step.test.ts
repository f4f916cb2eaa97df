import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FakePlatform } from '../../support/fake-platform.js';
import { Fixture } from '../../support/job-runs.js';
import { OnboardingPlatform, onboarding, onboardingRows } from '../../support/onboarding.js';

let fixture: Fixture;

const ROWS = onboardingRows([
  'SO-1,C1,ID-1,2,5',
  'SO-2,C2,ID-2,1,6',
  'SO-2,C2,ID-2,1,7',
  'SO-3,C3,ID-3,3,5',
  ',,,,',
]);

/** The last step of the job, with columns in place of what it takes from the others. */
const STEP = onboarding()
  .split('\n')
  .slice(onboarding().split('\n').indexOf('  - name: order'))
  .join('\n')
  .replace('{ from: customer.customerId, else: Customer ID }', 'Customer ID')
  .replace('{ from: numbers.assetNumber }', 'Locks');

const HEAD = 'version: 1\nname: orders\nsource: { file: rows.csv }\n';

const STEPS = `${HEAD}steps:\n${STEP}`;
const PLAIN = HEAD + STEP.replace('  - name: order\n', '').replace(/^ {4}/gm, '');

let platform: FakePlatform;

beforeEach(async () => {
  fixture = await Fixture.open();
  const done = new OnboardingPlatform();
  platform = await new FakePlatform((seen) => done.answer(seen)).start();
});

afterEach(async () => {
  await platform.stop();
  await fixture.close();
});

/** Runs a job over the rows. Gives its end and what the platform got: paths and bodies, without the nonces. */
async function run(fixture: Fixture, job: string) {
  const from = platform.seen.length;
  await fixture.file('rows.csv', ROWS);
  const end = await fixture.run(await fixture.file('job.yaml', job), { connection: platform.connection() });
  const sent = platform.seen
    .slice(from)
    .map(({ path, body: { g_nonce: _, ...body } }) => ({ path: path.replace(/g_nonce=[^&]*/, ''), body }))
    .sort((one, two) => String(one.body.channelOrderId).localeCompare(String(two.body.channelOrderId)));
  return { end, sent };
}

describe('a job of one step', () => {
  it('sends the requests of the same job without steps', async () => {
    const plain = await run(fixture, PLAIN);
    expect(plain.sent).toHaveLength(3);
    const other = await Fixture.open();
    try {
      expect((await run(other, STEPS)).sent).toEqual(plain.sent);
    } finally {
      await other.close();
    }
  });

  it('knows what that job sent successfully', async () => {
    await run(fixture, PLAIN);
    const again = await run(fixture, STEPS);
    expect(again.sent).toEqual([]);
    expect(again.end).toMatchObject({ exitCode: 0, counts: { skipped: again.end.rows } });
  });
});
