import { day, type OperationWords } from '../shared/words.js';

export const LIST_WORDS: OperationWords = {
  purpose: '查询企业的云资产',
  fields: {
    '§4.7 extendCode': { zh: '只返回带有此扩展属性的资产' },
    assetNum: { zh: '锁号／资产编号', example: ['8100000001', '8100000002'] },
    grantable: { zh: '是否为授权对象' },
    keyShellNumber: { zh: '资产编号的数字部分' },
    keyChipType: { zh: '锁芯片类型' },
    locked: { zh: '是否锁定', example: false },
    freezing: { zh: '是否冻结（仅证书授权）' },
    limitStartTime: { zh: '资产生效时间', example: day('2025-01-01') },
    limitEndTime: { zh: '资产到期时间', example: day('2027-12-31') },
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
