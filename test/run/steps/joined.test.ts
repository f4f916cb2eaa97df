import { afterEach, beforeEach, expect, it } from 'vitest';
import { workbook, worksheet } from '../../fixtures/workbook.js';
import { FakePlatform } from '../../support/fake-platform.js';
import { Desk } from '../../support/job-runs.js';
import { OnboardingPlatform, onboarding, stepOf } from '../../support/onboarding.js';

let desk: Desk;
let platform: FakePlatform;
const done = new OnboardingPlatform();

beforeEach(async () => {
  desk = await Desk.open();
  platform = await new FakePlatform((seen) => done.answer(seen)).start();
});

afterEach(async () => {
  await platform.stop();
  await desk.close();
});

function lines(rows: readonly (readonly string[])[]): string {
  return rows
    .map((row, at) => {
      const cells = row.map((text, column) =>
        text === '' ? '' : `<c r="${String.fromCharCode(65 + column)}${at + 1}" t="str"><v>${text}</v></c>`,
      );
      return `<row r="${at + 1}">${cells.join('')}</row>`;
    })
    .join('');
}

/** Two orders, whose assets stand on a sheet of their own. */
const SHEETS = workbook({
  sheet: lines([
    ['Order', 'Customer', 'Customer ID', 'Locks', 'Nodes'],
    ['SO-1', 'C1', '', '1', '5'],
    ['SO-2', 'C2', '', '1', '5'],
  ]),
  sheets: '<sheet name="Data" sheetId="1" r:id="s1"/><sheet name="Assets" sheetId="2" r:id="s2"/>',
  relations:
    '<Relationship Id="s2" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet2.xml"/>',
  entries: [
    {
      name: 'xl/worksheets/sheet2.xml',
      data: worksheet(
        lines([
          ['Order', 'Asset'],
          ['SO-1', 'A1'],
          ['SO-2', 'A2'],
        ]),
      ),
    },
  ],
});

it('lines of another sheet whose order is held back belong to it all the same', async () => {
  await desk.file('rows.xlsx', SHEETS);
  const job = onboarding()
    .replace('rows.csv', 'rows.xlsx')
    .replace(
      'assets:\n          assetNos: { from: numbers.assetNumber }',
      'assets:\n          each: { sheet: Assets, on: [Order] }\n          assetNos: Asset',
    )
    // Of the other sheet there are no nodes.
    .replace('limitConcurrent: Nodes', 'limitConcurrent: { value: 5 }');
  platform.answer = (seen) =>
    stepOf(seen).of === 'C1' ? { body: { code: '13004', message: 'no', cause: '' } } : done.answer(seen);
  const end = await desk.run(await desk.file('job.yaml', job), { connection: platform.connection() });
  expect(end).toMatchObject({ status: 'completed', exitCode: 1, counts: { rejected: 1, succeeded: 1 } });
});
