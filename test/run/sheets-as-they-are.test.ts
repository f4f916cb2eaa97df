import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SILENT } from '../../src/run/observer.js';
import type { RunEnd } from '../../src/run/run-end.js';
import { workbook, worksheet } from '../fixtures/workbook.js';
import { FakePlatform, ordersDone } from '../support/fake-platform.js';
import { Fixture } from '../support/job-runs.js';
import { orderJob } from '../support/orders.js';
import { readSheet } from '../support/read-sheet.js';

let fixture: Fixture;
let platform: FakePlatform;
let warned: string[];

beforeEach(async () => {
  fixture = await Fixture.open();
  platform = await new FakePlatform(ordersDone).start();
  warned = [];
});

afterEach(async () => {
  await platform.stop();
  await fixture.close();
});

const HEADER = ['Order', 'Customer', 'Asset', 'Nodes', 'Note'];

/** A sheet of texts; `merged` and `hidden` as Excel writes them. */
async function sheet(
  lines: readonly (readonly string[])[],
  { merged = [], hidden = [] }: { merged?: readonly string[]; hidden?: readonly number[] } = {},
): Promise<string> {
  const rows = [HEADER, ...lines].map((cells, index) => {
    const number = index + 1;
    const written = cells.map((text, column) =>
      text === '' ? '' : `<c r="${'ABCDE'[column]}${number}" t="inlineStr"><is><t>${text}</t></is></c>`,
    );
    return `<row r="${number}"${hidden.includes(number) ? ' hidden="1"' : ''}>${written.join('')}</row>`;
  });
  const ranges = merged.map((it) => `<mergeCell ref="${it}"/>`).join('');
  const xml = worksheet(rows.join('')).replace(
    '</sheetData>',
    `</sheetData><mergeCells>${ranges}</mergeCells>`,
  );
  const file = path.join(fixture.folder, 'in.xlsx');
  await writeFile(file, workbook({ sheet: xml }));
  return file;
}

async function run(
  input: string,
  set: readonly string[] = [],
  source = '',
  extension: '.xlsx' | '.csv' = '.xlsx',
): Promise<RunEnd> {
  const job = await fixture.file('job.yaml', orderJob().replace('orders.csv }', `orders.csv${source} }`));
  const warn = ({ code, params }: { code: string; params: object }): void => {
    warned.push(`${code} ${JSON.stringify(params)}`);
  };
  return fixture.run(job, {
    input,
    set,
    extension,
    connection: platform.connection(),
    parts: { observer: { ...SILENT, warn } },
  });
}

/** Locks of each order that was sent. */
function sent(): Record<string, string[]> {
  const orders = platform.seen.map(({ body }) => {
    const [order] = body.orderList as { assets: { assetNos: string[] }[] }[];
    return [String(body.channelOrderId), order!.assets.flatMap((it) => it.assetNos)] as const;
  });
  return Object.fromEntries(orders);
}

async function statuses(end: RunEnd): Promise<string[]> {
  return (await readSheet(end.output ?? '')).map((it) => `${it.row} ${it.status}`);
}

const MERGED = [
  ['SO-1', 'Li', 'A1', '5'],
  ['', '', 'A2', '5'],
  ['SO-2', 'Wu', 'A3', '5'],
];

