import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Answer, FakePlatform, type Seen } from '../support/fake-platform.js';
import { Fixture } from '../support/job-runs.js';
import { readSheet } from '../support/read-sheet.js';

const LOCKS = `version: 1
name: locks
operation: asset.lock
source: { file: locks.csv }
map: { assetNums: Lock, operatorIdentity: { value: ops } }
run: { retries: 1, timeout: 2s }
`;

let fixture: Fixture;
let platform: FakePlatform;

beforeEach(async () => {
  fixture = await Fixture.open();
  platform = await new FakePlatform(() => 'unreached').start();
  await fixture.file('locks.csv', 'Lock\n8100000001\n');
});

afterEach(async () => {
  await platform.stop();
  await fixture.close();
});

/** What a row reports of a lock whose attempts went like this. */
async function said(attempts: readonly Answer[], set: readonly string[] = []) {
  let at = 0;
  platform.answer = (_: Seen): Answer => attempts[Math.min(at++, attempts.length - 1)] ?? 'reset';
  const job = await fixture.file('job.yaml', LOCKS);
  const end = await fixture.run(job, { connection: platform.connection(), set });
  return { end, line: (await readSheet(end.output ?? ''))[0] };
}

it('says "not sent" where no attempt left, with the cause', async () => {
  const { line } = await said(['unreached']);
  expect(line).toMatchObject({
    status: 'failed',
    message: expect.stringMatching(/^not sent: .*ECONNREFUSED/),
  });
});

it.each([
  ['reset', 'reset'],
  ['HTTP 503', { status: 503, body: {} }],
  ['HTTP 429', { status: 429, body: {}, headers: { 'retry-after': '0' } }],
] as const)('never reports it where an earlier attempt left: %s', async (_, first) => {
  const { line } = await said([first, 'unreached']);
  expect(line).toMatchObject({ status: 'failed', message: expect.stringContaining('ECONNREFUSED') });
  expect(line?.message).not.toMatch(/not sent/i);
});

it('names the cause for which a run stopped', async () => {
  const { end } = await said([{ status: 503, body: {} }], ['run.stopAfterFailures=1', 'run.retries=0']);
  expect(end.reason).toMatchObject({
    code: 'run.too_many_failures',
    params: { why: { code: 'platform.http_error', params: { status: 503 } } },
  });
});
