import { NOT_ALREADY_DONE, type OperationWords, utcDate, type WordTable } from '../shared/word-tables.js';

export const LIST_WORDS: OperationWords = {
  purpose: '查询企业的云资产',
  fields: {
    '§4.7 extendCode': { zh: '只返回带有此扩展属性的资产' },
    assetNum: { zh: '锁号（资产编号）', example: ['8100000001', '8100000002'] },
    grantable: { zh: '是否为授权对象' },
    keyShellNumber: { zh: '锁号的数字部分' },
    keyChipType: { zh: '锁芯片类型' },
    locked: { zh: '是否已停用', example: false },
    freezing: { zh: '是否冻结（仅证书授权）' },
    limitStartTime: { zh: '资产生效时间', example: utcDate('2025-01-01') },
    limitEndTime: { zh: '资产到期时间', example: utcDate('2027-12-31') },
  },
  task: 'list',
  clues: {
    rank: 9,
    pattern:
      /\b(?:list(?:ing)? (?:of )?(?:the |all )?(?:cloud |their )?assets?|assets? (?:list(?:ing)?|quer(?:y|ies)|inquir(?:y|ies)|overview)|to list|assets of)\b|资产.{0,2}(?:查询|清单|列表|明细|盘点)|(?:查询|查|列出|核对|盘点).{0,6}资产/giu,
  },
  essential: ['enterpriseGlobalId'],
  own: { all: ['enterpriseGlobalId'], nothingElse: true },
};

/** Words of the fields for disabling and enabling locks. */
const LOCKING_WORDS: WordTable = {
  fields: {
    assetNums: { zh: '锁号', example: ['8100000001', '8100000002、8100000003'] },
    operatorIdentity: { zh: '操作人：姓名、手机号或邮箱', example: 'ops@example.com' },
  },
  headers: {
    assetNums: `
    Lock No, Lock Number, Lock Numbers, Locks, Lock, Lock ID, Asset No, Asset Number, Asset Numbers, Asset,
    Dongle, Dongle No, Dongle Number, Dongle ID, USB Key, Key No, Key Number, 锁号, 资产号, 资产编号, 资产编码, 加密锁号,
    加密锁编号, 加密锁, 加密狗, 加密狗号, 锁编号, 锁序列号, 锁, 壳号, 外壳号, 锁壳号`,
    operatorIdentity: `
    Operator, Operator Name, Operated By, Done By, Handler, Handled By, Agent, Clerk, 操作人, 操作员, 操作者, 经办人,
    处理人, 操作人员, 操作人身份, 执行人, E-mail??, 邮箱??`,
  },
};

export const LOCK_WORDS: OperationWords = {
  purpose: '停用加密锁',
  shared: [LOCKING_WORDS],
  task: 'lock',
  clues: {
    rank: 2,
    pattern: new RegExp(
      `\\b(?:(?:to|please|must|asset|and) lock|(?:to|must) be locked|lock(?:ing)? (?:requests?|orders?|these|them|following)|locking|` +
        `lock ?(?:out|down)s?|disabl(?:e|es|ing)|to be disabled|block(?:ing)?|to be blocked|suspend(?:ing)?|suspensions?|` +
        `to be suspended|freez(?:e|ing)|to be frozen|deactivat(?:e|ing|ions?)|to be deactivated|switch(?:ing)? off|shut(?:ting)? (?:off|down))\\b|` +
        `\\block (?:and|or|&) (?=¤)|${NOT_ALREADY_DONE}(?:停用|禁用|冻结|锁定|封锁|停机|挂失|停权|封停|加锁|锁机|上锁|停止使用)(?!日期|时间|状态)`,
      'giu',
    ),
  },
  essential: ['assetNums'],
};

export const UNLOCK_WORDS: OperationWords = {
  purpose: '启用加密锁',
  task: 'unlock',
  clues: {
    rank: 1,
    pattern: new RegExp(
      `\\b(?:unlock(?:s|ing)?|to be unlocked|(?:re-?)?enabl(?:e|es|ing)|to be (?:re-?)?enabled|re-?activat(?:e|ing|ions?)|` +
        `to be re-?activated|un-?block(?:ing)?|un-?freez(?:e|ing)|restor(?:e|ing|ation)|reinstat(?:e|ing|ement)|` +
        `lift(?:ing)? (?:the )?(?:block|lock|suspension)|back in use|release locks?)\\b|` +
        `${NOT_ALREADY_DONE}(?:解锁|启用|恢复|解冻|解禁|解封|复机|复用|解除(?:锁定|停用|禁用|冻结|封锁))(?!日期|时间)`,
      'giu',
    ),
  },
  essential: ['assetNums'],
};

export const NUMBERS_WORDS: OperationWords = {
  purpose: '申请锁号（资产编号）',
  fields: {
    size: { zh: '申请的锁号数量', example: [5, 10] },
  },
  headers: {
    size: `
    Size?, How Many, Count?, Number of Numbers, Quantity?, Qty?, 数量?, 个数?, 申请数量, 申领数量, 申请个数, 申领个数, 号码数量, 锁号数量, 领取数量, 分配数量, Number of
    Asset Numbers, Asset Number Quantity, 资产号数量, 锁号个数, 锁号申领数量, 锁号申请数量, Quantity of Locks, Locks Wanted, 需要数量`,
  },
  task: 'numbers',
  clues: {
    rank: 5,
    pattern: new RegExp(
      `\\ballocat(?:e|es|ing|ions?)\\b|\\b(?:asset|lock|dongle|key)? ?numbers? (?:wanted|needed|required|requests?|requested|to allocate)\\b|` +
        `\\b(?:request|obtain|reserve|apply for|need|new)(?:ing)? (?:asset |lock |dongle |key )?numbers\\b|` +
        `号段|领号|取号|发号|要号|(?:申请|分配|领取|预留|申领).{0,6}(?:号|编号|号码)(?!日期)|(?:锁|资产|编)号(?:申请|分配|领取|申领)`,
      'giu',
    ),
  },
  onlyWhenNamed: true,
  essential: ['size'],
};
