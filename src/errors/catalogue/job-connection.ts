/** Texts of job: notifications, connections and ledger. `zh` carries the same {names} as `en`. */
export const JOB_CONNECTION = {
  // Notifications
  'job.notify_nobody': {
    en: '{where}: nobody is told here; say "webhook" with a url, or "command" with a program and its arguments',
    zh: '{where}：此处没有通知对象；请写带 url 的“webhook”，或列出程序及其参数的“command”',
  },
  'job.notify_both': {
    en: '{where}: "webhook" and "command" stand side by side; make two entries of them',
    zh: '{where}：“webhook”与“command”写在了同一项中；请分成两项',
  },
  'job.notify_timeout': {
    en: '{where}: "timeout" here is that of a command; that of a webhook goes under "webhook"',
    zh: '{where}：此处的“timeout”只用于 command；webhook 的超时请写在“webhook”下',
  },
  'job.bad_webhook': {
    en: '{where}: the address of a webhook must start with https://, or with http:// where it is on this machine (localhost)',
    zh: '{where}：webhook 的地址必须以 https:// 开头；仅本机地址（localhost）可使用 http://',
  },
  'job.secret_inlined': {
    en: '{where}: the secret itself must not stand in a file; say where it is found: under "{key}" one of env: NAME, file: PATH, not {value}',
    zh: '{where}：密钥本身不得写在文件中；请说明从何处取得：在“{key}”下写 env: 变量名、file: 路径之一，而不是 {value}',
  },
  'job.secret_ways': {
    en: '{where}: a secret comes from one place, here are {count}; keep one of env, file',
    zh: '{where}：密钥只能有一个来源，此处有 {count} 个；请保留 env、file 之一',
  },
  'job.bad_header_name': {
    en: "{where}: this is no name of an HTTP header; it has letters, digits and '-' only, such as X-Team",
    zh: '{where}：不是有效的 HTTP 头名称；只能由字母、数字和“-”组成，例如 X-Team',
  },
  'job.bad_header': {
    en: '{where}: the header "{header}" holds a line break or a character that headers cannot carry',
    zh: '{where}：HTTP 头“{header}”含有换行或无法传送的字符',
  },
  'job.own_header': {
    en: '{where}: the header "{header}" is made by the program itself; remove it',
    zh: '{where}：HTTP 头“{header}”由程序自动生成；请删除',
  },

  // Connections
  'job.empty_approval': {
    en: '{where}: "approval" says neither "operations" nor "above"; where all that is sent wants an approval, write approval: required',
    zh: '{where}：“approval”既没有“operations”也没有“above”；如果所有发送都需要批准，请写 approval: required',
  },
  'job.no_such_operations': {
    en: '{where}: no operation is named {value}; there are: {known}',
    zh: '{where}：没有名为 {value} 的操作；现有：{known}',
  },
  'job.missing_token': {
    en: '{where}: the connection "{name}" has no token; say where it is found: under "token" one of env: NAME, file: PATH, command: [PROGRAM, ARGUMENT]',
    zh: '{where}：连接“{name}”没有 token；请说明从何处取得：在“token”下写 env: 变量名、file: 路径、command: [程序, 参数] 之一',
  },
  'job.token_inlined': {
    en: '{where}: the token itself must not stand in a file; say where it is found: under "{key}" one of env: NAME, file: PATH, command: [PROGRAM, ARGUMENT], not {value}',
    zh: '{where}：token 本身不得写在文件中；请说明从何处取得：在“{key}”下写 env: 变量名、file: 路径、command: [程序, 参数] 之一，而不是 {value}',
  },
  'job.token_ways': {
    en: '{where}: a token comes from one place, here are {count}; keep one of env, file, command',
    zh: '{where}：token 只能有一个来源，此处有 {count} 个；请保留 env、file、command 之一',
  },
  'job.empty_command': {
    en: '{where}: "{key}" must list a program and its arguments, not {value}',
    zh: '{where}：“{key}”应列出程序及其参数，而不是 {value}',
  },
  'job.bad_variable_name': {
    en: '{where}: "{key}" must be the name of an environment variable: letters, digits and _, not {value}',
    zh: '{where}：“{key}”必须是环境变量名：由字母、数字和 _ 组成，而不是 {value}',
  },
  'job.bad_url': {
    en: '{where}: the address must be a URL such as https://license.example.com',
    zh: '{where}：地址必须是网址，例如 https://license.example.com',
  },
  'job.url_credentials': {
    en: '{where}: the address must not hold a user name or a password',
    zh: '{where}：地址中不得包含用户名或密码',
  },
  'job.url_query': {
    en: '{where}: the address must end before any ? or #',
    zh: '{where}：地址中不得包含 ? 或 # 及其后的内容',
  },
  'job.insecure_http': {
    en: '{where}: http: to {host} would send the token in the clear; use https:, or say allowInsecureHttp: true',
    zh: '{where}：通过 http: 访问 {host} 会以明文发送 token；请使用 https:，或设置 allowInsecureHttp: true',
  },
  'job.bad_ledger': {
    en: '{where}: a ledger is a SQLite file or a PostgreSQL server; another address cannot be used. Give a file path, such as .license-sync/ledger.db, or postgres://USER@HOST/DATABASE.',
    zh: '{where}：账本可以是 SQLite 文件或 PostgreSQL 服务器，不支持其他地址。请填写文件路径（例如 .license-sync/ledger.db）或 postgres://用户@主机/数据库。',
  },
  'job.bad_ledger_url': {
    en: '{where}: this ledger cannot be used: {reason}',
    zh: '{where}：无法使用该账本：{reason}',
  },
  'job.ledger_url': {
    en: '{where}: "url" of the ledger must be postgres://USER@HOST:PORT/DATABASE',
    zh: '{where}：账本的“url”应为 postgres://用户@主机:端口/数据库',
  },
  'job.ledger_schema': {
    en: '{where}: the schema of the ledger must be small letters, digits and _, at most 56, not beginning with a digit or pg_',
    zh: '{where}：账本的 schema 只能由小写字母、数字和 _ 组成，最多 56 个字符，且不以数字或 pg_ 开头',
  },
  'job.password_inlined': {
    en: '{where}: the password itself must not stand here; say where it is found: under "{key}" one of env: NAME, file: PATH, command: [PROGRAM, ARGUMENT], not {value}',
    zh: '{where}：密码本身不得写在这里；请说明从何处取得：在“{key}”下写 env: 变量名、file: 路径、command: [程序, 参数] 之一，而不是 {value}',
  },
  'job.password_ways': {
    en: '{where}: the password must be found in exactly one place: env, file or command; there are {count}',
    zh: '{where}：密码应恰好有一个来源：env、file 或 command；现有 {count} 个',
  },
  'job.bad_size': {
    en: '{where}: "{key}" is {value}; a size is a whole number with a unit, such as 500KB, 200MB or 1GB',
    zh: '{where}：“{key}”为 {value}；大小应为整数加单位，例如 500KB、200MB 或 1GB',
  },
  'job.console_url': {
    en: '{where}: the address of the console must be https://HOST or https://HOST:PORT, without a path',
    zh: '{where}：控制台的地址应为 https://主机 或 https://主机:端口，不带路径',
  },
  'job.bad_network': {
    en: '{where}: {network} is no address or network, such as 10.0.0.5 or 10.0.0.0/8',
    zh: '{where}：{network} 不是地址或网段，例如 10.0.0.5 或 10.0.0.0/8',
  },
  'job.bad_issuer': {
    en: '{where}: the address of an OpenID provider must start with https://',
    zh: '{where}：OpenID 提供方的地址必须以 https:// 开头',
  },
  'job.unknown_default': {
    en: '{where}: there is no connection "{name}"; did you mean "{near}"? Known: {known}',
    zh: '{where}：没有名为“{name}”的连接；是否指“{near}”？可用的连接：{known}',
  },
  'job.unknown_default_far': {
    en: '{where}: there is no connection "{name}". Known: {known}',
    zh: '{where}：没有名为“{name}”的连接。可用的连接：{known}',
  },
  'job.no_connection': {
    en: 'No connection is chosen. Name one with --connection, as "connection" in the job file or as "defaultConnection" in license-sync.yaml, or set LICENSE_SYNC_BASE_URL. Known: {known}',
    zh: '未选择连接。请使用 --connection，或在任务文件中写 connection，或在 license-sync.yaml 中写 defaultConnection，或设置 LICENSE_SYNC_BASE_URL。可用的连接：{known}',
  },
  'job.unknown_connection': {
    en: 'There is no connection "{name}"; did you mean "{near}"? Known: {known}',
    zh: '没有名为“{name}”的连接；是否指“{near}”？可用的连接：{known}',
  },
  'job.unknown_connection_far': {
    en: 'There is no connection "{name}". Known: {known}. Connections stand in license-sync.yaml.',
    zh: '没有名为“{name}”的连接。可用的连接：{known}。连接在 license-sync.yaml 中定义。',
  },
} as const;
