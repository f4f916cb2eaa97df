import { expect, test } from 'vitest';
import { takeLock } from '../../src/ledger/take-lock.js';
import { describeLedger } from '../support/ledgers.js';

describeLedger('the lock of a job and platform', (here) => {
  test('a process that is too late learns who holds it; that is no error', async () => {
    const first = await here.ledger.lock('job', 'sandbox', 'r1');
    expect(first.kind).toBe('taken');
    const other = await here.another();
    expect(await other.lock('job', 'sandbox', 'r2')).toMatchObject({
      kind: 'held',
      holder: { run: 'r1', process: process.pid },
    });
    if (first.kind === 'taken') await first.lock.release();
    expect((await other.lock('job', 'sandbox', 'r2')).kind).toBe('taken');
  });

  test('a second one is refused, in the same process too, naming the run', async () => {
    const lock = await takeLock(here.ledger, 'job', 'sandbox', 'r1');
    for (let time = 0; time < 2; time += 1) {
      await expect(takeLock(here.ledger, 'job', 'sandbox', 'r2')).rejects.toMatchObject({
        kind: 'usage',
        detail: { code: 'ledger.run_going_on', params: { run: 'r1', job: 'job', platform: 'sandbox' } },
      });
    }
    await lock.release();
    await (await takeLock(here.ledger, 'job', 'sandbox', 'r2')).release();
  });

  test('of several that ask at once one has it, whichever process they are of', async () => {
    const other = await here.another();
    const asked = [here.ledger, here.ledger, other, here.ledger, other].map((it, at) =>
      it.lock('job', 'sandbox', `r${at}`),
    );
    const kinds = (await Promise.all(asked)).map((it) => it.kind);
    expect(kinds.filter((it) => it === 'taken')).toHaveLength(1);
  });

  test('other jobs and other connections continue next to it', async () => {
    const locks = [
      await takeLock(here.ledger, 'job', 'sandbox', 'r1'),
      await takeLock(here.ledger, 'job', 'production', 'r2'),
      await takeLock(here.ledger, '../job/..', 'sandbox', 'r3'),
    ];
    for (const lock of locks) await lock.release();
  });

  test('releasing twice does not let go of a later one', async () => {
    const first = await takeLock(here.ledger, 'job', 'sandbox', 'r1');
    await first.release();
    const second = await takeLock(here.ledger, 'job', 'sandbox', 'r2');
    await first.release();
    await expect(takeLock(here.ledger, 'job', 'sandbox', 'r3')).rejects.toMatchObject({
      detail: { params: { run: 'r2' } },
    });
    await second.release();
  });

  test('its holder is reported while it is held, and no other after', async () => {
    expect(await here.ledger.holder('job', 'sandbox')).toBeUndefined();
    const lock = await takeLock(here.ledger, 'job', 'sandbox', 'r1');
    expect(await here.ledger.holder('job', 'sandbox')).toMatchObject({ run: 'r1', process: process.pid });
    expect(await here.ledger.holder('job', 'production')).toBeUndefined();
    await lock.release();
    expect(await here.ledger.holder('job', 'sandbox')).toBeUndefined();
  });
});
