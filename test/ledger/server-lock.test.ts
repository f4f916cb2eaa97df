import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Ledger } from '../../src/ledger/contract/ledger.js';
import { openLedger } from '../../src/ledger/open.js';
import { lockKey } from '../../src/ledger/postgres/run-lock.js';
import { type Bundle, bundleForNode } from '../support/bundle.js';
import { openBatch, order, planRun } from '../support/ledger-samples.js';
import { type PostgresPlace, postgresPlace } from '../support/postgres/shared-server.js';
import { until } from '../support/until.js';

let bundle: Bundle;
let place: PostgresPlace;
let children: ChildProcess[];
let ledger: Ledger;

beforeAll(async () => {
  bundle = await bundleForNode(path.join(import.meta.dirname, 'child.ts'));
});
afterAll(() => bundle.remove());

beforeEach(async () => {
  place = await postgresPlace();
  children = [];
  ledger = await openLedger(place.url);
});
afterEach(async () => {
  for (const it of children) it.kill('SIGKILL');
  await ledger.close();
  await place.remove();
});

async function asked(run: string): Promise<unknown> {
  const child = fork(bundle.file, ['lock', place.url, run], { stdio: 'inherit' });
  children.push(child);
  return (await once(child, 'message'))[0];
}

const HOLDS = `FROM pg_locks WHERE locktype = 'advisory' AND (classid::bigint << 32) | objid::bigint = $1`;

async function lockSession(): Promise<number | undefined> {
  const key = lockKey(['run', place.schema, 'new-buy', 'sandbox']);
  return (await place.ask<{ pid: number }>(`SELECT pid ${HOLDS}`, [key]))[0]?.pid;
}

/** Ends the session that holds the lock, as a server or a firewall may. */
async function cutLockSession(): Promise<void> {
  const pid = await lockSession();
  await place.ask('SELECT pg_terminate_backend($1)', [pid]);
  await until(async () => (await lockSession()) !== pid);
}

test('of many processes one has it, the others name it, and a killed one lets go at once', async () => {
  const runs = Array.from({ length: 5 }, (_, index) => `run-${index}`);
  const answers = await Promise.all(runs.map(asked));
  const winners = runs.filter((_, index) => answers[index] === 'won');
  expect(winners).toHaveLength(1);
  for (const [index, answer] of answers.entries()) {
    if (runs[index] !== winners[0]) expect(answer).toMatch(new RegExp(`run ${winners[0]} of job job`));
  }
  const winner = children[runs.indexOf(winners[0] ?? '')]!;
  const ended = once(winner, 'exit');
  winner.kill('SIGKILL');
  await ended;
  await until(async () => (await ledger.holder('job', 'sandbox')) === undefined);
  expect(await asked('later')).toBe('won');
});

test('a lock whose session was cut is had again, as long as no other process had it in the meantime', async () => {
  await planRun(ledger, 'r1', [order(1), order(2)]);
  const answer = await ledger.lock('new-buy', 'sandbox', 'r1');
  expect(answer.kind).toBe('taken');
  await openBatch(ledger, 'r1', 1);
  await cutLockSession();
  await until(async () => (await lockSession()) !== undefined);
  expect((await ledger.holder('new-buy', 'sandbox'))?.run).toBe('r1');
  await openBatch(ledger, 'r1', 2);
  const other = await openLedger(place.url);
  expect((await other.lock('new-buy', 'sandbox', 'r2')).kind).toBe('held');
  await other.close();
});

test('a process that lost it to another one sends nothing more', async () => {
  await planRun(ledger, 'r1', [order(1), order(2)]);
  await ledger.lock('new-buy', 'sandbox', 'r1');
  await openBatch(ledger, 'r1', 1);
  // As another host did that had the lock while this one was cut off.
  await place.ask("UPDATE run_locks SET token = token + 1, run = 'r2'");
  expect(await openBatch(ledger, 'r1', 2)).toMatchObject({ refused: 'lease_lost' });
  await cutLockSession();
  await delay(500);
  expect(await openBatch(ledger, 'r1', 2)).toMatchObject({ refused: 'lease_lost' });
  expect(await place.ask('SELECT batch FROM attempts')).toHaveLength(1);
});
