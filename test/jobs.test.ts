import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { OPERATION_NAMES } from '../src/model/operation.js';
import { operationNamed } from '../src/platform/operations/index.js';
import { Desk, readSheet } from './support/job-runs.js';

const HERE = fileURLToPath(new URL('../', import.meta.url));
/** Jobs that send rows; those that compare are in nightly-jobs.test.ts. */
const jobs = readdirSync(path.join(HERE, 'jobs')).filter(
  (it) => it.endsWith('.yaml') && /^operation:/m.test(readFileSync(path.join(HERE, 'jobs', it), 'utf8')),
);

let desk: Desk;

beforeEach(async () => {
  desk = await Desk.open();
});

afterEach(async () => {
  await desk.close();
});

describe('the sample jobs', () => {
  it('cover every operation', async () => {
    const { loadJob } = await import('../src/job/load.js');
    const { CATALOGUE_SHAPES } = await import('../src/platform/operations/index.js');
    const used = new Set<string>();
    for (const file of jobs) {
      used.add(
        (await loadJob(path.join(HERE, 'jobs', file), { env: {}, operations: CATALOGUE_SHAPES })).operation,
      );
    }
    expect([...used].sort()).toEqual([...OPERATION_NAMES].sort());
  });

  it.each(jobs)('%s is checked without a fault', async (file) => {
    const end = await desk.run(path.join(HERE, 'jobs', file), { dryRun: true });
    expect(end.counts).toEqual({ valid: end.rows });
    expect(end.rows).toBeGreaterThanOrEqual(20);
    expect(end.exitCode).toBe(0);
  });

  it.each(jobs)('%s goes through on the sandbox', async (file) => {
    const end = await desk.run(path.join(HERE, 'jobs', file));
    expect(end.counts).toEqual({ succeeded: end.rows });
    expect(end.exitCode).toBe(0);
    const lines = await readSheet(end.output ?? '');
    expect(lines).toHaveLength(end.rows);
    expect(new Set(lines.map((it) => it.status))).toEqual(new Set(['succeeded']));
    if (end.operation.startsWith('order.')) expect(lines.every((it) => it.licenseOrderId !== '')).toBe(true);
    if (operationNamed(end.operation as never).recordColumns) {
      expect(await readSheet(end.output ?? '', 'Records')).not.toHaveLength(0);
    }
  });
});

describe('the fill-in workbooks', () => {
  it.each(OPERATION_NAMES)('%s: its example goes through without a map', async (operation) => {
    const workbook = path.join(HERE, 'templates', `${operation}.xlsx`);
    const job = await desk.file(
      'job.yaml',
      `version: 1\nname: fill-in\noperation: ${operation}\nconnection: sandbox\nsource: { file: ${JSON.stringify(workbook)}, sheet: Example }\n`,
    );
    const end = await desk.run(job);
    expect(end.counts).toEqual({ succeeded: 2 });
  });
});
