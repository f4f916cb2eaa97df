import { afterEach, beforeEach, expect, it } from 'vitest';
import { workbook, worksheet } from '../../fixtures/workbook.js';
import { FakePlatform } from '../../support/fake-platform.js';
import { Fixture } from '../../support/job-runs.js';
import { OnboardingPlatform, onboarding, stepOf } from '../../support/onboarding.js';

let fixture: Fixture;
let platform: FakePlatform;
const done = new OnboardingPlatform();

beforeEach(async () => {
  fixture = await Fixture.open();
  platform = await new FakePlatform((seen) => done.answer(seen)).start();
});

afterEach(async () => {
  await platform.stop();
  await fixture.close();
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
const withAssets = (assets: readonly (readonly string[])[]): Uint8Array =>
  workbook({
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
        data: worksheet(lines([['Order', 'Asset'], ...assets])),
      },
    ],
  });

const SHEETS = withAssets([
  ['SO-1', 'A1'],
  ['SO-2', 'A2'],
]);

it('lines of another sheet whose order is withheld belong to it still', async () => {
  await fixture.file('rows.xlsx', SHEETS);
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
  const end = await fixture.run(await fixture.file('job.yaml', job), { connection: platform.connection() });
  expect(end).toMatchObject({ status: 'completed', exitCode: 1, counts: { rejected: 1, succeeded: 1 } });
});

it('what the orders of one row got is no single value for a later step', async () => {
  await fixture.file(
    'rows.xlsx',
    withAssets([
      ['SO-1', 'A1'],
      ['SO-1', 'A2'],
      ['SO-2', 'A3'],
    ]),
  );
  let made = 0;
  platform.answer = (seen) => {
    if (!seen.path.includes('batch')) return { body: { code: 0, message: 'success', data: true } };
    made += 1;
    const data = [{ sequence: 1, licenseOrderId: `LO-${made}`, customerId: 'C' }];
    return { body: { code: 0, message: 'success', data } };
  };
  const whole = onboarding().replace('rows.csv', 'rows.xlsx');
  const job = `${whole.slice(0, whole.indexOf('  - name: customer'))}${whole
    .slice(whole.indexOf('  - name: order'))
    .replace('each: [Order]', 'each: { sheet: Assets, on: [Order] }')
    .replace('{ from: customer.customerId, else: Customer ID }', '{ value: X }')
    .replace(/: Customer\n/g, ': { value: C }\n')
    .replace('limitConcurrent: Nodes', 'limitConcurrent: { value: 5 }')
    .replace('{ from: numbers.assetNumber }', 'Asset')}  - name: note
    operation: enterprise.update
    map:
      crmCustomerId: Customer
      customerName: { from: order.licenseOrderId }
      branchName: { expr: 'step["order"]["licenseOrderId"]' }
run: { concurrency: 1 }
`;
  const end = await fixture.run(await fixture.file('job.yaml', job), { connection: platform.connection() });
  expect(end).toMatchObject({ status: 'completed', counts: { invalid: 1, succeeded: 1 } });
  expect(platform.seen.filter(({ path }) => !path.includes('batch')).map(({ body }) => body)).toEqual([
    { crmCustomerId: 'C2', customerName: 'LO-3', branchName: 'LO-3' },
  ]);
});
