import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { render } from '../../src/errors/message.js';
import type { Connection } from '../../src/model/connection.js';
import { type Answer, FakePlatform, ordersDone, type Seen } from '../support/fake-platform.js';
import { Fixture } from '../support/job-runs.js';
import { LEDGER_MAKER } from '../support/ledgers.js';
import { orderJob, orderRows } from '../support/orders.js';

const REFUSED: Answer = { status: 401, body: { code: 401, message: 'expired' } };
const ORDERS = 12;

describe('a token that the platform refuses during a run', () => {
  let fixture: Fixture;
  let platform: FakePlatform;
  let calls: string;
  let executed: Seen[];
  /** What the platform answers at first, after so many orders, until the token is fetched again. */
  let expired: { readonly after: number; readonly answer: Answer };

  beforeEach(async () => {
    fixture = await Fixture.open(LEDGER_MAKER);
    calls = path.join(fixture.folder, 'calls');
    writeFileSync(calls, '');
    executed = [];
    expired = { after: 5, answer: REFUSED };
    platform = await new FakePlatform((seen) => {
      if (executed.length >= expired.after && called() < 2) return expired.answer;
      executed.push(seen);
      return ordersDone(seen);
    }).start();
  });

  afterEach(async () => {
    await platform.stop();
    await fixture.close();
  });

  const called = (): number => readFileSync(calls, 'utf8').length;

  /** A command that knows in `n` how often it was called. */
  function command(script = 'console.log("token-" + n)'): Connection {
    const counting = `const fs = require("fs"); const file = ${JSON.stringify(calls)};
      fs.appendFileSync(file, "x"); const n = fs.readFileSync(file).length; ${script}`;
    return { ...platform.connection(), token: { kind: 'command', argv: [process.execPath, '-e', counting] } };
  }

  async function run(connection: Connection) {
    await fixture.file('orders.csv', orderRows(ORDERS));
    const job = orderJob({ extra: 'run: { concurrency: 4, retries: 0 }\n' });
    return fixture.run(await fixture.file('job.yaml', job), { connection });
  }

  it('is fetched once more for all requests, and each order is sent once', async () => {
    const end = await run(command());
    expect(end).toMatchObject({ exitCode: 0, counts: { succeeded: ORDERS }, retries: 0 });
    expect(called()).toBe(2);
    expect(new Set(executed.map((it) => it.body.channelOrderId)).size).toBe(ORDERS);
    expect(executed).toHaveLength(ORDERS);
    const { seen } = platform;
    expect(new Set(seen.map((it) => it.nonce)).size).toBe(seen.length);
    expect(seen[0]!.authorization).toBe('Bearer token-1');
    expect(seen.at(-1)!.authorization).toBe('Bearer token-2');
  });

  it.each([
    ['the same', 'console.log("token-1")', 'did not accept the token'],
    [
      'none',
      'if (n > 1) { console.error("log in first"); process.exit(7); } console.log("token-1")',
      '(7: log in first)',
    ],
  ])('stops the run when the command gives %s', async (_what, script, text) => {
    expired = { after: 5, answer: REFUSED };
    const { answer } = platform;
    platform.answer = (seen, count) => (executed.length >= 5 ? REFUSED : answer(seen, count));
    const end = await run(command(script));
    expect(end).toMatchObject({ status: 'stopped', exitCode: 4, counts: { succeeded: 5, not_sent: 7 } });
    expect(render(end.reason!)).toContain(text);
    expect(render(end.reason!)).toContain(`license-sync resume ${end.run}`);
    expect(called()).toBe(2);
  });

  it('stops the run when the other one is refused, too', async () => {
    platform.answer = () => REFUSED;
    const end = await run(command());
    expect(end).toMatchObject({ status: 'stopped', exitCode: 4, counts: { not_sent: ORDERS } });
    expect(called()).toBe(2);
  });

  it('is not fetched again where the refusal proves that the order was executed', async () => {
    expired = { after: 5, answer: { status: 401, body: { code: 0, message: 'success', data: [] } } };
    const end = await run(command());
    expect(end).toMatchObject({ status: 'stopped', exitCode: 6 });
    expect(end.counts.unknown).toBeGreaterThan(0);
    expect(called()).toBe(1);
    const numbers = platform.seen.map((it) => it.body.channelOrderId);
    expect(new Set(numbers).size).toBe(numbers.length);
  });
});
