import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { workbook, worksheet } from '../fixtures/workbook.js';
import { FakePlatform, ordersDone, type Seen } from '../support/fake-platform.js';
import { Fixture } from '../support/job-runs.js';
import { orderJob } from '../support/orders.js';
import { readSheet } from '../support/read-sheet.js';

let fixture: Fixture;
let platform: FakePlatform;

beforeEach(async () => {
  fixture = await Fixture.open();
  platform = await new FakePlatform(ordersDone).start();
});

afterEach(async () => {
  await platform.stop();
  await fixture.close();
});

/** 31 December 2027 as Excel stores it, and its last instant in Shanghai. */
const DAY = 46_752;
const DAY_END = Date.UTC(2027, 11, 31, 15, 59, 59, 999);

const text = (at: string, value: string): string => `<c r="${at}" t="inlineStr"><is><t>${value}</t></is></c>`;

/** Rows of order, customer, lock, nodes and end date; the last two as XML. */
function sheet(rows: readonly (readonly [nodes: string, until: string])[], pending: boolean): Uint8Array {
  const header = ['Order', 'Customer', 'Asset', 'Nodes', 'Until'].map((it, at) =>
    text(`${'ABCDE'[at]}1`, it),
  );
  const lines = rows.map(([nodes, until], index) => {
    const at = index + 2;
    const own = [`SO-${at}`, 'Li', `83000001${at}0`].map((it, column) => text(`${'ABC'[column]}${at}`, it));
    return `<row r="${at}">${own.join('')}<c r="D${at}">${nodes}</c><c r="E${at}" s="1">${until}</c></row>`;
  });
  const mark = pending ? '<sheetCalcPr fullCalcOnLoad="1"/>' : '';
  const xml = worksheet(`<row r="1">${header.join('')}</row>${lines.join('')}`);
  return workbook({
    sheet: xml.replace('</sheetData>', `</sheetData>${mark}`),
    formats: ['yyyy-mm-dd'],
  });
}

async function run(bytes: Uint8Array, option = '', leaf = 'column: Until') {
  const extra = `        limitEndDate: { ${leaf}, end: day${option} }\nrun: { onInvalid: skip }\n`;
  const end = await fixture.run(await fixture.file('job.yaml', orderJob({ extra })), {
    input: await fixture.file('in.xlsx', bytes),
    connection: platform.connection(),
  });
  const rows = await readSheet(end.output ?? '');
  return { end, rows, codes: (end.warnings ?? []).map((it) => it.code) };
}

type Product = { readonly limitConcurrent: number; readonly limitEndDate: number };

function product({ body }: Seen): Product {
  const [order] = body.orderList as { assets: { products: Product[] }[] }[];
  return order!.assets[0]!.products[0]!;
}

/** What was sent, by order. */
const sent = (): Record<string, Product> =>
  Object.fromEntries(platform.seen.map((it) => [String(it.body.channelOrderId), product(it)]));

const day = `<v>${DAY}</v>`;

describe('formulas of a file that must be calculated', () => {
  const rows = [
    ['<f>1+1</f><v>0</v>', day],
    ['<f>1+1</f>', day],
    ['<f>1+1</f><v>2</v>', day],
    ['<v>5</v>', day],
  ] as const;

  it('a result of 0 and a missing one are errors of their cells; others are sent, with one warning', async () => {
    const { end, rows: lines, codes } = await run(sheet(rows, true));
    expect(end.counts).toEqual({ invalid: 2, succeeded: 2 });
    expect(lines.map((it) => it.status)).toEqual(['invalid', 'invalid', 'succeeded', 'succeeded']);
    expect(lines[0]?.message).toContain('Data!D2 limitConcurrent: ');
    expect(lines[1]?.message).toContain('Data!D3 limitConcurrent: ');
    expect(sent()).toMatchObject({ 'SO-4': { limitConcurrent: 2 }, 'SO-5': { limitConcurrent: 5 } });
    expect(codes.filter((it) => it === 'source.formulas_pending')).toHaveLength(1);

    const again = await fixture.run(`${fixture.folder}/job.yaml`, {
      input: end.output!,
      connection: platform.connection(),
    });
    expect(again).toMatchObject({ counts: { invalid: 2, skipped: 2 }, requests: 0 });
  });

  it('in a file without the mark a result of 0 is read', async () => {
    const { end, codes } = await run(sheet([['<f>0*1</f><v>0</v>', day]], false));
    expect(end.counts).toEqual({ succeeded: 1 });
    expect(sent()).toMatchObject({ 'SO-2': { limitConcurrent: 0 } });
    expect(codes).toContain('source.formula_zero');
  });
});

describe('times of end dates that their format does not show', () => {
  const at = (hours: number): string => `<v>${DAY + hours / 24}</v>`;
  const rows = [
    ['<v>5</v>', day],
    ['<v>5</v>', at(43 / 3600)],
    ['<v>5</v>', at(24 - 43 / 3600)],
    ['<v>5</v>', at(18.5)],
  ] as const;

  describe.each(['column: Until', `expr: 'row["Until"]'`])('with %s', (leaf) => {
    it('within a minute of midnight are the day, with a warning; others are errors with both readings', async () => {
      const { end, rows: lines } = await run(sheet(rows, false), '', leaf);
      expect(end.counts).toEqual({ succeeded: 3, invalid: 1 });
      const ends = Object.values(sent()).map((it) => it.limitEndDate);
      expect(ends).toEqual([DAY_END, DAY_END, DAY_END]);
      const reported = (end.warnings ?? []).map((it) => JSON.stringify(it));
      for (const cell of ['E3', 'E4']) expect(reported.some((it) => it.includes(cell))).toBe(true);
      expect(lines[3]).toMatchObject({ status: 'invalid' });
      expect(lines[3]?.message).toMatch(/Data!E5 limitEndDate: .*2027-12-31.*18:30/);

      const again = await fixture.run(`${fixture.folder}/job.yaml`, {
        input: end.output!,
        connection: platform.connection(),
      });
      expect(again).toMatchObject({ counts: { invalid: 1, skipped: 3 }, requests: 0 });
    });

    it('are ignored where the leaf says `time: ignore`', async () => {
      const { end } = await run(sheet(rows, false), ', time: ignore', leaf);
      expect(end.counts).toEqual({ succeeded: 4 });
      expect(Object.values(sent()).map((it) => it.limitEndDate)).toEqual(Array(4).fill(DAY_END));
    });
  });

  it('do not change a day that the expression gives by itself', async () => {
    const leaf = `expr: 'row["Until"].startsWith("2027") ? "2028-06-30" : row["Until"]'`;
    const { end } = await run(sheet(rows, false), ', time: ignore', leaf);
    expect(end.counts).toEqual({ succeeded: 4 });
    const june = Date.UTC(2028, 5, 30, 15, 59, 59, 999);
    expect(Object.values(sent()).map((it) => it.limitEndDate)).toEqual(Array(4).fill(june));
  });
});
