import type { Field } from '../../model/field.js';

/** Meanings of request fields in Chinese, by name; by section and name where namesakes differ. */
const MEANINGS: Readonly<Record<string, string>> = {
  // Orders (§2.3)
  channelCode: '渠道编码',
  channelOrderId: '订单号（客户订单编号）',
  syncMode: '处理方式：是否等待结果',
  orderList: '订单列表',
  sequence: '订单在请求中的序号',
  customerId: '授权平台的客户 ID',
  crmCustomerId: 'CRM 客户编号',
  customerName: '客户名称',
  channelCustomerId: '渠道客户编号',
  adminName: '管理员姓名',
  adminAccount: '管理员账号',
  adminEmail: '管理员邮箱',
  adminCellNumber: '管理员手机号',
  passwordMobile: '购买人手机号',
  address: '客户地址',
  customerType: '客户类型：个人或企业',
  branchCode: '分支（分公司）编码',
  branchName: '分支（分公司）名称',
  enterpriseGlobalId: '企业主账号全局 ID',
  srcLicenseOrderId: '原授权订单号（撤销订单据此删除其产品，见 §4.5.3）',
  licenseType: '授权类型',
  orderType: '订单类型',
  assets: '订单涉及的资产',
  assetNos: '锁号／资产编号',
  assetExtendList: '资产扩展属性',
  limitStartDate: '资产限制的开始时间',
  limitEndDate: '资产限制的结束时间',
  borrowedUsbKey: '是否为借用锁',
  transferedAssetNum: '资产编号是否为转移而来',
  products: '产品；只有撤销资产的订单可以没有',
  merchandises: '商品（套餐）',
  extendCode: '扩展属性编码',
  extendValue: '扩展属性值',
  // Products and packages (§2.3)
  crmProductId: 'CRM 产品实例 ID',
  parentCrmProductId: 'CRM 上级（资产）实例 ID',
  productUri: '产品标识：gmsPid 或 appKey',
  productName: '产品名称',
  gmsPid: '产品标识（gmsPid）',
  appKey: '产品标识（appKey）',
  productType: '产品类型；平台未列出取值',
  limitConcurrent: '并发节点数',
  limitTimeDuration: '可累计使用时长',
  strictMatchWhenDelete: '撤销产品时：是则时间范围和节点数须完全一致，否则只按产品匹配（默认）',
  trial: '是否试用',
  trialEndDate: '试用到期时间',
  passwords: '锁内授权的密码',
  timeUnit: '时长单位；平台未列出取值',
  timeUnitQuantity: '单位数量',
  timeDurationExpression: '购买时长，按“年-月-日”；建议填写时长而非日期',
  productFeatures: '产品特征',
  featureCode: '特征编码',
  featureName: '特征名称',
  featureValue: '特征值',
  featureValueType: '特征值类型；平台未列出取值',
  merchandiseNum: '套餐编号',
  merchandiseName: '套餐名称',
  parentMerchandiseNum: '上级套餐编号',
  children: '下级套餐，结构相同',
  licenseOrderProductList: '套餐包含的产品',
  // Enterprises (§4.3 to §4.5)
  '§4.3 passwordMobile': '安全手机号',
  enterpriseName: '企业主账号名称',
  defaultCustomer: '返回哪些客户',
  // Assets (§4.6 to §4.8)
  assetNums: '锁号',
  operatorIdentity: '操作人：姓名、手机号或邮箱',
  '§4.7 extendCode': '只返回带有此扩展属性的资产',
  size: '申请的资产编号数量',
  // Records that jobs compare with (§2.1, §2.6)
  assetNum: '锁号／资产编号',
  grantable: '是否为授权对象',
  keyShellNumber: '资产编号的数字部分',
  keyChipType: '锁芯片类型',
  locked: '是否锁定',
  freezing: '是否冻结（仅证书授权）',
  limitStartTime: '资产生效时间',
  limitEndTime: '资产到期时间',
  isDefault: '是否为默认客户',
  // Activities (§4.9)
  identity: '参与者：云账号（手机号或邮箱）、企业账号或云锁编号',
  activityLabel: '活动简称',
  source: '参与活动的业务线（域名或名称）',
  branch: '参与者所属分支',
};

/** Meanings that depend on the table: by the field's English meaning, where name and section are the same. */
const BY_MEANING: Readonly<Record<string, string>> = {
  'When the product becomes valid': '产品生效时间',
  'When the product expires': '产品到期时间',
  'Whether the feature is on trial': '特征是否试用',
  'When the trial of the feature ends': '特征试用到期时间',
  'Id of the package instance in the CRM': 'CRM 套餐实例 ID',
  'Id of the parent package instance in the CRM': 'CRM 上级套餐实例 ID',
  'Time bought with the package': '套餐购买时长',
  'Original licence order, only where a new purchase moves the product over from another order':
    '原授权订单号，仅当新购时产品由其他订单转移而来才填写',
  'New name of the customer': '客户的新名称',
  'New address of the customer': '客户的新地址',
};

/** Allowed values, by field and value. */
const VALUES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  syncMode: { sync: '同步，应答即为结果', async: '异步，应答仅表示已受理' },
  customerType: { personal: '个人', company: '企业' },
  licenseType: {
    normal_unrecover_usbkey: '单机锁（不可回收）',
    normal_recover_usbkey: '单机锁（可回收）',
    normal_unrecover_lan_usbkey: '网络锁（不可回收）',
    normal_recover_lan_usbkey: '网络锁（可回收）',
    identity_usbkey: '单机身份锁',
    identity_lan_usbkey: '网络身份锁',
    softkey: '单机证书',
    lan_softkey: '网络证书',
    product_entity: '产品实体',
    cloud_account: '云账号',
    cloud_customer: '企业云账号授权',
    cloud_personal: '个人云账号授权',
    lk_product_usbkey: '产品锁',
    lk_auth_usbkey: '登录锁',
  },
  orderType: { new_buy: '新购', delete_asset: '撤销资产', delete_product: '撤销产品' },
  trial: { 0: '非试用', 1: '试用' },
  defaultCustomer: { Y: '仅默认客户', N: '全部客户' },
};

/** What each operation does, by name. */
const PURPOSES: Readonly<Record<string, string>> = {
  'enterprise.bind': '创建客户并绑定到企业主账号',
  'enterprise.create': '创建企业主账号及其管理员和员工',
  'enterprise.query': '查询企业主账号的客户',
  'enterprise.update': '修改企业客户的名称和地址',
  'order.new_buy': '新购下单',
  'order.delete_asset': '撤销资产',
  'order.delete_product': '撤销产品',
  'asset.lock': '停用实体锁',
  'asset.unlock': '启用实体锁',
  'asset.list': '查询企业的云资产',
  'asset.numbers': '申请资产编号',
  'activity.participate': '参与活动并领取产品',
};

/** A request field's meaning in Chinese; undefined where none is written down. */
export function chineseMeaning(field: Field): string | undefined {
  return BY_MEANING[field.meaning] ?? MEANINGS[`${field.section} ${field.name}`] ?? MEANINGS[field.name];
}

/** What an allowed value of a request field means, in Chinese. */
export function chineseValue(field: Field, value: string | number): string | undefined {
  return VALUES[field.name]?.[String(value)];
}

export function chinesePurpose(operation: string): string | undefined {
  return PURPOSES[operation];
}
