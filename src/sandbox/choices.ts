/** A point that the interface leaves open ("not shown", or open to several readings), and what the sandbox does. */
export interface Choice {
  /** Of the interface. */
  readonly section: string;
  readonly en: string;
  readonly zh: string;
}

export const CHOICES: readonly Choice[] = [
  {
    section: '§2.3',
    en: 'Delete orders need neither customerId, crmCustomerId, passwordMobile and address, nor any product field beyond crmProductId and productUri (and what strict matching compares).',
    zh: '删除类订单不要求 customerId、crmCustomerId、passwordMobile、address；产品只要求 crmProductId 和 productUri（以及严格匹配所比较的字段）。',
  },
  {
    section: '§2.3',
    en: 'A required text may be empty but not absent or null; members that the interface does not have are refused with 13004.',
    zh: '必填文本可以为空字符串，但不能缺失或为 null；出现接口未定义的字段时返回 13004。',
  },
  {
    section: '§2.6',
    en: 'The assignment state is "assigned" or "unassigned"; the chip type follows the parity of the last digit of the asset number.',
    zh: '分配状态取 "assigned" 或 "unassigned"；锁芯片类型由资产编号末位的奇偶决定。',
  },
  {
    section: '§2.8',
    en: 'Long dates are milliseconds since 1970, or seconds where the sandbox is started so; validity texts of the activity look like 2026-01-31 08:30:00 (UTC+8).',
    zh: 'Long 类型日期为 1970 年以来的毫秒数（可在启动时改为秒）；活动权益的有效期形如 2026-01-31 08:30:00（UTC+8）。',
  },
  {
    section: '§2.8',
    en: 'Any text will do as productType, timeUnit and featureValueType.',
    zh: 'productType、timeUnit、featureValueType 接受任意文本。',
  },
  {
    section: '§4.3',
    en: 'Binding finds the main account by its name or creates it; its first customer is the default one. A repeated binding is carried out once more, and counted as a duplicate.',
    zh: '绑定时按名称查找企业主账号，找不到则新建；其首个客户为默认客户。重复绑定会再次执行，并计为重复。',
  },
  {
    section: '§4.4',
    en: 'Creating makes a default and an industry-information customer, an administrator and one employee. A repeated crmCustomerId is carried out once more with defaultType false, and counted as a duplicate.',
    zh: '创建时生成默认客户、行业信息客户、一名管理员和一名员工。重复的 crmCustomerId 会再次执行，defaultType 为 false，并计为重复。',
  },
  {
    section: '§4.5',
    en: 'Updating changes every customer of that crmCustomerId, and the name of the main account whose default customer it is; an unknown crmCustomerId is business code 20001. A query that finds nothing gives an empty array.',
    zh: '更新会修改该 crmCustomerId 的所有客户，以及以其为默认客户的企业主账号名称；crmCustomerId 不存在时返回业务码 20001。查询无结果时返回空数组。',
  },
  {
    section: '§4.5',
    en: 'A batch order is carried out whole or not at all. A repeated channelOrderId is carried out again, and counted as a duplicate where sequence and content agree too.',
    zh: '批量订单要么全部执行，要么全部不执行。重复的 channelOrderId 会再次执行；若 sequence 与内容也一致，则计为重复。',
  },
  {
    section: '§4.5.1',
    en: 'async orders are carried out at once, and the reply is that of sync.',
    zh: 'async 订单立即执行，返回内容与 sync 相同。',
  },
  {
    section: '§4.5.2',
    en: 'Customers that the sandbox does not know are taken as the order gives them. A known asset keeps its owner unless transferedAssetNum is true, and gains the products.',
    zh: '沙盒中不存在的客户按订单内容登记。已有资产除非 transferedAssetNum 为 true，否则归属不变，并追加产品。',
  },
  {
    section: '§4.5.3',
    en: 'A delete order for an asset number that the sandbox has never seen is carried out without effect. With a srcLicenseOrderId that has nothing on a known asset it is refused with 20003; without one, everything named goes, from whichever order it came.',
    zh: '删除沙盒中不存在的资产编号时，订单成功但无效果。srcLicenseOrderId 与已有资产无关时返回 20003；未填时不区分来源订单，所列内容全部删除。',
  },
  {
    section: '§4.5.5',
    en: 'The product mnemonic is productUri. Strict matching compares limitStartDate, limitEndDate and limitConcurrent and needs all three. A product that a known asset does not have is refused with 20002.',
    zh: '产品助记码即 productUri。严格匹配比较 limitStartDate、limitEndDate、limitConcurrent，三者必填。已有资产上没有该产品时返回 20002。',
  },
  {
    section: '§4.6',
    en: 'Large-customer locks are those of licenseType lk_product_usbkey and lk_auth_usbkey. A frozen lock gives status 3; a lock that is in the wanted state already gives 1.',
    zh: '大客户锁指 licenseType 为 lk_product_usbkey、lk_auth_usbkey 的锁。已冻结的锁返回 3；已处于目标状态的锁返回 1。',
  },
  {
    section: '§4.7',
    en: 'The list has all assets of the enterprise, locks included; extendCode keeps those that carry that extension. An unknown enterprise has an empty list.',
    zh: '资产列表包含该企业的全部资产（含锁）；extendCode 只保留带有该扩展属性的资产。企业不存在时返回空列表。',
  },
  {
    section: '§4.8',
    en: 'Asset numbers begin at 8600000001; size goes from 1 to 10000.',
    zh: '资产编号从 8600000001 开始；size 取值 1 至 10000。',
  },
  {
    section: '§4.9',
    en: 'Every activity exists but the labels not-found (3001), not-eligible (3002), filtered (2001), busy (1002) and bad-identity (1004). An identity that is no mobile number, e-mail address, account or lock number gives 1004; a fourth claim of one activity gives 3002 with unit code 14005.',
    zh: '除 not-found（3001）、not-eligible（3002）、filtered（2001）、busy（1002）、bad-identity（1004）外，所有活动均存在。identity 不是手机号、邮箱、账号或锁号时返回 1004；同一身份第四次参加同一活动返回 3002，单元原因码 14005。',
  },
  {
    section: '§5.4',
    en: 'Any non-empty bearer token is accepted unless the sandbox is started with one; any non-empty appKey is.',
    zh: '除非启动时指定令牌，否则接受任意非空令牌；接受任意非空 appKey。',
  },
  {
    section: '§5.5',
    en: 'A g_nonce has 1 to 128 characters. Its reuse is refused with 13004 (1001 for the activity service); the last million of 24 hours are remembered.',
    zh: 'g_nonce 长度为 1 至 128 个字符。重复使用时返回 13004（活动服务返回 1001）；保留 24 小时内最近一百万个。',
  },
  {
    section: '§7.1',
    en: '13004 and 500 come with HTTP 200, every other business code with HTTP 299 and the same three members code, message, cause. A missing Content-Type is 13004; 401, 403, 404, 405 and 413 have their usual meaning.',
    zh: '13004 与 500 使用 HTTP 200，其他业务码使用 HTTP 299，正文同为 code、message、cause。缺少 Content-Type 时返回 13004；401、403、404、405、413 取其通常含义。',
  },
  {
    section: '§8',
    en: 'No rate limit; a body may have 20 MB; orderList and assetNums may have any length within that.',
    zh: '不限速；请求正文上限 20 MB；在此范围内 orderList 与 assetNums 长度不限。',
  },
];
