import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Row } from '../../src/model/row.js';
import type { Status } from '../../src/model/status.js';
import { openSource } from '../../src/source/open-source.js';
import { openJoined, openTable } from '../../src/source/table.js';
import { unpackParts } from '../../src/templates/zip.js';
import type { ResultLine, ResultTable } from '../../src/workbook/result-line.js';
import { writeResult } from '../../src/workbook/write.js';
import { line, pages, row, table, text } from '../support/result-table.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'glance-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

interface Written {
  readonly file: string;
  readonly sheets: readonly string[];
  part(name: string): string;
  /** Texts of a sheet, by row number and 1-based column. */
  texts(sheet: string): Promise<ReadonlyMap<number, readonly string[]>>;
}

let written = 0;

async function write(
  names: readonly string[],
  lines: readonly ResultLine[],
  more: Partial<ResultTable> = {},
): Promise<Written> {
  written += 1;
  const file = path.join(folder, `${written}.xlsx`);
  const counts = new Map<string, number>();
  for (const { status } of lines) counts.set(status, (counts.get(status) ?? 0) + 1);
  const summary = () => [['job', 'sample'], ['rows', lines.length], ...counts, ['requests', 3]] as const;
  await writeResult(file, table(names, lines, { summary, ...more }));
  const parts = new Map(
    (await unpackParts(await readFile(file))).map((it) => [
      it.name,
      Buffer.from(it.content).toString('utf8'),
    ]),
  );
  const book = parts.get('xl/workbook.xml') ?? '';
  return {
    file,
    sheets: [...book.matchAll(/<sheet [^>]*name="([^"]*)"/g)].map((it) => it[1]!),
    part: (name) => parts.get(name) ?? '',
    texts: (sheet) => textsOf(file, sheet),
  };
}

async function textsOf(file: string, name: string): Promise<ReadonlyMap<number, readonly string[]>> {
  const source = await openSource(file);
  try {
    const found = new Map<number, readonly string[]>();
    for await (const page of source.rows(source.sheets.find((it) => it.name === name)!)) {
      for (const it of page) found.set(it.number, cellTexts(it));
    }
    return found;
  } finally {
    await source.close();
  }
}

function cellTexts(of: Row): string[] {
  const texts: string[] = [];
  for (const { column, text: shown } of of.cells()) texts[column - 1] = shown;
  return Array.from(texts, (it) => it ?? '');
}

const some = (number: number, status: Status, problem?: string, marks: [number, string][] = []): ResultLine =>
  line(row(number, [text(`SO-${number}`), text('x')]), {
    status,
    marks,
    ...(problem === undefined ? {} : { problem, message: problem }),
  });

describe('the sheet Summary shows the outcome at a glance', () => {
  it('says the outcome in words and draws the counts next to their numbers', async () => {
    const book = await write(
      ['Order No', 'Qty'],
      [some(2, 'succeeded'), some(3, 'rejected', 'no'), some(4, 'succeeded')],
      { sandbox: true },
    );
    const rows = await book.texts('Summary');
    expect([...rows.values()].slice(0, 3)).toEqual([
      ['SANDBOX', 'simulated platform: nothing of this took effect'],
      ['3 rows: 2 succeeded, 1 rejected'],
      ['Rows that need attention: 1 of 3'],
    ]);
    const chart = book.part('xl/charts/chart1.xml');
    const [, from, to] = /<c:f>'Summary'!\$B\$(\d+):\$B\$(\d+)<\/c:f>/.exec(chart)!;
    expect([rows.get(Number(from)), rows.get(Number(to))]).toEqual([
      ['succeeded', '2'],
      ['rejected', '1'],
    ]);
    expect([...chart.matchAll(/<c:dPt>.*?srgbClr val="(\w+)"/g)].map((it) => it[1])).toEqual([
      'C6EFCE',
      'FFE0B2',
    ]);
  });

  it('reports the chart wherever a package reports its parts', async () => {
    const book = await write(['Order No'], [some(2, 'succeeded')]);
    const types = book.part('[Content_Types].xml');
    for (const name of ['/xl/charts/chart1.xml', '/xl/drawings/drawing1.xml']) {
      expect(types.split(`PartName="${name}"`)).toHaveLength(2);
    }
    const sheet = book.part('xl/worksheets/sheet2.xml');
    const id = /<drawing r:id="(\w+)"\/><\/worksheet>$/.exec(sheet)?.[1];
    const relations = book.part('xl/worksheets/_rels/sheet2.xml.rels');
    expect(relations).toContain(`Id="${id}"`);
    expect(relations).toContain('Target="../drawings/drawing1.xml"');
    expect(book.part('xl/drawings/drawing1.xml')).toContain('r:id="rId1"');
    expect(book.part('xl/drawings/_rels/drawing1.xml.rels')).toContain('Target="../charts/chart1.xml"');
  });

  it('has no chart where nothing was counted', async () => {
    const book = await write(['Order No'], []);
    expect((await book.texts('Summary')).get(1)).toEqual(['no rows']);
    expect(book.part('xl/charts/chart1.xml')).toBe('');
    expect(book.part('[Content_Types].xml')).not.toContain('drawing');
  });

  it('speaks Chinese where the run does', async () => {
    const book = await write(['订单号'], [some(2, 'invalid', '缺少客户')], { language: 'zh' });
    expect([...(await book.texts('Summary')).values()].slice(0, 2)).toEqual([
      ['共 1 行：无效（invalid） 1'],
      ['需要处理的行：1（共 1 行）'],
    ]);
    expect((await book.texts('Problems')).get(7)).toEqual(['invalid', '2', 'B2', '缺少客户']);
  });
});

