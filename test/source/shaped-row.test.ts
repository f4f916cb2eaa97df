import { expect, it } from 'vitest';
import { message } from '../../src/errors/message.js';
import { CsvRow } from '../../src/source/csv/csv-row.js';
import { ShapedRow } from '../../src/source/row-shape.js';

it('a row keeps the faults that it had, whatever is made of its cells', () => {
  const fault = { column: 1, message: message('source.csv_no_header', { header: 1 }) };
  const row = new CsvRow('Data', 2, ['a', ''], { faults: [fault] });
  const filled = new ShapedRow(row, {
    replaced: new Map([[2, { column: 2, kind: 'text', text: 'b', raw: 'b' }]]),
  });
  expect(filled.faults).toEqual([fault]);
  expect(filled.cells().map(({ text }) => text)).toEqual(['a', 'b']);
  const doubt = { column: 2, message: message('source.value_above_lost', { above: 1 }) };
  expect(new ShapedRow(filled, { faults: [doubt] }).faults).toEqual([doubt, fault]);
});
