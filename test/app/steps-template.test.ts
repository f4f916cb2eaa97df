import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { writeTemplate } from '../../src/app/template.js';
import { readLines } from '../support/read-sheet.js';

const JOB = `version: 1
name: onboard
description: New customers, from a name to a licence
connection: sandbox
source: { file: data/new-customers.csv }
steps:
  - name: customer
    operation: enterprise.bind
    when: row["Customer ID"] == ""
    map:
      channelCode: Channel
      channelCustomerId: Customer No
      customerName: Customer
      branchName: Branch
      enterpriseName: Enterprise
      passwordMobile: Mobile
  - name: numbers
    operation: asset.numbers
    map: { size: Locks wanted }
  - name: order
    operation: order.new_buy
    map:
      channelCode: Channel
      channelOrderId: Order No
      syncMode: { value: sync }
      orderList:
        each: [Order No]
        customerId: { from: customer.customerId, else: Customer ID }
        crmCustomerId: Customer No
        customerName: Customer
        channelCustomerId: Customer No
        adminName: Customer
        adminAccount: Mobile
        adminEmail: { value: a@example.com }
        adminCellNumber: Mobile
        passwordMobile: Mobile
        address: Branch
        customerType: { value: company }
        branchCode: { value: B1 }
        branchName: Branch
        enterpriseGlobalId: { from: customer.enterpriseGlobalId, else: Enterprise ID }
        licenseType: { value: normal_recover_lan_usbkey }
        assets:
          assetNos: { from: numbers.assetNumber }
          limitStartDate: From
          limitEndDate: { column: Until, end: day }
          products:
            crmProductId: { template: "{Order No}-p" }
            parentCrmProductId: { template: "{Order No}-a" }
            productUri: Product
            productName: Product
            productType: { value: software }
            limitStartDate: From
            limitEndDate: { column: Until, end: day }
            limitConcurrent: { value: 5 }
            limitTimeDuration: { value: 0 }
            trial: { value: 0 }
            trialEndDate: { value: 0 }
            timeUnit: { value: month }
            timeUnitQuantity: { value: 12 }
            timeDurationExpression: { value: 1-0-0 }
`;

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'license-sync-template-'));
  await writeFile(path.join(folder, 'onboard.yaml'), JOB);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** A template of the job, filled in with its examples; and its guide, line by line. */
async function made(
  language: 'en' | 'zh',
): Promise<{ readonly data: string[][]; readonly guide: string[][] }> {
  const context = { env: {}, cwd: folder, language };
  await writeTemplate(context, 'onboard.yaml', { output: `${language}.xlsx`, filled: true });
  const file = path.join(folder, `${language}.xlsx`);
  return {
    data: await readLines(file, 'Data'),
    guide: await readLines(file, language === 'en' ? 'Guide' : '填写说明'),
  };
}

test('a template of a job of steps has the columns that any of its steps reads, each once', async () => {
  const { data } = await made('en');
  expect(data[0]).toEqual([
    ...['Channel', 'Customer No', 'Customer', 'Branch', 'Enterprise', 'Mobile', 'Customer ID'],
    ...['Locks wanted', 'Order No', 'Enterprise ID', 'From', 'Until', 'Product'],
  ]);
  const [, first = []] = data;
  // As the condition of the first step has it, which would exclude what has an id.
  expect(first[6] ?? '').toBe('');
  expect(first[7]).toBe('5');
  expect(first[8]).toMatch(/^SO-/);
});

test.each([
  [
    'en',
    /^2\. Each row is processed by 3 steps, one after the other: customer \(.*\), numbers \(.*\), order \(/,
    'It determines whether step customer takes the row',
  ],
  ['zh', /^2\. 每一行依次经过 3 个步骤：customer/, '步骤 customer 是否处理该行取决于此列'],
] as const)(
  'its guide reports the steps, and which column decides on one (%s)',
  async (language, steps, decides) => {
    const { guide } = await made(language);
    const texts = guide.flat().filter((it) => it !== undefined);
    expect(texts.some((it) => steps.test(it))).toBe(true);
    const line = guide.find((it) => it[1] === 'Customer ID');
    expect(line?.join(' ')).toContain(decides);
    // A field that two steps have is reported once.
    const channel = guide.find((it) => it[1] === 'Channel');
    expect(channel?.[2]).toBe('channelCode (String)');
  },
);
