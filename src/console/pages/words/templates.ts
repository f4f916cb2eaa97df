import type { PageWord } from './language.js';

/** Workbooks to fill in. */
export const TEMPLATES = {
  about: {
    en: 'Workbooks to fill in: each has the columns of one operation, with allowed values to choose from. Filled in, it can be imported as it is.',
    zh: '可填写的工作簿：每个对应一个操作的列，并带有可选值。填写后即可直接导入。',
  },
  operation: { en: 'Operation', zh: '操作' },
  empty_one: { en: 'Empty workbook', zh: '空白工作簿' },
  with_examples: { en: 'With example rows', zh: '含示例行' },
  several_sheets: { en: 'Several sheets', zh: '多个工作表' },
  of: { en: '{what}: {operation}', zh: '{what}：{operation}' },
} as const satisfies Record<string, PageWord>;
