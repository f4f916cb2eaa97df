import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openLedger } from '../../src/ledger/open.js';
import { order, planRun, statuses } from '../contract/ledger-samples.js';
import { type Bundle, bundleForNode } from '../support/bundle.js';

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
});
