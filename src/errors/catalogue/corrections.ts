/** Texts of corrected cells. `zh` carries the same {names} as `en`. */
export const CORRECTIONS = {
  'corrections.too_many': {
    en: '{cells} cells are corrected, and {most} are the most; correct the spreadsheet itself.',
    zh: '更正了 {cells} 个单元格，最多只能更正 {most} 个；请直接修改表格。',
  },
  'corrections.unwritable': {
    en: 'The text for {cell} cannot stand in a cell: it has control characters, or more than {most} characters.',
    zh: '为 {cell} 填写的内容无法写入单元格：含有控制字符，或超过 {most} 个字符。',
  },
  'corrections.gone': {
    en: 'The corrections that the run was planned with ({file}) are gone or were altered, so its rows cannot be read as they were planned.',
    zh: '此运行所用的更正内容（{file}）已丢失或被改动，无法按计划时的内容读取各行。',
  },
  'corrections.header': {
    en: 'The correction of {cell} is not in the data: the headers of sheet {sheet} stand in row {headerRow}, and only cells below it can be corrected.',
    zh: '对 {cell} 的更正不在数据区：工作表 {sheet} 的表头在第 {headerRow} 行，只能更正其下方的单元格。',
  },
  'corrections.beyond': {
    en: 'The correction of {cell} is in no column of the data: sheet {sheet} has no header there in row {headerRow}.',
    zh: '对 {cell} 的更正不属于任何数据列：工作表 {sheet} 第 {headerRow} 行的该列没有表头。',
  },
  'corrections.other_header': {
    en: 'The correction of {cell} was made for the column {header}, and sheet {sheet} has {found} there; it may be another file.',
    zh: '对 {cell} 的更正属于列 {header}，而工作表 {sheet} 的该列是 {found}；可能不是同一个文件。',
  },
  'corrections.past_end': {
    en: 'The correction of {cell} lies below the data: the last row of sheet {sheet} with a filled cell is {last}. A correction changes rows, it adds none.',
    zh: '对 {cell} 的更正在数据之下：工作表 {sheet} 最后一个有内容的行是第 {last} 行。更正只能修改已有的行，不能新增行。',
  },
} as const;
