import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Answer, FakePlatform, ordersDone, type Seen } from '../support/fake-platform.js';
import { Fixture } from '../support/job-runs.js';
import { LEDGER_MAKER } from '../support/ledgers.js';
import { orderJob, orderRows } from '../support/orders.js';

/** What the platform executed, as a reply that refuses it. */
function doneAs(seen: Seen, code: unknown, status = 200): Answer {
  const { body } = ordersDone(seen) as { body: object };
  return { status, body: { ...body, code } };
}

function doneAlone(seen: Seen, code: unknown): Answer {
  const { body } = ordersDone(seen) as { body: { data: readonly object[] } };
  return { body: { ...body, code, data: body.data[0] } };
}

const CASES: readonly [string, (seen: Seen) => Answer][] = [
  ...[400, 401, 403, 404, 409, 422, 429].map((status): [string, (seen: Seen) => Answer] => [
    `HTTP ${status} with code 0`,
    (seen) => doneAs(seen, 0, status),
  ]),
  ['HTTP 429 with code 0 and no data', () => ({ status: 429, body: { code: 0, message: 'success' } })],
  ['code 500 with an id for the sequence', (seen) => doneAs(seen, '500')],
  ['another code with an id for the sequence', (seen) => doneAs(seen, '20001')],
  ['HTTP 299 with an id for the sequence', (seen) => doneAs(seen, '20001', 299)],
  ['code 20001 with the order itself as data', (seen) => doneAlone(seen, '20001')],
  ['code "0000" and no data', () => ({ body: { code: '0000', message: 'success' } })],
  ...[401, 403, 404, 429].map((status): [string, (seen: Seen) => Answer] => [
    `HTTP ${status} with code 0, cut off`,
    (seen) => {
      const { body } = doneAs(seen, 0) as { body: object };
      return { status, text: JSON.stringify(body).slice(0, -9) };
    },
  ]),
  [
    'the code twice',
    (seen) => {
      const { body } = doneAs(seen, '500') as { body: object };
      return { text: JSON.stringify(body).replace('{', '{"code":0,') };
    },
  ],
];

describe('a refusal that proves success', () => {
  let fixture: Fixture;
  let platform: FakePlatform;

  beforeEach(async () => {
    fixture = await Fixture.open(LEDGER_MAKER);
    platform = await new FakePlatform(ordersDone).start();
  });

  afterEach(async () => {
    await platform.stop();
    await fixture.close();
  });

  it.each(CASES)('%s: the order is unknown, and never sent again', async (_, answer) => {
    platform.answer = answer;
    await fixture.file('orders.csv', orderRows(1));
    const job = await fixture.file('job.yaml', orderJob());
    const end = await fixture.run(job, { connection: platform.connection() });
    expect(end).toMatchObject({ exitCode: 6, counts: { unknown: 1 } });
    expect(platform.seen).toHaveLength(1);
    platform.answer = ordersDone;
    expect((await fixture.run(job, { connection: platform.connection() })).counts).toEqual({ skipped: 1 });
    expect(platform.seen).toHaveLength(1);
  });
});