describe('merged ranges', () => {
  it('over a mapped column make the rows under them invalid, naming range and fix; nothing is sent', async () => {
    const end = await run(await sheet(MERGED, { merged: ['A2:A3', 'B2:B3'] }));
    expect(end).toMatchObject({ exitCode: 3, counts: { invalid: 1, not_sent: 2 } });
    expect(platform.seen).toHaveLength(0);
    const [, row] = await readSheet(end.output ?? '');
    expect(row?.message).toContain('Data!A3 channelOrderId: is covered by the merged range A2:A3');
    expect(row?.message).toContain('source.merged: fill');
  });

  it('hold the item above back where the valid rows go', async () => {
    const end = await run(await sheet(MERGED, { merged: ['A2:A3', 'B2:B3'] }), ['run.onInvalid=skip']);
    expect(await statuses(end)).toEqual(['2 invalid', '3 invalid', '4 succeeded']);
    expect(sent()).toEqual({ 'SO-2': ['A3'] });
    const [above] = await readSheet(end.output ?? '');
    expect(above?.message).toContain('not sent: row 3 next to it has no key of its own');
  });

  it.each(['.xlsx', '.csv'] as const)(
    'hold it back in a %s result that is run unmended, too',
    async (extension) => {
      const merged = await sheet(MERGED, { merged: ['A2:A3', 'B2:B3'] });
      const checked = await run(merged, ['run.onInvalid=abort'], '', extension);
      const end = await run(checked.output!, ['run.onInvalid=skip']);
      expect(await statuses(end)).toEqual(['2 invalid', '3 invalid', '4 succeeded']);
      expect(sent()).toEqual({ 'SO-2': ['A3'] });
    },
  );

  it('are filled where the job reports it, in the result too, which is the same job again', async () => {
    const fill = ', merged: fill';
    const end = await run(await sheet(MERGED, { merged: ['A2:A3', 'B2:B3'] }), [], fill);
    expect(end).toMatchObject({ exitCode: 0, counts: { succeeded: 3 } });
    expect(sent()).toEqual({ 'SO-1': ['A1', 'A2'], 'SO-2': ['A3'] });
    const lines = await readSheet(end.output ?? '');
    expect(lines.map((it) => `${it.Order} ${it.Customer}`)).toEqual(['SO-1 Li', 'SO-1 Li', 'SO-2 Wu']);
    expect(await run(end.output ?? '', [], fill)).toMatchObject({ counts: { skipped: 3 }, requests: 0 });
  });

  it.each(['.xlsx', '.csv'] as const)(
    'do not vanish in a result (%s) that is run again unmended',
    async (it) => {
      const note = ', fillDown: [Order]';
      const end = await run(await sheet(MERGED, { merged: ['B2:B3'] }), ['run.onInvalid=skip'], note, it);
      expect(end.counts).toEqual({ invalid: 2, succeeded: 1 });
      const again = await run(end.output ?? '', ['run.onInvalid=skip'], note);
      expect(again.counts).toEqual({ invalid: 2, skipped: 1 });
    },
  );

  it('in columns that nothing reads are no errors', async () => {
    const lines = [
      ['SO-1', 'Li', 'A1', '5', 'x'],
      ['SO-2', 'Wu', 'A2', '5', ''],
    ];
    const end = await run(await sheet(lines, { merged: ['E2:E1048576'] }));
    expect(end).toMatchObject({ exitCode: 0, counts: { succeeded: 2 } });
  });
});

describe('keys written once', () => {
  const lines = [
    ['SO-1', 'Li', 'A1', '5'],
    ['', 'Li', 'A2', '5'],
    ['', '合计', '', '10'],
    ['', '', '', '', 'by Li'],
    ['SO-2', 'Wu', 'A3', '5'],
  ];

  it('are taken from above, past totals and notes, which are skipped with warnings', async () => {
    const end = await run(await sheet(lines), [], ', fillDown: [Order]');
    expect(await statuses(end)).toEqual([
      '2 succeeded',
      '3 succeeded',
      '4 skipped',
      '5 skipped',
      '6 succeeded',
    ]);
    expect(sent()).toEqual({ 'SO-1': ['A1', 'A2'], 'SO-2': ['A3'] });
    expect(warned).toEqual([
      'source.totals_skipped {"sheet":"Data","rows":"4","count":1}',
      'source.notes_skipped {"sheet":"Data","rows":"5","count":1}',
    ]);
    expect(await run(end.output ?? '', [], ', fillDown: [Order]')).toMatchObject({ requests: 0 });
  });

  it('without fillDown hold the order above back, and name both cells', async () => {
    const end = await run(await sheet(lines), ['run.onInvalid=skip']);
    expect(await statuses(end)).toEqual(['2 invalid', '3 invalid', '4 skipped', '5 skipped', '6 succeeded']);
    expect(sent()).toEqual({ 'SO-2': ['A3'] });
    const [, row] = await readSheet(end.output ?? '');
    expect(row?.message).toContain('A3 ("Order") is empty, but B3 is filled');
    expect(row?.message).toContain('source.fillDown: [Order]');
  });
});

