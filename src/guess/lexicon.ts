/** Words for tasks. In a header they only describe the purpose of the sheet. */
const TASKS: Readonly<Record<string, string>> = {
  return: `
    return, returned, revoke, revoked, revocation, cancel, cancelled, canceled, cancellation, cancelation, refund,
    refunded, remove, removed, removal, delete, deleted, deletion, withdraw, withdrawn, withdrawal, terminate,
    terminated, termination, retire, retired, uninstall, decommission, 退, 退回, 退货, 退锁, 退订, 退单, 撤销, 撤回, 注销, 取消, 删除, 回收, 作废,
    退还, 退掉, 销户, 退订单, 撤单, 收回`,
  disable: `
    disable, disabled, disabling, block, blocked, suspend, suspended, suspension, freeze, frozen, deactivate,
    deactivated, deactivation, locking, lock out, to lock, to be locked, 停用, 禁用, 冻结, 锁定, 封锁, 挂失, 停机, 停止使用, 停权`,
  enable: `
    enable, enabled, enabling, unlock, unlocked, unlocking, reactivate, re-activate, reactivated, reactivation, unblock,
    unfreeze, restore, restored, resume, reinstate, reinstated, re-enable, reenable, 启用, 解锁, 恢复, 解冻, 解禁, 解封, 复机, 恢复使用,
    重新启用, 复用`,
  buy: `
    purchase, purchased, purchasing, buy, bought, ordered, acquire, procurement, subscribe, new purchase, new buy, 购买, 采购, 新购,
    订购, 新开, 开通, 下单, 增购, 加购, 选购, 续购`,
  apply:
    'apply, applied, request, wanted, needed now, allocate, allocated, allocation, issue, obtain, 申请, 申领, 领取, 分配, 领用, 需要, 需求, 待',
  bind: 'bind, bound, binding, 绑定, 关联',
};

/**
 * Words of columns without a field: remarks, salespeople, money, former values. A header with one of them is never matched with a
 * field, whatever its other words are.
 */