describe('the sheet Problems leads to each row that needs attention', () => {
  it('is excluded when all is well', async () => {
    const book = await write(['Order No'], [some(2, 'succeeded'), some(3, 'skipped')]);
    expect(book.sheets).toEqual(['Results', 'Summary']);
  });

  it('lists by kind what asks for attention, each line linked to the invalid cell', async () => {
    const book = await write(
      ['Order No', 'Qty'],
      [
        some(2, 'rejected', 'refused: 0042'),
        some(3, 'succeeded'),
        some(5, 'invalid', 'Orders!B5 quantity: =none', [[2, 'none']]),
        some(9, 'unknown', 'timed out'),
        some(10, 'rejected', 'refused'),
      ],
    );
    expect(book.sheets).toEqual(['Results', 'Problems', 'Summary']);
    const rows = await book.texts('Problems');
    expect([...rows.entries()].filter(([number]) => number !== 2)).toEqual([
      [1, ['Rows that need attention: 4 of 5']],
      [3, ['status', 'rows', 'first in Results', 'message']],
      [4, ['unknown', '1', 'B5', 'timed out']],
      [5, ['invalid', '1', 'I4', 'Orders!B5 quantity: =none']],
      [6, ['rejected', '2', 'B2']],
      [8, ['status', 'row', 'in Results', 'message']],
      [9, ['unknown', '9', 'B5', 'timed out']],
      [10, ['invalid', '5', 'I4', 'Orders!B5 quantity: =none']],
      [11, ['rejected', '2', 'B2', 'refused: 0042']],
      [12, ['rejected', '10', 'B6', 'refused']],
    ]);
    const sheet = book.part('xl/worksheets/sheet2.xml');
    const links = [...sheet.matchAll(/<hyperlink ref="C(\d+)" location="Results!(\w+)"/g)];
    expect(links.map((it) => [Number(it[1]), it[2]])).toEqual(
      [4, 5, 6, 9, 10, 11, 12].map((number) => [number, rows.get(number)![2]]),
    );
  });

  it('holds ten thousand lines, the gravest kinds first, and says how many more there are', async () => {
    const lines: ResultLine[] = [];
    for (let number = 2; number < 10_502; number += 1) lines.push(some(number, 'not_sent', 'stopped'));
    for (let number = 10_502; number < 10_602; number += 1) lines.push(some(number, 'invalid', 'wrong'));
    const rows = await (await write(['Order No'], lines)).texts('Problems');
    const listed = [...rows.entries()].filter(([number]) => number > 7).map(([, texts]) => texts);
    expect(rows.get(4)?.slice(0, 2)).toEqual(['invalid', '100']);
    expect(rows.get(5)?.slice(0, 2)).toEqual(['not_sent', '10500']);
    expect(listed.filter(([status]) => status === 'invalid')).toHaveLength(100);
    expect(listed.filter(([status]) => status === 'not_sent')).toHaveLength(9900);
    expect(listed.at(-1)).toEqual(['and 600 more: filter Results by status to see them all']);
  });

  it('gives way to a sheet of the source that bears its name, which the job finds again', async () => {
    const carried = { name: 'problems', rows: () => pages([row(1, [text('Order No'), text('Fault')])]) };
    const book = await write(['Order No'], [some(2, 'rejected', 'no')], {
      copied: [{ ...carried, marks: () => new Map() }],
    });
    expect(book.sheets).toEqual(['Results', 'Problems (2)', 'problems', 'Summary']);
    expect(book.part('xl/worksheets/sheet4.xml')).toContain('location="&apos;Problems (2)&apos;!A1"');
    const source = await openSource(book.file);
    const main = await openTable(source, { headerRow: 1, resultColumns: [] });
    expect(main.headers.map((it) => it.text)).toEqual(['Order No']);
    const joined = await openJoined(source, main, 'Problems');
    expect(joined.headers.map((it) => it.text)).toEqual(['Order No', 'Fault']);
    await source.close();
  });
});

