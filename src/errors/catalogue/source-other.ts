/** Texts of source about .xls, .xlsb, .ods and encrypted workbooks: what is wrong, and what would be right. `zh` carries the same {names} as `en`. */
export const SOURCE_OTHER = {
  'source.other_memory': {
    en: '{file}: reading this file takes more than {limit} MB of memory; it is too large, or made to exhaust it. Nothing of it was used. Save it as .xlsx or .csv, or split it.',
    zh: '{file}：读取此文件需要超过 {limit} MB 内存；文件过大，或是为耗尽内存而制作的。未使用其中任何内容。请另存为 .xlsx 或 .csv，或拆分文件。',
  },
  'source.other_time': {
    en: '{file}: reading this file takes more than {limit} seconds; it is too large, or made to never end. Nothing of it was used. Save it as .xlsx or .csv, or split it.',
    zh: '{file}：读取此文件超过 {limit} 秒；文件过大，或是为使读取永不结束而制作的。未使用其中任何内容。请另存为 .xlsx 或 .csv，或拆分文件。',
  },
  'source.other_ended': {
    en: '{file}: the process that reads this file ended before it was done ({reason}). Open the file in Excel and save it as .xlsx.',
    zh: '{file}：读取此文件的进程提前结束（{reason}）。请用 Excel 打开并另存为 .xlsx。',
  },
  'source.other_file_size': {
    en: '{file}: a file of this format may have {limit} MB at most. Save it as .xlsx or .csv, or split it.',
    zh: '{file}：此格式的文件最大为 {limit} MB。请另存为 .xlsx 或 .csv，或拆分文件。',
  },
  'source.other_no_workbook': {
    en: '{file}: this is a document of an older Office program, but no workbook. Choose the workbook.',
    zh: '{file}：这是旧版 Office 文档，但不是工作簿。请选择工作簿文件。',
  },
  'source.other_encrypted': {
    en: '{file}: this {kind} file is protected by a password. Of protected files only .xlsx is read: open it in its program and save it as .xlsx, or without the password.',
    zh: '{file}：此 {kind} 文件受密码保护。受保护的文件只支持 .xlsx：请用相应程序打开，另存为 .xlsx 或去掉密码后保存。',
  },
  'source.xlsx_encrypted': {
    en: '{file}: the workbook is protected by a password, and the job names none. Say in the job where it is found, source.password with env: NAME or file: PATH (guess and pull: --password-env NAME), or remove the password in Excel (File > Info > Protect Workbook).',
    zh: '{file}：工作簿受密码保护，而任务未指明密码。请在任务中说明从何处取得：在 source.password 下写 env: 变量名 或 file: 路径（guess 与 pull：--password-env 变量名），或在 Excel 中取消密码（文件 > 信息 > 保护工作簿）。',
  },
  'source.password_wrong': {
    en: '{file}: the password found in {from} (source.password) does not open the workbook. Correct it.',
    zh: '{file}：在 {from} 中找到的密码（source.password）无法打开工作簿。请更正。',
  },
  'source.password_env': {
    en: '{file}: the password of the workbook (source.password) is looked for in the environment variable {name}, which is not set.',
    zh: '{file}：工作簿的密码（source.password）应取自环境变量 {name}，但该变量未设置。',
  },
  'source.password_file': {
    en: '{file}: the file {path} with the password of the workbook (source.password) cannot be read: {reason}.',
    zh: '{file}：无法读取存放工作簿密码（source.password）的文件 {path}：{reason}。',
  },
  'source.password_file_open': {
    en: '{file}: the file {path} with the password of the workbook (source.password) can be read by others; make it yours alone: chmod 600 {path}',
    zh: '{file}：存放工作簿密码（source.password）的文件 {path} 可被他人读取；请设为仅本人可读：chmod 600 {path}',
  },
  'source.encryption_unknown': {
    en: '{file}: the workbook is encrypted in a way that is not known. Open it in Excel and save it as .xlsx, with a password again if need be.',
    zh: '{file}：工作簿的加密方式未知。请用 Excel 打开并另存为 .xlsx，需要时重新设置密码。',
  },
  'source.encryption_damaged': {
    en: '{file}: the encrypted content is cut off or was altered. Copy or download the file again.',
    zh: '{file}：加密内容不完整或已被改动。请重新复制或下载该文件。',
  },
  'source.compound_damaged': {
    en: '{file}: the file is cut off or damaged near byte {offset}. Copy or download it again, or open it in Excel and save it anew.',
    zh: '{file}：文件在第 {offset} 字节附近不完整或已损坏。请重新复制或下载，或者用 Excel 打开后另存。',
  },
  'source.xls_record_broken': {
    en: '{file}: the workbook is cut off or damaged near byte {offset} of its content. Copy or download it again, or open it in Excel and save it anew.',
    zh: '{file}：工作簿内容在第 {offset} 字节附近不完整或已损坏。请重新复制或下载，或者用 Excel 打开后另存。',
  },
  'source.xlsb_record_broken': {
    en: '{file}: {part} is cut off or damaged near byte {offset}. Copy or download the file again, or open it in Excel and save it anew.',
    zh: '{file}：{part} 在第 {offset} 字节附近不完整或已损坏。请重新复制或下载，或者用 Excel 打开后另存。',
  },
  'source.xls_too_old': {
    en: '{file}: this is a workbook from before Excel 5, or of another program. Open it in Excel and save it as .xlsx.',
    zh: '{file}：这是 Excel 5 之前版本或其他程序的工作簿。请用 Excel 打开并另存为 .xlsx。',
  },
  'source.ods_outside': {
    en: '{file}, sheet {sheet}: near row {row} a cell with content lies beyond the last row or column that a sheet has. Open the file in its program, delete what is repeated there, and save it.',
    zh: '{file}，工作表 {sheet}：第 {row} 行附近有内容的单元格超出了工作表的最后一行或最后一列。请用相应程序打开，删除多余的重复内容后保存。',
  },
  'source.xls_code_page': {
    en: '{file}: the texts of this old workbook are not valid in its code page ({number}), or that one is not known. Open it in Excel and save it as .xlsx.',
    zh: '{file}：此旧版工作簿的文字不符合其代码页（{number}），或该代码页未知。请用 Excel 打开并另存为 .xlsx。',
  },
} as const;
