import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { arrived, carried } from '../../src/errors/carried-error.js';
import { message } from '../../src/errors/message.js';
import { ProductError } from '../../src/errors/product-error.js';
import type { Ledger } from '../../src/ledger/contract.js';
import { openLedger } from '../../src/ledger/open.js';
import type { Asked } from '../../src/ledger/thread/calls.js';
import { RemoteLedger } from '../../src/ledger/thread/remote.js';
import { behindPort } from '../contract/ledger-makers.js';
import { columnsOf, order, runStart } from '../contract/ledger-samples.js';

let folder: string;
let local: Ledger;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ledger-thread-'));
  local = await openLedger(join(folder, 'ledger.db'));
});

afterEach(async () => {
  await local.close();
  await rm(folder, { recursive: true, force: true });
});

describe('errors on their way', () => {
  test('arrive as what they were, causes included', () => {
    const others = [message('ledger.already_sent', { run: 'r2' })];
    const cause = new Error('disk on fire');
    const sent = new ProductError('usage', message('ledger.already_sent', { run: 'r1' }), { others, cause });
    const error = arrived(structuredClone(carried(sent)));
    expect(error).toBeInstanceOf(ProductError);
    expect(error).toMatchObject({ kind: 'usage', detail: sent.detail, others, message: sent.message });
    expect(error.cause).toMatchObject({ message: 'disk on fire' });
    expect(error.stack).toBe(sent.stack);
  });

  test('an ordinary error stays one', () => {
    const error = arrived(structuredClone(carried(new TypeError('no such thing'))));
    expect(error).not.toBeInstanceOf(ProductError);
    expect(error.message).toBe('no such thing');
  });
});

describe('a ledger behind a port', () => {
  test('refuses a second run with the same words', async () => {
    const remote = behindPort(local);
    const lock = await remote.lock('job', 'sandbox', 'r1');
    await expect(remote.lock('job', 'sandbox', 'r2')).rejects.toMatchObject({
      kind: 'usage',
      detail: { code: 'ledger.run_going_on', params: { run: 'r1' } },
    });
    await lock.release();
    await (await remote.lock('job', 'sandbox', 'r2')).release();
    await remote.close();
  });

  test('lists in portions, and may be left in the middle of a list', async () => {
    const remote = behindPort(local);
    await remote.runs.create(runStart('r1'));
    const rows = Array.from({ length: 1700 }, (_, index) => index + 2);
    await remote.plan.addItems('r1', columnsOf(rows.map((row) => order(row))));
    const all: number[] = [];
    for await (const { item } of remote.plan.bodies('r1')) all.push(item);
    expect(all).toEqual(rows.map((row) => row - 1));
    for await (const { item } of remote.plan.bodies('r1')) if (item === 3) break;
    expect((await remote.runs.get('r1'))?.state).toBe('planning');
    await remote.close();
  });

  test('an error in the middle of a list reaches whoever reads it', async () => {
    const failing = Object.create(local, {
      plan: {
        value: {
          async *bodies() {
            yield { item: 1, body: {} };
            throw new ProductError('internal', message('ledger.already_sent', { run: 'r1' }));
          },
        },
      },
    }) as Ledger;
    const remote = behindPort(failing);
    const read = async (): Promise<void> => {
      for await (const _ of remote.plan.bodies('r1'));
    };
    await expect(read()).rejects.toMatchObject({ kind: 'internal', detail: { code: 'ledger.already_sent' } });
  });

  test('what is asked in one go is one message, in order', async () => {
    const posted: Asked[][] = [];
    const remote = new RemoteLedger(
      'here',
      { postMessage: (it) => posted.push(it as Asked[]) },
      async () => {},
    );
    const asked = [remote.runs.get('r1'), Promise.resolve().then(() => remote.runs.get('r2'))];
    await new Promise((resolve) => setImmediate(resolve));
    expect(posted.map((it) => it.map(({ call }) => (call.do === 'call' ? call.args[0] : call.do)))).toEqual([
      ['r1', 'r2'],
    ]);
    remote.lost(new Error('gone'));
    await expect(Promise.all(asked)).rejects.toThrow('gone');
    await expect(asked[1]).rejects.toThrow('gone');
  });

  test('what waits and what comes later fails when the thread is gone', async () => {
    const remote = new RemoteLedger('here', { postMessage: () => {} }, async () => {});
    const waiting = remote.runs.get('r1');
    remote.lost(new Error('gone'));
    await expect(waiting).rejects.toThrow('gone');
    await expect(remote.execution.remaining('r1')).rejects.toThrow('gone');
  });
});
