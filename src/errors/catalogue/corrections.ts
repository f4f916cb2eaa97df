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
  'corrections.in_use': {
    en: 'Cells read as they were corrected, not as the file has them: {cells}. The messages of their rows name them.',
    zh: '有 {cells} 个单元格按更正后的内容读取，而不是文件中的内容；所在行的 message 中逐一列出。',
  },
  'corrections.told': {
    en: '{cell} corrected from "{before}" by {who}',
    zh: '{cell} 由 {who} 更正，原为“{before}”',
  },
  'corrections.told_filled': {
    en: '{cell} filled in by {who}, empty before',
    zh: '{cell} 由 {who} 填写，原为空',
  },
  'corrections.told_emptied': {
    en: '{cell} emptied by {who}, "{before}" before',
    zh: '{cell} 由 {who} 清空，原为“{before}”',
  },
  'corrections.note': { en: '{what}, {at}', zh: '{what}，{at}' },
  'corrections.extension': {
    en: 'The corrected copy of this input is a {wanted} file; choose another name than {file}.',
    zh: '此输入的更正副本为 {wanted} 文件；请改用 {file} 以外的文件名。',
  },
  'corrections.still_merged': {
    en: 'No copy can be written: {cell} still lies under the merged range {range}, of which another cell was corrected. Correct {cell} too, or let the job say merged: fill.',
    zh: '无法写出副本：合并区域 {range} 的另一个单元格已更正，而 {cell} 仍被该区域覆盖。请同时更正 {cell}，或在任务中设置 merged: fill。',
  },
  'corrections.none': {
    en: 'Run {run} was planned with its file as it is; nothing of it was corrected.',
    zh: '运行 {run} 按原文件计划，没有更正过任何单元格。',
  },
  'corrections.one_file': {
    en: 'Corrections are of the cells of one file, and {pattern} stands for several; name one with --input.',
    zh: '更正只针对一个文件的单元格，而 {pattern} 代表多个文件；请用 --input 指定一个。',
  },
  'corrections.file_format': {
    en: 'Corrections are read from a .csv with the columns row, column and value; {file} is none.',
    zh: '更正内容须为 .csv 文件，含 row、column、value 三列；{file} 不是。',
  },
  'corrections.file_headers': {
    en: 'The first line of {file} must name the columns row, column and value; it has: {found}.',
    zh: '{file} 的第一行须为列名 row、column、value；现有：{found}。',
  },
  'corrections.line': {
    en: '{file}, line {line}: {why}',
    zh: '{file} 第 {line} 行：{why}',
  },
  'corrections.row_wrong': {
    en: '{file}, line {line}: "{text}" is no row number; it is the number that the spreadsheet shows at its left, such as 7.',
    zh: '{file} 第 {line} 行：“{text}”不是行号；应为表格左侧显示的行号，例如 7。',
  },
  'corrections.row_header': {
    en: '{file}, line {line}: row {row} is not in the data; the headers stand in row {headerRow}, and only cells below it can be corrected.',
    zh: '{file} 第 {line} 行：第 {row} 行不在数据区；表头在第 {headerRow} 行，只能更正其下方的单元格。',
  },
  'corrections.twice': {
    en: '{file}, line {line}: {cell} is corrected to something else in line {other}; leave one of them.',
    zh: '{file} 第 {line} 行：{cell} 在第 {other} 行被更正为别的内容；请只保留一处。',
  },
  'corrections.column_twice': {
    en: '{file}, line {line}: "{name}" may be the columns {columns}; name the one that is meant by a letter that is no header, or by its own header.',
    zh: '{file} 第 {line} 行：“{name}”可能指列 {columns}；请用不与表头重名的列字母，或该列独有的表头来指明。',
  },
  'corrections.column_unknown': {
    en: '{file}, line {line}: sheet {sheet} has no column "{name}"; name it by its letter or its header.',
    zh: '{file} 第 {line} 行：工作表 {sheet} 没有列“{name}”；请用列字母或表头来指明。',
  },
  'corrections.column_near': {
    en: '{file}, line {line}: sheet {sheet} has no column "{name}"; did you mean {near}?',
    zh: '{file} 第 {line} 行：工作表 {sheet} 没有列“{name}”；您是否想用 {near}？',
  },
} as const;
