import { copyFile, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import ExcelJS from 'exceljs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { nestedTemplate, operationTemplate } from '../../src/app/compose-template.js';
import { loadJob } from '../../src/job/load.js';
import type { MapNode } from '../../src/model/map.js';
import { OPERATION_NAMES, type OperationName } from '../../src/model/operation.js';
import { ALL_OPERATIONS, operationNamed } from '../../src/platform/operations/catalogue.js';
import { operationMap } from '../../src/templates/operation-map.js';
import { templateWorkbook } from '../../src/templates/workbook.js';
import { Fixture } from '../support/job-runs.js';
import { guessAt } from './guessing.js';

const TEMPLATES = fileURLToPath(new URL('../../templates/', import.meta.url));
const NESTED: readonly OperationName[] = ['order.new_buy', 'order.delete_product'];
/** Their columns are those of another operation too. */
const ALIKE: readonly string[] = ['asset.lock', 'asset.unlock', 'enterprise.create', 'enterprise.update'];

let fixture: Fixture;

beforeEach(async () => {
  fixture = await Fixture.open();
});

afterEach(async () => {
  await fixture.close();
});

/** A map without the places of its lines. */
function plain(node: MapNode): unknown {
  if (node.kind !== 'branch') {
    const { at: _, ...leaf } = node;
    return leaf;
  }
  const each = node.each === undefined ? undefined : { ...node.each, at: undefined };
  return { each, fields: Object.fromEntries([...node.fields].map(([name, it]) => [name, plain(it)])) };
}

/** Under a name that says nothing. */
async function copied(name: string): Promise<string> {
  const file = path.join(fixture.folder, 'book1.xlsx');
  await copyFile(path.join(TEMPLATES, name), file);
  return file;
}

describe.each(['', 'zh/'])('the fill-in workbooks (%s)', (folder) => {
  it.each(OPERATION_NAMES)('%s: the same job again, with every column', async (operation) => {
    const { found, job } = await guessAt(fixture, await copied(`${folder}${operation}.xlsx`));
    expect(found.operation).toBe(operation);
    expect(found.lacking).toEqual([]);
    expect(found.unused).toEqual([]);
    expect(found.columns.every((it) => it.sure === 'sure')).toBe(true);
    expect(job.source.sheet).toBe('Data');
    expect(plain(job.map!)).toEqual(plain(operationMap(operationNamed(operation))));
  });

  it.each(NESTED)('%s over several sheets: the job that came with it', async (operation) => {
    const { found, job } = await guessAt(fixture, await copied(`${folder}${operation}.nested.xlsx`));
    const file = path.join(TEMPLATES, folder, `${operation}.nested.job.yaml`);
    const meant = await loadJob(file, { env: {}, operations: ALL_OPERATIONS });
    expect(found.operation).toBe(operation);
    expect(found.unused).toEqual([]);
    expect(found.lacking).toEqual([]);
    expect(job.source.sheet).toBe('Orders');
    expect(plain(job.map!)).toEqual(plain(meant.map!));
  });
});

describe('a workbook of template is known again', () => {
  it.each(['en', 'zh'] as const)('that is filled in (%s) runs as the one without a map', async (language) => {
    for (const operation of ['order.new_buy', 'enterprise.bind'] as const) {
      const options = { language, filled: true, file: 'filled.xlsx' };
      const input = await fixture.file(
        'filled.xlsx',
        await templateWorkbook(operationTemplate(operation, options)),
      );
      const { file, found } = await guessAt(fixture, input);
      expect(found.operation).toBe(operation);
      const end = await fixture.run(file, { dryRun: true });
      expect(end.counts).toEqual({ valid: end.rows });
      expect(end.rows).toBeGreaterThan(0);
    }
  });

  it('of several sheets that is filled in runs', async () => {
    const options = { language: 'en', filled: true, file: 'filled.xlsx', jobFile: 'x.yaml' } as const;
    const { template } = nestedTemplate('order.new_buy', options)!;
    const input = await fixture.file('filled.xlsx', await templateWorkbook(template));
    const { file } = await guessAt(fixture, input);
    const end = await fixture.run(file, { dryRun: true });
    expect(end.counts).toEqual({ valid: end.rows });
  });

  it.each(OPERATION_NAMES)(
    '%s without its guide is known by its headers, or asked about',
    async (operation) => {
      const book = new ExcelJS.Workbook();
      await book.xlsx.readFile(path.join(TEMPLATES, `${operation}.xlsx`));
      const headers = (book.getWorksheet('Data')!.getRow(1).values as unknown[]).slice(1).map(String);
      const input = await fixture.file('data.csv', `${headers.join(',')}\r\n`);
      const reported = await guessAt(fixture, input).catch((error: unknown) => error);
      if (ALIKE.includes(operation)) {
        expect(reported).toMatchObject({ kind: 'usage', detail: { code: 'guess.which_operation' } });
        const { found } = await guessAt(fixture, input, operation);
        expect(found).toMatchObject({ operation, unused: [], lacking: [] });
      } else expect(reported).toMatchObject({ found: { operation, unused: [], lacking: [] } });
    },
  );

  it('from which columns were taken out, and to which one was added, keeps the others', async () => {
    const book = new ExcelJS.Workbook();
    await book.xlsx.readFile(path.join(TEMPLATES, 'order.new_buy.xlsx'));
    const headers = (book.getWorksheet('Data')!.getRow(1).values as unknown[]).slice(1).map(String);
    const kept = headers.filter((it) => !it.includes('merchandises'));
    const input = await fixture.file('orders to buy.csv', `${[...kept, 'Remark'].join(',')}\r\n`);
    const { found } = await guessAt(fixture, input, 'order.new_buy');
    expect(found.unused).toEqual(['Remark']);
    expect(found.columns.map((it) => it.header)).toEqual(kept);
    expect(found.text).not.toContain('merchandises');
  });

  it('is reported by its guide, whatever the name of the file says', async () => {
    const file = path.join(fixture.folder, 'locks to enable.xlsx');
    await copyFile(path.join(TEMPLATES, 'asset.lock.xlsx'), file);
    const { found } = await guessAt(fixture, file);
    expect(found.operation).toBe('asset.lock');
    expect(await readFile(path.join(fixture.folder, 'guessed.yaml'), 'utf8')).toContain(
      'operation: asset.lock',
    );
  });
});
