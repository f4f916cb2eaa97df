import { cp, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { unpackParts } from '../../src/templates/zip.js';
import { licenseSync } from '../support/command.js';
import { readSheet } from '../support/read-sheet.js';

let folder: string;
const at = (name: string) => path.join(folder, name);
const template = (args: readonly string[]) => licenseSync(['template', ...args], { cwd: folder });

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'license-sync-template-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const JOB = `version: 1
name: locks
operation: asset.lock
connection: sandbox
source: { file: data/locks.xlsx, sheet: 锁, headerRow: 3, where: 'row["Status"] == "Overdue"' }
map:
  assetNums: { column: Locks, split: "|" }
  operatorIdentity: { column: Who, values: { "Chen, A": chen@example.com, "Li, B": li@example.com } }
`;

describe('template', () => {
  it('writes a workbook that validates by the job that its guide shows', async () => {
    const end = await template(['asset.lock', '--filled', '--output', 'locks.xlsx']);
    expect(end).toMatchObject({ code: 0, stdout: 'template locks.xlsx\n', stderr: '' });
    const parts = await unpackParts(await readFile(at('locks.xlsx')));
    const strings = parts.find((it) => it.name === 'xl/sharedStrings.xml')?.content ?? Buffer.alloc(0);
    const lines = [
      ...Buffer.from(strings)
        .toString('utf8')
        .matchAll(/<t xml:space="preserve"> {4}(.*?)<\/t>/g),
    ];
    const job = lines.map((it) => (it[1] ?? '').replaceAll('&quot;', '"')).join('\n');
    await writeFile(at('job.yaml'), `${job}\n`);
    const checked = await licenseSync(['validate', 'job.yaml', '--json'], { cwd: folder });
    expect(JSON.parse(checked.stdout)).toMatchObject({ job: 'asset-lock', counts: { valid: 2 } });
  });

  it('writes a job’s own columns, where its file says that they stand', async () => {
    await writeFile(at('locks.yaml'), JOB);
    expect(await template(['locks.yaml', '--filled'])).toMatchObject({
      code: 0,
      stdout: 'template locks.xlsx\n',
    });
    const checked = await licenseSync(
      ['validate', 'locks.yaml', '--input', 'locks.xlsx', '--output', 'checked.xlsx', '--json'],
      { cwd: folder },
    );
    expect(JSON.parse(checked.stdout)).toMatchObject({ counts: { valid: 2 } });
    const [first] = await readSheet(at('checked.xlsx'));
    expect(first).toMatchObject({ Locks: '8100000001', Who: 'Chen, A', Status: 'Overdue' });
    // Words with commas can't be in the rule itself.
    const parts = await unpackParts(await readFile(at('locks.xlsx')));
    const book = Buffer.from(parts.find((it) => it.name === 'xl/workbook.xml')?.content ?? []).toString(
      'utf8',
    );
    expect(book).toContain('<definedName name="choices_1">Lists!$A$2:$A$3</definedName>');
    expect(book).toMatch(/name="Lists"[^>]* state="hidden"/);
  });

  it('writes the columns of a job that compares, its actions’ among them', async () => {
    const job = path.join(import.meta.dirname, '../../jobs/nightly-customers.yaml');
    expect((await template([job, '--filled', '--output', 'customers.xlsx'])).code).toBe(0);
    const rows = await readSheet(at('customers.xlsx'), 'Data');
    expect(rows).toHaveLength(2);
    expect(rows[0]).toMatchObject({ Channel: 'CH01', 'Customer No': 'CH-0001', 'CRM No': 'CRM-0001' });
    expect(Object.keys(rows[0] ?? {})).toEqual(
      expect.arrayContaining(['Customer Name', 'Branch', 'Security Phone']),
    );
  });

  it('does not overwrite what a user may have filled in, unless forced', async () => {
    await template(['asset.lock']);
    const blank = await readFile(at('asset.lock.xlsx'));
    expect((await template(['asset.lock'])).code).toBe(0);
    await template(['asset.lock', '--filled', '--force']);
    const filled = await readFile(at('asset.lock.xlsx'));
    expect(Buffer.compare(blank, filled)).not.toBe(0);
    const end = await template(['asset.lock']);
    expect(end.code).toBe(2);
    expect(end.stderr).toContain('--force');
    expect(Buffer.compare(filled, await readFile(at('asset.lock.xlsx')))).toBe(0);
  });

  it('writes neither the workbook nor the job file when one of them is there', async () => {
    await writeFile(at('orders.job.yaml'), 'mine: true\n');
    const end = await template(['order.new_buy', '--nested', '--output', 'orders.xlsx']);
    expect(end.code).toBe(2);
    expect(end.stderr).toContain('orders.job.yaml');
    await expect(stat(at('orders.xlsx'))).rejects.toThrow();
    expect(await readFile(at('orders.job.yaml'), 'utf8')).toBe('mine: true\n');
  });

  it('checks a folder of them and names what is out of date', async () => {
    await cp(path.join(import.meta.dirname, '../../templates'), at('out'), { recursive: true });
    await template(['asset.lock', '--filled', '--force', '--output', 'out/asset.lock.xlsx']);
    await rm(at('out/zh/order.new_buy.nested.job.yaml'));
    const end = await template(['--all', 'out', '--check']);
    expect(end.code).toBe(1);
    expect(end.stderr.split('\n').filter((it) => it.includes('out of date;'))).toEqual([
      expect.stringContaining(path.join('out', 'asset.lock.xlsx')),
      expect.stringContaining(path.join('out', 'zh', 'order.new_buy.nested.job.yaml')),
    ]);
    const again = await template(['--all', 'out']);
    expect(again.code).toBe(2);
    expect(again.stderr).toContain(path.join('out', 'asset.lock.xlsx'));
  });

  it('reports what cannot be made as a usage error with the correct value', async () => {
    const cases: readonly (readonly [readonly string[], string])[] = [
      [['order.newbuy'], 'order.new_buy'],
      [['no-such.yaml'], 'no-such.yaml'],
      [[], '--all'],
      [['asset.lock', '--nested'], 'order.new_buy, order.delete_product'],
      [['asset.lock', '--output', 'locks.csv'], 'locks.csv'],
      [['asset.lock', '--check'], '--all'],
      [['asset.lock', '--all', 'out'], '--all'],
      [['--all', 'out', '--nested'], '--nested'],
      [['asset.lock', '--output', 'folder.xlsx'], 'EISDIR'],
      [['asset.lock', '--output', 'locks.yaml/x.xlsx'], 'locks.yaml'],
      [['broken.yaml'], 'broken.yaml:2:1'],
      [['far.yaml'], '9'],
    ];
    await mkdir(at('folder.xlsx'));
    await writeFile(at('locks.yaml'), JOB);
    await writeFile(
      at('broken.yaml'),
      'version: 1\nnaem: x\noperation: asset.lock\nsource: { file: a.csv }\n',
    );
    await writeFile(at('far.yaml'), JOB.replace('sheet: 锁', 'sheet: 9'));
    const ends = await Promise.all(cases.map(async ([args]) => template(args)));
    ends.forEach((end, index) => {
      const said = cases[index]?.[1];
      expect([end.code, end.stderr]).toEqual([2, expect.stringContaining(said ?? '?')]);
      expect(end.stderr).not.toContain('    at ');
    });
  });
});
