import { describe, expect, it } from 'vitest';
import type { InputReading } from '../../src/run/input-reading.js';
import { Joins } from '../../src/run/joins.js';
import { compile, ENVELOPE, row } from '../mapping/support.js';

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
const READING = {
  joined: () => ({
    async *rows() {
      yield LINES.map((it) => ({ row: it }));
    },
    warnings: () => [],
  }),
} as unknown as InputReading;

describe('rows of a joined sheet', () => {
  it('that nobody asked for are told, also when the asking begins anew', async () => {
    const joins = await Joins.index(MAPPING, READING);
    MAPPING.map([row(2, ['O1', 'Li'])], joins);
    expect(joins.orphans('Orders')).toMatchObject({ count: 1, first: [{ params: { row: 3, key: 'O2' } }] });
    joins.forgetAsked();
    expect(joins.orphans('Orders').count).toBe(3);
    joins.close();
  });
});
