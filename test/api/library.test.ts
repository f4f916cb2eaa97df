import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  applyPlan,
  explainRow,
  exportRun,
  LicenseSyncError,
  planJob,
  reconcileJob,
  resolveRun,
  resumeRun,
  retryRun,
  revertRun,
  runJob,
  runRows,
  type Sandbox,
  showJob,
  showRun,
  startSandbox,
  validateJob,
} from '../../src/api/index.js';

const TOKEN = 'a-made-up-token-for-tests';

let cwd: string;
let sandbox: Sandbox;
let env: Record<string, string>;

beforeEach(async () => {
  cwd = await mkdtemp(path.join(tmpdir(), 'library-'));
  sandbox = await startSandbox({ token: TOKEN });
  env = { LICENSE_SYNC_BASE_URL: sandbox.url, LICENSE_SYNC_TOKEN: TOKEN };
  await writeFile(path.join(cwd, 'locks.csv'), 'Lock\n8100000001\n8100000002\n8100000121\n');
  await writeFile(
    path.join(cwd, 'lock.yaml'),
    [
      'version: 1',
      'name: lock',
      'operation: asset.lock',
      'source: { file: locks.csv }',
      'map: { assetNums: Lock, operatorIdentity: { value: ops } }',
      'output: { file: "result-{run}.csv" }',
    ].join('\n'),
  );
});

afterEach(async () => {
  await sandbox.close();
  await rm(cwd, { recursive: true, force: true });
});

