import { afterEach, beforeEach, expect, it } from 'vitest';
import { message, render } from '../../src/errors/message.js';
import { ProductError } from '../../src/errors/product-error.js';
import { ledgerFailure } from '../../src/ledger/sqlite/failures.js';
import { FakePlatform, ordersDone } from '../support/fake-platform.js';
import { instead } from '../support/instead.js';
import { Fixture } from '../support/job-runs.js';
import { orderJob, orderRows } from '../support/orders.js';

let fixture: Fixture;
let platform: FakePlatform;

beforeEach(async () => {
  fixture = await Fixture.open();
  platform = await new FakePlatform(ordersDone).start();
});

afterEach(async () => {
  await platform.stop();
  await fixture.close();
});

/** As SQLite reports it: its result code is 5 (busy) or 10 (input/output error). */
const sqlite = (errcode: number) => Object.assign(new Error('SQLite'), { errcode });
const server = (code: 'ledger.server_gone' | 'ledger.lost_commit' | 'ledger.server_write_failed') =>
  new ProductError('internal', message(code, { location: 'l', reason: 'r' }));

it.each([
  ['locked by another program', ledgerFailure(sqlite(5), 'l', 'write')],
  ['that cannot be written', ledgerFailure(sqlite(10), 'l', 'write')],
  ['whose server is gone', server('ledger.server_gone')],
  ['whose commit got no reply', server('ledger.lost_commit')],
  ['whose server takes no writes', server('ledger.server_write_failed')],
])('a ledger %s during a run names the run to resume', async (_what, failure) => {
  await fixture.file('orders.csv', orderRows(3));
  const job = await fixture.file('job.yaml', orderJob());
  const { ledger } = fixture;
  const failing = instead(ledger, {
    execution: instead(ledger.execution, { close: () => Promise.reject(failure) }),
  });
  const end = await fixture
    .run(job, { connection: platform.connection(), parts: { ledger: failing } })
    .catch((error: unknown) => error);
  const [run] = await ledger.runs.list(1);
  expect(end).toBeInstanceOf(ProductError);
  const { detail, exitCode } = end as ProductError;
  expect(exitCode).toBe(5);
  for (const language of ['en', 'zh'] as const) {
    const text = render(detail, language);
    expect(text).toContain(`license-sync resume ${run!.id}`);
    expect(text).toContain(render(failure.detail, language));
  }
});
