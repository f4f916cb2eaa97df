import type { OperationWords } from '../shared/words.js';

export const NUMBERS_WORDS: OperationWords = {
  purpose: '申请资产编号',
  fields: {
    size: { zh: '申请的资产编号数量', example: [5, 10] },
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
