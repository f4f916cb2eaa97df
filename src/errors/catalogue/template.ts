/** Texts of fill-in workbooks and of the command that makes them. `zh` carries the same {names} as `en`. */
export const TEMPLATE = {
  'template.nothing': {
    en: 'Say what the workbook is for: an operation (`license-sync operations` lists them) or a job file, or --all FOLDER.',
    zh: '请指明工作簿的用途：某个操作（`license-sync operations` 可列出全部）、任务文件，或 --all 文件夹。',
  },
  'template.together': {
    en: '{first} and {second} do not go together; leave one of them out.',
    zh: '{first} 与 {second} 不能同时使用；请去掉其中一个。',
  },
  'template.needs': {
    en: '{option} goes with {other} only.',
    zh: '{option} 只能与 {other} 一起使用。',
  },
  'template.exists': {
    en: '{file} exists already and may hold what someone filled in, so it was left as it is; choose another --output, or give --force to replace it.',
    zh: '{file} 已存在，其中可能有人已填写内容，因此保持原样；请用 --output 指定其他文件，或加 --force 覆盖。',
  },
  'template.extension': {
    en: 'The workbook is an .xlsx file, so {file} will not do; give --output a name that ends in .xlsx.',
    zh: '工作簿是 .xlsx 文件，不能写成 {file}；请为 --output 指定以 .xlsx 结尾的文件名。',
  },
  'template.unwritable': {
    en: '{file} cannot be written ({reason}); check that you may write there, or choose another place.',
    zh: '无法写入 {file}（{reason}）；请确认您有写入权限，或选择其他位置。',
  },
  'template.one_sheet': {
    en: '{operation} has no lists inside its rows, so one sheet does; leave --nested out. It is for {nested}.',
    zh: '{operation} 的每一行内没有列表，一个工作表即可；请去掉 --nested。它适用于 {nested}。',
  },
  'template.sheet_position': {
    en: 'The job reads sheet number {position}, which a workbook made for it does not reach; name the sheet in source.sheet instead.',
    zh: '任务读取第 {position} 个工作表，而为它生成的工作簿没有那么多工作表；请在 source.sheet 中改用工作表名称。',
  },
  'template.outdated': {
    en: '{file} is out of date; make it again with: license-sync template --all {folder}',
    zh: '{file} 已过期；请重新生成：license-sync template --all {folder}',
  },
  'template.outdated_count': {
    en: 'Of {all} files in {folder}, {count} are out of date or missing:',
    zh: '{folder} 中共 {all} 个文件，其中 {count} 个已过期或缺失：',
  },
  'template.up_to_date': {
    en: '{all} files in {folder} are up to date',
    zh: '{folder} 中的 {all} 个文件均为最新',
  },
  'template.job_made_by': {
    en: 'Reads {workbook}, whose sheets are tied by key columns. Made by: {command}',
    zh: '读取 {workbook}，各工作表通过关键列相互对应。生成命令：{command}',
  },
  'template.job_connection': {
    en: 'the simulated platform, to try it out; later the name of your connection',
    zh: '模拟平台，用于试运行；正式使用时改为您的连接名称',
  },
  'template.guide': { en: 'Guide', zh: '填写说明' },
  'template.example': { en: 'Example', zh: '示例' },
  'template.example_of': { en: 'Example {sheet}', zh: '示例 {sheet}' },
  'template.how': { en: 'How to fill in', zh: '填写方法' },
  'template.step_fill': {
    en: 'Fill in the sheet {sheet}, from row {row} on, without blank headers. Leave the header row as it is: columns are known by their headers, in any order; columns that you do not need may be deleted.',
    zh: '请在工作表“{sheet}”中从第 {row} 行开始填写。请勿改动标题行：程序按标题识别各列，列的顺序不限；不需要的列可以删除。',
  },
  'template.step_row': {
    en: 'One row is one item of {operation}.',
    zh: '每一行对应 {operation} 的一项。',
  },
  'template.step_order': {
    en: 'One row is one order with one product. For orders with several assets, products or packages use the workbook of several sheets: license-sync template {operation} --nested',
    zh: '每一行是一个含一个产品的订单。如订单含多个资产、产品或套餐，请使用多工作表工作簿：license-sync template {operation} --nested',
  },
  'template.step_sheets': {
    en: 'The sheets belong together by their key columns (gold): a row of {sheet} belongs to the rows whose {keys} are the same in {parent}. Write them alike in both.',
    zh: '各工作表通过关键列（金色）对应：“{sheet}”中的行归属于“{parent}”中 {keys} 相同的行。两处写法必须一致。',
  },
  'template.step_group': {
    en: 'In {sheet}, rows with the same {keys} make one entry of {list}; what they share must be the same in all of them.',
    zh: '在“{sheet}”中，{keys} 相同的行合为 {list} 的一项；它们共有的内容必须一致。',
  },
  'template.step_steps': {
    en: 'Each row goes through {count} steps, one after the other: {steps}',
    zh: '每一行依次经过 {count} 个步骤：{steps}',
  },
  'template.step_where': {
    en: 'The job takes only rows for which this holds: {condition}',
    zh: '任务只处理满足此条件的行：{condition}',
  },
  'template.step_paste': {
    en: 'When you paste from elsewhere, paste values only (Paste Special): formats and lists stay then. Cells turn red where something is missing or not in the list.',
    zh: '从别处粘贴时，请使用“选择性粘贴—数值”，以保留格式和下拉列表。缺少内容或不在列表中的单元格会变为红色。',
  },
  'template.step_example': {
    en: 'The sheet {sheet} shows rows that are filled in rightly.',
    zh: '工作表“{sheet}”中有填写正确的示例。',
  },
  'template.step_check': {
    en: 'Check without sending anything: {command}',
    zh: '检查（不发送任何内容）：{command}',
  },
  'template.step_job': {
    en: 'A job file that reads this workbook needs no map:',
    zh: '读取此工作簿的任务文件无需映射：',
  },
  'template.colours': { en: 'Colours of the headers', zh: '标题颜色' },
  'template.legend_always': {
    en: 'dark, white and bold: required in every row',
    zh: '深色底、白色粗体：每行必填',
  },
  'template.legend_group': {
    en: 'light and bold: required where its part (such as a package) is used',
    zh: '浅色底、粗体：使用该部分（如套餐）时必填',
  },
  'template.legend_optional': { en: 'light: optional', zh: '浅色底：选填' },
  'template.legend_key': {
    en: 'gold: key that ties sheets together; required',
    zh: '金色：对应各工作表的关键列，必填',
  },
  'template.legend_part': { en: 'the fields of {part}', zh: '{part} 的字段' },
  'template.part_top': { en: 'the request and its items', zh: '请求及其各项' },
  'template.columns': { en: 'The columns', zh: '各列说明' },
  'template.head_sheet': { en: 'Sheet', zh: '工作表' },
  'template.head_column': { en: 'Column', zh: '列标题' },
  'template.head_field': { en: 'Field and type', zh: '字段与类型' },
  'template.head_required': { en: 'Required', zh: '是否必填' },
  'template.head_entry': { en: 'What to enter', zh: '填写内容' },
  'template.head_meaning': { en: 'Meaning', zh: '含义' },
  'template.head_values': { en: 'Allowed values', zh: '可选值' },
  'template.head_section': { en: 'Interface', zh: '接口章节' },
  'template.required': { en: 'Required', zh: '必填' },
  'template.required_with': {
    en: 'Required where any {part} column is filled',
    zh: '填写了 {part} 的任一列时必填',
  },
  'template.optional': { en: 'Optional', zh: '选填' },
  'template.key_of': { en: 'Key: ties this sheet to {sheets}', zh: '关键列：与 {sheets} 对应' },
  'template.groups': {
    en: 'Rows with the same value here make one entry of {list}',
    zh: '此列相同的行合为 {list} 的一项',
  },
  'template.where': {
    en: "The job's condition reads it: {condition}",
    zh: '任务的条件会读取此列：{condition}',
  },
  'template.when': {
    en: 'Whether step {step} takes the row depends on it: {condition}',
    zh: '步骤 {step} 是否处理该行取决于此列：{condition}',
  },
  'template.built_into': { en: 'Goes into {field}: {source}', zh: '用于生成 {field}：{source}' },
  'template.field': { en: 'Field: {field}', zh: '字段：{field}' },
  'template.when_empty': { en: '{value} when left empty', zh: '留空时为 {value}' },
  'template.generated': {
    en: 'made by the program when the column is deleted',
    zh: '删除此列时由程序生成',
  },
  'template.enter_list': { en: 'Pick from the list', zh: '从下拉列表中选择' },
  'template.enter_date': { en: 'A date, such as {example}', zh: '日期，例如 {example}' },
  'template.enter_end': {
    en: 'A date, such as {example}; counts to the end of that day',
    zh: '日期，例如 {example}；截至当天结束',
  },
  'template.enter_whole': { en: 'A whole number from {least}', zh: '不小于 {least} 的整数' },
  'template.enter_duration': {
    en: 'years-months-days, such as 1-0-0 for one year',
    zh: '年-月-日，例如 1-0-0 表示一年',
  },
  'template.enter_email': { en: 'An e-mail address', zh: '电子邮箱地址' },
  'template.enter_texts': {
    en: 'One or several, separated by {separators}',
    zh: '一个或多个，用 {separators} 分隔',
  },
  'template.line_break': { en: 'a line break', zh: '换行' },
  'template.enter_id': {
    en: 'Text; leading zeros and long numbers are kept',
    zh: '文本；保留前导零和长数字',
  },
  'template.enter_text': { en: 'Text', zh: '文本' },
  'template.wrong_list': { en: 'Pick one of the list: {words}', zh: '请从列表中选择：{words}' },
  'template.wrong_date': {
    en: 'A date that exists is wanted, between 1990 and 2199, such as {example}.',
    zh: '请输入存在的日期（1990 至 2199 年），例如 {example}。',
  },
  'template.wrong_date_form': {
    en: 'Dates are read here as {example}.',
    zh: '此处的日期按 {example} 的形式读取。',
  },
  'template.wrong_whole': {
    en: 'A whole number from {least} is wanted, without units.',
    zh: '请输入不小于 {least} 的整数，不带单位。',
  },
  'template.wrong_duration': {
    en: 'Write years-months-days with two hyphens: 1-0-0 is one year, 0-6-0 six months.',
    zh: '请按“年-月-日”填写，含两个短横线：1-0-0 为一年，0-6-0 为六个月。',
  },
  'template.wrong_email': { en: 'This does not look like an e-mail address.', zh: '这不像电子邮箱地址。' },
  'template.wrong_length': {
    en: 'More than {most} characters: is that meant?',
    zh: '超过 {most} 个字符：确定是这样吗？',
  },
} as const;
