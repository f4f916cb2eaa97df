import type { WordTable } from '../shared/words.js';

/** Words of the fields by which locks are disabled and enabled. */
export const LOCKING_WORDS: WordTable = {
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
