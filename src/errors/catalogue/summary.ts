/** What a command says at its end. `zh` carries the same {names} as `en`; statuses are words of the contract. */
export const SUMMARY = {
  'progress.run': { en: 'run {run}', zh: '运行 {run}' },
  'progress.warning': { en: 'warning: {text}', zh: '警告：{text}' },
  'progress.more_warnings': {
    en: 'warning: more warnings stand in the result’s Summary',
    zh: '警告：其余警告见结果文件的 Summary',
  },
  'progress.reading': { en: 'reading', zh: '读取' },
  'progress.sending': { en: 'sending', zh: '发送' },
  'progress.writing': { en: 'writing', zh: '写入' },
  'progress.rows': { en: '{done} rows', zh: '{done} 行' },
  'progress.left': { en: '{time} left', zh: '剩余 {time}' },
  'progress.in_flight': { en: 'in flight {count}', zh: '进行中 {count}' },
  'progress.paused': {
    en: 'the platform replied {asked}: the next request is sent at {time}',
    zh: '平台返回 {asked}：下一个请求将在 {time} 发出',
  },
  'progress.paused_in_vain': {
    en: 'the platform replied {asked}: run.patience ends before the next request, and nothing more is sent after {time}',
    zh: '平台返回 {asked}：run.patience 在下一个请求之前结束，{time} 之后不再发送',
  },
  'progress.waits_until': { en: 'waiting until {time}', zh: '等待至 {time}' },
  'progress.retries': { en: 'retries {count}', zh: '重试 {count}' },
  'summary.run': {
    en: 'run {run} {status}: {operation} on {connection}, {seconds} s',
    zh: '运行 {run} {status}：{operation}，连接 {connection}，用时 {seconds} 秒',
  },
  'summary.rehearsal': {
    en: 'REHEARSAL {run} {status}: {operation} on {connection}, in {seconds} s; nothing of this took effect',
    zh: '演练（REHEARSAL）{run} {status}：{operation}，连接 {connection}，用时 {seconds} 秒；未产生任何实际效果',
  },
  'summary.dry_run': {
    en: 'dry run {run} {status}: {operation} on {connection}, {seconds} s',
    zh: '试运行 {run} {status}：{operation}，连接 {connection}，用时 {seconds} 秒',
  },
  'summary.plan': {
    en: 'plan {run} {status}: {operation} on {connection}, {seconds} s',
    zh: '计划 {run} {status}：{operation}，连接 {connection}，用时 {seconds} 秒',
  },
  'summary.reconcile': {
    en: 'reconciliation {run} {status}: {operation} on {connection}, {seconds} s',
    zh: '核对 {run} {status}：{operation}，连接 {connection}，用时 {seconds} 秒',
  },
  'summary.rows': {
    en: 'rows {rows}: {counts}',
    zh: '行数 {rows}：{counts}',
  },
  'summary.none': {
    en: 'none',
    zh: '无',
  },
  'summary.requests': {
    en: 'requests {requests}, of them retries {retries}',
    zh: '请求 {requests} 次，其中重试 {retries} 次',
  },
  'summary.would_send': {
    en: 'would send {items} items; carry it out with: license-sync apply {run}',
    zh: '将发送 {items} 项；执行命令：license-sync apply {run}',
  },
  'summary.would_send_approved': {
    en: 'would send {items} items once a second person approves; ask with: license-sync request {run}',
    zh: '经另一人批准后将发送 {items} 项；申请批准：license-sync request {run}',
  },
  'summary.retry_of': {
    en: 'retry of {parent}',
    zh: '重试运行 {parent}',
  },
  'summary.reverts': {
    en: 'takes back run {run}',
    zh: '回退运行 {run}',
  },
  'summary.would_revert': {
    en: 'reverts run {run} once it is applied; nothing was sent',
    zh: '执行后将回退运行 {run}；尚未发送任何内容',
  },
  'summary.stays': {
    en: 'row {row} is not taken back: {reason}',
    zh: '第 {row} 行未回退：{reason}',
  },
  'summary.step_stays': {
    en: 'row {row}, step {step}, is not taken back: {reason}',
    zh: '第 {row} 行的步骤 {step} 未回退：{reason}',
  },
  'summary.more_stay': {
    en: '… and {count} more rows; all are in the plan’s workbook and in --json',
    zh: '……另有 {count} 行；完整内容见计划的结果文件和 --json',
  },
  'summary.action_of': {
    en: 'action of {parent}',
    zh: '核对 {parent} 的动作',
  },
  'summary.step': {
    en: 'step {step} ({operation}), run {run}: {counts}',
    zh: '步骤 {step}（{operation}），运行 {run}：{counts}',
  },
  'summary.action': {
    en: 'action {operation}, run {run} {status}: {counts}',
    zh: '动作 {operation}，运行 {run} {status}：{counts}',
  },
  'summary.result': {
    en: 'result {file}',
    zh: '结果文件 {file}',
  },
  'summary.moved': {
    en: 'input moved to {file}',
    zh: '输入文件已移至 {file}',
  },
  'summary.problems': {
    en: 'what is wrong:',
    zh: '存在的问题：',
  },
  'summary.problem': {
    en: '{count} × {text} ({places})',
    zh: '{count} 处：{text}（{places}）',
  },
  'summary.more_kinds': {
    en: '… and {count} more kinds; all are in the result',
    zh: '……另有 {count} 类问题；完整内容见结果文件',
  },
  'summary.lookups': { en: 'look-ups {lookups}', zh: '查询 {lookups} 次' },
} as const;
