import { NOT, type OperationWords } from '../shared/words.js';

export const UNLOCK_WORDS: OperationWords = {
  purpose: '启用实体锁',
  task: 'unlock',
  clues: {
    rank: 1,
    pattern: new RegExp(
      `\\b(?:unlock(?:s|ing)?|to be unlocked|(?:re-?)?enabl(?:e|es|ing)|to be (?:re-?)?enabled|re-?activat(?:e|ing|ions?)|` +
        `to be re-?activated|un-?block(?:ing)?|un-?freez(?:e|ing)|restor(?:e|ing|ation)|reinstat(?:e|ing|ement)|` +
        `lift(?:ing)? (?:the )?(?:block|lock|suspension)|back in use|release locks?)\\b|` +
        `${NOT}(?:解锁|启用|恢复|解冻|解禁|解封|复机|复用|解除(?:锁定|停用|禁用|冻结|封锁))(?!日期|时间)`,
      'giu',
    ),
  },
  essential: ['assetNums'],
};
