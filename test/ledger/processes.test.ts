import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openLedger } from '../../src/ledger/open.js';
import { type Bundle, bundleForNode } from '../support/bundle.js';
import { openBatch, order, planRun, statuses } from '../support/ledger-samples.js';

let bundle: Bundle;
let folder: string;
let file: string;
let children: ChildProcess[];

beforeAll(async () => {
  bundle = await bundleForNode(join(import.meta.dirname, 'child.ts'));
});
afterAll(() => bundle.remove());

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ledger-processes-'));
  file = join(folder, 'ledger.db');
  children = [];
});
afterEach(async () => {
  await Promise.all(children.map(kill));
  await rm(folder, { recursive: true, force: true });
});

function start(...args: string[]): ChildProcess {
  const child = fork(bundle.file, args, { stdio: 'inherit' });
  children.push(child);
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

async function said(child: ChildProcess): Promise<unknown> {
  return (await once(child, 'message'))[0];
}

/** Batches that a run never begins, however late it is killed. */
const LEFT = 50;

describe('a ledger among processes', () => {
  test('of 20 simultaneous starts one wins and the others name it; a killed winner lets go', async () => {
    const runs = Array.from({ length: 20 }, (_, index) => `run-${index}`);
    const answers = await Promise.all(runs.map((run) => said(start('lock', file, run))));
    const winners = runs.filter((_, index) => answers[index] === 'won');
    expect(winners).toHaveLength(1);
    for (const [index, answer] of answers.entries()) {
      if (runs[index] !== winners[0]) expect(answer).toMatch(new RegExp(`run ${winners[0]} of job job`));
    }
    const winner = children[runs.indexOf(winners[0] ?? '')];
    if (winner) await kill(winner);
    expect(await said(start('lock', file, 'later'))).toBe('won');
  });

  test('a suspended process keeps its lock: no process can take its run over', async () => {
    const ledger = await openLedger(file);
    const child = start('plan', file, 'r1');
    await said(child);
    child.kill('SIGSTOP');
    expect(await ledger.lock('new-buy', 'sandbox', 'r1')).toMatchObject({
      kind: 'held',
      holder: { run: 'r1' },
    });
    child.send('go on');
    child.kill('SIGCONT');
    expect(await said(child)).toBe('written, written, written');
    await kill(child);
    expect((await ledger.lock('new-buy', 'sandbox', 'r1')).kind).toBe('taken');
    await ledger.close();
  });

  test('intents that were committed before a kill are there afterwards', async () => {
    const batches = 300;
    const ledger = await openLedger(file);
    await planRun(
      ledger,
      'r1',
      Array.from({ length: batches }, (_, index) => order(index + 2, { key: `k${index}` })),
    );
    await ledger.close();

    const child = start('crash', file, 'r1', String(batches));
    const committed = new Set<number>();
    child.on('message', (batch) => committed.add(batch as number));
    await said(child);
    await kill(child);

    const after = await openLedger(file);
    const open = (await statuses(after, 'r1')).split(', ').filter((it) => it.endsWith('unknown'));
    const openBatches = new Set(open.map((it) => Number.parseInt(it, 10) - 1));
    expect(committed.size).toBeGreaterThan(0);
    expect([...committed].filter((batch) => !openBatches.has(batch))).toEqual([]);
    expect(await after.execution.recover('r1', false, { status: 'unknown' })).toBe(openBatches.size);
    await after.close();
  });

  /** A run killed after so many of its batches were begun, and before the last ones; gives those that it reported. */
  async function killedWhileSending(batches: number, begun: number) {
    const ledger = await openLedger(file);
    const items = Array.from({ length: batches }, (_, index) => order(index + 2, { key: `k${index}` }));
    await planRun(ledger, 'r1', items);
    await planRun(ledger, 'r2', items);
    await ledger.close();
    const child = start('send', file, 'r1', String(batches - LEFT));
    const heardAll = once(child, 'disconnect');
    const reported = { begun: new Set<number>(), done: new Set<number>() };
    await new Promise<void>((resolve) => {
      child.on('message', (it: number) => {
        (it > 0 ? reported.begun : reported.done).add(Math.abs(it));
        if (reported.begun.size >= begun) resolve();
      });
    });
    await kill(child);
    await heardAll;
    return reported;
  }

  test.each([3, 40, 700])(
    'a run killed after %i intents: what was done is folded, what was begun is open, the rest is free',
    async (begun) => {
      const batches = 1200;
      const reported = await killedWhileSending(batches, begun);
      const after = await openLedger(file);
      const standing = (await statuses(after, 'r1')).split(', ').map((it) => it.split(' ')[1]);
      const of = (status: string) => standing.flatMap((it, index) => (it === status ? [index + 1] : []));
      expect([...reported.done].filter((batch) => standing[batch - 1] !== 'succeeded')).toEqual([]);
      expect([...reported.begun].filter((batch) => standing[batch - 1] === 'not_sent')).toEqual([]);
      expect(of('unknown').length).toBeLessThanOrEqual(4);
      expect((await after.runs.get('r1'))?.requests).toBe(of('unknown').length + of('succeeded').length);
      // Its claims died with it; what it began holds its key.
      const free = of('not_sent')[0] ?? 0;
      expect(await openBatch(after, 'r2', free)).toEqual({ withheld: [] });
      const [held] = [...of('unknown'), ...of('succeeded')];
      expect((await openBatch(after, 'r2', held ?? 0)).withheld).toHaveLength(1);
      expect(await after.execution.recover('r1', false, { status: 'unknown' })).toBe(of('unknown').length);
      await after.close();
    },
  );

  test('processes that fold at the same moment fold once', async () => {
    const reported = await killedWhileSending(300, 250);
    const readers = Array.from({ length: 4 }, () => start('read', file, 'r1'));
    await Promise.all(readers.map(said));
    const answers = await Promise.all(
      readers.map((it) => {
        const answer = said(it);
        it.send('now');
        return answer;
      }),
    );
    expect(new Set(answers).size).toBe(1);
    const [requests] = String(answers[0]).split(' ');
    expect(Number(requests)).toBeGreaterThanOrEqual(reported.begun.size);
    expect(Number(requests)).toBeLessThanOrEqual(reported.begun.size + 4);
  });
});
