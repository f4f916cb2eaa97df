import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { message } from '../../src/errors/message.js';
import { ProductError } from '../../src/errors/product-error.js';
import { withHeaderHint } from '../../src/source/header-row.js';
import { openSource } from '../../src/source/open-source.js';
import type { FileSource } from '../../src/source/source.js';
import { openTable, type Table } from '../../src/source/table.js';
import { memoryWorkbook as workbook } from '../support/memory-workbook.js';

describe('a header that is not where the job says is found and named', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'license-sync-header-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it.each([
    ['commas', 'Orders, January\nOrder No,Customer\nSO-1,Li\n'],
    ['semicolons below a title without any', 'Orders of January\nOrder No;Customer\nSO-1;Li\n'],
    ['tabs below a title with a comma', 'Orders, January\n\nOrder No\tCustomer\nSO-1\tLi\n'],
    ['semicolons and quotes below a title', 'Orders of January\n"Order No";"Customer"\n"SO-1";"Li"\n'],
  ])('%s', async (name, text) => {
    const file = path.join(folder, `${name}.csv`);
    await writeFile(file, text);
    const source = await openSource(file, { headerRow: 1 });
    const table = await openTable(source, { headerRow: 1, resultColumns: [] });
    const lacks = (column: string) => {
      const at = { line: 1, column: 1, sheet: table.sheet.name, name: column };
      return message('mapping.column_missing', at);
    };
    const refused = withHeaderHint(source, [table], () => {
      throw new ProductError('usage', lacks('Order No'), { others: [lacks('Customer')] });
    });
    const row = text.split('\n').findIndex((line) => line.includes('Order No')) + 1;
    await expect(refused).rejects.toMatchObject({
      others: expect.arrayContaining([
        expect.objectContaining({
          code: 'source.header_elsewhere',
          params: expect.objectContaining({ row }),
        }),
      ]),
    });
    await source.close();
  });
});

describe('columns that another sheet has', () => {
  const orders = [['Orders of January'], [], ['Order No', 'Customer'], ['SO-1', 'Li']];

  it.each([
    ['named, with its row', { Notes: [['Fill in the next sheet']], Orders: orders }, ['Orders', 3]],
    ['the first one of several', { Notes: [['x']], A: [['y']], B: orders, C: orders }, ['B', 3]],
    ['not named if only one of two is there', { Notes: [['x']], B: [['Order No', 'z']] }, []],
    ['not named if the sheet itself has them', { Notes: orders, B: orders }, []],
    ['not named if no sheet has them', { Notes: [['x']], B: [['y']] }, []],
  ])('are %s', async (_name, sheets: Record<string, string[][]>, wanted) => {
    const source = workbook(sheets);
    const table = await openTable(source, { headerRow: 1, resultColumns: [] });
    expect(await otherSheet(source, [table])).toEqual(wanted);
  });

  it('are not named in a sheet that the job joins', async () => {
    const source = workbook({ Notes: [['x']], Orders: orders });
    const main = await openTable(source, { headerRow: 1, resultColumns: [] });
    const joined = await openTable(source, { headerRow: 3, resultColumns: [], sheet: 'Orders' });
    expect(await otherSheet(source, [main, joined])).toEqual([]);
  });
});

/** The sheet and the row that are named. */
async function otherSheet(source: FileSource, tables: [Table, ...Table[]]): Promise<unknown[]> {
  const lacks = (name: string) =>
    message('mapping.column_missing', { line: 1, column: 1, sheet: 'Notes', name });
  try {
    await withHeaderHint(source, tables, () => {
      throw new ProductError('usage', lacks('Order No'), { others: [lacks('Customer')] });
    });
  } catch (error) {
    const found = (error as ProductError).others.find((it) => it.code === 'source.header_other_sheet');
    return found ? [found.params['other'], found.params['row']] : [];
  }
  throw new Error('not refused');
}
