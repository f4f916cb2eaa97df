import { describe, expect, it } from 'vitest';
import type { ColumnUse } from '../../src/model/map.js';
import type { Header, Row } from '../../src/model/row.js';
import { isTotalWord } from '../../src/source/cell-texts.js';
import { bindCondition } from '../../src/source/condition.js';
import { MergedRanges } from '../../src/source/merged-ranges.js';
import { type NonDataRow, nonDataVerdict } from '../../src/source/non-data-rows.js';
import type { ReadingRules } from '../../src/source/row-shape.js';
import type { Table } from '../../src/source/table.js';
import { TableReader } from '../../src/source/table-reader.js';
import { columnLetters } from '../../src/util/spreadsheet-text.js';
import { fold } from '../../src/util/text.js';
import { type Given, row } from '../support/mapping.js';

const HEADERS = ['Order', 'Customer', 'Lock', 'Qty', 'Note'];
/** The note is not mapped. */
const USE: ColumnUse = { columns: [1, 2, 3, 4], key: [1], identifiers: [1, 3], digits: [], texts: [] };
const NUMBER = (text: string): Given => ['number', text];

interface Wanted {
  readonly rules?: Partial<ReadingRules>;
  /** Top, left, bottom, right of each. */
  readonly merges?: readonly number[];
  readonly until?: string;
  readonly use?: ColumnUse;
  /** The rows are lines of a text file. */
  readonly isText?: boolean;
}

function readerOf(
  lines: readonly (readonly Given[])[],
  wanted: Wanted = {},
  given?: readonly Row[],
): TableReader {
  const headers: Header[] = HEADERS.map((text, index) => ({ column: index + 1, text, folded: fold(text) }));
  const rows = given ?? lines.flatMap((cells, index) => (cells.length === 0 ? [] : [row(index + 2, cells)]));
  const table: Table = {
    sheet: { name: 'Orders', position: 1, visibility: 'visible' },
    headers,
    headerRow: 1,
    fromResult: false,
    resultColumns: [],
    isText: wanted.isText ?? false,
    merges: MergedRanges.of(wanted.merges ?? []),
    async *rows() {
      for (const it of rows) yield [it];
    },
  };
  const at = { line: 1, column: 1 };
  const source = {
    file: 'orders.xlsx',
    headerRow: 1,
    encoding: 'auto',
    delimiter: 'auto',
    hiddenRows: 'include' as const,
    ...(wanted.until === undefined ? {} : { until: { source: wanted.until, at } }),
  };
  const until = bindCondition({ file: 'job.yaml', source }, 'until', 'Orders', headers);
  const rules = { merged: 'refuse' as const, fillDown: [], until, unmapped: [], ...wanted.rules };
  return new TableReader(table, wanted.use ?? USE, rules);
}

/** Each row with its texts, or with what it was set nonData as; `!` for one that is invalid. */
async function read(lines: readonly (readonly Given[])[], wanted: Wanted = {}): Promise<string[]> {
  const found: string[] = [];
  for await (const page of readerOf(lines, wanted).rows()) {
    for (const { row: it, nonData } of page) {
      found.push(`${it.number} ${nonData ? shown(nonData, it) : texts(it)}`);
    }
  }
  return found;
}

function shown(nonData: NonDataRow, { number }: Row): string {
  const verdict = nonDataVerdict(nonData, number);
  if (verdict.kind === 'skipped') return nonData.kind;
  return `${nonData.kind}! ${verdict.column === undefined ? '' : columnLetters(verdict.column)}`.trim();
}

function texts(it: Row): string {
  return HEADERS.map((_, index) => it.cell(index + 1))
    .map((cell) => (cell?.kind === 'merged' ? `[${cell.raw}]` : (cell?.text ?? '')))
    .join('|');
}

const ONE: readonly Given[] = ['O1', 'Li', 'A1', NUMBER('5')];
const TWO: readonly Given[] = ['O2', 'Wu', 'A2', NUMBER('6')];

