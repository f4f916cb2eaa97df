/**
 * Words for what a column is about, by concept, in both languages. Headers are compared by their concepts, so `Dongle serial
 * no.` and `加密狗编号` are both `lock number`.
 */
export const SUBJECTS: Readonly<Record<string, string>> = {
  channel:
    'channel, sales channel, dealer, distributor, reseller, partner, 渠道, 渠道商, 渠道方, 经销商, 代理商, 销售渠道',
  crm: 'crm',
  customer: `
    customer, client, company, firm, account holder, end user, end customer, organisation, organization, corporation,
    debtor, 客户, 客户方, 单位, 公司, 最终用户, 最终客户, 甲方,
    licensee, licensed to, (购买|使用|采购|购货|订货|客户|用户|签约|授权|被授权)(单位|公司|企业)`,
  user: '用户',
  personal: 'individual, 个人',
  enterprise: `
    enterprise, main account, master account, enterprise account, enterprise main account, group, 企业, 主账号, 主帐号,
    企业账号, 企业帐号, 企业主账号, 企业主帐号, 集团, 企业账户, 主账户`,
  account:
    'account, login, username, user name, user id, sign-in, 账号, 帐号, 账户, 帐户, 登录名, 登录账号, 用户名',
  branch: `
    branch, branch office, office, subsidiary, division, agency, regional office, outlet, site office, 分公司, 分支,
    分支机构, 机构, 分子公司, 子公司, 办事处, 分部, 网点, 分行, 经营部, 营业部`,
  order: `
    order, sales order, so, purchase order, po, work order, 订单, 销售单, 销售订单, 采购单, 采购订单, 合同订单`,
  slip: 'slip, form, 单, 单据, 工单, 单号, 单据号, 申请单',
  source: 'source, origin, originating, 来源, 源',
  licence: `
    licence, licensing, authorisation, authorization, entitlement, 授权, 许可, 许可证, 软件许可, 软件授权`,
  platform: 'platform, 平台',
  lock: `
    lock, dongle, key, usb key, usbkey, hardware key, hardware lock, usb dongle, usb lock, hasp, security key, asset,
    software lock, protection key, 锁, 加密锁, 加密狗, 狗, 硬件锁, 软件锁, usb锁, 软件狗, 密码狗, 资产, 云锁, 硬件狗, 加密棒,
    u盾, ukey, 锁具, 壳, 外壳, 锁壳,
    (加密|密码|保护|授权|软件|硬件|单机|网络|软|硬|产品|登录|身份|电子|usb)(锁|狗)`,
  product: `
    product, software, module, application, item, article, programme, program, 产品, 软件, 模块, 软件产品, 应用, 品种`,
  goods: 'goods, merchandise item, 商品',
  package: 'package, bundle, merchandise, suite, 套餐, 商品包, 组合, 产品包, 套装, 组合包',
  feature: 'feature, function, characteristic, 特征, 特性, 功能, 功能点',
  extension: 'extension, extend, extended attribute, extension attribute, 扩展, 扩展属性, 拓展, 扩展码',
  instance: 'instance, 实例',
  parent: 'parent, superior, upper, higher-level, upper-level, 上级, 父, 父级, 上层, 所属套餐',
  admin: 'admin, administrator, 管理员, 系统管理员, 企业管理员, 负责人',
  contact: 'contact, contact person, 联系人, 联络人, 联系',
  buyer: 'buyer, purchaser, purchasing party, 买方, (购买|采购|订购|购货|下单)(人|者|方|人员|员)',
  secure: 'security, secure, password phone, 密保, 安全, 密保用',
  password: 'password, pwd, pin, 密码, 口令',
  operator: `
    operator, operated, handler, processor, executor, agent, clerk, requester, technician,
    (requested|performed|processed|handled|executed|operated|completed|done|carried out) by, 经办, 经手,
    (操作|经办|经手|办理|承办|受理|执行|处理|代办|操办|实施)(人|员|人员|者)`,
  participant: `
    participant, participating, attendee, claimant, member, joiner, participate, 参与人, 参与者, 参加人, 参与, 参加者,
    (参与|参加|领取|领用|报名|参会)(人|者|人员|员), 会员, 报名`,
  identity: 'identity, 身份, 身份标识',
  activity: 'activity, campaign, promotion, promo, event, 活动, 促销, 营销活动, 促销活动, 市场活动',
  cloud: 'cloud, 云',
  trial: 'trial, evaluation, test licence, 试用, 试用版, 评估',
  lent: 'lent, borrowed, loan, loaned, on loan, lending, 借, 借用, 借出, 外借, 出借, 租借',
  transfer: 'transferred, transferring, moved, transfer, 转移, 过户, 迁移, 转入',
  strict: 'strict, exact, exactly, strictly, precise, 严格, 精确, 完全',
  match: 'match, matching, 匹配',
  mnemonic: 'mnemonic, label, 助记码, 标签, 助记',
  uri: 'uri, url',
  pid: 'gmspid, pid, gms',
  appkey: 'appkey, app key, application key, 应用key, 应用标识',
  default: 'default, 默认, 缺省',
  domain: 'domain, domain name, 域名',
  system: 'system, 系统',
  business: 'business line, line of business, business, 业务线, 业务, 业务条线',
  sync: 'sync, synchronous, synchronisation, 同步, 同步异步',
  processing: 'processing, 处理',
  expression: 'expression, 表达式',
  region: 'region, regional, local, area, territory, district, 地区, 区域, 大区, 片区, 省份, 省, 市',
  global: 'global, 全局',
  unique: 'unique, 唯一',
};
