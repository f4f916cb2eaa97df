/** Spreadsheets that people put in at the console. */
export const IMPORTS = {
  'imports.no_such_import': {
    en: 'there is no import {import} in the ledger {location}; it may have been pruned',
    zh: '账本 {location} 中没有导入 {import}；可能已被清理',
  },
  'imports.input_gone': {
    en: 'the file of import {id} is not in the ledger any more: import it again',
    zh: '账本中已没有导入 {id} 的文件：请重新导入',
  },
  'imports.no_such_job': {
    en: 'there is no job file {job} in the folder jobs. There are: {jobs}',
    zh: 'jobs 文件夹中没有任务文件 {job}。现有：{jobs}',
  },
  'imports.too_large': {
    en: 'the file is larger than {limit}, which is the most that is taken here; the setting console.uploadLimit says how much',
    zh: '文件大于此处允许的上限 {limit}；该上限由设置 console.uploadLimit 决定',
  },
  'imports.empty': {
    en: 'the file {file} is empty: there is no row in it',
    zh: '文件 {file} 为空：其中没有任何行',
  },
  'imports.encrypted': {
    en: '{file}: the workbook is protected by a password, and no job in the folder jobs names one that opens it. Have the job name where it is found, source.password with env: NAME or file: PATH, and set it where the console runs; or remove the password in Excel (File > Info > Protect Workbook).',
    zh: '{file}：工作簿受密码保护，而 jobs 文件夹中没有任务指明可打开它的密码。请在任务的 source.password 下写 env: 变量名 或 file: 路径，并在运行控制台的机器上设置该密码；或在 Excel 中取消密码（文件 > 信息 > 保护工作簿）。',
  },
  'imports.too_slow': {
    en: 'the file came too slowly, or stopped coming; nothing of it was kept: send it again',
    zh: '文件传输过慢或已中断；未保留任何部分，请重新上传',
  },
  'imports.no_such_upload': {
    en: 'the file is not here (any more): send it again',
    zh: '此文件不在（或已不在）这里：请重新上传',
  },
  'imports.job_exists': {
    en: 'there is a file jobs/{file} already, and nothing is written over it: choose another name',
    zh: '已存在文件 jobs/{file}，不会覆盖：请另选名称',
  },
  'imports.job_name': {
    en: '{name} is no name for a job file: use letters, digits, hyphens and underscores',
    zh: '{name} 不能作为任务文件名：请使用字母、数字、连字符和下划线',
  },
  'imports.not_checked': {
    en: 'the rows are not checked yet; ask again when the check is over',
    zh: '各行尚未检查完毕；请在检查结束后再试',
  },
  'imports.fault_cell': { en: '{header}, {cell}: {fault}', zh: '{header}（{cell}）：{fault}' },
  'imports.fault_column': {
    en: '{header}, column {column}: {fault}',
    zh: '{header}（{column} 列）：{fault}',
  },
  'imports.check_died': {
    en: 'the check was begun {times} times, and ended each time before it could say anything: {why}. The corrections are kept. Check again; if it goes on, tell whoever looks after this console',
    zh: '检查已启动 {times} 次，每次都在得出结果之前结束：{why}。更正均已保留。请重新检查；如果仍然如此，请告知此控制台的管理人员',
  },
  'imports.took_too_long': {
    en: 'it was ended because it took longer than {limit} (console.checkTimeout); check again, or raise that setting if this file needs so long',
    zh: '耗时超过 {limit}（console.checkTimeout），已结束；请重新检查，如果此文件确实需要更长时间，请调高该设置',
  },
  'imports.check_cancelled': {
    en: 'the check was cancelled by {by}; the corrections are kept',
    zh: '检查已由 {by} 取消；更正均已保留',
  },
  'imports.not_checking': {
    en: 'no check of this import is in progress on this console',
    zh: '此控制台上没有正在进行的该导入检查',
  },
  'imports.no_such_cell': {
    en: 'there is no column {column} with a header in row {row} of the sheet: only cells under a header can be corrected',
    zh: '工作表第 {row} 行没有带表头的第 {column} 列：只能更正表头下的单元格',
  },
  'imports.nothing_saved': {
    en: 'the job of this import is a file already: {file}',
    zh: '此导入的任务已经是文件：{file}',
  },
  'imports.job_or_guess': {
    en: 'name a job file of the folder jobs, or ask for a guess',
    zh: '请指定 jobs 文件夹中的任务文件，或要求推测',
  },
} as const;
