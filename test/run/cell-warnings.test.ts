import ExcelJS from 'exceljs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Message, render } from '../../src/errors/message.js';
import { SILENT } from '../../src/run/observer.js';
import type { RunEnd } from '../../src/run/run-end.js';
import { Fixture } from '../support/job-runs.js';
import { readSheet } from '../support/read-sheet.js';

const ZWSP = '\u200b';
const JOB = `version: 1
name: names
operation: enterprise.create
connection: sandbox
`;
const HEADERS = ['crmCustomerId', 'customerName', 'branchName'];

let fixture: Fixture;

beforeEach(async () => {
  fixture = await Fixture.open();
});

afterEach(async () => {
  await fixture.close();
});

async function run(source: string, dryRun = true): Promise<{ end: RunEnd; warned: string[] }> {
  const warned: string[] = [];
  const warn = (it: Message): void => {
    warned.push(render(it));
  };
  const end = await fixture.run(await fixture.file('names.yaml', `${JOB}${source}\n`), {
    dryRun,
    parts: { observer: { ...SILENT, warn } },
  });
  return { end, warned };
}

async function bodies(end: RunEnd): Promise<unknown[]> {
  const found: unknown[] = [];
  for await (const { body } of fixture.ledger.plan.bodies(end.run)) found.push(body);
  return found;
}

describe('cells that hold more than what is sent', () => {
  it('are named up to a bound, and the rest are counted', async () => {
    const rows = Array.from({ length: 50 }, (_, index) => `C${index},公司${ZWSP}${index},北京`);
    await fixture.file('names.csv', `${[HEADERS.join(','), ...rows].join('\n')}\n`);
    const { end, warned } = await run('source: { file: names.csv }', false);
    expect(end.counts).toEqual({ succeeded: 50 });
    expect(warned).toHaveLength(21);
    expect(warned[0]).toMatch(/^names!B2 customerName: removed the character U\+200B at position 3/);
    expect(warned[19]).toMatch(/^names!B21 /);
    expect(warned[20]).toBe('invisible characters were removed from 30 further cells');
    const summary = await readSheet(end.output ?? '', 'Summary');
    expect(JSON.stringify(summary)).toContain('names!B2 customerName');
  });

  it('of a workbook: names as they are seen, numbers as they are shown', async () => {
    const workbook = new ExcelJS.Workbook();
    const sheet = workbook.addWorksheet('Names');
    sheet.addRow(HEADERS);
    sheet.addRow(['C1', `\u00a0张${ZWSP}三 `, '北京']);
    sheet.addRow([11, 5.12345, 12]);
    sheet.getRow(3).getCell(1).numFmt = '0.00';
    sheet.getRow(3).getCell(2).numFmt = '0.00';
    sheet.getRow(3).getCell(3).numFmt = '0000';
    sheet.addRow([1234.5, 'x', '北京']);
    sheet.getRow(4).getCell(1).numFmt = '0';
    sheet.addRow([new Date('2026-03-04'), true, new Date('2026-03-04')]);
    await fixture.file('names.xlsx', new Uint8Array(await workbook.xlsx.writeBuffer()));
    const { end, warned } = await run('source: { file: names.xlsx }\nrun: { onInvalid: skip }');
    expect(await bodies(end)).toEqual([
      { branchName: '北京', crmCustomerId: 'C1', customerName: '张三' },
      { branchName: '0012', crmCustomerId: '11', customerName: '5.12' },
    ]);
    expect(warned).toEqual([
      expect.stringMatching(/^Names!B2 customerName: removed the character U\+200B/),
      expect.stringMatching(/^Names!A3 crmCustomerId: read as 11, .* shows it as 11\.00/),
      'Names!B3 customerName: read as shown, 5.12; the cell contains 5.12345',
    ]);
    const [, , hidden, dates] = await readSheet(end.output ?? '');
    expect(hidden).toMatchObject({ status: 'invalid' });
    expect(hidden?.message).toMatch(/^Names!A4 crmCustomerId: the cell shows 1235 but contains 1234.5/);
    expect(dates?.message).toMatch(/^Names!A5 crmCustomerId: 2026-03-04 is a date/);
    expect(dates?.message).toMatch(/Names!C5 branchName: 2026-03-04 is a date/);
  });

  it('in text that conditions and expressions read have no blanks at their ends', async () => {
    await fixture.file('names.csv', 'No,Name,State\nC1, 某公司 , Approved\u00a0\nC2,x,Draft\n');
    const map = `map: { crmCustomerId: No, customerName: { expr: 'row["Name"] + "!"' }, branchName: { value: B } }`;
    const { end } = await run(`source: { file: names.csv, where: 'row["State"] == "Approved"' }\n${map}`);
    expect(end.counts).toEqual({ valid: 1, skipped: 1 });
    expect(await bodies(end)).toEqual([{ branchName: 'B', crmCustomerId: 'C1', customerName: '某公司!' }]);
  });
});
