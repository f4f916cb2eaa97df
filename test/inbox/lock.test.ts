import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { lockFile, lockJob } from '../../src/inbox/open-inbox.js';
import { openLedger } from '../../src/ledger/open.js';
import { onPlatform } from '../../src/ledger/rules/scopes.js';
import { ordersDone } from '../support/fake-platform.js';
import { orderJob, orderRows } from '../support/orders.js';
import { InboxFixture } from './inbox-fixture.js';

let here: InboxFixture;

beforeEach(async () => {
  here = await InboxFixture.open();
});

afterEach(async () => {
  await here.close();
});

describe('files that another process works on', () => {
  it('are left to the other job that has them, each by itself', async () => {
    await here.drop('a.csv', orderRows(1, 1));
    await here.drop('b.csv', orderRows(1, 2));
    const other = await openLedger(here.fixture.ledger.address);
    const lock = await lockFile(other, here.at('a.csv'));
    expect(lock).not.toHaveProperty('busy');
    const end = await here.run();
    expect(end.left).toMatchObject([
      { file: here.at('a.csv'), reason: { code: 'inbox.carried', params: { process: `${process.pid}` } } },
    ]);
    expect(end.exitCode).toBe(0);
    expect(here.sent()).toEqual(['SO-2']);
    if ('release' in lock) await lock.release();
    expect((await here.run()).runs).toHaveLength(1);
    await other.close();
  });

  it('are all left while another process works through the folder for the same job', async () => {
    await here.drop('a.csv', orderRows(1));
    const lock = await lockJob(here.fixture.ledger, 'orders', onPlatform(here.platform.connection()));
    expect((await here.run()).left.map((it) => it.reason.code)).toEqual(['inbox.carried']);
    const renamed = here.platform.connection({ name: 'other' });
    expect((await here.run({ wish: { connection: renamed } })).runs).toHaveLength(0);
    const elsewhere = await here.run({ wish: { connection: { ...renamed, platform: 'other' } } });
    expect(elsewhere.runs).toHaveLength(1);
    if ('release' in lock) await lock.release();
  });

  it('are all left while a run of the same job continues, named in the reason', async () => {
    await here.fixture.file('jobs/orders.csv', orderRows(1, 7));
    await here.fixture.file('jobs/one.yaml', orderJob());
    await here.drop('a.csv', orderRows(1, 1));
    await here.drop('b.csv', orderRows(1, 2));
    let meanwhile: Awaited<ReturnType<InboxFixture['run']>> | undefined;
    here.platform.answer = async (seen) => {
      meanwhile ??= await here.run();
      return ordersDone(seen);
    };
    const single = await here.fixture.run(`${here.fixture.folder}/jobs/one.yaml`, {
      connection: here.platform.connection(),
    });
    expect(meanwhile?.left).toMatchObject(
      ['a.csv', 'b.csv'].map((name) => ({
        file: here.at(name),
        reason: { code: 'ledger.run_going_on', params: { run: single.run } },
      })),
    );
    expect((await here.run()).runs).toHaveLength(2);
  });
});
