// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are variables of job files.
import { describe, expect, it } from 'vitest';
import { editedJob } from '../../src/job/edit-map.js';

const JOB = `# The weekly orders
version: 1
name: orders
schedule: { cron: "0 2 * * *" }
source:
  file: orders.xlsx
  where: row["Order No"] != "" && row['State'] == "ok" # only these
  fillDown: [Order No]
output: { file: ../results/{job}-{run}.xlsx }
map:
  channelOrderId: Order No # the number
  channelCode: { value: Order No }
  orderList:
    each: [order no]
    customerName: { column: Customer, default: Order No }
    address: { template: "{Order No}/{{Order No}}" }
    crmCustomerId: { expr: 'row["Order No"] + "-1"' }
    assets:
      each: { sheet: Locks, on: [Order No] }
      assetNos: Order No
`;

describe('a job file with changed columns', () => {
  it('has the new name wherever a column of its sheet is read, and nowhere else', () => {
    const text = editedJob(JOB, { renamed: new Map([['order no', 'Bestell "Nr"']]) });
    expect(text).toBe(
      JOB.replace('schedule: { cron: "0 2 * * *" }\n', '')
        .replace('row["Order No"] != ""', 'row["Bestell \\"Nr\\""] != ""')
        .replace('fillDown: [Order No]', 'fillDown: [ Bestell "Nr" ]')
        .replace('channelOrderId: Order No', 'channelOrderId: Bestell "Nr"')
        .replace('each: [order no]', 'each: [ Bestell "Nr" ]')
        .replace('"{Order No}/', '"{Bestell \\"Nr\\"}/')
        .replace('\'row["Order No"] + "-1"\'', '\'row["Bestell \\"Nr\\""] + "-1"\'')
        .replace('on: [Order No]', 'on: [ Order No ]'),
    );
  });

  it('has the new leaf, at the short path of an item as well, and keeps the other options', () => {
    const at = { map: ['map'], items: 'orderList' };
    const text = editedJob(JOB.replace('  orderList:\n', '').replaceAll('    ', '  '), {
      leaves: [
        { ...at, path: ['channelCode'], leaf: { value: '007' } },
        { ...at, path: ['orderList', 'customerName'], options: { default: undefined, values: { A: 'b' } } },
        { ...at, path: ['orderList', 'address'], leaf: { column: 'Street', format: undefined } },
        { ...at, path: ['orderList', 'crmCustomerId'], leaf: 'none' },
        { ...at, path: ['channelOrderId'], options: { format: ['d/M/yyyy', 'yyyyMMdd'] } },
      ],
    });
    expect(text).toContain('  channelCode: { value: "007" }\n');
    expect(text).toContain('customerName: { column: Customer, values: { A: b } }\n');
    expect(text).toContain('address: Street\n');
    expect(text).not.toContain('crmCustomerId');
    expect(text).toContain('channelOrderId: { column: Order No, format: [ d/M/yyyy, yyyyMMdd ] }');
    expect(text).toContain('# The weekly orders\n');
    expect(text).not.toContain('schedule');
  });

  it('groups by the column that fills its key', () => {
    const text = editedJob(JOB, {
      keys: new Map([['order no', 'Number']]),
      each: [[['map', 'orderList', 'assets', 'products'], ['Product']]],
    });
    expect(text).toContain('each: [ Number ]\n');
    expect(text).toContain('channelOrderId: Order No # the number\n');
    expect(text).toContain('on: [ Order No ]');
    expect(text).toContain('products:\n        each: [ Product ]\n');
  });

  it('has no variables but those of the job', () => {
    const secret = '${LICENSE_TOKEN}';
    const at = { map: ['map'], items: 'orderList' };
    const text = editedJob(JOB, {
      set: [[['source', 'sheet'], secret]],
      renamed: new Map([['order no', secret]]),
      keys: new Map([['customer', secret]]),
      each: [[['map', 'orderList', 'assets', 'products'], [secret]]],
      leaves: [
        { ...at, path: ['channelCode'], leaf: { value: secret } },
        {
          ...at,
          path: ['orderList', 'customerName'],
          options: { format: [secret], values: { [secret]: secret } },
        },
        { ...at, path: ['orderList', 'adminName'], leaf: { column: secret } },
      ],
    });
    const signs = text.match(/\$+\{/g) ?? [];
    expect([...new Set(signs)]).toEqual(['$${']);
    expect(signs.length).toBeGreaterThan(10);
  });
});
