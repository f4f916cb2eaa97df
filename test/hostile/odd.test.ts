import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { workbookEntries } from '../fixtures/workbook.js';
import { zip } from '../fixtures/zip.js';
import { FakePlatform, ordersDone } from '../support/fake-platform.js';
import { Fixture } from '../support/job-runs.js';
import { orderJob } from '../support/orders.js';
import { readSheet } from '../support/read-sheet.js';
import { book, csv, escaped, HEADER, ORDERS, row, rows, worksheet } from './order-files.js';

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

interface Odd {
  readonly title: string;
  readonly bytes: () => Uint8Array;
  /** Rows as Excel numbers them. */
  readonly numbers?: readonly number[];
}

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const STRICT = 'http://purl.oclc.org/ooxml/spreadsheetml/main';
const whole = (before: string, inside: string, after = ''): string =>
  `<worksheet xmlns="${MAIN}">${before}<sheetData>${inside}</sheetData>${after}</worksheet>`;
const STYLED = Array.from(
  { length: 3000 },
  (_, at) =>
    `<row r="${at + 5}" s="1" customFormat="1"><c r="A${at + 5}" s="1"/><c r="D${at + 5}" s="1"/></row>`,
);
const texts = [HEADER, ...ORDERS].flat();
const shared = texts.map((text) => `<si><t>${escaped(text)}</t></si>`).join('');
const sharedRows = [HEADER, ...ORDERS].map((line, at) => {
  const cells = line.map((_, column) => `<c t="s"><v>${at * HEADER.length + column}</v></c>`);
  return `<row>${cells.join('')}</row>`;
});

/** What must be read rightly, each holding the same three orders. */
const ODD: readonly Odd[] = [
  {
    title: 'a sheet that claims 1,048,576 rows and 16,384 columns',
    bytes: () =>
      book({
        sheet: whole('<dimension ref="A1:XFD1048576"/><cols><col min="1" max="16384"/></cols>', rows()),
      }),
  },
  {
    title: 'a last order in the last row of all',
    bytes: () => book({ sheet: rows(ORDERS, HEADER, [2, 700_000, 1_048_576]) }),
    numbers: [2, 700_000, 1_048_576],
  },
  {
    title: 'trailing rows that are formatted and empty',
    bytes: () => book({ sheet: rows() + STYLED.join(''), formats: ['0000'] }),
  },
  {
    title: 'cells merged over a whole column',
    bytes: () =>
      book({
        sheet: whole(
          '',
          rows(),
          '<mergeCells><mergeCell ref="F2:F1048576"/><mergeCell ref="G1:XFD1"/></mergeCells>',
        ),
      }),
  },
  {
    title: 'no part for shared strings, though the workbook names one',
    bytes: () => zip(workbookEntries({ sheet: rows() }).filter((it) => it.name !== 'xl/sharedStrings.xml')),
  },
  {
    title: 'shared strings, and cells and rows without references',
    bytes: () => book({ sheet: sharedRows.join(''), strings: shared }),
  },
  {
    title: 'inline strings in runs',
    bytes: () =>
      book({
        sheet: rows().replaceAll(
          /<is><t>(.)([^<]*)<\/t><\/is>/g,
          '<is><r><t>$1</t></r><r><t xml:space="preserve">$2</t></r></is>',
        ),
      }),
  },
  {
    title: 'other namespace prefixes',
    bytes: () =>
      book({
        sheet: worksheet(rows())
          .replace(/<(\/?)(worksheet|sheetData|row|c|is|t)\b/g, '<$1ns0:$2')
          .replace('xmlns=', 'xmlns:ns0='),
      }),
  },
  {
    title: 'strict OOXML in every part',
    bytes: () =>
      zip(
        workbookEntries({ sheet: rows() }).map((it) => ({
          ...it,
          data: String(it.data)
            .replaceAll(MAIN, STRICT)
            .replaceAll(
              /http:\/\/schemas\.openxmlformats\.org\/officeDocument\/2006\/relationships/g,
              'http://purl.oclc.org/ooxml/officeDocument/relationships',
            ),
        })),
      ),
  },
  {
    title: 'blank rows between the orders',
    bytes: () =>
      book({
        sheet: `${row(1, HEADER)}<row r="2"/><row r="3"><c r="A3"/></row>${row(4, ORDERS[0]!)}${row(9, ORDERS[1]!)}${row(20, ORDERS[2]!)}`,
      }),
    numbers: [4, 9, 20],
  },
  {
    title: 'blank lines between the records of a CSV',
    bytes: () => Buffer.from(csv().replace(/\n(SO-[23])/g, '\n\n\n$1')),
    numbers: [2, 5, 8],
  },
];

