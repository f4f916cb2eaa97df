// Who buys in the sample inputs, and what.
import { shown } from './sample-files.mjs';
import { numbered } from './sample-people.mjs';

export const LICENCES = ['单机锁(可回收)', '网络锁(可回收)', '单机锁(不可回收)', '云账号', '企业云授权'];
export const PRODUCTS = [
  ['gcj', '土建计量平台', 'P-GCJ'],
  ['gjg', '钢筋算量软件', 'P-GJG'],
  ['gbq', '云计价平台', 'P-GBQ'],
  ['gsc', '市政算量软件', 'P-GSC'],
  ['gzb', '招标管理系统', 'P-GZB'],
];

export function buyer(they, number) {
  const [branchCode, branchName] = they.branch();
  const admin = they.person();
  const company = they.next() < 0.85;
  return {
    customerId: numbered('LC', number),
    crm: numbered('CRM-', number),
    name: company ? they.company() : they.person(),
    channel: numbered('00', number, 6),
    admin,
    account: numbered('admin', number),
    email: `${numbered('admin', number)}@example.com`,
    adminMobile: they.mobile(),
    passwordMobile: they.mobile(),
    address: they.address(),
    type: company ? '企业' : '个人',
    branchCode,
    branchName,
    enterprise: numbered('ENT-', number),
  };
}

export const BUYER_HEADERS = [
  'License Customer',
  'CRM Customer',
  'Customer Name',
  'Channel Customer',
  'Admin',
  'Admin Account',
  'Admin E-mail',
  'Admin Mobile',
  'Password Mobile',
  'Address',
  'Customer Type',
  'Branch Code',
  'Branch',
  'Enterprise ID',
];
export const buyerCells = (it) => [
  it.customerId,
  it.crm,
  it.name,
  it.channel,
  it.admin,
  it.account,
  it.email,
  it.adminMobile,
  it.passwordMobile,
  it.address,
  it.type,
  shown(it.branchCode, '0000'),
  it.branchName,
  it.enterprise,
];
