import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { ImportFixture } from '../support/imports.js';
import { orderJob } from '../support/orders.js';
import { postgresPlace } from '../support/postgres/shared-server.js';
import { runsFixture } from '../support/runs-fixture.js';

const PLACES = [
  { name: 'SQLite', place: async () => undefined },
  { name: 'PostgreSQL', place: postgresPlace },
] as const;

interface PlanRows {
  readonly headers: readonly string[];
  readonly items: readonly {
    readonly row: number;
    readonly cells: readonly { readonly text: string; readonly before?: string }[];
    readonly fields: readonly { readonly name: string; readonly text: string }[];
  }[];
  readonly next?: number;
  readonly total?: number;
}

describe.each(PLACES)('the rows of a plan ($name)', ({ place }) => {
  it('have the cells of the sheet, corrections before and after, and the fields that no cell shows', async () => {
    const made = await place();
    const settings = `version: 1
connections:
  office: { baseUrl: "http://127.0.0.1:9", token: { env: NONE }, timezone: Europe/Berlin, timestamps: seconds }
`;
    const imports = await ImportFixture.open({ settings, ...(made ? { ledger: made.url } : {}) });
    try {
      const dates = '        limitStartDate: Start\n        limitEndDate: { column: End, end: day }\n';
      await imports.job('orders.yaml', `${orderJob({ extra: dates })}connection: office\n`);
      const line = (id: number, nodes: string) =>
        `SO-${id},Customer ${id},A${id},${nodes},2027-01-01,2027-12-31,note ${id}\n`;
      const sheet = `Order,Customer,Asset,Nodes,Start,End,Note\n${line(1, '5')}${line(2, 'x')}${line(3, 'many')}${line(4, '0012')}`;
      const id = await imports.import('orders.csv', sheet);
      await imports.ask('POST', `/imports/${id}/corrections`, { cells: [{ row: 3, column: 4, text: '7' }] });
      await imports.checked(id);
      const { run } = await imports.ask('POST', `/imports/${id}/plan`, { onInvalid: 'skip' });
      const page = async (query = '') =>
        (await imports.ask('GET', `/plans/${run}/rows${query}`)) as unknown as PlanRows;
      const all = await page();
      expect(all.headers).toEqual(['Order', 'Customer', 'Asset', 'Nodes', 'Start', 'End', 'Note']);
      // Row 4 is invalid.
      expect(all.items.map((it) => it.row)).toEqual([2, 3, 5]);
      expect(all.items[1]!.cells[3]).toEqual({ text: '7', before: 'x' });
      expect(all.items[0]!.cells.map((it) => it.text)).toEqual([
        'SO-1',
        'Customer 1',
        'A1',
        '5',
        '2027-01-01',
        '2027-12-31',
        'note 1',
      ]);
      const fields = all.items.map((it) => new Map(it.fields.map(({ name, text }) => [name, text])));
      for (const row of fields) {
        expect(row.get('limitStartDate')).toBe('2027-01-01 00:00:00 Europe/Berlin');
        expect(row.get('limitEndDate')).toBe('2027-12-31 23:59:59 Europe/Berlin');
        expect(row.get('productName')).toBe('Product');
        expect(row.has('channelOrderId')).toBe(false);
        expect(row.has('customerName')).toBe(false);
      }
      expect(fields.map((it) => it.get('limitConcurrent'))).toEqual([undefined, undefined, '12']);

      const first = await page('?limit=2');
      expect(first.items).toEqual(all.items.slice(0, 2));
      expect(await page(`?limit=2&after=${first.next}`)).toMatchObject({ items: all.items.slice(2) });
    } finally {
      await imports.close();
      await made?.remove();
    }
  });

  it('have the fields of each step; what an earlier step returns is not known yet', async () => {
    const made = await place();
    const fixture = await runsFixture(made ? { ledger: made.url } : {});
    try {
      const job = `version: 1
name: numbered
connection: sandbox
source: { file: rows.csv }
steps:
  - name: numbers
    operation: asset.numbers
    map: { size: Locks }
  - name: lock
    operation: asset.lock
    map:
      assetNums: { from: numbers.assetNumber }
      operatorIdentity: Who
`;
      await writeFile(path.join(fixture.folder, 'orders.yaml'), job);
      await writeFile(path.join(fixture.folder, 'rows.csv'), 'Locks,Who\n2,me\n');
      const run = await fixture.run('plan');
      const { items } = (await fixture.get(`/plans/${run}/rows`)) as PlanRows;
      expect(items).toMatchObject([{ row: 2, cells: [{ text: '2' }, { text: 'me' }] }]);
      expect(items[0]!.fields).toEqual([{ name: 'lock: assetNums', text: '<given>' }]);
    } finally {
      await fixture.close();
      await made?.remove();
    }
  });
});