describe('rows that may belong to the order above', () => {
  const around = (...lines: string[][]): string[][] => [
    ['SO-1', 'Li', '81', '5'],
    ...lines,
    ['SO-2', 'Wu', '83', '5'],
  ];
  const skip = ['run.onInvalid=skip'];

  it('by a ditto hold it back', async () => {
    const end = await run(await sheet(around(['〃', 'Li', '82', '5'])), skip);
    expect(await statuses(end)).toEqual(['2 invalid', '3 invalid', '4 succeeded']);
    const [, row] = await readSheet(end.output ?? '');
    expect(row?.message).toContain('A3 channelOrderId: 〃 means the value of the cell above');
  });

  it.each(['', ', fillDown: [Order]'])(
    'or be totals, with a count among the locks, hold it back%s',
    async (it) => {
      const end = await run(await sheet(around(['', '合计', '2', '10'])), skip, it);
      expect(await statuses(end)).toEqual(['2 invalid', '3 invalid', '4 succeeded']);
      expect(sent()).toEqual({ 'SO-2': ['83'] });
    },
  );

  it('are no titles that are merged over the columns', async () => {
    const lines = around(['South', '', '', '']);
    const end = await run(
      await sheet(lines, { merged: ['A3:D3'] }),
      skip,
      ', merged: fill, fillDown: [Order]',
    );
    expect(await statuses(end)).toEqual(['2 succeeded', '3 invalid', '4 succeeded']);
    const [, title] = await readSheet(end.output ?? '');
    expect([title?.Order, title?.Customer]).toEqual(['South', '#N/A']);
  });
});

describe('a job and its sheet', () => {
  it.each([
    ['where', `, where: 'row["Nope"] == "x"'`],
    ['until', `, until: 'row["Nope"] == "x"'`],
    ['fillDown', ', fillDown: [Nope]'],
  ])('a column of %s that the sheet lacks is the job’s fault', async (_name, source) => {
    await expect(run(await sheet(MERGED), [], source)).rejects.toMatchObject({ kind: 'usage' });
  });

  it('the header elsewhere is named, in a map and without one', async () => {
    const input = await sheet([['', 'of today'], ...MERGED]);
    const titled = input.replace('in.xlsx', 'titled.csv');
    await writeFile(titled, `Orders\n\n${HEADER.join()}\nSO-1,Li,A1,5,\n`);
    const reported = {
      others: expect.arrayContaining([
        expect.objectContaining({
          code: 'source.header_elsewhere',
          params: expect.objectContaining({ row: 3 }),
        }),
      ]),
    };
    await expect(run(titled)).rejects.toMatchObject({ kind: 'usage', ...reported });
    await expect(
      run(titled, [], `, where: 'row["Order"] == "x" && row["Note"] == ""'`),
    ).rejects.toMatchObject(reported);
    const numbers = await fixture.file(
      'n.yaml',
      'version: 1\nname: n\noperation: asset.numbers\nsource: { file: n.csv }\n',
    );
    await fixture.file('n.csv', 'Numbers wanted,,\n\nsize,,\n5,,\n');
    await expect(
      fixture.run(numbers, { dryRun: true, connection: platform.connection() }),
    ).rejects.toMatchObject(reported);
  });

  it('hidden rows are named', async () => {
    const lines = ['1', '2', '3', '4', '5'].map((it) => [`SO-${it}`, 'Li', `A${it}`, '5']);
    await run(await sheet(lines, { hidden: [2, 4, 5, 6] }));
    expect(warned).toEqual(['run.hidden_rows {"sheet":"Data","count":4,"rows":"2, 4-6","policy":"include"}']);
  });
});

it.each([
  ['Excel', (name: string) => `~$${name}`],
  ['LibreOffice', (name: string) => `.~lock.${name}#`],
])('a workbook that is open in %s is read as saved, with a warning', async (_, lockOf) => {
  const file = await sheet([['SO-1', 'C', 'A1', '5', '']]);
  const lock = lockOf(path.basename(file));
  await fixture.file(lock, 'x');
  expect((await run(file)).counts).toEqual({ succeeded: 1 });
  expect(warned.filter((it) => it.startsWith('source.open_elsewhere')).join()).toContain(
    JSON.stringify(lock),
  );
});

it('an empty sheet is reported as empty', async () => {
  const file = path.join(fixture.folder, 'in.xlsx');
  await writeFile(file, workbook({ sheet: worksheet('') }));
  await expect(run(file)).rejects.toMatchObject({ exitCode: 3, detail: { code: 'source.sheet_empty' } });
  const text = await fixture.file('in.csv', '\ufeff\n');
  await expect(run(text)).rejects.toMatchObject({ exitCode: 3, detail: { code: 'source.sheet_empty' } });
});