describe('a file that is odd but sound is sent as it was meant', () => {
  it.each(ODD)('$title', async ({ title, bytes, numbers = [2, 3, 4] }) => {
    const input = await fixture.file(title.endsWith('CSV') ? 'odd.csv' : 'odd.xlsx', bytes());
    const job = await fixture.file('job.yaml', orderJob());
    const end = await fixture.run(job, { input, connection: platform.connection() });
    expect(end).toMatchObject({
      status: 'completed',
      rows: 3,
      counts: { succeeded: 3 },
      requests: 3,
      exitCode: 0,
    });
    const sent = platform.seen.map(({ body }) => {
      const [order] = body.orderList as {
        customerName: string;
        assets: { assetNos: string[]; products: { limitConcurrent: number }[] }[];
      }[];
      const [asset] = order!.assets;
      return [
        String(body.channelOrderId),
        order!.customerName,
        asset!.assetNos[0],
        String(asset!.products[0]!.limitConcurrent),
      ];
    });
    expect(sent.sort()).toEqual(ORDERS);
    const lines = await readSheet(end.output ?? '');
    expect(lines.map((it) => Number(it.row))).toEqual(numbers);
    expect(lines.map((it) => HEADER.map((name) => it[name]))).toEqual(ORDERS);
  });
});

describe('columns with names that programs trip over', () => {
  const ODD_NAMES = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'prototype'];
  const values = ORDERS.map((order, at) => [...order, ...ODD_NAMES.map((name) => `${name} ${at}`)]);

  it.each(['csv', 'xlsx'])('are ordinary columns of a .%s, mapped or not', async (kind) => {
    const header = [...HEADER, ...ODD_NAMES];
    const bytes = kind === 'csv' ? csv(values, header) : book({ sheet: rows(values, header) });
    const input = await fixture.file(`names.${kind}`, bytes);
    const mapped = orderJob()
      .replace('customerName: Customer', 'customerName: __proto__')
      .replace(
        'address: { value: Street 1 }',
        `address: { expr: 'row["constructor"] + "/" + row["toString"]' }`,
      )
      .replace('adminName: { value: Admin }', 'adminName: { template: "{hasOwnProperty}" }');
    const job = await fixture.file('job.yaml', mapped);
    const end = await fixture.run(job, { input, connection: platform.connection() });
    expect(end.counts).toEqual({ succeeded: 3 });
    const orders = platform.seen.map(({ body }) => (body.orderList as Record<string, unknown>[])[0]);
    expect(orders.map((it) => it?.customerName).sort()).toEqual([
      '__proto__ 0',
      '__proto__ 1',
      '__proto__ 2',
    ]);
    expect(orders.map((it) => it?.address)).toContain('constructor 1/toString 1');
    expect(orders.map((it) => it?.adminName)).toContain('hasOwnProperty 2');
    const lines = await readSheet(end.output ?? '');
    expect(lines.map((it) => Object.entries(it).slice(-ODD_NAMES.length))).toEqual(
      values.map((it) => ODD_NAMES.map((name, at) => [name, it[HEADER.length + at]])),
    );
    expect(Object.keys(Object.prototype)).toEqual([]);
    expect(({} as Record<string, unknown>)['__proto__ 0']).toBeUndefined();
  });

  it('two that fold to one do no harm where the map uses neither', async () => {
    const input = await fixture.file(
      'notes.csv',
      csv(
        ORDERS.map((it) => [...it, 'a', 'b']),
        [...HEADER, 'Note', 'NOTE '],
      ),
    );
    const job = await fixture.file('job.yaml', orderJob());
    const end = await fixture.run(job, { input, connection: platform.connection() });
    expect(end.counts).toEqual({ succeeded: 3 });
  });
});
