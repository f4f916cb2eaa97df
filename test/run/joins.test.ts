import { describe, expect, it } from 'vitest';
import type { Row } from '../../src/model/row.js';
import type { InputReading } from '../../src/run/input-reading.js';
import { Joins } from '../../src/run/joins.js';
import { compile, ENVELOPE, faultTexts, type Given, row } from '../mapping/support.js';

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
  it('that nobody asked for are told, also when the asking begins anew', async () => {
    const joins = await Joins.index(MAPPING, reading(LINES));
    MAPPING.map([row(2, ['O1', 'Li'])], joins);
    expect(joins.orphans('Orders')).toMatchObject({ count: 1, first: [{ params: { row: 3, key: 'O2' } }] });
    joins.forgetAsked();
    expect(joins.orphans('Orders').count).toBe(3);
    joins.close();
  });

  it('without a key may belong to the rows above them: what these belong to is held back', async () => {
    const merged: Given = ['merged', '', 'A2:A3'];
    const lines = [
      row(2, ['O1', 'A1'], 'Lines'),
      row(3, [merged, 'A2'], 'Lines'),
      row(4, [undefined, 'A3'], 'Lines'),
      row(5, ['O2', 'A4'], 'Lines'),
    ];
    const joins = await Joins.index(MAPPING, reading(lines));
    expect(faultTexts(MAPPING.map([row(2, ['O1', 'Li'])], joins))).toEqual([
      expect.stringContaining('row 3-4 of sheet Lines has no key of its own (Order)'),
    ]);
    expect(MAPPING.map([row(3, ['O2', 'Wu'])], joins)).toMatchObject({ kind: 'items' });
    expect(joins.orphans('Orders').first.map(({ code }) => code)).toEqual([
      'run.orphan_merged',
      'run.orphan',
    ]);
    joins.close();
  });
});
