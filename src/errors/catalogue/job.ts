import { JOB_CONNECTION } from './job-connection.js';
import { JOB_MAP } from './job-map.js';
import { JOB_STEPS } from './job-steps.js';

/**
 * Texts of job: what is wrong, where, and what would be right. `zh` carries the same {names} as `en`.
 * `{where}` is file, line, column and code, `jobs/x.yaml:12:5 job.unknown_key`.
 */
export const JOB = {
  // The file
  'job.unfit_number': {
    en: '{name} is {value}, but a whole number from {least} is wanted',
    zh: '{name} 为 {value}，应为不小于 {least} 的整数',
  },
  'job.file_missing': {
    en: 'The file {file} does not exist; check the path.',
    zh: '文件 {file} 不存在；请检查路径。',
  },
  'job.file_unreadable': {
    en: 'The file {file} cannot be read ({detail}); check that it is a file and that you may read it.',
    zh: '无法读取文件 {file}（{detail}）；请确认它是一个文件且您有读取权限。',
  },
  'job.file_too_large': {
    en: 'The file {file} is larger than {limit}; that is no job file. Was the spreadsheet given in its place?',
    zh: '文件 {file} 超过 {limit}，不是任务文件。是否误将表格文件当作任务文件？',
  },
  'job.not_utf8': {
    en: 'The file {file} is not UTF-8 text; save it as UTF-8.',
    zh: '文件 {file} 不是 UTF-8 文本；请另存为 UTF-8 编码。',
  },

  // YAML
  'job.yaml_syntax': {
    en: '{where}: this is not valid YAML: {detail}',
    zh: '{where}：不是有效的 YAML：{detail}',
  },
  'job.duplicate_key': {
    en: '{where}: the key "{key}" stands here a second time; keep one',
    zh: '{where}：键“{key}”重复出现；请只保留一个',
  },
  'job.many_documents': {
    en: '{where}: a second document starts here; a file holds one',
    zh: '{where}：此处开始了第二个 YAML 文档；一个文件只能包含一个',
  },
  'job.not_a_mapping': {
    en: '{where}: the file must hold keys with values, such as version: 1',
    zh: '{where}：文件应由键和值组成，例如 version: 1',
  },
  'job.custom_tag': {
    en: '{where}: the tag {tag} is not accepted; write the plain value, in quotes if it is text',
    zh: '{where}：不接受标签 {tag}；请直接写值，文本可加引号',
  },
  'job.key_not_text': {
    en: '{where}: a key must be text',
    zh: '{where}：键必须是文本',
  },
  'job.unknown_alias': {
    en: '{where}: there is no anchor &{alias} above for the alias *{alias}',
    zh: '{where}：别名 *{alias} 之前没有对应的锚点 &{alias}',
  },
  'job.alias_cycle': {
    en: '{where}: this alias contains itself',
    zh: '{where}：此别名包含了自身',
  },
  'job.too_many_aliases': {
    en: '{where}: more than 100 aliases; write the values out',
    zh: '{where}：别名超过 100 个；请直接写出内容',
  },
  'job.yaml_too_large': {
    en: '{where}: with its aliases the file is too large or nested too deeply to be a job (100000 values, 64 levels)',
    zh: '{where}：展开别名后文件过大或嵌套过深，不可能是任务文件（上限 100000 个值、64 层）',
  },
  'job.missing_variable': {
    en: '{where}: the environment variable {name} is not set; set it, or write the value here',
    zh: '{where}：环境变量 {name} 未设置；请设置该变量，或在此直接写出值',
  },
  'job.bad_variable': {
    en: '{where}: {found} names no environment variable: a name has letters, digits and _ and ends with a closing brace; a doubled dollar sign before the brace stands for itself',
    zh: '{where}：{found} 不是有效的环境变量引用：名称由字母、数字和 _ 组成，并以右花括号结束；若要表示字面内容，请在花括号前写两个美元符号',
  },
  'job.bad_set': {
    en: '{where}: "{argument}" is not key=value, such as run.concurrency=4',
    zh: '{where}：“{argument}”不是 key=value 的形式，例如 run.concurrency=4',
  },
  'job.set_into_value': {
    en: '{where}: "{key}" holds a value, not keys, so nothing can be set below it',
    zh: '{where}：“{key}”是一个值而不是一组键，无法在其下设置',
  },

  // The kind of job
  'job.no_kind': {
    en: '{where}: this job says neither "operation" (rows are sent), "steps" (rows go through several operations) nor "reconcile" (rows are compared); give one of them',
    zh: '{where}：此任务没有“operation”（发送数据）、“steps”（依次执行多个操作）或“reconcile”（核对数据）；请写其中一个',
  },
  'job.two_kinds': {
    en: '{where}: a job has one of "operation", "steps" and "reconcile", this one has both "{first}" and "{second}"; each step of "steps" names its own operation, and what is done about differences goes under "actions"',
    zh: '{where}：任务只能有“operation”、“steps”和“reconcile”之一，此处同时有“{first}”和“{second}”；“steps”的每个步骤各自写明操作，如何处理差异请写在“actions”下',
  },
  'job.key_beside_steps': {
    en: '{where}: "{key}" has no place beside "steps", as each step has its own; move it into a step',
    zh: '{where}：“{key}”不能与“steps”并列，因为每个步骤有自己的设置；请移到某个步骤中',
  },
  'job.key_of_other_kind': {
    en: '{where}: "{key}" goes with "{other}", but this job has "{kind}"; remove it',
    zh: '{where}：“{key}”只能与“{other}”一起使用，而此任务使用的是“{kind}”；请删除',
  },
  'job.map_in_reconcile': {
    en: '{where}: "{key}" has no place here, as nothing is sent by the comparison itself; it goes under an action of "actions"',
    zh: '{where}：“{key}”不能放在这里，因为核对本身不发送数据；请写在“actions”的某个动作下',
  },
  'job.is_reconcile': {
    en: 'The job file {file} compares with the platform ("reconcile") and sends no rows; use: license-sync reconcile {file}',
    zh: '任务文件 {file} 用于与平台核对（“reconcile”），不发送数据；请使用：license-sync reconcile {file}',
  },
  'job.is_operation': {
    en: 'The job file {file} sends rows ("operation" or "steps") and compares nothing; use: license-sync run {file}',
    zh: '任务文件 {file} 用于发送数据（“operation”或“steps”），不做核对；请使用：license-sync run {file}',
  },
  'job.is_steps': {
    en: 'The job file {file} takes its rows through several operations ("steps"), which this command does not know; use: license-sync run {file}',
    zh: '任务文件 {file} 依次执行多个操作（“steps”），此命令不支持；请使用：license-sync run {file}',
  },

  // Keys and values
  'job.unknown_key': {
    en: '{where}: there is no key "{key}" here; did you mean "{near}"? Known: {known}',
    zh: '{where}：此处没有键“{key}”；是否指“{near}”？可用的键：{known}',
  },
  'job.unknown_key_far': {
    en: '{where}: there is no key "{key}" here. Known: {known}',
    zh: '{where}：此处没有键“{key}”。可用的键：{known}',
  },
  'job.missing_key': {
    en: '{where}: the key "{key}" is missing here',
    zh: '{where}：此处缺少键“{key}”',
  },
  'job.empty_value': {
    en: '{where}: "{key}" has no value; give one or remove the key',
    zh: '{where}：“{key}”没有值；请填写或删除该键',
  },
  'job.empty_text': {
    en: '{where}: "{key}" is empty; give a text or remove the key',
    zh: '{where}：“{key}”为空；请填写文本或删除该键',
  },
  'job.expected_text': {
    en: '{where}: "{key}" must be text, not {value}',
    zh: '{where}：“{key}”必须是文本，而不是 {value}',
  },
  'job.expected_number': {
    en: '{where}: "{key}" must be a number, not {value}',
    zh: '{where}：“{key}”必须是数字，而不是 {value}',
  },
  'job.expected_whole_number': {
    en: '{where}: "{key}" must be a whole number, not {value}',
    zh: '{where}：“{key}”必须是整数，而不是 {value}',
  },
  'job.expected_boolean': {
    en: '{where}: "{key}" must be true or false, not {value}',
    zh: '{where}：“{key}”必须是 true 或 false，而不是 {value}',
  },
  'job.expected_mapping': {
    en: '{where}: "{key}" must hold keys with values, not {value}',
    zh: '{where}：“{key}”应由键和值组成，而不是 {value}',
  },
  'job.expected_list': {
    en: '{where}: "{key}" must be a list, not {value}',
    zh: '{where}：“{key}”必须是列表，而不是 {value}',
  },
  'job.unknown_value': {
    en: '{where}: {value} is not a value of "{key}"; did you mean {near}? Allowed: {allowed}',
    zh: '{where}：“{key}”不能取值 {value}；是否指 {near}？允许的值：{allowed}',
  },
  'job.unknown_value_far': {
    en: '{where}: {value} is not a value of "{key}". Allowed: {allowed}',
    zh: '{where}：“{key}”不能取值 {value}。允许的值：{allowed}',
  },
  'job.empty_list': {
    en: '`{key}` is an empty list; name at least one, or leave the key out',
    zh: '`{key}` 是空列表；请至少填写一项，或删除该键',
  },
  'job.too_small': {
    en: '{where}: "{key}" is {value}; it must be at least {limit}',
    zh: '{where}：“{key}”为 {value}；必须至少为 {limit}',
  },
  'job.not_above': {
    en: '{where}: "{key}" is {value}; it must be more than {limit}',
    zh: '{where}：“{key}”为 {value}；必须大于 {limit}',
  },
  'job.too_large': {
    en: '{where}: "{key}" is {value}; it must be at most {limit}',
    zh: '{where}：“{key}”为 {value}；不得超过 {limit}',
  },
  'job.bad_value': {
    en: '{where}: {value} is no value for "{key}"',
    zh: '{where}：{value} 不能用作“{key}”的值',
  },
  'job.bad_name': {
    en: '{where}: "{key}" is {value}; it must be letters, digits and \'-\', 60 at most, because files are named by it',
    zh: '{where}：“{key}”为 {value}；只能由字母、数字和“-”组成，最多 60 个字符，因为结果文件以它命名',
  },
  'job.bad_duration': {
    en: '{where}: "{key}" is {value}; a time is a number with a unit, such as 500ms, 30s, 2m or 1h (24 days at most)',
    zh: '{where}：“{key}”为 {value}；时长应为数字加单位，例如 500ms、30s、2m 或 1h（最长 24 天）',
  },
  'job.source_password_inlined': {
    en: '{where}: the password itself must not stand in a file; say where it is found: under "{key}" one of env: NAME, file: PATH',
    zh: '{where}：密码本身不得写在文件中；请说明从何处取得：在“{key}”下写 env: 变量名 或 file: 路径 之一',
  },
  'job.source_password_ways': {
    en: '{where}: a password comes from one place; give one of env, file',
    zh: '{where}：密码只能有一个来源；请给出 env、file 之一',
  },
  'job.bad_sheet': {
    en: '{where}: "{key}" is {value}; it must be the name of a sheet, or its position counted from 1',
    zh: '{where}：“{key}”为 {value}；必须是工作表名称，或从 1 开始的位置',
  },
  'job.bad_wildcard': {
    en: '{where}: "file" is {value}; * and ? may stand in the name of the file only, as in inbox/*.xlsx, and ** nowhere; name the folder in full',
    zh: '{where}：“file”为 {value}；* 和 ? 只能用在文件名中，例如 inbox/*.xlsx，且不支持 **；请写出完整的文件夹',
  },
  'job.unknown_encoding': {
    en: '{where}: "{key}" is {value}, which is no known encoding; write auto, utf-8, utf-16le, utf-16be, gb18030 or another name',
    zh: '{where}：“{key}”为 {value}，不是已知的编码；可写 auto、utf-8、utf-16le、utf-16be、gb18030 或其他编码名',
  },
  'job.bad_delimiter': {
    en: '{where}: "{key}" is {value}; it must be auto, tab, or one character other than a quote or a line break',
    zh: '{where}：“{key}”为 {value}；必须是 auto、tab，或除引号和换行以外的单个字符',
  },
  'job.bad_output': {
    en: '{where}: "{key}" is {value}; a result file ends in .xlsx, .csv or .ndjson',
    zh: '{where}：“{key}”为 {value}；结果文件的扩展名应为 .xlsx、.csv 或 .ndjson',
  },
  'job.unknown_placeholder': {
    en: '{where}: "{key}" is {value}; only the words job, run and input can stand in braces there',
    zh: '{where}：“{key}”为 {value}；花括号内只能使用 job、run 和 input',
  },
  'job.bad_cron': {
    en: '{where}: "{key}" is {value}; it must have five fields: minute, hour, day of month, month, day of week, such as 0 2 * * *',
    zh: '{where}：“{key}”为 {value}；应包含五个字段：分、时、日、月、星期，例如 0 2 * * *',
  },
  'job.bad_cron_minute': {
    en: '{where}: {value} is no minute of a schedule; right are 0 to 59, a list (0,30), a range (10-20), * for every one, and steps (*/15)',
    zh: '{where}：{value} 不能用作日程的分钟；可用 0 到 59、列表（0,30）、范围（10-20）、* 表示每分钟，以及步长（*/15）',
  },
  'job.bad_cron_hour': {
    en: '{where}: {value} is no hour of a schedule; right are 0 to 23, a list (2,14), a range (8-18), * for every one, and steps (*/6)',
    zh: '{where}：{value} 不能用作日程的小时；可用 0 到 23、列表（2,14）、范围（8-18）、* 表示每小时，以及步长（*/6）',
  },
  'job.bad_cron_day': {
    en: '{where}: {value} is no day of the month of a schedule; right are 1 to 31, L for the last, 15W for the weekday nearest the 15th, lists, ranges, * and steps (*/10)',
    zh: '{where}：{value} 不能用作日程的日期；可用 1 到 31、L 表示最后一天、15W 表示最接近 15 日的工作日，以及列表、范围、* 和步长（*/10）',
  },
  'job.bad_cron_month': {
    en: '{where}: {value} is no month of a schedule; right are 1 to 12 or JAN to DEC, lists, ranges (JAN-MAR), * and steps (*/3)',
    zh: '{where}：{value} 不能用作日程的月份；可用 1 到 12 或 JAN 到 DEC，以及列表、范围（JAN-MAR）、* 和步长（*/3）',
  },
  'job.bad_cron_weekday': {
    en: '{where}: {value} is no day of the week of a schedule; right are 0 to 7 (both are Sunday) or SUN to SAT, lists, ranges that go up (MON-FRI), MON#2 for the second Monday of the month, FRI#L for the last Friday, and *',
    zh: '{where}：{value} 不能用作日程的星期；可用 0 到 7（0 和 7 都是星期日）或 SUN 到 SAT，以及列表、递增范围（MON-FRI）、MON#2 表示当月第二个星期一、FRI#L 表示最后一个星期五，和 *',
  },
  'job.cron_never': {
    en: '{where}: {value} never comes, as no calendar has such a day; correct the day or the month',
    zh: '{where}：{value} 永远不会到来，因为日历中没有这一天；请更正日期或月份',
  },
  'job.unknown_timezone': {
    en: '{where}: "{key}" is {value}, which is no time zone; write an IANA name such as Asia/Shanghai',
    zh: '{where}：“{key}”为 {value}，不是有效的时区；请使用 IANA 名称，例如 Asia/Shanghai',
  },
  'job.batch_fixed': {
    en: '{where}: {operation} sends {size} in a request, so batch.size cannot be {value}; remove it',
    zh: '{where}：{operation} 每个请求只发送 {size} 项，batch.size 不能为 {value}；请删除该设置',
  },
  'job.bad_expression': {
    en: '{where}: the expression of "{key}" is wrong here: {detail}',
    zh: '{where}：“{key}”的表达式在此处有误：{detail}',
  },

  ...JOB_MAP,
  ...JOB_STEPS,
  ...JOB_CONNECTION,
} as const;
