import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { resolutionData } from '../../../src/app/runs.js';
import { resolutionText } from '../../../src/cli/commands/runs.js';
import { type Message, message } from '../../../src/errors/message.js';
import type { Ledger } from '../../../src/ledger/contract/ledger.js';
import { openLedger } from '../../../src/ledger/open.js';
import { licenseSync } from '../../support/command.js';
import { closeBatch, order, planRun, SUCCEEDED } from '../../support/ledger-samples.js';
import { type PostgresPlace, postgresPlace } from '../../support/postgres/shared-server.js';

const LOST = { status: 'unknown', message: message('run.died') } as const;
const FAILED = { status: 'failed' } as const;
const REJECTED = { status: 'rejected' } as const;

let place: PostgresPlace;
let ledger: Ledger;

beforeEach(async () => {
  place = await postgresPlace();
  ledger = await openLedger(place.url);
});

afterEach(async () => {
  await ledger.close();
  await place.remove();
});

/** A run of one order, by its key. */
function planOne(run: string): Promise<void> {
  return planRun(ledger, run, [order(2, { key: 'K' })]);
}

function begin(run: string, attempt = 1, releasedRun?: string) {
  const intent = { run, batch: 1, attempt, nonce: `${run}-${attempt}`, startedAt: attempt };
  return ledger.execution.open(intent, { claim: true, ...(releasedRun ? { releasedRun } : {}) });
}

describe('a reply that comes after its attempt was given up', () => {
  test('resolves what that left unknown, once', async () => {
    await planOne('r1');
    await begin('r1');
    await ledger.execution.recover('r1', false, LOST);
    const late = () => closeBatch(ledger, 'r1', 1, { 1: SUCCEEDED }, { nonce: 'r1-1' });
    expect(await late()).toEqual({ kind: 'late', settled: 1 });
    expect(await late()).toEqual({ kind: 'ended' });
    expect(await ledger.execution.itemCounts('r1')).toEqual({ succeeded: 1 });
    expect(await ledger.resolutions.list('r1')).toMatchObject([
      { how: 'late_reply', from: 'unknown', to: 'succeeded' },
    ]);
    expect(await ledger.audit.page({ limit: 2 })).toMatchObject([
      { act: 'late_reply', run: 'r1', detail: { settled: 1 } },
    ]);
  });

  test('is reported as a late reply, not as a person’s or a question to the platform', async () => {
    await planOne('r1');
    await begin('r1');
    await ledger.execution.recover('r1', false, LOST);
    await closeBatch(ledger, 'r1', 1, { 1: SUCCEEDED }, { nonce: 'r1-1' });
    const [late] = await ledger.resolutions.list('r1');
    expect(resolutionText(late!, 'en', 'Asia/Shanghai')).toMatch(
      /late reply .*unknown to succeeded;.* arrived after its request/,
    );
    expect(resolutionText(late!, 'en', 'Asia/Shanghai')).not.toMatch(/settled|asked/);
    expect(resolutionText(late!, 'zh', 'Asia/Shanghai')).toContain('迟到的响应');
    const data = resolutionData(late!, 'en');
    expect(data).toMatchObject({ how: 'late_reply', evidence: expect.stringContaining('arrived after') });
    const { code, stdout } = await licenseSync(['runs', 'show', 'r1', '--ledger', place.url], {
      cwd: tmpdir(),
    });
    expect({ code, stdout }).toMatchObject({ code: 0 });
    expect(stdout).toMatch(/^late replies +1 item: succeeded 1$/m);
    expect(stdout).not.toMatch(/^resolved/m);
  });

  test('of an attempt that did nothing reports nothing where one before it may have had an effect', async () => {
    await planOne('r1');
    await begin('r1');
    await closeBatch(ledger, 'r1', 1, {}, { nonce: 'r1-1' });
    await begin('r1', 2);
    await ledger.execution.recover('r1', false, LOST);
    const unsent = { attempt: 2, nonce: 'r1-2', event: 'refused', sent: false };
    await closeBatch(ledger, 'r1', 1, {}, unsent);
    expect(await ledger.execution.itemCounts('r1')).toEqual({ unknown: 1 });
    // No other process may send it.
    await planOne('r2');
    expect((await begin('r2')).withheld).toMatchObject([{ holder: { run: 'r1', status: 'unknown' } }]);
  });

  test('releases its key permanently, also where a retry has taken that over', async () => {
    await planOne('r1');
    await begin('r1');
    await ledger.execution.recover('r1', false, LOST);
    await planOne('r2');
    await begin('r2', 1, 'r1');
    await closeBatch(ledger, 'r1', 1, { 1: REJECTED }, { nonce: 'r1-1' });
    await closeBatch(ledger, 'r2', 1, { 1: FAILED }, { nonce: 'r2-1' });
    await planOne('r3');
    expect(await begin('r3')).toEqual({ withheld: [] });
  });
});

describe('a reply whose attempt the server has lost', () => {
  const REPLIED = { nonce: 'r1-1', httpStatus: 200, reply: '{}' };

  test('is in the ledger still, and its order is not sent again', async () => {
    await planOne('r1');
    await begin('r1');
    for (const table of ['attempts', 'item_keys', 'run_sums']) await place.ask(`DELETE FROM ${table}`);
    await closeBatch(ledger, 'r1', 1, { 1: SUCCEEDED }, REPLIED);
    expect(await ledger.execution.itemCounts('r1')).toEqual({ succeeded: 1 });
    expect(await ledger.execution.pending('r1', 0, 9)).toEqual([]);
    expect((await ledger.runs.get('r1'))?.requests).toBe(1);
    await planOne('r2');
    expect((await begin('r2')).withheld).toMatchObject([{ holder: { run: 'r1', status: 'succeeded' } }]);
  });

  test('of which nothing left is refused', async () => {
    await planOne('r1');
    const unsent = { nonce: 'r1-1', event: 'withdrawn', sent: false };
    await expect(closeBatch(ledger, 'r1', 1, {}, unsent)).rejects.toMatchObject({
      code: 'ledger.attempt_not_open',
    });
  });

  test('is kept next to the job where another attempt has its place, and reported by each command', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'refused-'));
    const jobFile = path.join(folder, 'job.yaml');
    try {
      await planRun(ledger, 'r1', [order(2, { key: 'K' })], { jobFile });
      await begin('r1');
      await place.ask(`UPDATE attempts SET nonce = 'another'`);
      await expect(closeBatch(ledger, 'r1', 1, { 1: SUCCEEDED }, REPLIED)).rejects.toMatchObject({
        code: 'spool.refused',
        exitCode: 5,
      });
      for (let time = 0; time < 2; time += 1) {
        const notes: Message[] = [];
        await ledger.close();
        ledger = await openLedger(place.url, { note: (it) => notes.push(it) });
        expect(notes).toMatchObject([{ code: 'spool.not_taken_in' }]);
        expect(await readdir(folder)).toHaveLength(1);
      }
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
