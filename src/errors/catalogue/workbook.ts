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
  'workbook.too_many_columns': {
    en: 'The result {file} would have {columns} columns; a worksheet holds {limit}. Write it as .csv or .ndjson (--output); the ledger keeps every outcome.',
    zh: '结果 {file} 将有 {columns} 列，而工作表最多 {limit} 列。请输出为 .csv 或 .ndjson（--output）；账本保存了全部结果。',
  },
  'workbook.too_many_rows': {
    en: 'The result {file} would have more rows than a worksheet holds ({limit}). Write it as .csv or .ndjson (--output); the ledger keeps every outcome.',
    zh: '结果 {file} 的行数超过工作表的上限（{limit}）。请输出为 .csv 或 .ndjson（--output）；账本保存了全部结果。',
  },
} as const;
