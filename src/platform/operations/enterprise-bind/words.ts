import { NOT, type OperationWords } from '../shared/words.js';

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
      `\\b(?:bind(?:s|ing|ings)?|to be bound|link(?:ed|ing)? to (?:their )?main)\\b|${NOT}绑定`,
      'giu',
    ),
  },
  essential: ['channelCustomerId', 'enterpriseName', 'passwordMobile'],
  own: { all: ['enterpriseName', 'passwordMobile'], share: 0.8 },
};
