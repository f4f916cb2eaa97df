import { NOT_ALREADY_DONE, type OperationWords } from '../shared/word-tables.js';

export const BIND_WORDS: OperationWords = {
  purpose: '创建客户并绑定到企业主账号',
  fields: {
    enterpriseName: { zh: '企业主账号名称', example: ['北京宏图主账号', '上海恒信主账号'] },
    '§4.3 passwordMobile': { zh: '安全手机号' },
  },
  headers: {
    enterpriseName: `
    Enterprise, Enterprise Name, Enterprise Account Name, Main Account Name, Main Account, 企业名称, 企业账号名称,
    企业主账号名称, 主账号名称, 企业主账号, 主账号, 企业全称, 企业, Main Account Holder, 企业集团名称`,
  },
  examples: { channelCustomerId: ['009001', '009002'] },
  task: 'bind',
  clues: {
    rank: 8,
    pattern: new RegExp(
      `\\b(?:bind(?:s|ing|ings)?|to be bound|link(?:ed|ing)? to (?:their )?main)\\b|${NOT_ALREADY_DONE}绑定`,
      'giu',
    ),
  },
  essential: ['channelCustomerId', 'enterpriseName', 'passwordMobile'],
  own: { all: ['enterpriseName', 'passwordMobile'], share: 0.8 },
};

export const CREATE_WORDS: OperationWords = {
  purpose: '创建企业主账号及其管理员和员工',
  examples: { crmCustomerId: ['009001', '009002'] },
  task: 'create',
  clues: {
    rank: 6,
    pattern: new RegExp(
      `\\b(?:creat(?:e|es|ing|ion)|to be created|new (?:customers?|clients?|enterprises?|accounts?|companies|company)|` +
        `onboard(?:ing)?|open(?:ing)? (?:of )?accounts?|account openings?|registrations?)\\b|` +
        `${NOT_ALREADY_DONE}(?:新建|开户|建档|新增|创建|入驻|建户|注册|新客户|新企业)(?!日期|时间|地址|名称|人)`,
      'giu',
    ),
  },
  onlyWhenNamed: true,
  essential: ['crmCustomerId', 'customerName'],
};

export const QUERY_WORDS: OperationWords = {
  purpose: '查询企业主账号的客户',
  fields: {
    defaultCustomer: {
      zh: '返回哪些客户',
      cells: {
        Y: 'y yes true 是 默认 默认客户 仅默认 default',
        N: 'n no false 否 全部 所有 全部客户 所有客户 all',
      },
      example: ['N', 'Y'],
    },
    isDefault: { zh: '是否为默认客户' },
  },
  headers: {
    defaultCustomer: `
    Default Customer, Default Only, Only Default, Default, 默认客户, 是否默认客户, 仅默认客户, 是否默认, 只查默认客户`,
  },
  task: 'query',
  clues: {
    rank: 10,
    pattern:
      /\b(?:quer(?:y|ies)|look ?(?:ups?|ing up)|inquir(?:y|ies|e)|enquir(?:y|ies|e)|to check|find)\b|查询|核对|核查|查找|检索|查(?:一下)?.{0,2}(?:企业|客户|账号|主账号)/giu,
  },
  essential: ['channelCustomerId'],
  own: { all: ['channelCustomerId'], nothingElse: true, columns: 6 },
};

export const UPDATE_WORDS: OperationWords = {
  purpose: '修改企业客户的名称和地址',
  fields: {
    'New name of the customer': { zh: '客户的新名称' },
    'New address of the customer': { zh: '客户的新地址' },
  },
  task: 'update',
  clues: {
    rank: 4,
    pattern: new RegExp(
      `\\b(?:updat(?:e|es|ing)|chang(?:e|es|ing)|modif(?:y|ied|ications?)|amend(?:ed|ments?)?|correct(?:ed|ions?)?|` +
        `renam(?:e|es|ed|ing)|relocat(?:e|ed|ions?)|moved|removals of office|new (?:name|address)e?s?)\\b|` +
        `${NOT_ALREADY_DONE}(?:变更|修改|更新|更名|改名|迁址|搬迁|调整|更正|勘误|订正|新名称|新地址)(?!日期|时间|人)`,
      'giu',
    ),
  },
  essential: ['crmCustomerId'],
  own: { all: ['crmCustomerId'], oldAndNew: true },
};
