/** Texts of the console's server. `zh` carries the same {names} as `en`. */
export const CONSOLE = {
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
} as const;
