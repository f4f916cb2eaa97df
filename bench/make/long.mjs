// Orders of 12 columns, one row each; what they don't say is the same for all.
import { numbered, people } from '../../scripts/sample-people.mjs';
import { customers } from './customers.mjs';
import { day } from './values.mjs';

export const LONG_HEADERS = [
  '订单号',
  '客户名称',
  'CRM客户编号',
  '渠道客户编号',
  '管理员手机',
  '客户地址',
  '分公司',
  '资产编号',
  '产品编码',
  '节点数',
  '截止日期',
  '备注',
];

const ORDERED = 20_454;

export function* longRows(count) {
  const they = people(12);
  const all = customers();
  for (let number = 1; number <= count; number += 1) {
    const it = they.pick(all);
    yield [
      numbered('SO-', number, 8),
      it.name,
      it.crm,
      it.channel,
      it.mobile,
      it.address,
      it.branch,
      numbered('82', number, 8),
      they.pick(['P-GCJ', 'P-GJG', 'P-GBQ', 'P-GSC', 'P-GZB']),
      they.whole(1, 50),
      day(ORDERED + they.whole(365, 1000)),
      they.pick(['', '', '加急', '续费']),
    ];
  }
}

/** The job file's map of these columns. */
export const LONG_MAP = `  channelCode: { value: CH01 }
  channelOrderId: 订单号
  syncMode: { value: sync }
  orderList:
    each: [订单号]
    customerId: CRM客户编号
    crmCustomerId: CRM客户编号
    customerName: 客户名称
    channelCustomerId: 渠道客户编号
    adminName: 客户名称
    adminAccount: 渠道客户编号
    adminEmail: { value: admin@example.com }
    adminCellNumber: 管理员手机
    passwordMobile: 管理员手机
    address: 客户地址
    customerType: { value: company }
    branchCode: { value: B011 }
    branchName: 分公司
    enterpriseGlobalId: CRM客户编号
    licenseType: { value: normal_recover_usbkey }
    assets:
      each: [资产编号]
      assetNos: 资产编号
      products:
        crmProductId: 产品编码
        parentCrmProductId: 资产编号
        productUri: 产品编码
        productName: 产品编码
        productType: { value: software }
        limitEndDate: { column: 截止日期, end: day }
        limitConcurrent: 节点数
        limitTimeDuration: { value: 0 }
        trial: { value: 0 }
        trialEndDate: { value: 0 }
        timeUnit: { value: month }
        timeUnitQuantity: { value: 12 }
        timeDurationExpression: { value: 1-0-0 }
`;
