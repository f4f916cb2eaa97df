import { NOT, type OperationWords } from '../shared/words.js';

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
        `${NOT}(?:变更|修改|更新|更名|改名|迁址|搬迁|调整|更正|勘误|订正|新名称|新地址)(?!日期|时间|人)`,
      'giu',
    ),
  },
  essential: ['crmCustomerId'],
  own: { all: ['crmCustomerId'], oldAndNew: true },
};
