import { NOT, type OperationWords } from '../shared/words.js';

export const CREATE_WORDS: OperationWords = {
  purpose: '创建企业主账号及其管理员和员工',
  examples: { crmCustomerId: ['009001', '009002'] },
  task: 'create',
  clues: {
    rank: 6,
    pattern: new RegExp(
      `\\b(?:creat(?:e|es|ing|ion)|to be created|new (?:customers?|clients?|enterprises?|accounts?|companies|company)|` +
        `onboard(?:ing)?|open(?:ing)? (?:of )?accounts?|account openings?|registrations?)\\b|` +
        `${NOT}(?:新建|开户|建档|新增|创建|入驻|建户|注册|新客户|新企业)(?!日期|时间|地址|名称|人)`,
      'giu',
    ),
  },
  onlyWhenNamed: true,
  essential: ['crmCustomerId', 'customerName'],
};
