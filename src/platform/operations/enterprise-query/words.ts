import type { OperationWords } from '../shared/words.js';

export const QUERY_WORDS: OperationWords = {
  purpose: '查询企业主账号的客户',
  fields: {
    defaultCustomer: {
      zh: '返回哪些客户',
      values: { Y: '仅默认客户', N: '全部客户' },
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