describe('rows that are no data are reported, and none with a key is lost', () => {
  it('are totals without a key, wherever the word stands', async () => {
    const lines: readonly (readonly Given[])[] = [
      ONE,
      [undefined, '小 计：', undefined, NUMBER('5')],
      TWO,
      [undefined, undefined, undefined, NUMBER('11'), 'Grand total'],
      [undefined, undefined, '合计', ['no_result', '']],
      [undefined, 'Total:', undefined, '11 pcs'],
    ];
    expect(await read(lines)).toEqual([
      '2 O1|Li|A1|5|',
      '3 total',
      '4 O2|Wu|A2|6|',
      '5 total',
      '6 total',
      '7 total',
    ]);
  });

  it('are never rows that fill a key or an identifier, nor such as hold more than numbers', async () => {
    expect(
      await read([
        ['O1', '合计', 'A1', NUMBER('5')],
        [undefined, '合计', 'A1', NUMBER('5')],
        [undefined, '合计', NUMBER('3'), NUMBER('5')],
        [undefined, 'Li', undefined, NUMBER('5'), 'Total'],
      ]),
    ).toEqual(['2 O1|合计|A1|5|', '3 |合计|A1|5|', '4 |合计|3|5|', '5 |Li||5|Total']);
  });

  it('a total in the key itself is reported, not sent and not skipped', async () => {
    expect(
      await read([ONE, ['合计', undefined, undefined, NUMBER('5')], ['Total', 'Li', 'A1', NUMBER('5')]]),
    ).toEqual(['2 O1|Li|A1|5|', '3 total key! A', '4 total key! A']);
  });

  it('a total is skipped wherever its word is, if the key is a list of locks', async () => {
    const use: ColumnUse = {
      columns: [3],
      key: [3],
      identifiers: [3],
      digits: [],
      texts: [],
      keyIsLocks: true,
    };
    const lines: readonly (readonly Given[])[] = [
      [undefined, undefined, 'A1'],
      [undefined, undefined, '合计'],
      [undefined, 'Total', NUMBER('5')],
      [undefined, 'Total', 'A2', NUMBER('5'), 'x'],
      [undefined, undefined, 'Count'],
      [undefined, undefined, 'A3', undefined, 'total loss'],
    ];
    expect(await read(lines, { use })).toEqual([
      '2 ||A1||',
      '3 total',
      '4 total',
      '5 total',
      '6 total key! C',
      '7 ||A3||total loss',
    ]);
  });

  it('a total in a column that only belongs to the key is one without a key', async () => {
    const use = { ...USE, key: [3, 2], identifiers: [2, 3], digits: [], texts: [] };
    expect(
      await read(
        [
          ONE,
          [undefined, '合计', undefined, NUMBER('5')],
          [undefined, undefined, 'Total', NUMBER('5')],
          [undefined, 'Li', undefined, NUMBER('5')],
        ],
        { use },
      ),
    ).toEqual(['2 O1|Li|A1|5|', '3 total', '4 total key! C', '5 |Li||5|']);
  });

  it('a total whose counts stand where identifiers belong is reported too, and never takes the key above it', async () => {
    const lines: readonly (readonly Given[])[] = [
      ONE,
      ['合计', undefined, NUMBER('1'), NUMBER('5')],
      [undefined, '小计', NUMBER('3'), NUMBER('5')],
      [undefined, undefined, '3', undefined, 'Total'],
      [undefined, 'Total', 'A1', NUMBER('5')],
    ];
    const found: string[] = [];
    for await (const page of readerOf(lines, { rules: { fillDown: [1] } }).rows()) {
      for (const { row: it, nonData } of page) {
        const faults =
          it.faults?.map(({ message: reported }) => `${reported.code} ${reported.params.cell}`) ?? [];
        found.push(nonData ? shown(nonData, it) : `${texts(it)} ${faults}`.trim());
      }
    }
    expect(found).toEqual([
      'O1|Li|A1|5|',
      'total key! A',
      'O1|小计|3|5| source.row_total_doubtful C4',
      'O1||3||Total source.row_total_doubtful C5',
      'O1|Total|A1|5|',
    ]);
  });

  it('are notes that fill no mapped column, and the header again', async () => {
    expect(
      await read([
        ONE,
        [undefined, ' ', undefined, undefined, 'by Li'],
        [' ORDER', 'Customer', 'Lock', 'Qty'],
        TWO,
      ]),
    ).toEqual(['2 O1|Li|A1|5|', '3 note', '4 header', '5 O2|Wu|A2|6|']);
  });

  it('a header is repeated only where all that is filled repeats it', async () => {
    expect(await read([['Order', 'Li', 'A1', NUMBER('5')], ['Order']])).toEqual([
      '2 Order|Li|A1|5|',
      '3 Order||||',
    ]);
    const use = { columns: [1], key: [1], identifiers: [1], digits: [], texts: [] };
    expect(await read([['O1'], ['Order']], { use })).toEqual(['2 O1||||', '3 header']);
  });

  it('without a key of any kind totals are reported by their words alone', async () => {
    const use = { columns: [4], key: [], identifiers: [], digits: [], texts: [] };
    expect(
      await read(
        [
          [undefined, 'Li', undefined, NUMBER('5')],
          [undefined, '总计', undefined, NUMBER('5')],
        ],
        { use },
      ),
    ).toEqual(['2 |Li||5|', '3 total']);
  });

  it('are named in warnings', async () => {
    const reader = readerOf([
      ONE,
      [undefined, '合计'],
      [undefined, undefined, undefined, undefined, 'x'],
      [undefined, 'Sum'],
    ]);
    for await (const _ of reader.rows());
    expect(reader.warnings()).toMatchObject([
      { code: 'source.totals_skipped', params: { rows: '3, 5', count: 2, sheet: 'Orders' } },
      { code: 'source.notes_skipped', params: { rows: '4' } },
    ]);
  });
});

