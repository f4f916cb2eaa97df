import ExcelJS from 'exceljs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Fixture } from '../support/job-runs.js';
import { orderJob } from '../support/orders.js';
import { readSheet } from '../support/read-sheet.js';

let fixture: Fixture;

beforeEach(async () => {
  fixture = await Fixture.open();
});

afterEach(async () => {
  await fixture.close();
});

/** Its products are in a sheet that bears the name of one of ours. */
const job = orderJob()
  .replace('operation:', 'connection: sandbox\noperation:')
  .replace('source: { file: orders.csv }', 'source: { file: orders.xlsx, sheet: Orders }')
  .replace('      products:\n', '      products:\n        each: { sheet: Problems, on: [Order] }\n');

async function workbook(customer: string): Promise<void> {
  const book = new ExcelJS.Workbook();
  book.addWorksheet('Orders').addRows([
    ['Order', 'Customer', 'Asset'],
    ['SO-1', 'One', '0001'],
    ['SO-2', customer, '0002'],
  ]);
  book.addWorksheet('Problems').addRows([
    ['Order', 'Nodes'],
    ['SO-1', 5],
    ['SO-2', 5],
  ]);
  await fixture.file('orders.xlsx', new Uint8Array(await book.xlsx.writeBuffer()));
}

async function opened(file: string | undefined): Promise<ExcelJS.Workbook> {
  const book = new ExcelJS.Workbook();
  await book.xlsx.readFile(file ?? '');
  return book;
}

function lines(sheet: ExcelJS.Worksheet | undefined): unknown[][] {
  const found: unknown[][] = [];
  sheet?.eachRow((row) => {
    found.push(Array.from({ length: 4 }, (_, index) => row.getCell(index + 1).text));
  });
  return found;
}

describe('the problems of a run', () => {
  it('are listed with what stopped the rows that had none of their own', async () => {
    await workbook('');
    const end = await fixture.run(await fixture.file('job.yaml', job));
    const book = await opened(end.output);
    expect(book.worksheets.map((it) => it.name)).toEqual(['Results', 'Problems (2)', 'Problems', 'Summary']);
    const said = lines(book.getWorksheet('Problems (2)'));
    expect(said[0]?.[0]).toBe('Rows that need attention: 2 of 2');
    const [invalid, notSent] = said.slice(-2);
    expect(invalid).toEqual(['invalid', '3', 'J3', expect.stringMatching(/^Orders!B3 customerName: /)]);
    expect(notSent).toEqual([
      'not_sent',
      '2',
      'B2',
      'not sent, because other rows are invalid; correct those and run the file again',
    ]);
    const results = book.getWorksheet('Results');
    expect(results?.getCell('J1').value).toBe('Customer');
  });

  it('leave the result valid input for the same job, whose own sheet may bear their name', async () => {
    await workbook('');
    const file = await fixture.file('job.yaml', job);
    const first = await fixture.run(file);
    expect(first.counts).toEqual({ invalid: 1, not_sent: 1 });
    const book = await opened(first.output);
    book.getWorksheet('Results')!.getCell('J3').value = 'Two';
    const corrected = await fixture.file('corrected.xlsx', new Uint8Array(await book.xlsx.writeBuffer()));
    const second = await fixture.run(file, { input: corrected });
    expect(second.counts).toEqual({ succeeded: 2 });
    expect((await readSheet(second.output ?? '')).map((it) => it.Customer)).toEqual(['One', 'Two']);
    expect((await opened(second.output)).worksheets.map((it) => it.name)).toEqual([
      'Results',
      'Problems',
      'Summary',
    ]);
  });
});
