/** Texts of sandbox: what is wrong, where, and what would be right. `zh` carries the same {names} as `en`. */
export const SANDBOX = {
  'sandbox.port_taken': {
    en: 'The sandbox cannot listen on {host}:{port}: {reason}. Choose another port with --port, or 0 for any free one.',
    zh: '沙盒无法监听 {host}:{port}：{reason}。请用 --port 指定其他端口，或用 0 自动选择空闲端口。',
  },
  'sandbox.state_unreadable': {
    en: 'The sandbox state file {file} cannot be used: {reason}. Its folder must exist and the file must be readable and writable.',
    zh: '无法使用沙盒状态文件 {file}：{reason}。其所在文件夹必须存在，且文件必须可读写。',
  },
  'sandbox.state_foreign': {
    en: 'The file {file} is not a sandbox state file of this version; give --state a new file name, or one that the sandbox wrote.',
    zh: '文件 {file} 不是本版本的沙盒状态文件；请为 --state 指定新的文件名，或沙盒此前写出的文件。',
  },
  'sandbox.state_broken': {
    en: 'Line {line} of the sandbox state file {file} is damaged; restore the file from a copy, or begin a new one under another name.',
    zh: '沙盒状态文件 {file} 的第 {line} 行已损坏；请从备份恢复该文件，或换个文件名重新开始。',
  },
  'sandbox.state_unit': {
    en: 'The sandbox state file {file} keeps times in {kept}, but {asked} was asked for; use the same unit, or another file.',
    zh: '沙盒状态文件 {file} 中的时间以 {kept} 为单位，而此次要求的是 {asked}；请使用相同的单位或另一个文件。',
  },
  'sandbox.fault_kind': {
    en: 'Unknown fault "{word}"; the known kinds are {kinds}.',
    zh: '未知的故障类型“{word}”；可用的类型有：{kinds}。',
  },
  'sandbox.fault_kind_near': {
    en: 'Unknown fault "{word}"; did you mean {near}? The known kinds are {kinds}.',
    zh: '未知的故障类型“{word}”；您是否想用 {near}？可用的类型有：{kinds}。',
  },
  'sandbox.fault_form': {
    en: '"{word}" in the fault list is not understood; write kind=RATE (0 to 1), kind@N (exactly the Nth request), seed=N, after=N or until=N, with commas between. The known kinds are {kinds}.',
    zh: '无法识别故障列表中的“{word}”；请写成 kind=比率（0 到 1）、kind@N（正好第 N 个请求）、seed=N、after=N 或 until=N，用逗号分隔。可用的类型有：{kinds}。',
  },
} as const;