describe('until ends the table, and loses no row with a key', () => {
  it('ends the table before the first row where it holds; what fills a key below is reported', async () => {
    const until = 'row["Customer"] == ""';
    const lines = [ONE, ['O9', undefined, 'A9'], [undefined, 'legend'], TWO];
    expect(await read(lines, { until })).toEqual(['2 O1|Li|A1|5|', '3 beyond! A', '4 ended', '5 beyond! A']);
  });

  it('may be recognised by the key itself', async () => {
    expect(await read([ONE, ['END', 'x'], [undefined, 'y']], { until: 'row["Order"] == "END"' })).toEqual([
      '2 O1|Li|A1|5|',
      '3 ended',
      '4 ended',
    ]);
  });

  it('looks at blank rows, too, below the first row of data', async () => {
    const until = 'row["Order"] == ""';
    const lines = [[], ONE, TWO, [], [undefined, 'x'], [], ['Report']];
    expect(await read(lines, { until, isText: true })).toEqual([
      '3 O1|Li|A1|5|',
      '4 O2|Wu|A2|6|',
      '6 ended',
      '8 footer',
    ]);
    expect(await read([ONE, [], TWO], { until })).toEqual(['2 O1|Li|A1|5|', '4 beyond! A']);
    expect(await read([ONE, [], TWO], { until: 'int(row["Qty"]) > 7' })).toEqual([
      '2 O1|Li|A1|5|',
      '4 O2|Wu|A2|6|',
    ]);
  });

  it('a blank row under a merged range is not blank where the job fills it', async () => {
    const wanted = { until: 'row["Order"] == ""', merges: [2, 1, 4, 1], rules: { merged: 'fill' as const } };
    expect(await read([ONE, [], [undefined, 'Li', 'A2'], [], TWO], wanted)).toEqual([
      '2 O1|Li|A1|5|',
      '4 O1|Li|A2||',
      '6 beyond! A',
    ]);
  });

  it.each([
    ['lines of one field', [['Report'], ['(c) 2026'], [], ['By: Li']], ['3 footer', '4 footer', '6 footer']],
    ['after them a complete line', [['Report'], TWO], ['3 beyond! A', '4 beyond! A']],
    ['between them a complete line', [['Report'], TWO, ['x']], ['3 beyond! A', '4 beyond! A', '5 footer']],
    [
      'after them a line of two fields',
      [['Report'], ['Total', undefined, '5']],
      ['3 beyond! A', '4 beyond! A'],
    ],
    ['without a key', [['Report'], [undefined, 'Li', 'A9', 'x']], ['3 beyond! A', '4 ended']],
  ])('in a text file the footer of a report is no lost data: %s', async (_, lines, expected) => {
    const until = 'row["Qty"] == ""';
    const all = [ONE, ...lines];
    expect((await read(all, { until, isText: true })).slice(1)).toEqual(expected);
    expect((await read(all, { until })).slice(1)[0]).toBe('3 beyond! A');
    const use = { columns: [1], key: [1], identifiers: [1], digits: [], texts: [] };
    expect((await read(all, { until, isText: true, use })).slice(1)[0]).toBe('3 beyond! A');
  });

  it('names the lines of a footer in a warning', async () => {
    const lines = [ONE, ['Report'], ['(c) 2026'], [undefined, 'y']];
    const reader = readerOf(lines, { until: 'row["Qty"] == ""', isText: true });
    for await (const _ of reader.rows());
    expect(reader.warnings()).toMatchObject([
      { code: 'source.footers_skipped', params: { rows: '3-4', count: 2, end: 3 } },
      { code: 'source.table_ended', params: { rows: '5', count: 1, end: 3 } },
    ]);
  });

  it('looks at the cells before fillDown', async () => {
    const wanted = { until: 'row["Order"] == ""', rules: { fillDown: [1] } };
    expect(await read([ONE, [undefined, 'Li']], wanted)).toEqual(['2 O1|Li|A1|5|', '3 ended']);
  });

  it('that cannot be worked out makes the row invalid, and a merged range does not end the table', async () => {
    expect(await read([ONE, ['O2', 'Li', 'A2', 'x']], { until: 'int(row["Qty"]) > 5' })).toEqual([
      '2 O1|Li|A1|5|',
      '3 undecided! D',
    ]);
    const merged = { until: 'row["Order"] == ""', merges: [2, 1, 3, 1] };
    expect(await read([ONE, [undefined, 'Li', 'A2']], merged)).toEqual(['2 O1|Li|A1|5|', '3 undecided! A']);
    const filled = { ...merged, rules: { merged: 'fill' as const } };
    expect(await read([ONE, [undefined, 'Li', 'A2']], filled)).toEqual(['2 O1|Li|A1|5|', '3 O1|Li|A2||']);
  });
});

