// Orders of 36 columns, one row each, as a CRM gives them out.
import { numbered, people } from '../../scripts/sample-people.mjs';
import { customers } from './customers.mjs';
import { day } from './values.mjs';

export const WIDE_HEADERS = [
  '订单号',
  '下单日期',
  '订单状态',
  '授权客户编号',
  'CRM客户编号',
  '客户名称',
  '渠道客户编号',
  '管理员',
  '管理员账号',
  '管理员邮箱',
  '管理员手机',
  '安全手机',
  '客户地址',
  '客户类型',
  '分公司编码',
  '分公司',
  '企业账号ID',
  '授权类型',
  '资产编号',
  '资产开始日期',
  '资产截止日期',
  '产品实例',
  '上级实例',
  '产品编码',
  '产品名称',
  '产品类型',
  '生效日期',
  '截止日期',
  '节点数',
  '是否试用',
  '试用截止',
  '时间单位',
  '月数',
  '金额',
  '销售经理',
  '备注',
];

const LICENCES = ['单机锁(可回收)', '网络锁(可回收)', '单机锁(不可回收)', '云账号', '企业云授权'];
const PRODUCTS = [
  ['P-GCJ', '土建计量平台'],
  ['P-GJG', '钢筋算量软件'],
  ['P-GBQ', '云计价平台'],
  ['P-GSC', '市政算量软件'],
  ['P-GZB', '招标管理系统'],
];
const REMARKS = ['', '', '', '加急', '请与客户确认收货地址', '续费 & 升级', '合同 <已归档>', '上次到期未续'];
const ORDERED = 20_454;

export function* wideRows(count) {
  const they = people(36);
  const all = customers();
  for (let number = 1; number <= count; number += 1) {
    const it = they.pick(all);
    const [code, product] = they.pick(PRODUCTS);
    const from = ORDERED + they.whole(0, 330);
    const months = 12 * they.whole(1, 3);
    const until = from + Math.round(months * 30.4);
    const order = numbered('SO-', number, 7);
    const asset = numbered('81', number, 8);
    const nodes = they.whole(1, 50);
    const remark = they.pick(REMARKS);
    yield [
      order,
      day(from),
      '已审批',
      it.customer,
      it.crm,
      it.name,
      it.channel,
      it.admin,
      it.account,
      it.email,
      it.mobile,
      it.password,
      it.address,
      it.company ? '企业' : '个人',
      it.branchCode,
      it.branch,
      it.enterprise,
      they.pick(LICENCES),
      asset,
      day(from),
      day(until),
      `PI-${order}`,
      `PA-${asset}`,
      code,
      product,
      '软件',
      day(from),
      day(until),
      nodes,
      they.next() < 0.1 ? '是' : '否',
      day(from + 30),
      'month',
      months,
      nodes * 128.5,
      it.manager,
      remark === '' ? '' : `${remark} ${order}`,
    ];
  }
}

/** The job file's map of these columns. */
export const WIDE_MAP = `  channelCode: { value: CH01 }
  channelOrderId: 订单号
  syncMode: { value: sync }
  orderList:
    each: [订单号]
    customerId: 授权客户编号
    crmCustomerId: CRM客户编号
    customerName: 客户名称
    channelCustomerId: 渠道客户编号
    adminName: 管理员
    adminAccount: 管理员账号
    adminEmail: 管理员邮箱
    adminCellNumber: 管理员手机
    passwordMobile: 安全手机
    address: 客户地址
    customerType: { column: 客户类型, values: { 企业: company, 个人: personal } }
    branchCode: 分公司编码
    branchName: 分公司
    enterpriseGlobalId: 企业账号ID
    licenseType:
      column: 授权类型
      values:
        单机锁(可回收): normal_recover_usbkey
        网络锁(可回收): normal_recover_lan_usbkey
        单机锁(不可回收): normal_unrecover_usbkey
        云账号: cloud_account
        企业云授权: cloud_customer
    assets:
      each: [资产编号]
      assetNos: 资产编号
      limitStartDate: 资产开始日期
      limitEndDate: { column: 资产截止日期, end: day }
      products:
        each: [产品实例]
        crmProductId: 产品实例
        parentCrmProductId: 上级实例
        productUri: 产品编码
        productName: 产品名称
        productType: 产品类型
        limitStartDate: 生效日期
        limitEndDate: { column: 截止日期, end: day }
        limitConcurrent: 节点数
        limitTimeDuration: { value: 0 }
        trial: { column: 是否试用, values: { 是: 1, 否: 0 } }
        trialEndDate: 试用截止
        timeUnit: 时间单位
        timeUnitQuantity: 月数
        timeDurationExpression: { expr: '"0-" + row["月数"] + "-0"' }
`;
