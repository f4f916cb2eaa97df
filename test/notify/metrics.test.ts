import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import type { Run } from '../../src/ledger/contract/runs.js';
import { DRIFT_STATUSES } from '../../src/model/comparison.js';
import { STATUSES } from '../../src/model/status.js';
import { type LastRun, metricsText } from '../../src/notify/metrics.js';
import type { JobTotals } from '../../src/notify/notification-types.js';
import { parseMetrics } from '../support/exposition.js';
import { runStart } from '../support/ledger-samples.js';

const NASTY = 'a "b" \\ c\nd,e="f"} 1';

function totals(change: Partial<JobTotals> = {}): JobTotals {
  const last: Run = {
    ...runStart('r1'),
    state: 'completed',
    requests: 0,
    retries: 0,
    rows: 0,
    items: 0,
    executeMs: 0,
  };
  return {
    job: 'orders',
    connection: 'production',
    operation: 'order.new_buy',
    runs: new Map([
      [0, 3],
      [1, 1],
    ]),
    requests: 40,
    retries: 2,
    durationMs: 12_345,
    last,
    lastSuccessAt: 1_764_000_000_250,
    ...change,
  };
}

function lastRun(change: Partial<LastRun> = {}): LastRun {
  return {
    job: 'orders',
    connection: 'production',
    operation: 'order.new_buy',
    endedAt: 1_764_000_100_500,
    durationMs: 2_500,
    exitCode: 1,
    counts: { succeeded: 7, rejected: 1 },
    ...change,
  };
}

const TWO = metricsText({
  version: '1.2.3',
  ledger: '/data/.license-sync/ledger.db',
  totals: [totals(), totals({ job: NASTY, operation: 'reconcile.asset', lastSuccessAt: undefined } as never)],
  last: [
    lastRun(),
    lastRun({ job: NASTY, operation: 'reconcile.asset', exitCode: 0, counts: { in_sync: 4 } }),
    lastRun({ job: 'never-ran', exitCode: 2, counts: {} }),
  ],
});

describe('metrics', () => {
  const metrics = parseMetrics(TWO);
  const value = (name: string, key: string): number | undefined =>
    metrics.get(`license_sync_${name}`)?.samples.get(key);
  const who = (job = 'orders', operation = 'order.new_buy'): string =>
    `job=${job},connection=production,operation=${operation}`;

  it('have the types of what they count', () => {
    expect([...metrics].map(([name, { type }]) => `${type} ${name.replace('license_sync_', '')}`)).toEqual([
      'gauge build_info',
      'counter runs_total',
      'counter requests_total',
      'counter retries_total',
      'summary run_duration_seconds',
      'gauge last_run_timestamp_seconds',
      'gauge last_run_success',
      'gauge last_run_duration_seconds',
      'gauge last_success_timestamp_seconds',
      'gauge last_run_rows',
    ]);
  });

  it('say what the ledger holds, in seconds', () => {
    expect(value('build_info', '{version=1.2.3,ledger=/data/.license-sync/ledger.db}')).toBe(1);
    expect(value('runs_total', `{${who()},exit_code=0}`)).toBe(3);
    expect(value('runs_total', `{${who()},exit_code=1}`)).toBe(1);
    expect(value('requests_total', `{${who()}}`)).toBe(40);
    expect(value('retries_total', `{${who()}}`)).toBe(2);
    expect(value('run_duration_seconds', `_sum{${who()}}`)).toBe(12.345);
    expect(value('run_duration_seconds', `_count{${who()}}`)).toBe(4);
    expect(value('last_run_timestamp_seconds', `{${who()}}`)).toBe(1_764_000_100.5);
    expect(value('last_run_success', `{${who()}}`)).toBe(0);
    expect(value('last_run_duration_seconds', `{${who()}}`)).toBe(2.5);
    expect(value('last_success_timestamp_seconds', `{${who()}}`)).toBe(1_764_000_000.25);
  });

  it('have a line for every status, 0 where no row has it', () => {
    const rows = metrics.get('license_sync_last_run_rows')?.samples;
    expect(STATUSES.map((status) => rows?.get(`{${who()},status=${status}}`))).toEqual([
      7, 0, 1, 0, 0, 0, 0, 0, 0,
    ]);
    const compared = who(NASTY, 'reconcile.asset');
    expect(DRIFT_STATUSES.map((status) => rows?.get(`{${compared},status=${status}}`))).toEqual([
      4, 0, 0, 0, 0, 0,
    ]);
  });

  it('report a job that never came to a run', () => {
    expect(value('last_run_success', `{${who('never-ran')}}`)).toBe(0);
    expect(value('last_success_timestamp_seconds', `{${who('never-ran')}}`)).toBe(0);
    expect(value('requests_total', `{${who('never-ran')}}`)).toBeUndefined();
  });

  it('of a ledger without runs are the version alone', () => {
    const text = metricsText({ version: '1', ledger: 'l', totals: [], last: [] });
    expect([...parseMetrics(text).keys()]).toEqual(['license_sync_build_info']);
  });

  it('are refused by the reader of these tests when they are wrong', () => {
    const head = '# HELP a_total x\n# TYPE a_total counter\n';
    const wrong = [
      `${head}a_total{} 1`,
      `${head}a_total{} 1 1764000000\n`,
      `${head}a_total{} 1\na_total{} 1\n`,
      `${head}a_total{x="\\q"} 1\n`,
      `${head}a_total{x="1",x="2"} 1\n`,
      `${head}b_total{} 1\n`,
      `${head}a_total{} 1\n${head}a_total{x="1"} 1\n`,
      '# TYPE a_total counter\na_total{} 1\n',
      head,
    ];
    for (const text of wrong) expect(() => parseMetrics(text), text).toThrow();
    expect(parseMetrics(`${head}a_total{x="\\"\\\\\\n"} 1\n`).get('a_total')?.samples).toEqual(
      new Map([['{x="\\\n}', 1]]),
    );
  });

  const promtool = spawnSync('promtool', ['--version']).error === undefined;

  it('are accepted by promtool', (context) => {
    if (!promtool) context.skip('promtool (of the Debian package prometheus) is not installed');
    const { status, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], {
      input: TWO,
      encoding: 'utf8',
    });
    expect({ status, said: stdout + stderr }).toEqual({ status: 0, said: '' });
  });
});
