import ExcelJS from 'exceljs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { render } from '../../src/errors/message.js';
import { Fixture } from '../support/job-runs.js';
import { orderJob } from '../support/orders.js';

let fixture: Fixture;

beforeEach(async () => {
  fixture = await Fixture.open();
});

afterEach(async () => {
  await fixture.close();
});

const job = orderJob()
  .replace('operation:', 'connection: sandbox\noperation:')
  .replace('source: { file: orders.csv }', 'source: { file: orders.xlsx, sheet: Orders }')
  .replace('      products:\n', '      products:\n        each: { sheet: Products, on: [Order] }\n');

async function workbook(products: readonly (readonly (string | number)[])[], second = ''): Promise<string> {
  const book = new ExcelJS.Workbook();
  book.addWorksheet('Orders').addRows([
    ['Order', 'Customer', 'Asset'],
    ['SO-1', 'One', '0001'],
    ['SO-2', second, '0002'],
    ['SO-3', 'Three', '0003'],
  ]);
  book.addWorksheet('Products').addRows([['Order', 'Nodes'], ...products]);
  return fixture.file('orders.xlsx', new Uint8Array(await book.xlsx.writeBuffer()));
}

/** exceljs reads our own result here: what it sees of notes and fills is what Excel reads. */
async function opened(file: string | undefined): Promise<ExcelJS.Workbook> {
  const book = new ExcelJS.Workbook();
  await book.xlsx.readFile(file ?? '');
  return book;
}

function noteOf(cell: ExcelJS.Cell | undefined): string {
  const note = cell?.note;
  if (note === undefined || typeof note === 'string') return note ?? '';
  return (note.texts ?? []).map((it) => it.text).join('');
}

describe('invalid cells', () => {
  it('are marked in the result, also in the sheets that the job joins', async () => {
    await workbook([
      ['SO-1', 5],
      ['SO-2', 5],
      ['SO-3', 'five'],
    ]);
    const end = await fixture.run(await fixture.file('job.yaml', job));
    expect(end.counts).toEqual({ invalid: 2, not_sent: 1 });
    const book = await opened(end.output);
    const results = book.getWorksheet('Results');
    const customer = (results!.getRow(1).values as string[]).indexOf('Customer');
    const empty = results?.getCell(3, customer);
    expect(noteOf(empty)).toMatch(/^Orders!B3 customerName: /);
    expect(empty?.fill).toMatchObject({ type: 'pattern', fgColor: { argb: 'FFFFC7CE' } });
    expect(noteOf(results?.getCell(2, customer))).toBe('');
    const joined = book.getWorksheet('Products');
    expect(noteOf(joined?.getCell('B4'))).toMatch(/^Products!B4 limitConcurrent: /);
    expect(joined?.getCell('B4').value).toBe('five');
    expect(noteOf(joined?.getCell('B3'))).toBe('');
  });

  describe('a joined row that belongs to no row of the main sheet', () => {
    beforeEach(() =>
      workbook(
        [
          ['SO-1', 5],
          ['SO-2', 5],
          ['SO-3', 5],
          ['SO-4', 5],
        ],
        'Two',
      ),
    );

    it.each([
      ['run', {}],
      ['dry run', { dryRun: true }],
      ['plan', { plan: true }],
    ])('is an error of that row and stops a %s', async (_, options) => {
      const end = await fixture.run(await fixture.file('job.yaml', job), options);
      expect(end).toMatchObject({ status: 'invalid', exitCode: 3, requests: 0 });
      expect(end.reason).toMatchObject({ code: 'run.orphans', params: { count: 1 } });
      expect(render(end.reason!, 'en')).toContain('The first: Products, row 5.');
      expect(render(end.reason!, 'zh')).toContain('第一处：工作表 Products 第 5 行。');
      expect(end.problems).toMatchObject([{ status: 'invalid', count: 1, places: ['Products!A5'] }]);
      const book = await opened(end.output);
      const texts = book
        .getWorksheet('Problems')!
        .getSheetValues()
        .flat()
        .map((it) => JSON.stringify(it));
      expect(texts).toContainEqual(expect.stringMatching(/Products, row 5: .*SO-4/));
      expect(texts).toContainEqual(expect.stringMatching(/attention: [14] of 4"/));
      expect(noteOf(book.getWorksheet('Products')?.getCell('A5'))).toMatch(/^Products, row 5: /);
    });

    it('is a warning with onInvalid: skip', async () => {
      const end = await fixture.run(await fixture.file('job.yaml', `${job}\nrun: { onInvalid: skip }\n`));
      expect(end).toMatchObject({ status: 'completed', exitCode: 0, counts: { succeeded: 3 } });
      expect(end.warnings).toContainEqual(
        expect.objectContaining({
          code: 'run.orphan',
          params: expect.objectContaining({ row: 5, key: 'SO-4' }),
        }),
      );
      expect((await opened(end.output)).getWorksheet('Problems')).toBeUndefined();
    });
  });
});
