import { describe, expect, it } from 'vitest';
import { packRow, StoredColumns, unpackRow, unpackWholeRow } from '../../src/source/stored-row.js';

describe('a stored row is the row it was made from', () => {
  const cells = [
    { column: 1, kind: 'text', text: 'A1', raw: 'A1' },
    { column: 2, kind: 'number', text: '0012', raw: '12', format: '0000' },
    { column: 3, kind: 'number', text: '1.1', raw: '1.1', shown: '1.10', format: '0.00' },
    { column: 5, kind: 'date', text: '2026-01-31', raw: '46053', format: 'yyyy-mm-dd' },
    { column: 6, kind: 'number', text: '17', raw: '17', seen: 'KH-17', format: '"KH-"0' },
  ] as const;
  const row = {
    sheet: 'Orders',
    number: 7,
    hidden: true,
    excluded: true,
    cell: (column: number) => cells.find((it) => it.column === column),
    cells: () => cells,
  };
  const columns = new StoredColumns([6, 5, 3, 2, 1]);

  it('holds its cells as they were, decimals as they are shown among them', () => {
    expect(columns.store(row).cells()).toEqual(cells);
  });

  it('comes back from a file as it was', () => {
    const back = unpackRow(columns, packRow(columns.store(row)));
    expect(back.cells()).toEqual(cells);
    expect(back).toMatchObject({ sheet: 'Orders', number: 7, hidden: true, excluded: true });
    const plain = { sheet: 'Orders', number: 7, hidden: false, faults: [], cells: () => [] };
    expect(unpackRow(columns, packRow(plain)).excluded).toBeUndefined();
    expect(unpackWholeRow(packRow({ ...plain, excluded: true })).excluded).toBe(true);
    expect(back.cell(3)?.shown).toBe('1.10');
    expect(back.cell(4)).toBeUndefined();
  });
});
