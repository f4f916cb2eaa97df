import { readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { jobTemplate, NESTED_OPERATIONS } from '../src/app/compose-template.js';
import { loadJob } from '../src/job/load.js';
import { OPERATION_NAMES } from '../src/model/operation.js';
import { ALL_OPERATIONS, operationNamed } from '../src/platform/operations/catalogue.js';
import { templateWorkbook } from '../src/templates/workbook.js';
import { licenseSync } from './support/command.js';
import { Fixture } from './support/job-runs.js';
import { readSheet } from './support/read-sheet.js';
import { nestedFiles } from './support/templates.js';

const HERE = fileURLToPath(new URL('../', import.meta.url));
/** Jobs that send rows; those that compare are in nightly-jobs.test.ts. */
const jobs = readdirSync(path.join(HERE, 'jobs')).filter(
  (it) => it.endsWith('.yaml') && /^operation:/m.test(readFileSync(path.join(HERE, 'jobs', it), 'utf8')),
);
/** One file each; those that take a folder's files are in inbox-jobs.test.ts. */
const single = jobs.filter(
  (it) => !/^\s*file: .*[*?]/m.test(readFileSync(path.join(HERE, 'jobs', it), 'utf8')),
);

let fixture: Fixture;

beforeEach(async () => {
  fixture = await Fixture.open();
});

afterEach(async () => {
  await fixture.close();
});

describe('the sample jobs', () => {
  it('cover every operation', async () => {
    const used = new Set<string>();
    for (const file of jobs) {
      used.add(
        (await loadJob(path.join(HERE, 'jobs', file), { env: {}, operations: ALL_OPERATIONS })).operation,
      );
    }
    expect([...used].sort()).toEqual([...OPERATION_NAMES].sort());
  });

  it.each(single)('%s succeeds on the sandbox', async (file) => {
    const end = await fixture.run(path.join(HERE, 'jobs', file));
    expect(end.counts).toEqual({ succeeded: end.rows });
    expect(end.rows).toBeGreaterThanOrEqual(20);
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

describe('the sample job of several steps', () => {
  const file = path.join(HERE, 'jobs', 'onboard.yaml');

  it('is checked without an error, and succeeds on the sandbox', async () => {
    expect(await fixture.run(file, { dryRun: true })).toMatchObject({ exitCode: 0, counts: { valid: 20 } });
    const end = await fixture.run(file);
    expect(end).toMatchObject({ exitCode: 0, counts: { succeeded: 20 } });
    expect(end.steps?.map(({ counts }) => counts)).toEqual([
      { succeeded: 14, skipped: 6 },
      { succeeded: 20 },
      { succeeded: 20 },
    ]);
    const lines = await readSheet(end.output ?? '');
    expect(lines.every((it) => it.licenseOrderId !== '' && it.step === 'order')).toBe(true);
  });

  it('has a workbook for its columns, which succeeds when filled in', async () => {
    const input = path.join(fixture.folder, 'fill-in.xlsx');
    const made = await licenseSync(['template', file, '--filled', '--output', input], {
      cwd: fixture.folder,
    });
    expect(made).toMatchObject({ code: 0 });
    expect((await fixture.run(file, { input })).counts).toEqual({ succeeded: 2 });
  });
});

describe('the fill-in workbooks', () => {
  it.each(OPERATION_NAMES)('%s: its example succeeds without a map', async (operation) => {
    for (const [folder, sheet] of [
      ['templates', 'Example'],
      ['templates/zh', '示例'],
    ] as const) {
      const workbook = path.join(HERE, folder, `${operation}.xlsx`);
      const job = await fixture.file(
        'job.yaml',
        `version: 1\nname: fill-in\noperation: ${operation}\nconnection: sandbox\nsource: { file: ${JSON.stringify(workbook)}, sheet: ${sheet} }\nsafety: { duplicates: send }\n`,
      );
      const end = await fixture.run(job);
      expect(end.counts).toEqual({ succeeded: 2 });
    }
  });

  it.each(NESTED_OPERATIONS)(
    '%s: sheets of orders and products go through by their job file',
    async (operation) => {
      const { workbook, job } = await nestedFiles(operation, { filled: true });
      await fixture.file('orders.xlsx', workbook);
      const end = await fixture.run(await fixture.file('orders.job.yaml', job));
      expect(end.counts).toEqual({ succeeded: 2 });
      const kept = await readFile(path.join(HERE, 'templates', `${operation}.nested.job.yaml`), 'utf8');
      expect(kept.slice(kept.indexOf('map:'))).toBe(job.slice(job.indexOf('map:')));
    },
  );

  it.each(jobs)('%s: the workbook for its own columns succeeds when filled in', async (file) => {
    const job = await loadJob(path.join(HERE, 'jobs', file), { env: {}, operations: ALL_OPERATIONS });
    const options = { language: 'en', filled: true, file: 'fill-in.xlsx', jobFile: file } as const;
    const input = await fixture.file('fill-in.xlsx', await templateWorkbook(jobTemplate(job, options)));
    const end = await fixture.run(path.join(HERE, 'jobs', file), { input });
    expect(end.counts).toEqual({ succeeded: 2 });
  });

  it('are what the program makes today', async () => {
    const end = await licenseSync(['template', '--all', 'templates', '--check'], { cwd: HERE });
    expect(end).toMatchObject({ code: 0, stderr: '' });
  });
});
