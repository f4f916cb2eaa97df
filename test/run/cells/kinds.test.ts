import { expect, it } from 'vitest';
import { message } from '../../../src/errors/message.js';
import { CellsKinds } from '../../../src/run/cells/kinds.js';

it('tells a kind of fault by the first cell that has it, not by a row whose group is at fault further down', () => {
  const fault = {
    sheet: 'November',
    row: 5,
    column: 18,
    field: 'orderList.assets.limitStartDate',
    message: message('mapping.not_date', { text: '2026/12/13' }),
  };
  const kinds = new CellsKinds();
  for (const [index, row] of [4, 5, 6].entries())
    kinds.add(index, { row, status: 'invalid', faults: [fault], messages: [] });
  expect(kinds.list()).toMatchObject([{ count: 3, first: { row: 5, column: 18, sheet: 'November' } }]);
});