describe('cells under a merged range are refused or filled', () => {
  const lines = [ONE, [undefined, 'Li', 'A2', NUMBER('5')], [], [undefined, 'Li', 'A3', NUMBER('5')], TWO];

  it('say which range they lie under', async () => {
    expect(await read(lines, { merges: [2, 1, 5, 1] })).toEqual([
      '2 O1|Li|A1|5|',
      '3 [A2:A5]|Li|A2|5|',
      '5 [A2:A5]|Li|A3|5|',
      '6 O2|Wu|A2|6|',
    ]);
  });

  it('take its value where the job fills, across columns too, also to the end of the sheet', async () => {
    const rules = { merged: 'fill' as const };
    expect(await read(lines, { merges: [2, 1, 5, 1], rules })).toEqual([
      '2 O1|Li|A1|5|',
      '3 O1|Li|A2|5|',
      '5 O1|Li|A3|5|',
      '6 O2|Wu|A2|6|',
    ]);
    const wide = [
      ['O1', 'Li', undefined, NUMBER('5')] as const,
      ['O2', undefined, undefined, NUMBER('6')] as const,
    ];
    expect(await read(wide, { merges: [2, 2, 1_048_576, 3], rules })).toEqual([
      '2 O1|Li|Li|5|',
      '3 O2|Li|Li|6|',
    ]);
  });

  it('make no item of a title or a note that is merged over the columns', async () => {
    const rules = { merged: 'fill' as const, fillDown: [1] };
    const lines: readonly (readonly Given[])[] = [
      ONE,
      ['North'],
      [undefined, 'Li', 'A2', NUMBER('5')],
      ['O3', 'Li', undefined, NUMBER('5')],
    ];
    expect(await read(lines, { merges: [3, 1, 3, 4, 5, 2, 5, 3], rules })).toEqual([
      '2 O1|Li|A1|5|',
      '3 spread! A',
      '4 O1|Li|A2|5|',
      '5 O3|Li|Li|5|',
    ]);
  });

  it('are never given the header, nor a value over one that they hide', async () => {
    const rules = { merged: 'fill' as const };
    expect(await read([[undefined, 'Li', 'A1']], { merges: [1, 1, 2, 1], rules })).toEqual([
      '2 [A1:A2]|Li|A1||',
    ]);
    expect(await read([ONE, ['O7', 'Li', 'A2']], { merges: [2, 1, 3, 1], rules })).toEqual([
      '2 O1|Li|A1|5|',
      '3 [A2:A3]|Li|A2||',
    ]);
  });

  it('take the value above where fillDown names the column that the range begins in', async () => {
    const rules = { fillDown: [1, 2] };
    expect(await read(lines, { merges: [2, 1, 5, 1], rules })).toContain('5 O1|Li|A3|5|');
    const wide = [ONE, ['O2', undefined, 'A2', NUMBER('6')] as const];
    expect(await read(wide, { merges: [3, 1, 3, 2], rules })).toEqual([
      '2 O1|Li|A1|5|',
      '3 O2|[A3:B3]|A2|6|',
    ]);
  });

  it('of a note are no matter', async () => {
    expect(
      await read([ONE, [undefined, undefined, undefined, undefined, 'x']], { merges: [2, 1, 3, 4] }),
    ).toEqual(['2 O1|[A2:D3]|[A2:D3]|[A2:D3]|', '3 note']);
  });
});

