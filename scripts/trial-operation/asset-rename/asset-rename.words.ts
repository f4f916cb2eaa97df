import { NOT_ALREADY_DONE, type OperationWords } from '../shared/word-tables.js';

export const RENAME_WORDS: OperationWords = {
  purpose: '设置资产标签',
  fields: {
    renamedAsset: { zh: '要设置标签的资产编号', example: ['8100000001', '8100000002'] },
    assetLabel: { zh: '资产的新标签', example: ['财务部', '工程部'] },
  },
  headers: {
    renamedAsset: 'Asset To Label, Labelled Asset, 待标记资产, 标记资产编号',
    assetLabel: 'Asset Label, Label, Sticker, 资产标签, 标签',
  },
  task: 'rename',
  clues: {
    rank: 12,
    pattern: new RegExp(`\\b(?:relabel(?:s|ling)?|labelling)\\b|${NOT_ALREADY_DONE}(?:贴标|改标签)`, 'giu'),
  },
  essential: ['assetLabel'],
  own: { all: ['renamedAsset', 'assetLabel'] },
};
