/** Arguments of the wrong kind: what each is, and the command that takes it. `zh` carries the same {names} as `en`. */
export const ARGUMENT = {
  'argument.no_job': { en: 'a job file', zh: '任务文件' },
  'argument.no_run': { en: 'a run or plan', zh: '运行记录或发送计划' },
  'argument.no_operation': { en: 'an operation', zh: '操作' },
  'argument.no_operation_or_job': { en: 'an operation or a job file', zh: '操作或任务文件' },
  'argument.no_spreadsheet': { en: 'a spreadsheet', zh: '表格文件' },
  'argument.no_jobs': { en: 'a job file or a folder of job files', zh: '任务文件或其文件夹' },
  'argument.no_command': { en: 'a command', zh: '命令' },
  'argument.is_spreadsheet': {
    en: '{given} is a spreadsheet, not {what}. Write a job for it with: license-sync guess {given}; or run a job with it: license-sync run JOB --input {given}',
    zh: '{given} 是表格文件，不是{what}。为它生成任务文件：license-sync guess {given}；用已有任务处理它：license-sync run JOB --input {given}',
  },
  'argument.is_keys': {
    en: '{given} is a spreadsheet, not {what}. Write a job for it with: license-sync guess {given}; run a job with it: license-sync run JOB --input {given}; export what the platform has for its keys: license-sync pull asset --enterprises {given} --output FILE',
    zh: '{given} 是表格文件，不是{what}。为它生成任务文件：license-sync guess {given}；用已有任务处理它：license-sync run JOB --input {given}；按其中的标识导出平台数据：license-sync pull asset --enterprises {given} --output FILE',
  },
  'argument.is_folder': {
    en: '{given} is a folder, not {what}. Name a job file in it: license-sync run {given}/JOB.yaml; license-sync runs lists the ids of runs and plans',
    zh: '{given} 是文件夹，不是{what}。请指定其中的任务文件：license-sync run {given}/JOB.yaml；运行记录和发送计划的编号：license-sync runs',
  },
  'argument.is_folder_of_sheets': {
    en: '{given} is a folder, not {what}. Name a spreadsheet in it: license-sync guess {given}/FILE.xlsx',
    zh: '{given} 是文件夹，不是{what}。请指定其中的表格文件：license-sync guess {given}/FILE.xlsx',
  },
  'argument.is_run': {
    en: '{given} is the id of a run, not {what}. Show it with: license-sync runs show {given}; send a plan with: license-sync apply {given}; continue a run with: license-sync resume {given}',
    zh: '{given} 是运行记录的编号，不是{what}。查看：license-sync runs show {given}；执行计划：license-sync apply {given}；继续运行：license-sync resume {given}',
  },
  'argument.is_job': {
    en: '{given} is a job file, not {what}. Run it with: license-sync run {given}; or make a plan with: license-sync plan {given}. license-sync runs lists ids.',
    zh: '{given} 是任务文件，不是{what}。运行：license-sync run {given}；生成计划：license-sync plan {given}；查看编号：license-sync runs',
  },
  'argument.is_operation': {
    en: '{given} is an operation, not {what}. Show its fields with: license-sync operations {given}; write a workbook to fill in with: license-sync template {given}; write a job for a spreadsheet with: license-sync guess FILE --operation {given}',
    zh: '{given} 是操作，不是{what}。查看其字段：license-sync operations {given}；生成填写用的工作簿：license-sync template {given}；为表格生成任务文件：license-sync guess FILE --operation {given}',
  },
} as const;
