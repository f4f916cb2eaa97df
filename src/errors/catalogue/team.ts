/** Texts of runs that workers carry, and of one ledger for several machines. `zh` carries the same {names} as `en`. */
export const TEAM = {
  'team.needs_server': {
    en: '`{command}` needs a ledger on PostgreSQL, which several machines share; this one is the file {location}. Name the server: `ledger: postgres://USER@HOST:5432/DATABASE` in license-sync.yaml, LICENSE_SYNC_LEDGER or --ledger. What lies in the file can be taken along: license-sync ledger copy --to URL.',
    zh: '`{command}` 需要放在 PostgreSQL 上、由多台机器共用的账本；当前账本是文件 {location}。请指明服务器：在 license-sync.yaml 中写 `ledger: postgres://用户@主机:5432/数据库`，或使用 LICENSE_SYNC_LEDGER 或 --ledger。文件中的内容可以带过去：license-sync ledger copy --to URL。',
  },
  'team.submit_one': {
    en: 'submit takes one file at a time, and the job reads a folder of them ({pattern}): name one with --input, or let `run` or `schedule` go through the folder.',
    zh: 'submit 一次只接受一个文件，而该任务读取的是一个文件夹（{pattern}）：请用 --input 指明一个文件，或用 `run`、`schedule` 处理整个文件夹。',
  },
  'team.queued': {
    en: 'Run {run} waits for workers. To follow it: license-sync wait {run}',
    zh: '运行 {run} 正在等待工作进程执行。跟踪其进展：license-sync wait {run}',
  },
  'team.goes_on': {
    en: 'Run {run} goes on; only the waiting was ended. To follow it again: license-sync wait {run}; to stop it: license-sync stop {run}',
    zh: '运行 {run} 仍在继续，只是结束了等待。再次跟踪：license-sync wait {run}；停止运行：license-sync stop {run}',
  },
  'team.carried': {
    en: 'Run {run} is carried out by workers, so it cannot be taken up here. Follow it with license-sync wait {run}, or stop it with license-sync stop {run} first.',
    zh: '运行 {run} 正由工作进程执行，不能在此处接手。请用 license-sync wait {run} 跟踪，或先用 license-sync stop {run} 停止。',
  },
  'team.another_carried': {
    en: 'Workers carry run {run} of the job "{job}" on {platform}; wait for its end (license-sync wait {run}), or stop it: license-sync stop {run}',
    zh: '工作进程正在执行任务“{job}”在平台 {platform} 上的运行 {run}；请等待其结束（license-sync wait {run}）或停止它：license-sync stop {run}',
  },
  'team.not_carried': {
    en: 'Run {run} is {state}: no worker carries it, and none will. {next}',
    zh: '运行 {run} 的状态是 {state}：没有工作进程在执行它，也不会有。{next}',
  },
  'team.stop_process': {
    en: 'Process {process} on {host} carries it out: press Ctrl-C there.',
    zh: '进程 {process}（主机 {host}）正在执行它：请在那里按 Ctrl-C。',
  },
  'team.queue_it': {
    en: 'To queue what is left of it: license-sync resume {run} --queue',
    zh: '将剩余部分放入队列：license-sync resume {run} --queue',
  },
  'team.nothing_left': { en: 'Nothing of it is left to send.', zh: '没有剩余内容需要发送。' },
  'team.stopped': {
    en: 'Run {run} is stopped: nothing more of it is sent, anywhere. To go on: license-sync resume {run} --queue',
    zh: '运行 {run} 已停止：任何地方都不再发送其内容。继续执行：license-sync resume {run} --queue',
  },
  'team.no_credential': {
    en: 'This machine has no credential for any connection that workers are to serve, so it can carry out nothing. A worker takes the token from its own environment; the ledger never holds it.',
    zh: '本机没有任何所需连接的凭据，因此无法执行任何工作。工作进程从自身环境中取得令牌；账本从不保存令牌。',
  },
  'team.left_alone': {
    en: 'Runs of the connection {connection} are left to other workers: {why}',
    zh: '连接 {connection} 的运行留给其他工作进程：{why}',
  },
  'team.worker_ready': {
    en: 'worker {name}: {slots} slots, connections {connections}; taking runs from {location}',
    zh: '工作进程 {name}：{slots} 个槽位，连接 {connections}；从 {location} 领取运行',
  },
  'team.worker_stopping': {
    en: 'Stopping: nothing new is taken up, what is in flight is waited for …',
    zh: '正在停止：不再领取新的工作，等待已发出的请求完成…',
  },
  'team.worker_took': {
    en: 'run {run}: {job}, {operation} on {connection}',
    zh: '运行 {run}：{job}，连接 {connection} 上的 {operation}',
  },
  'team.worker_lost': {
    en: 'run {run}: another worker has taken over batches {first} to {last}; nothing more of them is sent here',
    zh: '运行 {run}：批次 {first} 至 {last} 已由其他工作进程接手；此处不再发送',
  },
  'team.worker_concluded': { en: 'run {run}: {status}', zh: '运行 {run}：{status}' },
  'team.worker_over': {
    en: 'worker {name}: carried {pieces} pieces of {runs} runs, {requests} requests, {retries} retries',
    zh: '工作进程 {name}：执行了 {runs} 次运行中的 {pieces} 份工作，{requests} 个请求，{retries} 次重试',
  },
  'team.worker': { en: 'worker', zh: '工作进程' },
  'team.slots': { en: 'slots', zh: '槽位' },
  'team.connections': { en: 'connections', zh: '连接' },
  'team.heard_of': { en: 'heard of', zh: '最近消息' },
  'team.runs': { en: 'runs', zh: '运行' },
  'team.ago': { en: '{seconds} s ago', zh: '{seconds} 秒前' },
  'team.waiting_ends': { en: 'No longer waiting; the run goes on …', zh: '不再等待；运行继续进行…' },
  'team.ledger_copied': {
    en: '{location} now holds all of {from}: {rows} lines of {tables} tables, counts compared. Name it in license-sync.yaml from now on; the old one stays as it is.',
    zh: '{location} 现已包含 {from} 的全部内容：{tables} 个表共 {rows} 行，数量已核对。今后请在 license-sync.yaml 中使用它；原账本保持不变。',
  },
  'team.ledger_sound': {
    en: '{location} is sound: {runs} runs, {rows} rows, {inputs} inputs.',
    zh: '{location} 完好无误：{runs} 次运行，{rows} 行，{inputs} 个输入文件。',
  },
  'team.ledger_unsound': {
    en: '{location} has {count} faults; send nothing from it before they are understood.',
    zh: '{location} 有 {count} 处不符；弄清原因之前请勿用它发送。',
  },
  'team.ledger_open': {
    en: 'Run {run} has {attempts} requests without an answer that nobody waits for any more: resume or resolve it.',
    zh: '运行 {run} 有 {attempts} 个请求没有应答且已无人等待：请执行 resume 或 resolve。',
  },
  'team.ledger_location': { en: 'place', zh: '位置' },
  'team.ledger_kind': { en: 'kind', zh: '类型' },
  'team.ledger_version': { en: 'version of its tables', zh: '表结构版本' },
  'team.ledger_server': { en: 'server', zh: '服务器' },
  'team.ledger_bytes': { en: 'bytes', zh: '字节数' },
  'team.ledger_runs': { en: 'runs', zh: '运行次数' },
  'team.ledger_workers': { en: 'workers', zh: '工作进程' },
  'team.no_workers': {
    en: 'No worker is there. To start one: license-sync worker',
    zh: '没有工作进程。启动一个：license-sync worker',
  },
  'team.waiting_runs': { en: 'waiting for workers: {runs}', zh: '等待工作进程的运行：{runs}' },
  'team.absent': {
    en: 'The ledger does not answer; going on as soon as it does.',
    zh: '账本没有响应；恢复后将立即继续。',
  },
  'team.too_early': {
    en: 'Row {row} of run {run} was left unknown by a worker that may still send it: whether it did can be told only after {when}. Settle it then.',
    zh: '运行 {run} 的第 {row} 行由一个可能仍会发送它的工作进程留为未知：{when} 之后才能确定。请届时再处理。',
  },
} as const;
