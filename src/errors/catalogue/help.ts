/** The parser’s own words, and help of commands around a run: console, sandbox, templates, new jobs. `zh` carries the same {names} as `en`. */
export const HELP = {
  'help.about': {
    en: 'Brings customers, licence orders and lock numbers from spreadsheets to the licensing platform.',
    zh: '把电子表格中的客户、授权订单和锁号送到授权平台。',
  },
  'help.lang': {
    en: 'of messages; default from LC_ALL, LC_MESSAGES or LANG',
    zh: '消息和帮助的语言；默认取自 LC_ALL、LC_MESSAGES 或 LANG',
  },
  'help.no_folder': {
    en: 'The current folder no longer exists. Change to another folder (cd), then run the command again.',
    zh: '当前文件夹已不存在。请切换到其他文件夹（cd），再重新执行命令。',
  },
  'help.more': { en: '(add --help for the options)', zh: '（加 --help 查看选项）' },
  'help.console': {
    en: 'Serve the pages for those who own the sheets; prints the address, which signs in once.',
    zh: '提供供表格负责人使用的网页；打印的地址可登录一次。',
  },
  'help.console_port': { en: 'port; 0 takes any free one', zh: '端口；0 表示任意空闲端口' },
  'help.console_host': {
    en: 'address to listen at; beyond this machine only with TLS or a trusted proxy (`console:` of license-sync.yaml)',
    zh: '监听的地址；本机以外的地址需要 TLS 或受信任的代理（license-sync.yaml 的 `console:`）',
  },
  'help.console_open': { en: 'open it in the browser', zh: '在浏览器中打开' },
  'help.doctor': {
    en: 'Check connection, token, certificate and clock, without changing anything anywhere.',
    zh: '检查连接、令牌、证书和时钟，不做任何更改。',
  },
  'help.connection_check': {
    en: 'the connection to check, in place of the job’s',
    zh: '要检查的连接，代替任务中的连接',
  },
  'help.json_one': { en: 'print one JSON object', zh: '输出一个 JSON 对象' },
  'help.sandbox': { en: 'Serve the simulated platform until stopped.', zh: '提供模拟平台服务，直到被停止。' },
  'help.port': { en: '0 takes a free one', zh: '端口；0 表示任选一个空闲端口' },
  'help.host': { en: 'the address to listen on', zh: '监听的地址' },
  'help.state': { en: 'keep what was carried out in this file', zh: '把已执行的内容保存在该文件中' },
  'help.latency': { en: 'wait before each answer', zh: '每次应答前的等待时间（毫秒）' },
  'help.faults': { en: 'make faults happen: kind=rate,…,seed=N', zh: '制造故障：种类=比率,…,seed=N' },
  'help.token': {
    en: 'accept only this bearer token (a made-up one: the sandbox guards nothing)',
    zh: '只接受此令牌（随意编造即可：沙箱不保护任何数据）',
  },
  'help.json_ready': { en: 'print one JSON object when ready', zh: '就绪时输出一个 JSON 对象' },
  'help.whole_number': { en: 'a whole number from 0 is wanted.', zh: '需要一个不小于 0 的整数。' },
  'help.whole_from_one': { en: 'a whole number from 1 is wanted.', zh: '需要一个不小于 1 的整数。' },
  'help.operations': {
    en: 'List the operations, or the fields of one.',
    zh: '列出所有操作，或某个操作的字段。',
  },
  'help.template': {
    en: 'Write a workbook to fill in, for an operation or for a job’s own columns.',
    zh: '写出供填写的工作簿，用于某个操作或某个任务自己的列。',
  },
  'help.template_output': {
    en: 'where it goes (.xlsx); default OPERATION.xlsx in the current folder',
    zh: '写到哪里（.xlsx）；默认为当前文件夹中的 操作名.xlsx',
  },
  'help.nested': {
    en: 'orders, products, features and packages in sheets of their own, with the job file',
    zh: '订单、产品、特征和套餐各占一张工作表，并附任务文件',
  },
  'help.filled': { en: 'with the example’s rows filled in, to try it out', zh: '填入示例行，便于试用' },
  'help.force': { en: 'replace what is there, filled in or not', zh: '替换已有文件，无论是否已填写' },
  'help.template_all': {
    en: 'write one for every operation into a folder, in English and in Chinese',
    zh: '为每个操作各写一份到文件夹中，中英文各一份',
  },
  'help.template_check': {
    en: 'with --all: write nothing, exit 1 when a file there is out of date',
    zh: '与 --all 一起使用：不写文件，有文件过期时以 1 退出',
  },
  'help.show': {
    en: 'Print a job as it counts, as a file that can be run, with where each value comes from.',
    zh: '输出任务实际生效的内容（可直接运行的文件），并注明每个值的来源。',
  },
  'help.schema': { en: 'Print the JSON Schema of the job file.', zh: '输出任务文件的 JSON Schema。' },
  'help.schema_config': {
    en: 'the schema of license-sync.yaml instead',
    zh: '改为输出 license-sync.yaml 的 schema',
  },
  'help.schema_check': {
    en: 'compare a file with the schema; exit 1 when it is out of date',
    zh: '将文件与 schema 比较；过期时以 1 退出',
  },
  'help.init': {
    en: 'Set up a folder with a job that runs on the sandbox at once.',
    zh: '建立一个文件夹，其中的任务可立即在沙箱上运行。',
  },
  'help.init_operation': { en: 'what the first job does', zh: '第一个任务做什么' },
  'help.guess': {
    en: 'Write a job file for a spreadsheet, by its headers and cells.',
    zh: '根据电子表格的表头和单元格写出任务文件。',
  },
  'help.guess_operation': {
    en: 'what the job does, in place of the likeliest operation; several, joined by commas, are steps',
    zh: '任务做什么，代替最可能的操作；多个以逗号分隔，表示依次执行的步骤',
  },
  'help.guess_output': {
    en: 'where the job goes; default the spreadsheet’s name, in the current folder',
    zh: '任务文件写到哪里；默认以电子表格的名称放在当前文件夹',
  },
  'help.password_env': {
    en: 'the environment variable that holds the password of an encrypted workbook',
    zh: '存放加密工作簿密码的环境变量',
  },
  'help.encoding': {
    en: 'encoding of a text file, where its bytes do not tell it, such as gb18030',
    zh: '文本文件的编码，用于无法从字节判断时，例如 gb18030',
  },
  'help.guess_force': { en: 'replace a job file that is there already', zh: '替换已有的任务文件' },
  'help.usage': { en: 'Usage:', zh: '用法：' },
  'help.arguments': { en: 'Arguments:', zh: '参数：' },
  'help.options': { en: 'Options:', zh: '选项：' },
  'help.global_options': { en: 'Global Options:', zh: '全局选项：' },
  'help.commands': { en: 'Commands:', zh: '命令：' },
  'help.examples': { en: 'Examples:', zh: '示例：' },
  'help.default': { en: 'default: {value}', zh: '默认：{value}' },
  'help.choices': { en: 'choices: {values}', zh: '可选：{values}' },
  'help.help': { en: 'display help for command', zh: '显示命令的帮助' },
  'help.version': { en: 'output the version number', zh: '显示版本号' },
  'help.error': { en: 'error: {what}', zh: '错误：{what}' },
  'help.unknown_option': { en: "unknown option '{flag}'", zh: '未知选项“{flag}”' },
  'help.unknown_command': { en: "unknown command '{name}'", zh: '未知命令“{name}”' },
  'help.did_you_mean': { en: '(Did you mean {names}?)', zh: '（是否想输入 {names}？）' },
  'help.missing_argument': { en: "missing required argument '{name}'", zh: '缺少必需的参数“{name}”' },
  'help.option_argument_missing': { en: "option '{flags}' argument missing", zh: '选项“{flags}”缺少参数' },
  'help.required_option': { en: "required option '{flags}' not specified", zh: '未指定必需的选项“{flags}”' },
  'help.too_many_arguments': {
    en: 'too many arguments; {expected} expected, {received} given',
    zh: '参数过多；应为 {expected} 个，实际为 {received} 个',
  },
  'help.invalid_option': {
    en: "option '{flags}' argument '{value}' is invalid. {why}",
    zh: '选项“{flags}”的参数“{value}”无效。{why}',
  },
  'help.invalid_argument': {
    en: "'{value}' is invalid for argument '{name}'. {why}",
    zh: '“{value}”不能用作参数“{name}”。{why}',
  },
  'help.allowed': { en: 'Allowed choices are {values}.', zh: '可选值：{values}。' },
} as const;
