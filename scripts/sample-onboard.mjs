// The sample of a job of several steps: customers by name, new and known ones, and what they order.
import { fromSource } from './from-source.mjs';
import { PRODUCTS } from './sample-buyers.mjs';
import { day, shown, workbook } from './sample-files.mjs';
import { numbered, people } from './sample-people.mjs';

const { seedChannelCustomerId, seedCrmCustomerId, seedCustomerName } = await fromSource('sandbox/seed.ts');

const HEADERS = [
  'Order No',
  'Customer No',
  'New',
  'Customer Name',
  'Group',
  'CRM Customer',
  'Branch Code',
  'Branch',
  'Admin',
  'Admin E-mail',
  'Admin Mobile',
  'Security Phone',
  'Address',
  'Licence Type',
  'Locks wanted',
  'Product Code',
  'Product Name',
  'Nodes',
  'Valid From',
  'Valid Until',
  'Months',
];

/** Twenty orders of sixteen customers; six are known to the sandbox already. No ids: the job finds or makes them. */
async function newLicences() {
  const they = people(16);
  const rows = [HEADERS];
  const customers = [];
  for (let n = 1; n <= 16; n += 1) {
    const [branchCode, branch] = they.branch();
    const known = n > 10;
    const name = known ? seedCustomerName(100 + n) : they.company();
    const account = numbered('onboard', n);
    customers.push([
      known ? seedChannelCustomerId(100 + n) : numbered('N-', n),
      known ? '否' : '是',
      name,
      // A branch of a group that is there, or a company of its own.
      n === 3 ? seedCustomerName(40) : name,
      known ? seedCrmCustomerId(100 + n) : numbered('CRM-N', n),
      shown(branchCode, '0000'),
      branch,
      they.person(),
      `${account}@example.com`,
      they.mobile(),
      they.mobile(),
      they.address(),
    ]);
  }
  for (let order = 1; order <= 20; order += 1) {
    const [code, product] = PRODUCTS[order % PRODUCTS.length];
    const months = they.pick([12, 24, 36]);
    rows.push([
      numbered('ON-2026-', order, 4),
      // The last four order once more.
      ...customers[(order - 1) % customers.length],
      they.pick(['单机锁(可回收)', '网络锁(可回收)']),
      they.whole(1, 4),
      code,
      product,
      they.pick([1, 5, 10]),
      day(2026, 12, 1),
      day(2026 + months / 12, 12, 1),
      months,
    ]);
  }
  return workbook({ Licences: rows });
}

export const onboard = () => ({ 'new-licences.xlsx': newLicences() });
