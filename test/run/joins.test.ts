import { describe, expect, it } from 'vitest';
import { message } from '../../src/errors/message.js';
import type { Row } from '../../src/model/row.js';
import type { InputReading } from '../../src/run/input/input-reading.js';
import { Joins } from '../../src/run/input/joins.js';
import { ShapedRow } from '../../src/source/row-shape.js';
import { compile, ENVELOPE, faultTexts, type Given, row } from '../support/mapping.js';

const LINES = [row(2, ['O1', 'A1'], 'Lines'), row(3, ['O2', 'A2'], 'Lines'), row(4, ['O1', 'A3'], 'Lines')];
const MAPPING = compile({
  headers: ['Order', 'Customer'],
  joined: { Lines: ['Order', 'Lock'] },
  map: {
    ...ENVELOPE,
    orderList: {
      customer: 'Customer',
      assets: { each: { sheet: 'Lines', on: ['Order'] }, assetNos: 'Lock' },
    },
  },
});
const HIDDEN_TOO = { source: { file: 'orders.xlsx', hiddenRows: 'include' as const } };
const reading = (lines: readonly Row[]): InputReading =>
  ({
    joined: () => ({
      async *rows() {
        yield lines.map((it) => ({ row: it }));
      },
      warnings: () => [],
    }),
  }) as unknown as InputReading;

describe('rows of a joined sheet', () => {
  it('that were not requested are reported, also when the asking begins again', async () => {
    const joins = await Joins.index(MAPPING, reading(LINES), HIDDEN_TOO);
    MAPPING.map([row(2, ['O1', 'Li'])], joins);
    expect(joins.orphans()).toMatchObject({ count: 1, first: [{ params: { row: 3, key: 'O2' } }] });
    joins.forgetLookups();
    expect(joins.orphans().count).toBe(3);
    joins.close();
  });

  it('that fill no mapped cell next to their key are no orphans', async () => {
    const merged: Given = ['merged', '', 'B3:B4'];
    const lines = [row(2, ['O8'], 'Lines'), row(3, ['O9', merged], 'Lines'), row(4, ['O9', ' '], 'Lines')];
    const joins = await Joins.index(MAPPING, reading(lines), HIDDEN_TOO);
    expect(joins.orphans()).toMatchObject({ count: 1, first: [{ params: { row: 3, parent: 'Orders' } }] });
    joins.close();
  });

  it('of a sheet that is joined to a joined sheet name that sheet', async () => {
    const mapping = compile({
      headers: ['Order', 'Customer'],
      joined: { Lines: ['Order', 'Lock'], Products: ['Lock', 'Product'] },
      map: {
        ...ENVELOPE,
        orderList: {
          customer: 'Customer',
          assets: {
            each: { sheet: 'Lines', on: ['Order'] },
            assetNos: 'Lock',
            products: { each: { sheet: 'Products', on: ['Lock'] }, productId: 'Product' },
          },
        },
      },
    });
    const rows = {
      Lines: [LINES[0]!],
      Products: [row(2, ['A1', 'P1'], 'Products'), row(3, ['A7', 'P2'], 'Products')],
    };
    const book = {
      joined: ({ sheet }: { sheet: 'Lines' | 'Products' }) => reading(rows[sheet]).joined({} as never),
    };
    const joins = await Joins.index(mapping, book as unknown as InputReading, HIDDEN_TOO);
    mapping.map([row(2, ['O1', 'Li'])], joins);
    expect(joins.orphans()).toMatchObject({
      count: 1,
      first: [{ params: { sheet: 'Products', row: 3, parent: 'Lines', key: 'A7' } }],
    });
    joins.close();
  });

  it('are excluded, reported or refused where they are hidden, as those of the job are', async () => {
    const hidden = Object.create(row(3, ['O1', 'A9'], 'Lines'), { hidden: { value: true } }) as Row;
    const lines = [row(2, ['O1', 'A1'], 'Lines'), hidden];
    const locks = async (hiddenRows: 'include' | 'skip'): Promise<[string, string[]]> => {
      const joins = await Joins.index(MAPPING, reading(lines), { source: { file: 'o.xlsx', hiddenRows } });
      const mapped = JSON.stringify(MAPPING.map([row(2, ['O1', 'Li'])], joins));
      joins.close();
      return [[...new Set(mapped.match(/A\d/g))].join(), joins.warnings.map(({ code }) => code)];
    };
    expect(await locks('include')).toEqual(['A1,A9', ['run.hidden_rows']]);
    expect(await locks('skip')).toEqual(['A1', ['run.hidden_rows']]);
    const refused = { source: { file: 'o.xlsx', hiddenRows: 'refuse' as const } };
    await expect(Joins.index(MAPPING, reading(lines), refused)).rejects.toMatchObject({
      detail: { code: 'run.hidden_refused', params: { sheet: 'Lines', rows: '3' } },
    });
  });

  it('that fillDown gave a key, but that look like totals, withhold what stands above them', async () => {
    const doubt = {
      column: 2,
      message: message('source.row_total_doubtful', { text: '合计', word: 'C3', cell: 'B3' }),
    };
    const lines = [
      row(2, ['O1', 'A1'], 'Lines'),
      new ShapedRow(row(3, ['O1', '2'], 'Lines'), { faults: [doubt] }),
      row(4, ['O2', 'A4'], 'Lines'),
    ];
    const joins = await Joins.index(MAPPING, reading(lines), HIDDEN_TOO);
    expect(faultTexts(MAPPING.map([row(2, ['O1', 'Li'])], joins))).toEqual([
      expect.stringContaining('row 3 of sheet Lines has no key of its own (Order)'),
    ]);
    expect(MAPPING.map([row(3, ['O2', 'Wu'])], joins)).toMatchObject({ kind: 'items' });
    expect(joins.orphans().count).toBe(0);
    joins.close();
  });

  it('without a key may belong to the rows above them: what these belong to is withheld', async () => {
    const merged: Given = ['merged', '', 'A2:A3'];
    const lines = [
      row(2, ['O1', 'A1'], 'Lines'),
      row(3, [merged, 'A2'], 'Lines'),
      row(4, [undefined, 'A3'], 'Lines'),
      row(5, ['O2', 'A4'], 'Lines'),
    ];
    const joins = await Joins.index(MAPPING, reading(lines), HIDDEN_TOO);
    expect(faultTexts(MAPPING.map([row(2, ['O1', 'Li'])], joins))).toEqual([
      expect.stringContaining('row 3-4 of sheet Lines has no key of its own (Order)'),
    ]);
    expect(MAPPING.map([row(3, ['O2', 'Wu'])], joins)).toMatchObject({ kind: 'items' });
    expect(joins.orphans().first.map(({ code }) => code)).toEqual(['run.orphan_merged', 'run.orphan_no_key']);
    joins.close();
  });
});