describe('invalid cells have notes that can be read', () => {
  const long = 'the licence type is none that the platform knows; '.repeat(4);

  it('grow with what is wrong, within a bound; rows that are fine stay one line high', async () => {
    const book = await write(
      ['Order No'],
      [some(2, 'rejected', long), some(3, 'rejected', long.repeat(9)), some(4, 'rejected', 'no')],
    );
    const heights = [...book.part('xl/worksheets/sheet1.xml').matchAll(/<row r="(\d+)"(?: ht="(\d+)")?/g)];
    expect(heights.map((it) => [it[1], it[2]])).toEqual([
      ['1', undefined],
      ['2', '60'],
      ['3', '90'],
      ['4', undefined],
    ]);
  });

  it('boxes of notes hold their texts and begin next to their cells', async () => {
    const book = await write(
      ['Order No', 'Qty'],
      [
        some(2, 'invalid', 'short', [[1, 'short']]),
        some(3, 'invalid', 'long', [[2, `${long}\n<&"${'中'.repeat(60)}`]]),
      ],
    );
    const boxes = [
      ...book.part('xl/drawings/vmlDrawing1.vml').matchAll(/height:([\d.]+)pt.*?<x:Anchor>([^<]*)/g),
    ];
    expect(boxes.map((it) => Number(it[1]))).toEqual([24, 96]);
    expect(boxes.map((it) => it[2]!.split(', ').map(Number).slice(0, 4))).toEqual([
      [8, 8, 1, 2],
      [9, 8, 2, 2],
    ]);
    expect(book.part('xl/comments1.xml')).toContain('<comment ref="I3" authorId="0">');
    expect(book.part('xl/comments1.xml')).toContain('&lt;&amp;&quot;中');
  });
});

describe('printed pages repeat headers and say SANDBOX', () => {
  it('repeat header and first columns, take as many pages as many columns need, name job and run', async () => {
    const names = Array.from({ length: 40 }, (_, index) => `Column number ${index}`);
    const carried = { name: "O'Brien", rows: () => pages([row(1, [text('Order No')])]) };
    const book = await write(names, [some(2, 'succeeded')], {
      job: 'new-buy',
      run: 'R&D',
      copied: [{ ...carried, marks: () => new Map() }],
    });
    const sheet = book.part('xl/worksheets/sheet1.xml');
    expect(Number(/fitToWidth="(\d+)" fitToHeight="0"/.exec(sheet)?.[1])).toBeGreaterThan(2);
    expect(sheet).toContain('<oddFooter>&amp;Lnew-buy&amp;CR&amp;&amp;D&amp;R&amp;P / &amp;N</oddFooter>');
    expect(sheet).toContain('<pane xSplit="2" ySplit="1" topLeftCell="C2"');
    const titles = [...book.part('xl/workbook.xml').matchAll(/localSheetId="(\d)">([^<]*)</g)];
    expect(titles.map((it) => [it[1], it[2]!.replaceAll('&apos;', "'")])).toEqual([
      ['0', "'Results'!$A:$B,'Results'!$1:$1"],
      ['1', "'O''Brien'!$1:$1"],
    ]);
    expect(/fitToWidth="(\d+)"/.exec(book.part('xl/worksheets/sheet3.xml'))?.[1]).toBe('1');
  });
});