const NO_FIELD = `
  action, remark, note, comment, description, memo, explanation, details, info sheet, reason, cause, why, sales person,
  salesperson, salesman, sales rep, sales manager, sales, rep, seller, sold by, account manager, manager, owner,
  project manager, consultant, engineer,
  (created|approved|entered|sold|signed|checked|reviewed|changed|updated|received|delivered|paid|prepared|recorded|asked|sent|verified|authorised|authorized|referred) (by|on|at|date),
  (sales|business|account|marketing|regional) (rep|representative|person|manager|executive|agent|team|director|consultant|engineer), price, unit price, amount, total, sum, cost, discount, currency, tax, vat,
  fee, revenue, payment, paid, payable, balance, debt, invoice, invoiced, billing, receipt, contract, agreement,
  status, state, progress, result, stage, priority, approved, approval, approver, reviewer, checked, auditor,
  department, team, created, creation, updated, modified, changed, entered, recorded, signed, overdue, needed,
  applicant, applied by, asked, invited, referrer, recommended, row, line, line no, line number, index, item no, sequence,
  warehouse, shipping, shipped, delivery, tracking, courier, version, colour, color, spec, specification, model,
  wechat, qq, fax, website, industry, tax id, credit code, postcode, zip, zip code, country, city, birthday, gender,
  job title, position, budget, forecast, probability, lead, deadline, follow-up, next step, attachment, link, picture,
  supplier, vendor, manufacturer, quantity in stock, stock, remaining, used, due amount, hours, rank, grade, level, score,
  ticket, case, last seen, last login, order date, purchase date, date ordered, order status, lock status, arrears,
  wrong, incorrect, invalid, bill to, ship to, recipient, old, former, formerly, previous, previously, prior, before, obsolete, 旧, 错误, 有误, 误, 收货, 送货, 配送, 寄送, 收件, 账单, 开票, 原来, 原有, 曾用, 变更前, 修改前, 更名前, 调整前,
  更正前, 之前, 旧的, 曾用名, 备注, 备注说明, 说明, 描述, 附注, 注, 原因, 理由, 事由, 缘由, 销售, 销售人员, 销售员, 业务员, 业务人员,
  客户经理, 销售经理, 项目经理, 经理, 商务, 商务人员, 业务经理, 跟进人, 单价, 价格, 金额, 总价, 合计, 折扣, 币种, 税率, 税额, 税, 费用,
  收入, 付款, 回款, 应收, 余额, 欠款, 发票, 收据, 合同, 协议, 状态, 进度, 结果, 阶段, 优先级, 审批, 审批人, 审核, 审核人, 批准, 复核,
  部门, 创建, 创建人, 录入, 录入人, 制表, 制表人, 填表人, 更新人, 操作, 动作, 处理动作, 登记, 登记人, 登记日期, 建档, 签订, 签约, 申请人, 申请部门, 提出人, 推荐人, 邀请人,
  介绍人, 序号, 行号, 项次, 仓库, 发货, 物流, 快递, 运单, 版本, 颜色, 规格, 型号, 微信, 传真, 网址, 行业, 税号, 信用代码,
  统一社会信用代码, 邮编, 国家, 城市, 性别, 职务, 职位, 岗位, 预算, 线索, 附件, 链接, 图片, 供应商, 厂商, 厂家, 库存, 剩余, 已用, 欠费,
  逾期, 等级, 级别, 评分, 需求日期, 提交, 提交人, 通知, 交付, 安装, 培训, 售后, 保修, 质保, 凭证, 收款, 下单日期, 下单时间, 订单日期, 订单状态,
  锁状态, 退款, 报名日期, 报名时间, 生产, 入库, 出库, 主管, 领导, 签字, 盖章, 密级, 订购日期, 购买日期, 购买时间, 申请日期, 申请时间,
  (销售|业务|商务|市场|推广|客户|项目|区域|渠道|大区)(人|员|人员|经理|代表|顾问|主管|总监|助理|专员),
  (申请|提出|提交|填报|填写|填表|登记|录入|创建|审批|审核|批准|复核|制表|推荐|邀请|介绍|联络|跟进|签收|收货|发货|开票|签字|更新|修改|变更|维护|负责|跟单|收款|付款)(人|员|人员|者),
  (创建|登记|录入|申请|提交|下单|购买|采购|订购|签订|签约|付款|回款|缴费|缴款|收款|发货|交付|安装|报名|参与|领取|开票|审批|审核|更新|修改|变更|停用|停机|解锁|锁定|生产|入库|出库|出生|注册|建档|退货|退回|退锁|到账|成立|盘点|办理|处理|操作)(日期|时间|日),
  法人, 法定代表人, 开户行, 银行, 规模, 人数, 来访, 回访, 跟踪, 所属行业, 主营, 进货, 成本, 毛利, 提成, 佣金, 折后, 返点`;

/** Words of a header without meaning for the match. */
const FILLER = `
  the, of, a, an, for, at, in, by, and, or, s, please, enter, fill, must, our, their, your, its, own, this, with, be, are,
  responsible, serving, competent, maximum, max, minimum, min, total number,
  required, optional, mandatory, compulsory, list, info, information, data, field, column, all, only, current, currently,
  assigned, affiliated, belonging, corresponding, actual, new, newly, corrected, correct, updated to, after, changed to, revised,
  e, eg, format, example, separated, multiple, several, one, per, each, if, any, x, y, n, full, complete, main,
  必填, 选填, 可选, 可空, 非必填, 请, 填写, 输入, 所需, 需, 拟, 应, 计划, 预计, 最大, 最多, 最高, 为, 对, 在, 信息, 资料, 数据, 字段, 所属, 所在, 对应, 归属, 当前, 现, 现有, 目前, 新, 最新, 变更后, 修改后,
  更名后, 调整后, 更正后, 更正, 正确, 无误, 变更为, 之后, 后, 的, 之, 及, 和, 与, 或, 格式, 例如, 示例, 多个, 用, 隔开, 分隔, 逗号, 顿号, 个, 元, 套, 份, 台, 把,
  每, 全部, 只, 仅, 查, 本, 我方, 贵方, 详细, 内, 方, 端, 侧, 者`;

