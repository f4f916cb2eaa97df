import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { positionsView } from '../../../src/app/imports/row-positions.js';
import type { RowResult } from '../../../src/ledger/contract/report.js';
import { CellsFile } from '../../../src/run/cells/cells-file.js';
import { CellsWriter } from '../../../src/run/cells/write-cells.js';
import { Overlay } from '../../../src/run/corrections/overlay.js';
import { PlainRow } from '../../../src/source/stored-row.js';
import { writeAtomically } from '../../../src/util/atomic-file.js';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'row-positions-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** An import whose sheet has these texts in column A, from row 2, with the given corrections. */
async function importOf(texts: readonly string[], corrected: Readonly<Record<number, string>> = {}) {
  const file = path.join(folder, 'a.cells');
  await writeAtomically(file, async (sink) => {
    const writer = new CellsWriter(sink);
    for (const [index, text] of texts.entries()) {
      const number = index + 2;
      const cells = text === '' ? [] : [{ kind: 'text', column: 1, text, raw: text } as const];
      const result = { row: number, status: 'valid', faults: [], messages: [] } as unknown as RowResult;
      await writer.add(new PlainRow({ sheet: 'S', number, hidden: false }, cells), result);
    }
    await writer.end({ run: 'r', sheet: 'S', headerRow: 1, headers: [{ column: 1, text: 'A' }] });
  });
  const overlay = Overlay.of(
    Object.entries(corrected).map(([row, text]) => ({
      row: Number(row),
      column: 1,
      text,
      header: 'A',
      before: '',
      who: 'Wang',
      at: 0,
    })),
  );
  return { cells: (await CellsFile.open(file))!, since: new Map(), overlay };
}

/** The positions of a view, decoded. */
function listed({ places, total }: Awaited<ReturnType<typeof positionsView>>): readonly number[] {
  const list: number[] = [];
  let next = 0;
  for (let at = 0; at < places.length; at += 2) {
    next += places[at]!;
    for (const end = next + places[at + 1]!; next < end; next += 1) list.push(next);
  }
  expect(list).toHaveLength(total);
  return list;
}

it('sorts numbers by value before texts, empty cells last in both directions, equal ones as in the sheet', async () => {
  const now = await importOf(['b', '10', '', '9', 'A', '9', '12345678901234567', '12345678901234568']);
  expect(listed(await positionsView(now, { sort: 1 }))).toEqual([3, 5, 1, 6, 7, 4, 0, 2]);
  expect(listed(await positionsView(now, { sort: -1 }))).toEqual([0, 4, 7, 6, 1, 3, 5, 2]);
  await now.cells.close();
});

it('lists the rows whose cells contain a text as shown, with corrections', async () => {
  const now = await importOf(['Acme', 'other', 'ACME Ltd', 'Acme'], { 3: 'acme corrected', 5: 'x' });
  expect(listed(await positionsView(now, { filter: { '1': 'acme' } }))).toEqual([0, 1, 2]);
  expect(listed(await positionsView(now, { filter: { '1': 'acme' }, sort: -1 }))).toEqual([2, 1, 0]);
  expect(listed(await positionsView(now, { filter: { '1': 'acme', '2': 'x' } }))).toEqual([]);
  expect(listed(await positionsView(now, {}))).toEqual([0, 1, 2, 3]);
  await now.cells.close();
});

it('sorts more rows than it compares in one turn', async () => {
  const count = 40_001;
  const now = await importOf(Array.from({ length: count }, (_, at) => String((at * 7919) % count)));
  const list = listed(await positionsView(now, { sort: 1 }));
  expect(list.map((at) => (at * 7919) % count)).toEqual([...Array(count).keys()]);
  await now.cells.close();
});
