import { LOCKING_WORDS } from '../lock/words.js';
import { NOT, type OperationWords } from '../shared/words.js';

export const LOCK_WORDS: OperationWords = {
  purpose: '停用实体锁',
  shared: [LOCKING_WORDS],
  task: 'lock',
  clues: {
    rank: 2,
    pattern: new RegExp(
      `\\b(?:(?:to|please|must|asset|and) lock|(?:to|must) be locked|lock(?:ing)? (?:requests?|orders?|these|them|following)|locking|` +
        `lock ?(?:out|down)s?|disabl(?:e|es|ing)|to be disabled|block(?:ing)?|to be blocked|suspend(?:ing)?|suspensions?|` +
        `to be suspended|freez(?:e|ing)|to be frozen|deactivat(?:e|ing|ions?)|to be deactivated|switch(?:ing)? off|shut(?:ting)? (?:off|down))\\b|` +
        `\\block (?:and|or|&) (?=¤)|${NOT}(?:停用|禁用|冻结|锁定|封锁|停机|挂失|停权|封停|加锁|锁机|上锁|停止使用)(?!日期|时间|状态)`,
      'giu',
    ),
  },
  essential: ['assetNums'],
};
