/** Texts of the console's server. `zh` carries the same {names} as `en`. */
export const CONSOLE = {
  'console.no_such_job': {
    en: 'no job {job} lies in the folder jobs. There are: {known}.',
    zh: '文件夹 jobs 中没有任务 {job}。现有：{known}。',
  },
  'console.cannot_listen': {
    en: 'The console cannot be served at {host}, port {port}: {code}',
    zh: '无法在 {host} 的端口 {port} 上提供控制台：{code}',
  },
  'console.fault': {
    en: 'A fault of the program; whoever runs the console finds it in its output.',
    zh: '程序出错；运行控制台的人可在其输出中看到详情。',
  },
  'console.signed_out': { en: 'Nobody is signed in.', zh: '尚未登录。' },
  'console.bad_token': {
    en: 'The token is unknown, has expired or was replaced.',
    zh: '令牌未知、已过期或已被替换。',
  },
  'console.nothing_there': { en: 'There is nothing at this address.', zh: '此地址没有内容。' },
  'console.foreign_host': {
    en: 'This console is not reached by the name "{host}".',
    zh: '不能以“{host}”访问此控制台。',
  },
  'console.foreign_origin': {
    en: 'Only pages of this console may change something; this was asked by {origin}.',
    zh: '只有此控制台的页面才能进行更改；该请求来自 {origin}。',
  },
  'console.not_json': { en: 'The body must be application/json.', zh: '请求正文必须是 application/json。' },
  'console.bad_json': { en: 'The body is not valid JSON.', zh: '请求正文不是有效的 JSON。' },
  'console.cut_off': { en: 'The request ended before it was whole.', zh: '请求在传完之前中断。' },
  'console.too_slow': { en: 'The request took too long to arrive.', zh: '请求到达得太慢。' },
  'console.too_large': { en: 'More than {limit} was sent.', zh: '发送的内容超过 {limit}。' },
  'console.closing': { en: 'The console is about to end.', zh: '控制台即将结束。' },
  'console.too_many_children': {
    en: '{count} plans and runs are being made already; wait until one of them is over.',
    zh: '已有 {count} 个计划和运行在进行；请等其中一个结束。',
  },
  'console.child_died': {
    en: 'The process that carried it ended too early: {why}',
    zh: '执行它的进程过早结束：{why}',
  },
  'console.bad_value': { en: '{name}: {text}', zh: '{name}：{text}' },
  'console.past_proxy': {
    en: 'This console is reached through its proxy only; {peer} is not one of its networks.',
    zh: '只能通过代理访问此控制台；{peer} 不属于代理的网段。',
  },
  'console.in_the_clear': {
    en: 'The request reached the proxy without TLS.',
    zh: '该请求未经 TLS 到达代理。',
  },
  'console.too_many_attempts': {
    en: 'Too many attempts to sign in went wrong; try again in {seconds} seconds.',
    zh: '登录失败次数过多；请在 {seconds} 秒后重试。',
  },
  'console.too_many_streams': {
    en: 'Too many pages follow runs at once; close some of them.',
    zh: '同时跟踪运行的页面过多；请关闭一些。',
  },
  'console.link_used': {
    en: 'The printed address signs in once, and it was used already. Start the console again for a new one.',
    zh: '打印的地址只能登录一次，并且已被使用。请重新启动控制台以取得新地址。',
  },
  'console.subject_unknown': {
    en: 'The provider knows you, but nobody was added here with your subject. Ask an admin: license-sync people add NAME --role ROLE --subject SUBJECT',
    zh: '提供方认识您，但此处没有以您的 subject 添加的人员。请联系管理员：license-sync people add 姓名 --role 角色 --subject SUBJECT',
  },
  'console.flow_over': {
    en: 'This way of signing in was begun elsewhere, too long ago, or was used already; begin again.',
    zh: '此登录流程是在别处开始的、已过期或已被使用；请重新开始。',
  },
  'console.provider_refused': {
    en: 'The OpenID provider did not sign you in.',
    zh: 'OpenID 提供方未能让您登录。',
  },
  'console.provider_away': {
    en: 'The OpenID provider cannot be reached; try again later.',
    zh: '无法连接 OpenID 提供方；请稍后重试。',
  },
  'console.client_secret': {
    en: 'console.oidc.clientSecret: there is nothing to be had from {place} ({reason})',
    zh: 'console.oidc.clientSecret：无法从 {place} 取得内容（{reason}）',
  },
  'console.needs_tls': {
    en: 'The console cannot be served at {host}: beyond this machine it wants TLS (`console.tls` in license-sync.yaml) or a proxy that takes care of it (`console.trustedProxy`).',
    zh: '不能在 {host} 上提供控制台：对本机以外提供时，需要 TLS（license-sync.yaml 中的 `console.tls`）或负责 TLS 的代理（`console.trustedProxy`）。',
  },
  'console.bad_certificate': {
    en: 'The console cannot use the certificate {cert} with the key {key}: {reason}',
    zh: '控制台无法使用证书 {cert} 与密钥 {key}：{reason}',
  },
  'console.nobody_yet': {
    en: 'Nobody can sign in yet: the ledger has no people. Add an admin: license-sync people add NAME --role admin',
    zh: '目前无人可以登录：账本中没有人员。请添加管理员：license-sync people add 姓名 --role admin',
  },
} as const;
