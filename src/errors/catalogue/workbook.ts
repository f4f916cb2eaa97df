/** Texts of workbook: what is wrong, where, and what would be right. `zh` carries the same {names} as `en`. */
export const WORKBOOK = {
  'workbook.extension': {
    en: 'A result cannot be written to {file}: its name must end in .xlsx, .csv or .ndjson. Correct output.file in the job, or give --output.',
    zh: '结果无法写入 {file}：文件名必须以 .xlsx、.csv 或 .ndjson 结尾。请更正任务中的 output.file，或使用 --output 指定。',
  },
  'workbook.disk_full': {
    en: 'The disk is full, so the result {file} was not written. Nothing is lost: the ledger keeps every outcome. Make room, then: license-sync resume writes the report again.',
    zh: '磁盘已满，结果 {file} 未写出。没有丢失任何内容：账本保存了全部结果。请清理空间，然后执行 license-sync resume 重新生成报告。',
  },
  'workbook.not_a_file': {
    en: 'The result cannot be written to {file}: a folder bears this name, or a part of its path is no folder. Choose another output.file or --output; the ledger keeps every outcome.',
    zh: '结果无法写入 {file}：该名称是文件夹，或路径中的某一部分不是文件夹。请更改 output.file 或 --output；账本保存了全部结果。',
  },
  'workbook.unwritable': {
    en: 'The result cannot be written to {file} ({reason}). Check that you may write there, or choose another place with --output; the ledger keeps every outcome.',
    zh: '结果无法写入 {file}（{reason}）。请确认您有写入权限，或用 --output 指定其他位置；账本保存了全部结果。',
  },
  'workbook.kept_changed': {
    en: '{written} was written, because {wanted} was changed since it was written and is never replaced. Move or rename {wanted} if the next output is to have its name',
    zh: '已写入 {written}：{wanted} 写出后被修改过，不会被覆盖。如需下次输出使用该名称，请移动或重命名该文件',
  },
  'workbook.kept_of_run': {
    en: '{written} was written, because {wanted} is the result of a run, which a check never replaces. Name another file',
    zh: '已写入 {written}：{wanted} 是一次运行的结果，检查不会覆盖它。请指定其他文件',
  },
  'workbook.kept_not_noted': {
    en: '{written} was written, because {wanted} is a result that this ledger did not write and that may have been changed. Move or rename {wanted}, or name another file',
    zh: '已写入 {written}：{wanted} 是一个结果文件，但不是由此账本写出的，可能被修改过。请移动或重命名该文件，或指定其他文件',
  },
  'workbook.too_many_columns': {
    en: 'The result {file} would have {columns} columns; a worksheet holds {limit}. Write it as .csv or .ndjson (--output); the ledger keeps every outcome.',
    zh: '结果 {file} 将有 {columns} 列，而工作表最多 {limit} 列。请输出为 .csv 或 .ndjson（--output）；账本保存了全部结果。',
  },
  'workbook.too_many_rows': {
    en: 'The result {file} would have more rows than a worksheet holds ({limit}). Write it as .csv or .ndjson (--output); the ledger keeps every outcome.',
    zh: '结果 {file} 的行数超过工作表的上限（{limit}）。请输出为 .csv 或 .ndjson（--output）；账本保存了全部结果。',
  },
  'workbook.held_by_invalid': {
    en: 'not sent, because other rows are invalid; correct those and run the file again',
    zh: '因其他行无效而未发送；请更正那些行后重新运行该文件',
  },
  'workbook.headline_rows': { en: '{rows} rows: {counts}', zh: '共 {rows} 行：{counts}' },
  'workbook.headline_one': { en: '{rows} row: {counts}', zh: '共 {rows} 行：{counts}' },
  'workbook.headline_count': { en: '{count} {status}', zh: '{status} {count}' },
  'workbook.headline_none': { en: 'no rows', zh: '没有任何行' },
  'workbook.problems_title': {
    en: 'Rows that need attention: {problems} of {rows}',
    zh: '需要处理的行：{problems}（共 {rows} 行）',
  },
  'workbook.problems_hint': {
    en: 'Each link leads to the cell of Results as it was written. Once Results is sorted, look a row up by its number.',
    zh: '每个链接都指向 Results 中写出时的单元格。对 Results 排序后，请按行号查找。',
  },
  'workbook.problems_more': {
    en: 'and {count} more: filter Results by status to see them all',
    zh: '另有 {count} 行：请在 Results 中按 status 筛选查看全部',
  },
} as const;
