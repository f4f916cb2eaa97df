/** Texts of what follows a run: notifications and metrics. `zh` carries the same {names} as `en`. */
export const NOTIFY = {
  'notify.http_status': {
    en: '{host} was not told of the run: it answered HTTP {status} (attempts: {attempts}). The run itself is not affected.',
    zh: '未能将运行结果通知 {host}：对方返回 HTTP {status}（尝试次数：{attempts}）。运行本身不受影响。',
  },
  'notify.redirected': {
    en: '{host} was not told of the run: it answered with a redirect (HTTP {status}), which is not followed; give the final address as webhook.url.',
    zh: '未能将运行结果通知 {host}：对方返回重定向（HTTP {status}），本程序不会跟随；请在 webhook.url 中填写最终地址。',
  },
  'notify.unreachable': {
    en: '{host} was not told of the run: {detail} (attempts: {attempts}). The run itself is not affected.',
    zh: '未能将运行结果通知 {host}：{detail}（尝试次数：{attempts}）。运行本身不受影响。',
  },
  'notify.timeout': {
    en: '{host} was not told of the run: no answer within {seconds} s (attempts: {attempts}). The run itself is not affected.',
    zh: '未能将运行结果通知 {host}：{seconds} 秒内没有答复（尝试次数：{attempts}）。运行本身不受影响。',
  },
  'notify.given_up': {
    en: 'stopped before {to} was told of the run; the run itself is not affected',
    zh: '在将运行结果通知 {to} 之前已停止；运行本身不受影响',
  },
  'notify.secret_env': {
    en: '{host} was not told of the run: the environment variable {name}, which should hold the secret of its signature, is not set.',
    zh: '未能将运行结果通知 {host}：应保存签名密钥的环境变量 {name} 未设置。',
  },
  'notify.secret_file': {
    en: '{host} was not told of the run: the secret of its signature cannot be read from {file} ({reason}).',
    zh: '未能将运行结果通知 {host}：无法从 {file} 读取签名密钥（{reason}）。',
  },
  'notify.secret_file_open': {
    en: '{host} was not told of the run: others can read {file}, which holds the secret of its signature; do: chmod 600 {file}',
    zh: '未能将运行结果通知 {host}：保存签名密钥的 {file} 可被他人读取；请执行：chmod 600 {file}',
  },
  'notify.unknown_field': {
    en: 'the template of the webhook {host} names {field}, which no summary has, so nothing was put in there; the fields are: {known}',
    zh: '发往 {host} 的 webhook 模板引用了摘要中不存在的字段 {field}，该处留空；可用字段：{known}',
  },
  'notify.command_failed': {
    en: 'the command {program}, which was to be told of the run, ended with exit code {code}; the run itself is not affected',
    zh: '用于通知运行结果的命令 {program} 以退出码 {code} 结束；运行本身不受影响',
  },
  'notify.command_killed': {
    en: 'the command {program}, which was to be told of the run, was ended by {signal}; the run itself is not affected',
    zh: '用于通知运行结果的命令 {program} 被信号 {signal} 终止；运行本身不受影响',
  },
  'notify.command_timeout': {
    en: 'the command {program}, which was to be told of the run, had not ended after {seconds} s and was stopped; if it needs longer, raise timeout beside it',
    zh: '用于通知运行结果的命令 {program} 在 {seconds} 秒后仍未结束，已被终止；如需更长时间，请调大其旁边的 timeout',
  },
  'notify.command_missing': {
    en: 'the command {program}, which was to be told of the run, cannot be started ({reason}); check its path and that it may be executed',
    zh: '无法启动用于通知运行结果的命令 {program}（{reason}）；请检查其路径以及是否有执行权限',
  },
  'notify.job_unread': {
    en: 'whom the job would tell of the run is not known, so it tells nobody: {why}',
    zh: '无法得知任务要通知谁，因此不会按任务发出通知：{why}',
  },
  'notify.fault': {
    en: 'what should follow the run went wrong ({detail}); the run itself is not affected',
    zh: '运行之后的处理出错（{detail}）；运行本身不受影响',
  },
  'metrics.unwritable': {
    en: 'the metrics file {file} could not be written ({reason}); the run itself is not affected',
    zh: '无法写入指标文件 {file}（{reason}）；运行本身不受影响',
  },
  'metrics.not_metrics': {
    en: '{file} exists and is no metrics file of this program, so it was left as it is; choose another file for --metrics-file',
    zh: '{file} 已存在且不是本程序的指标文件，因此保持原样；请为 --metrics-file 指定其他文件',
  },
  'metrics.name': {
    en: 'the node exporter reads files that end in .prom only; {file} will be overlooked',
    zh: 'node exporter 只读取以 .prom 结尾的文件；{file} 会被忽略',
  },
} as const;
