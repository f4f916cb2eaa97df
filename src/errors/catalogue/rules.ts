/** Texts of rules: what is wrong, where, and what would be right. `zh` carries the same {names} as `en`. */
export const RULES = {
  'rule.blank': {
    en: 'required, but there are only blanks; give it a value',
    zh: '必填，但内容只有空白；请填写',
  },
  'rule.blank_element': {
    en: 'one of the entries is blank; remove it or fill it in',
    zh: '其中一个条目为空；请删除或补全',
  },
  'rule.empty_list': {
    en: 'needs at least one entry',
    zh: '至少需要一项',
  },
  'rule.start_after_end': {
    en: 'limitStartDate is later than limitEndDate; swap them or correct one',
    zh: 'limitStartDate 晚于 limitEndDate；请对调或更正其中一个',
  },
  'rule.nothing_bought': {
    en: 'an asset of a new purchase needs at least one entry in products or in merchandises (§4.5)',
    zh: '新购的资产在 products 或 merchandises 中至少要有一项（§4.5）',
  },
  'rule.empty_package': {
    en: 'a package needs products of its own or packages inside it (children)',
    zh: '商品包必须包含产品，或者包含下级商品包（children）',
  },
  'rule.strict_match': {
    en: '{field} is needed because strictMatchWhenDelete is true: the product is matched by its time range and node count',
    zh: 'strictMatchWhenDelete 为 true，因此必须填写 {field}：系统按时间范围和节点数匹配产品',
  },
  'rule.cloud_source_order': {
    en: 'a delete order of licence type {licenseType} must name its original order here (§4.5)',
    zh: '授权类型为 {licenseType} 的删除订单必须在此填写原授权订单号（§4.5）',
  },
  'rule.source_order': {
    en: 'empty, so the platform would delete from all orders of this customer (§4.5); name the original order, or set safety.allowDeleteFromAllOrders: true if all are meant',
    zh: '为空时平台会从该客户的所有订单中删除（§4.5）；请填写原授权订单号，若确实要从所有订单中删除，请设置 safety.allowDeleteFromAllOrders: true',
  },
  'rule.path_segment': {
    en: '"{text}" cannot be an id: it would change the address that is called',
    zh: '“{text}”不能作为编号：它会改变请求的地址',
  },
  'operation.foreign_sequence': {
    en: 'the reply names order {sequence}, which was not in the request; it was set aside',
    zh: '应答中出现了请求里没有的订单序号 {sequence}；已忽略',
  },
  'operation.foreign_lock': {
    en: 'the reply names lock {lock}, which was not in the request; it was set aside',
    zh: '应答中出现了请求里没有的锁号 {lock}；已忽略',
  },
  'operation.unreadable_result': {
    en: 'a part of the reply cannot be read and was set aside: {detail}',
    zh: '应答中有一部分无法读取，已忽略：{detail}',
  },
  'operation.contradiction': {
    en: 'the reply says different things of {name}; none of them counts',
    zh: '应答中关于 {name} 的内容前后矛盾；均不予采信',
  },
  'operation.other_key': {
    en: 'the reply is about something else: its {field} is {came}, the request had {sent}',
    zh: '回复与请求不符：回复中的 {field} 为 {came}，请求中为 {sent}',
  },
  'operation.no_key': {
    en: 'the reply does not show that it belongs to the request: it has no {field} (the request had {sent}, the reply {came})',
    zh: '回复无法与请求对应：缺少 {field}（请求中为 {sent}，回复中为 {came}）',
  },
  'operation.other_value': {
    en: 'check this: the reply has {field} {came}, the request had {sent}',
    zh: '请核对：回复中的 {field} 为 {came}，请求中为 {sent}',
  },
  'operation.other_records': {
    en: '{count} records of the reply are ignored: {why}',
    zh: '已忽略回复中的 {count} 条记录：{why}',
  },
  'operation.only_other_records': {
    en: 'the reply has {count} records and none of them belongs to the request: {why}. Whether there is a record of it is not known.',
    zh: '回复中有 {count} 条记录，但均与请求不符：{why}。无法确定是否存在对应的记录。',
  },
  'operation.impossible_id': {
    en: 'the reply has {field} "{value}", which cannot be an id',
    zh: '回复中的 {field} 为“{value}”，不可能是有效的编号',
  },
  'operation.impossible_number': {
    en: 'the reply has the asset number "{number}"; an asset number has 10 digits and begins with 8 or 6. None of the returned numbers is used.',
    zh: '回复中有资产号“{number}”；资产号应为 10 位数字，且以 8 或 6 开头。返回的资产号均不使用。',
  },
  'operation.number_twice': {
    en: 'the reply has the asset number {number} twice. None of the returned numbers is used.',
    zh: '回复中资产号 {number} 出现了两次。返回的资产号均不使用。',
  },
  'operation.lock_missing': {
    en: 'the platform knows no such lock',
    zh: '平台上没有这个锁',
  },
  'operation.lock_failure': {
    en: 'the platform could not change this lock',
    zh: '平台未能处理这个锁',
  },
  'operation.lock_wrong_type': {
    en: 'wrong lock type: only recoverable locks and large-customer locks can be disabled or enabled',
    zh: '锁类型不符：只有可回收锁和大客户锁可以停用或启用',
  },
  'operation.lock_other': {
    en: 'the platform gave result code {status}, which its interface does not define',
    zh: '平台返回了接口中未定义的结果码 {status}',
  },
  'operation.numbers_differ': {
    en: '{asked} asset numbers were requested, {got} were returned',
    zh: '申请了 {asked} 个锁号，实际返回 {got} 个',
  },
  'operation.numbers_missing': {
    en: '{asked} asset numbers were requested, {got} were returned, and whether the others were assigned is not known',
    zh: '申请了 {asked} 个锁号，实际返回 {got} 个，其余是否已被分配无法得知',
  },
  'operation.activity_1001': {
    en: 'a request parameter is wrong: {detail}',
    zh: '请求参数有误：{detail}',
  },
  'operation.activity_1002': {
    en: 'the activity service met an error while processing: {detail}',
    zh: '活动服务处理异常：{detail}',
  },
  'operation.activity_1004': {
    en: 'the participant is not legitimate: {detail}',
    zh: '参与者信息不合法：{detail}',
  },
  'operation.activity_2001': {
    en: 'a filter rule of the activity shut the participant out: {detail}',
    zh: '被活动的过滤规则排除：{detail}',
  },
  'operation.activity_3001': {
    en: 'there is no such activity; ask its administrator whether it was created ({detail})',
    zh: '活动不存在；请管理员确认是否已创建（{detail}）',
  },
  'operation.activity_3002': {
    en: 'the participant does not meet the conditions of the activity: {detail}',
    zh: '参与者不满足活动条件：{detail}',
  },
  'operation.activity_other': {
    en: 'the activity was refused with result code {code}: {detail}',
    zh: '参与活动被拒绝，结果码 {code}：{detail}',
  },
} as const;