describe('fillDown fills from above, never from a row that cannot be trusted', () => {
  it('fills empty cells from the data above, past notes, totals and repeated headers', async () => {
    const lines = [
      ONE,
      [undefined, 'Li', 'A2'],
      [undefined, '合计', undefined, NUMBER('5')],
      ['Order', 'Customer', 'Lock', 'Qty'],
      [undefined, undefined, undefined, undefined, 'x'],
      [' ', 'Li', 'A3'],
    ];
    expect(await read(lines, { rules: { fillDown: [1] } })).toEqual([
      '2 O1|Li|A1|5|',
      '3 O1|Li|A2||',
      '4 total',
      '5 header',
      '6 note',
      '7 O1|Li|A3||',
    ]);
  });
});

describe('words for totals are known, and names are none', () => {
  it.each([
    '合计',
    '合 计',
    '总计：',
    '小计(元)',
    '本页小计',
    '合计金额：1,234.50元',
    '共3条',
    '共计 12 台',
    '总数',
    '合计：2家',
    '共3人',
    '本月汇总',
    '数量合计',
    '客户总数：12',
    '总共',
    '總共 3 把',
    '总数量：5',
    'Total number of locks: 5',
    'Sum total',
    'Total customers',
  ])('%s', (it) => {
    expect(isTotalWord(it)).toBe(true);
  });
  it.each([
    'Total',
    'TOTAL:',
    'Sub-total',
    'subtotal',
    'Grand Total (CNY)',
    'Sum',
    'Total qty: 30',
    'Total 30 pcs',
    'Totals',
  ])('%s', (it) => {
    expect(isTotalWord(it)).toBe(true);
  });
  it.each([
    'Total Energies',
    'Summit Ltd',
    '合计划有限公司',
    '统计局',
    '共享单车',
    'SO-1',
    'Summary',
    '',
    'Totally',
    '总计划部',
  ])('not %s', (it) => {
    expect(isTotalWord(it)).toBe(false);
  });
});