describe('as a library', () => {
  test('a run is executed with the credentials of the given environment, and its rows are reported', async () => {
    const stages = new Set<string>();
    const result = await runJob('lock.yaml', { cwd, env, onProgress: ({ stage }) => stages.add(stage) });
    expect(result).toMatchObject({
      job: 'lock',
      operation: 'asset.lock',
      connection: 'env',
      status: 'completed',
      exitCode: 1,
      rows: 3,
      counts: { succeeded: 2, rejected: 1 },
    });
    expect(stages).toContain('execute');
    const rows = await runRows(result.run, { cwd, env });
    expect(rows.map((it) => [it.row, it.status])).toEqual([
      [2, 'succeeded'],
      [3, 'succeeded'],
      [4, 'rejected'],
    ]);
    expect(rows[2]?.message).not.toBe('');
  });

  test('a check sends nothing, a plan is executed once', async () => {
    expect(await validateJob('lock.yaml', { cwd, env })).toMatchObject({ counts: { valid: 3 }, exitCode: 0 });
    const plan = await planJob('lock.yaml', { cwd, env });
    expect(sandbox.stats().effects.locks).toBe(0);
    expect(plan.plan).toBe(plan.run);
    expect(await applyPlan(plan.plan!, { cwd, env })).toMatchObject({
      counts: { succeeded: 2, rejected: 1 },
    });
    const again = applyPlan(plan.run, { cwd, env });
    await expect(again).rejects.toBeInstanceOf(LicenseSyncError);
    await expect(again).rejects.toMatchObject({ kind: 'usage', message: expect.stringContaining(plan.run) });
    expect(sandbox.stats().effects.locks).toBe(2);
  });

  test('an aborted run is interrupted and can be resumed', async () => {
    const control = new AbortController();
    const options = { cwd, env, signal: control.signal, set: ['batch.size=1', 'run.concurrency=1'] };
    const interrupted = await runJob('lock.yaml', {
      ...options,
      onProgress: ({ stage }) => stage === 'execute' && control.abort(),
    });
    expect(interrupted).toMatchObject({ status: 'interrupted', exitCode: 130 });
    const resumed = await resumeRun(interrupted.run, { cwd, env });
    expect(resumed).toMatchObject({ run: interrupted.run, counts: { succeeded: 2, rejected: 1 } });
    expect(sandbox.stats().effects.locks).toBe(2);
  });

  test('a call without the id that it is for is refused, and nothing is resumed', async () => {
    const control = new AbortController();
    const set = ['batch.size=1', 'run.concurrency=1'];
    const onProgress = ({ stage }: { readonly stage: string }): unknown =>
      stage === 'execute' && control.abort();
    await runJob('lock.yaml', { cwd, env, signal: control.signal, set, onProgress });
    const { locks } = sandbox.stats().effects;
    const none = undefined as unknown as string;
    const options = { cwd, env };
    const calls = [
      () => resumeRun(none, options),
      () => applyPlan(none, options),
      () => retryRun(none, options),
      () => revertRun('', options),
      () => explainRow(none, 2, options),
      () => runRows(none, options),
      () => showRun(none, options),
      () => exportRun(none, 'out.csv', options),
      () => resolveRun(none, { ...options, row: 2, as: 'failed' }),
      () => runJob(none, options),
      () => validateJob(none, options),
      () => reconcileJob(none, options),
      () => showJob(none, options),
    ];
    for (const call of calls) {
      const refused = expect.objectContaining({ kind: 'usage', code: 'run.no_text_given', exitCode: 2 });
      await expect((async () => call())()).rejects.toEqual(refused);
    }
    expect(sandbox.stats().effects.locks).toBe(locks);
  });

  test('a word that an option does not have is refused: it would hold nothing back', async () => {
    await writeFile(path.join(cwd, 'locks.csv'), 'Lock\n8100000001\n8.1E+09\n');
    const options = { cwd, env, onInvalid: 'Abort' as 'abort' };
    await expect(runJob('lock.yaml', options)).rejects.toMatchObject({
      kind: 'usage',
      message: 'onInvalid is Abort; expected: abort, skip',
    });
    expect(sandbox.stats().effects.locks).toBe(0);
    const { run } = await validateJob('lock.yaml', { cwd, env });
    const settled = resolveRun(run, { cwd, env, row: 2, as: 'done' as 'failed' });
    await expect(settled).rejects.toMatchObject({ kind: 'usage', code: 'resolve.what' });
  });

  test('what requires a confirmation is asked of the caller, and refused without one', async () => {
    await writeFile(
      path.join(cwd, 'license-sync.yaml'),
      `version: 1\nconnections:\n  live: { baseUrl: "${sandbox.url}", token: { env: LICENSE_SYNC_TOKEN }, confirm: always }\n`,
    );
    const options = { cwd, env, connection: 'live' };
    expect(await runJob('lock.yaml', options)).toMatchObject({ status: 'stopped', exitCode: 4 });
    const asked: unknown[] = [];
    const confirm = (question: unknown): boolean => {
      asked.push(question);
      return true;
    };
    expect(await runJob('lock.yaml', { ...options, confirm })).toMatchObject({ counts: { succeeded: 2 } });
    expect(asked).toEqual([{ job: 'lock', operation: 'asset.lock', connection: 'live', items: 3 }]);
  });

  test('a reconciliation compares, and fixes with apply', async () => {
    await writeFile(path.join(cwd, 'want.csv'), 'Enterprise,Lock,Locked\nENT-0001,8100000001,TRUE\n');
    await writeFile(
      path.join(cwd, 'compare.yaml'),
      [
        'version: 1',
        'name: compare',
        'reconcile: asset',
        'source: { file: want.csv }',
        'key: { enterpriseGlobalId: Enterprise, assetNum: Lock }',
        'expect: { locked: Locked }',
        'extra: ignore',
        'actions:',
        '  - on: different',
        '    operation: asset.lock',
        '    map: { assetNums: Lock, operatorIdentity: { value: ops } }',
        'output: { file: "compared-{run}.xlsx" }',
      ].join('\n'),
    );
    expect(await reconcileJob('compare.yaml', { cwd, env })).toMatchObject({
      exitCode: 1,
      counts: { different: 1 },
      actions: [],
    });
    expect(await reconcileJob('compare.yaml', { cwd, env, apply: true })).toMatchObject({
      exitCode: 0,
      counts: { in_sync: 1 },
      actions: [{ operation: 'asset.lock', counts: { succeeded: 1 } }],
    });
  });
});