/** Words for `original`: with an order, the order of the purchase; otherwise a former value. */
const ORIGINAL = 'original, originally, orig, initial, first, 原, 原始, 初始, 老, 前, 原先, 首次';

/**
 * Words for the subject of a column, by concept, in both languages. Headers are compared by their concepts, so that `Dongle
 * serial no.` and `加密狗编号` are both `lock number`.
 */
const SUBJECTS: Readonly<Record<string, string>> = {
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

/** Words for the kind of value under a header, by concept. */
const VALUES: Readonly<Record<string, string>> = {
  number: `
    number, no, id, ids, code, identifier, identification, serial, serial number, serial no, sn, ref,
    reference, #, 编号, 编码, 代码, 号, 号码, id号, 序列号, 标识, 标识码, 码, 身份号, 档案号, 标识符, 流水号`,
  name: 'name, full name, legal name, registered name, 名称, 名, 姓名, 全称, 名字, 简称, 抬头',
  phone: `
    mobile, phone, cell, tel, telephone, cellphone, mobile phone, cell phone, mobile number, cell number, phone number,
    handset, 手机, 手机号, 手机号码, 电话, 电话号码, 移动电话, 联系方式, 手机电话`,
  email:
    'email, e-mail, mail, email address, e-mail address, mail address, 邮箱, 邮件, 电子邮箱, 电子邮件, 邮件地址, 邮箱地址',
  address: `
    address, street, street address, 地点, postal address, location, premises, mailing address, registered office, 地址,
    住址, 通讯地址, 办公地址, 注册地址, 详细地址, 联系地址, 所在地, 经营地址, (通信|单位|公司|企业|客户|营业|总部)地址`,
  type: 'type, kind, category, class, mode, sort, 类型, 类别, 种类, 性质, 分类, 形式, 类, 方式, 模式',
  date: 'date, day, time, on, when, 日期, 时间, 日, 时刻',
  valid: 'valid, validity, effective, usable, 有效, 有效期, 使用期, 有效日期, 使用有效期',
  start: `
    start, begin, beginning, from, since, valid from, effective from, effective date, start date, commencement,
    activation, activated, go-live, 开始, 起始, 生效, 起, 启用日期, 开通日期, 有效期起, 有效期自, 起始日, 开始日, 生效日, 开通时间`,
  end: `
    end, until, to, expiry, expires, expiration, valid until, valid to, valid till, till, expiry date, ,
    ending, finish, due, through, thru, expiring, 到期, 截止, 结束, 失效, 终止, 止, 至, 到, 期满, 有效期至, 有效期到, 有效期止, 到期日, 截至,
    过期, 有效至`,
  count: `
    count, quantity, how many, number of, no of, amount of, pieces, pcs, total number of, 数量, 个数, 数, 数目, 总数,
    件数, 套数, 份数`,
  node: `
    node, concurrent, concurrency, seat, concurrent user, concurrent node, user, workstation, terminal, simultaneous,
    simultaneous user, 节点, 并发, 站点, 点, 并发用户, 并发节点, 终端, 席位, 用户数, 站点数, 点数, 工位`,
  duration: `
    duration, term, period, length, length of time, licence term, subscription term, subscription, 时长, 期限,
    期间, 周期, 使用期限, 服务期, 订阅期, 授权期`,
  accumulated: 'accumulated, cumulative, usage, total usage, 累计, 累积, 使用',
  unit: 'unit, 单位时间, 计量单位',
  month: 'month, mth, 月, 个月, 月份',
  year: 'year, yr, 年, 年度, 年限',
  daycount: '天, 天数',
  value: 'value, 值',
  limit: 'limit, limited, restriction, 限制, 限定, 上限',
  flag: 'flag, whether, is, yes or no, y n, indicator, marked, 是否, 标志, 标记, 否',
};

/** The meaning of a word: a concept, a task, a column without a field, or nothing. */
export type Word =
  | { readonly kind: 'concept'; readonly concept: string }
  | { readonly kind: 'task'; readonly task: string }
  | { readonly kind: 'foreign' | 'filling' | 'original' };

/** Abbreviations that are common in headers. */
const SHORT: Readonly<Record<string, string>> = {
  acct: 'account',
  addr: 'address',
  adm: 'admin',
  chan: 'channel',
  cust: 'customer',
  ent: 'enterprise',
  exp: 'expiry',
  lic: 'licence',
  license: 'licence',
  mgr: 'manager',
  mob: 'mobile',
  nbr: 'number',
  num: 'number',
  nr: 'number',
  nos: 'no',
  ord: 'order',
  org: 'organisation',
  prod: 'product',
  pkg: 'package',
  qty: 'quantity',
  ser: 'serial',
};

/** A word in full and in the singular. */
function plain(word: string): string {
  const full = Object.hasOwn(SHORT, word) ? SHORT[word]! : word;
  if (full.length < 4 || /(?:ss|us|is)$/.test(full)) return full;
  if (full.endsWith('ies')) return `${full.slice(0, -3)}y`;
  if (/(?:ch|sh|ss|x)es$/.test(full)) return full.slice(0, -2);
  const singular = full.endsWith('s') ? full.slice(0, -1) : full;
  return Object.hasOwn(SHORT, singular) ? SHORT[singular]! : singular;
}

/** The units of a text: whole Latin words in the singular, single Chinese characters. */
function unitsOf(text: string): readonly string[] {
  const parted = text.normalize('NFKC').replace(/(\p{Ll})(?=\p{Lu})/gu, '$1 ');
  const units = parted.toLowerCase().match(/[\u3400-\u9fff]|[^\P{L}\u3400-\u9fff]+|#/gu) ?? [];
  return units.map(plain);
}

const JOINT = ' ';
let longest = 1;
const WORDS = new Map<string, Word>();

/** Expands `(经办|执行)(人|人员)` to all combinations. */
function expand(text: string): readonly string[] {
  const group = /\(([^()]*)\)/.exec(text);
  if (!group) return [text];
  const [whole, choices = ''] = group;
  return choices.split('|').flatMap((it) => expand(text.replace(whole, () => it)));
}

function learn(words: string, word: Word): void {
  for (const text of words.split(/[,\n]/).flatMap(expand)) {
    const units = unitsOf(text);
    if (units.length === 0) continue;
    longest = Math.max(longest, units.length);
    const key = units.join(JOINT);
    if (!WORDS.has(key)) WORDS.set(key, word);
  }
}

learn(ORIGINAL, { kind: 'original' });
for (const [concept, words] of Object.entries({ ...SUBJECTS, ...VALUES }))
  learn(words, { kind: 'concept', concept });
for (const [task, words] of Object.entries(TASKS)) learn(words, { kind: 'task', task });
learn(NO_FIELD, { kind: 'foreign' });
learn(FILLER, { kind: 'filling' });

interface Split {
  readonly words: readonly (Word | undefined)[];
  readonly unknown: number;
}

/**
 * Splits a text into known words, with undefined for each unknown unit. Minimizes the number of unknown units, then the number of
 * words. A greedy search for the longest word fails, as with `所在地` in `所在地址`.
 */
export function wordsOf(text: string): readonly (Word | undefined)[] {
  const units = unitsOf(text);
  const best: Split[] = [{ words: [], unknown: 0 }];
  for (let end = 1; end <= units.length; end += 1) {
    const before = best[end - 1]!;
    let found: Split = { words: [...before.words, undefined], unknown: before.unknown + 1 };
    for (let length = Math.min(longest, end); length > 0; length -= 1) {
      const word = WORDS.get(units.slice(end - length, end).join(JOINT));
      if (!word) continue;
      const { words, unknown } = best[end - length]!;
      const isBetter =
        unknown < found.unknown || (unknown === found.unknown && words.length + 1 < found.words.length);
      if (isBetter) found = { words: [...words, word], unknown };
    }
    best.push(found);
  }
  return best.at(-1)!.words;
}
