import type { PageWord } from '../words/language.js';

export const GRID_WORDS = {
  row: { en: 'Row', zh: '行' },
  width_keys: { en: 'Plus and minus change the width of the column.', zh: '按加号或减号可调整列宽。' },
  corrected: { en: 'Corrected.', zh: '已更正。' },
  cell_of: { en: '{header}, row {row}', zh: '第 {row} 行，{header}' },
  allowed: { en: 'Allowed values', zh: '允许的值' },
  nearest: { en: 'nearest', zh: '最接近' },
} as const satisfies Record<string, PageWord>;
