// Samples that a reconciliation compares with a fresh sandbox: most agrees with what it knows, some does not.
import { fromSource } from './from-source.mjs';
import { day, shown, workbook } from './sample-files.mjs';
import { numbered, people } from './sample-people.mjs';

const {
  seedChannelCustomerId,
  seedCloudAsset,
  seedCrmCustomerId,
  seedCustomerName,
  seedEnterpriseId,
  seedLock,
} = await fromSource('sandbox/seed.ts');

/** Locks and cloud assets of twelve enterprises. Three should be disabled and are not, two the other way round. */
function nightlyLocks() {
  const they = people(2026);
  const rows = [['Enterprise ID', 'Customer', 'Lock No', 'Locked', 'Valid until', 'Account Manager']];
  for (let enterprise = 21; enterprise <= 32; enterprise += 1) {
    const manager = they.person();
    const add = (number, locked, until) =>
      rows.push([
        seedEnterpriseId(enterprise),
        seedCustomerName(enterprise),
        shown(Number(number), '0'),
        locked ? '是' : '否',
        until ?? '',
        manager,
      ]);
    for (let lock = enterprise; lock <= 200; lock += 40) {
      const { assetNum, locked } = seedLock(lock);
      const overdue = ['8100000022', '8100000064', '8100000105'].includes(assetNum);
      const paid = ['8100000186', '8100000190'].includes(assetNum);
      add(assetNum, overdue || (locked && !paid));
    }
    for (let k = 1; k <= 5; k += 1) {
      add(seedCloudAsset(enterprise, k).assetNum, false, day(2027, 12, 31));
    }
    add(numbered('82', enterprise, 8), false);
  }
  return workbook({ Assets: rows });
}

/** Customers as the CRM knows them: two have new names, two are not bound yet. */
function nightlyCustomers() {
  const they = people(409);
  const rows = [['Channel', 'Customer No', 'CRM No', 'Customer Name', 'Branch', 'Security Phone']];
  for (let n = 61; n <= 90; n += 1) {
    const name =
      n === 67 || n === 82 ? `${seedCustomerName(n).slice(0, -4)}集团有限公司` : seedCustomerName(n);
    rows.push([
      'CH01',
      seedChannelCustomerId(n),
      seedCrmCustomerId(n),
      name,
      `${name.slice(0, 2)}分公司`,
      they.mobile(),
    ]);
  }
  for (const n of [9001, 9002]) {
    rows.push(['CH01', `CH-${n}`, `CRM-${n}`, they.company(), '北京分公司', they.mobile()]);
  }
  return workbook({ Customers: rows });
}

/** The result of an earlier run of cloud orders, some of which were taken without a final answer. */
function ordersSent() {
  const they = people(77);
  const rows = [
    [
      'row',
      'status',
      'licenseOrderId',
      'code',
      'message',
      'customerId',
      'attempts',
      'run',
      'Order No',
      'Customer',
      'Enterprise ID',
      'Licence Type',
      'Asset No',
    ],
  ];
  for (let order = 1; order <= 24; order += 1) {
    const enterprise = 30 + order;
    const asset = seedCloudAsset(enterprise, 1 + (order % 5));
    const status = order <= 12 ? 'succeeded' : order <= 21 ? 'accepted' : 'unknown';
    // Two that were accepted and one of the unknown ones never came to be.
    const lost = order === 15 || order === 20 || order === 23;
    rows.push([
      order + 1,
      status,
      status === 'unknown' ? '' : numbered('LO-2026', order, 8),
      status === 'unknown' ? '' : '0',
      status === 'unknown' ? 'no reply within 30 s; it may have been carried out' : '',
      numbered('CU-', enterprise),
      1,
      '20261120-020000-5a11e0',
      numbered('CL-2026-', order, 5),
      they.company(),
      seedEnterpriseId(enterprise),
      asset.licenseType,
      lost ? numbered('859', order, 7) : asset.assetNum,
    ]);
  }
  return workbook({ Results: rows });
}

/** By file. */
export function drift() {
  return {
    'nightly-locks.xlsx': nightlyLocks(),
    'nightly-customers.xlsx': nightlyCustomers(),
    'orders-sent.xlsx': ordersSent(),
  };
}
