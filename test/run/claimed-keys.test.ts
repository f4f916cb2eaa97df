import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { resolveRows } from '../../src/run/resolve/resolve-run.js';
import type { RunEnd } from '../../src/run/run-end.js';
import { StopSignal } from '../../src/util/stop-signal.js';
import { FakePlatform, ordersDone } from '../support/fake-platform.js';
import { Fixture } from '../support/job-runs.js';
import { LEDGER_MAKERS } from '../support/ledgers.js';
import { orderJob, orderRows } from '../support/orders.js';

let fixture: Fixture;
let platform: FakePlatform;

const sent = (): unknown[] => platform.seen.map((it) => it.body.channelOrderId);

/** Runs a job of its own over some orders, one at a time. */
async function run(
  name: string,
  orders: readonly number[],
  options: Parameters<Fixture['run']>[1] = {},
): Promise<RunEnd> {
  const [head = ''] = orderRows(1).split('\n');
  const lines = orders.map((it) => orderRows(1, it).split('\n')[1]);
  await fixture.file(`${name}.csv`, [head, ...lines, ''].join('\n'));
  const job = orderJob({ extra: 'run: { concurrency: 1 }\n' })
    .replace('name: orders', `name: ${name}`)
    .replace('orders.csv', `${name}.csv`);
  const file = await fixture.file(`${name}.yaml`, job);
  return fixture.run(file, { connection: platform.connection(), ...options });
}

/** The platform holds the first order until the test lets it reply. */
function heldUp(): { readonly atWork: Promise<void>; readonly goOn: () => void } {
  let begin = (): void => {};
  let goOn = (): void => {};
  const atWork = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const waited = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  platform.answer = async (seen) => {
    if (seen.body.channelOrderId === 'SO-1') {
      begin();
      await waited;
    }
    return ordersDone(seen);
  };
  return { atWork, goOn };
}

describe.each(LEDGER_MAKERS)('runs that claim an order ($name)', (maker) => {
  beforeEach(async () => {
    fixture = await Fixture.open(maker);
    platform = await new FakePlatform(ordersDone).start();
  });

  afterEach(async () => {
    await platform.stop();
    await fixture.close();
  });

  it('an order that a person says succeeded is not sent by a run that was about to', async () => {
    platform.answer = () => 'reset';
    const { run: first } = await run('one', [5], { set: ['run.retries=0'] });
    const found = await fixture.ledger.runs.get(first);
    const services = { ...fixture.parts(), who: 'me@desk' };
    if (!found) throw new Error('the run is not in the ledger');
    await resolveRows(services, found, [{ row: 2, as: 'failed' }]);
    platform.seen.length = 0;
    const { atWork, goOn } = heldUp();
    const two = run('two', [1, 5]);
    await atWork;
    await resolveRows(services, found, [{ row: 2, as: 'succeeded', licenseOrderId: 'LO-9' }]);
    goOn();
    expect((await two).counts).toEqual({ succeeded: 1, skipped: 1 });
    expect(sent()).toEqual(['SO-1']);
  });

  it('an order that another run only means to send is sent, and is not said to be unknown', async () => {
    const { atWork, goOn } = heldUp();
    const stop = new StopSignal();
    const one = run('one', [1, 5], { parts: { stop } });
    await atWork;
    const two = await run('two', [5]);
    expect(two.counts).toEqual({ succeeded: 1 });
    stop.stop({ kind: 'interrupted' });
    goOn();
    expect((await one).counts).toEqual({ succeeded: 1, not_sent: 1 });
    expect(sent()).toEqual(['SO-1', 'SO-5']);
  });

  it('the rest of a canary blocks no other run while a person is asked for it', async () => {
    let two: RunEnd | undefined;
    const confirm = async (): Promise<boolean> => {
      two = await run('two', [4]);
      return true;
    };
    const one = await run('one', [1, 2, 3, 4], { canary: 1, parts: { confirm } });
    expect(two?.counts).toEqual({ succeeded: 1 });
    expect(one.counts).toEqual({ succeeded: 3, skipped: 1 });
    expect(sent()).toEqual(['SO-1', 'SO-4', 'SO-2', 'SO-3']);
  });

  it('claims that cannot be given back do not hide what ended the run, nor how long it took', async () => {
    const { execution, runs } = fixture.ledger;
    const patched = vi.spyOn(runs, 'patch');
    vi.spyOn(execution, 'close').mockRejectedValue(new Error('the disk is gone'));
    vi.spyOn(execution, 'release').mockRejectedValue(new Error('gone, too'));
    const end = await run('one', [1, 5]).catch((error: unknown) => error);
    expect(JSON.stringify(end instanceof Error ? end.message : end)).toContain('the disk is gone');
    expect(patched.mock.calls.some(([, it]) => it.addExecuteMs !== undefined)).toBe(true);
  });
});
