// The customers that orders are for. A sheet names each of them many times, so that its shared strings are shared.
import { numbered, people } from '../../scripts/sample-people.mjs';

const CUSTOMERS = 8000;

export function customers() {
  const they = people(20_261_101);
  return Array.from({ length: CUSTOMERS }, (_, index) => {
    const number = index + 1;
    const [branchCode, branch] = they.branch();
    const company = they.next() < 0.85;
    return {
      customer: numbered('LC', number, 6),
      crm: numbered('CRM-', number, 6),
      name: company ? they.company() : they.person(),
      channel: numbered('CH-', number, 6),
      admin: they.person(),
      account: numbered('admin', number, 5),
      email: `${numbered('admin', number, 5)}@example.com`,
      mobile: they.mobile(),
      password: they.mobile(),
      address: they.address(),
      company,
      branchCode: `B0${branchCode}`,
      branch,
      enterprise: numbered('ENT-', number, 6),
      manager: they.person(),
    };
  });
}
