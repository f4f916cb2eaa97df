/** Words for what is to be done, by task. In a header they only say what the sheet is for. */
export const TASKS: Readonly<Record<string, string>> = {
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
 * Words of columns that no field takes: remarks, salespeople, money, former values. A header with one of them is never
 * matched with a field, whatever else it says.
 */
export const NO_FIELD = `
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

/** Words that add nothing to the others of a header. */
export const FILLER = `
  the, of, a, an, for, at, in, by, and, or, s, please, enter, fill, must, our, their, your, its, own, this, with, be, are,
  responsible, serving, competent, maximum, max, minimum, min, total number,
  required, optional, mandatory, compulsory, list, info, information, data, field, column, all, only, current, currently,
  assigned, affiliated, belonging, corresponding, actual, new, newly, corrected, correct, updated to, after, changed to, revised,
  e, eg, format, example, separated, multiple, several, one, per, each, if, any, x, y, n, full, complete, main,
  必填, 选填, 可选, 可空, 非必填, 请, 填写, 输入, 所需, 需, 拟, 应, 计划, 预计, 最大, 最多, 最高, 为, 对, 在, 信息, 资料, 数据, 字段, 所属, 所在, 对应, 归属, 当前, 现, 现有, 目前, 新, 最新, 变更后, 修改后,
  更名后, 调整后, 更正后, 更正, 正确, 无误, 变更为, 之后, 后, 的, 之, 及, 和, 与, 或, 格式, 例如, 示例, 多个, 用, 隔开, 分隔, 逗号, 顿号, 个, 元, 套, 份, 台, 把,
  每, 全部, 只, 仅, 查, 本, 我方, 贵方, 详细, 内, 方, 端, 侧, 者`;

/** `original` means the order that something was bought with; of anything else, a former value. */
export const ORIGINAL = 'original, originally, orig, initial, first, 原, 原始, 初始, 老, 前, 原先, 首次';