describe('rows of Data > Subtotal are never data', () => {
  it.each([
    ...[
      '汇总',
      '小计',
      '合计',
      '总计',
      '计数',
      '平均值',
      '最大值',
      '最小值',
      '求和',
      '總計',
      '合計',
      '总计数',
    ],
    ...[
      'Total',
      'Subtotal',
      'Grand Total',
      'Count',
      'Grand Count',
      'Average',
      'Max',
      'Min',
      'Sum',
      'grand average',
    ],
  ])('%s', async (word) => {
    const lines = [ONE, [`O1 ${word}`, 'Li', 'A1', NUMBER('5')], [word, 'Li', 'A1', NUMBER('5')]];
    expect(await read(lines)).toEqual(['2 O1|Li|A1|5|', '3 total key! A', '4 total key! A']);
  });

  it.each<[string, Given, Given]>([
    ['a number', NUMBER('1003'), '1003 汇总'],
    ['a number with separators', NUMBER('1003'), '1,003 Total'],
    ['no blank before a Chinese word', 'R-1', 'R-1汇总'],
    ['another case and wide characters', 'r-1', 'Ｒ-1　计数'],
  ])('%s', async (_name, key, label) => {
    expect((await read([[key, 'Li', 'A1'], [label]])).at(-1)).toBe('3 total key! A');
  });

  it.each([
    ['the key of no row above', 'O2 Total'],
    ['a word that ends in one', 'O1 Maximum'],
    ['no blank before an English word', 'O1Total'],
    ['a key with such a word inside', 'Total-5'],
  ])('%s is a key', async (_name, key) => {
    expect((await read([ONE, [key, 'Li', 'A1']])).at(-1)).toBe(`3 ${key}|Li|A1||`);
  });

  it('a label in a column that is no key, of a row without a key', async () => {
    const lines = [ONE, [undefined, 'Li 汇总', undefined, NUMBER('5')]];
    expect(await read(lines, { rules: { fillDown: [1] } })).toEqual(['2 O1|Li|A1|5|', '3 total key! B']);
  });

  it('a formula with SUBTOTAL in a mapped column', async () => {
    const marked = (number: number, cells: readonly Given[], column: number): Row => {
      const plain = row(number, cells);
      return {
        sheet: plain.sheet,
        number,
        hidden: false,
        marked: true,
        cell: (at) => {
          const cell = plain.cell(at);
          return cell && at === column ? { ...cell, formula: 'calculated', subtotal: true } : cell;
        },
        cells: () => plain.cells(),
      };
    };
    const count = [undefined, undefined, NUMBER('2'), undefined, NUMBER('9')];
    const verdicts: string[] = [];
    for (const column of [3, 5]) {
      const rows = [
        row(2, ONE),
        marked(3, ['O2', 'Li', 'A2', NUMBER('2'), NUMBER('2')], column),
        marked(4, count, column),
      ];
      for await (const page of readerOf([], {}, rows).rows())
        for (const { row: it, nonData } of page)
          verdicts.push(`${it.number} ${nonData ? shown(nonData, it) : 'data'}`);
    }
    expect(verdicts).toEqual(['2 data', '3 subtotal! C', '4 subtotal! C', '2 data', '3 data', '4 data']);
  });
});

describe('labels of forms below the data', () => {
  it.each([
    ...[
      '制表人：张三',
      '审核人',
      '经办人签字',
      '日期：2026-11-26',
      '製表人：',
      '审核：李四',
      '负责人签章____',
    ],
    ...['Signature', 'Prepared by: Li', 'Date', 'Approved by'],
  ])('%s', async (label) => {
    expect(await read([ONE, [undefined, label, undefined, '张三']])).toEqual(['2 O1|Li|A1|5|', '3 form']);
    // In the key column, above a row with a key, or next to an identifier it stays a row of data.
    expect((await read([ONE, [label]])).at(-1)).toContain(`3 ${label}|`);
    expect((await read([ONE, [undefined, label], ['O2', 'Li']]))[1]).toContain(`3 |${label}|`);
    expect((await read([ONE, [undefined, label, 'A7']]))[1]).toContain(`3 |${label}|A7`);
  });

  it.each(['张三', '日期待定', 'Dated', '审核通过的客户', 'Signature Ltd'])('%s is none', async (text) => {
    expect((await read([ONE, [undefined, text]])).at(-1)).toContain(`3 |${text}|`);
  });
});

it('words for totals in traditional characters, with blanks inside', async () => {
  for (const word of ['合計', '總 計', '小　計：3', '金額合計'])
    expect((await read([ONE, [undefined, word, undefined, NUMBER('5')]])).at(-1)).toBe('3 total');
});
