/** Texts of sending rows of a run again. `zh` carries the same {names} as `en`. */
export const RETRY = {
  'retry.nothing': {
    en: 'nothing to retry: run {run} has no row that is {statuses}',
    zh: '没有需要重试的内容：运行 {run} 中没有状态为 {statuses} 的行',
  },
  'retry.unknown_include_far': {
    en: '--include takes {known}, not "{word}"',
    zh: '--include 可用的值为 {known}，而不是“{word}”',
  },
  'retry.unknown_include': {
    en: '--include takes {known}, not "{word}"; did you mean {nearest}?',
    zh: '--include 可用的值为 {known}，而不是“{word}”；您是否想用 {nearest}？',
  },
  'retry.not_a_run': {
    en: '{run} is a plan or a dry run, so nothing of it was sent and nothing can be sent again; carry a plan out with: license-sync apply {run}',
    zh: '{run} 是计划或试运行，未发送过任何内容，无法重试；执行计划请用：license-sync apply {run}',
  },
  'retry.unfinished': {
    en: 'run {run} was cut off ({state}), and what is open in it must be settled first; go on with: license-sync resume {run}',
    zh: '运行 {run} 中途中断（{state}），需先处理其未完成的内容；继续执行：license-sync resume {run}',
  },
  'retry.resume_instead': {
    en: 'run {run} ({state}) can still be resumed and would send these rows itself, and nothing would keep the two from sending them twice; go on with: license-sync resume {run}',
    zh: '运行 {run}（{state}）仍可继续，届时会自行发送这些行，且无法防止两次运行重复发送；请先继续执行：license-sync resume {run}',
  },
  'retry.canary_left': {
    en: 'run {run} waits with what its canary leaves, which needs a yes; look at its result, then go on with: license-sync resume {run} --yes (or leave --include not_sent out)',
    zh: '运行 {run} 的试发已结束，其余行正等待确认；请先查看其结果，再继续执行：license-sync resume {run} --yes（或去掉 --include not_sent）',
  },
  'retry.all_taken': {
    en: 'nothing to retry: run {other}, which shares these rows with run {run}, got them through or left them unknown; look at it with: license-sync runs show {other}',
    zh: '没有需要重试的内容：与运行 {run} 共有这些行的运行 {other} 已将其完成或标为 unknown；查看：license-sync runs show {other}',
  },
  'retry.all_through': {
    en: 'nothing is left to retry: the rows that failed in run {run} got through since (run {other})',
    zh: '没有需要重试的内容：运行 {run} 中失败的行此后均已完成（运行 {other}）',
  },
  'retry.kin_pruned': {
    en: 'run {other} shares rows with run {run} and was pruned, so it cannot be told which of them it got through; nothing was sent. Put the rows that are still wanted into a file of their own and run that.',
    zh: '运行 {other} 与运行 {run} 共有部分行，但已被清理，无法判断它完成了哪些行；未发送任何内容。请将仍需发送的行放入单独的文件后运行。',
  },
  'retry.taken_meanwhile': {
    en: 'row {row} is one of {count} that run {other} got through or left unknown since this retry was made; nothing was sent. What is still to be sent goes with: license-sync retry {run}',
    zh: '自本次重试建立以来，运行 {other} 已完成第 {row} 行等 {count} 行或将其标为 unknown；未发送任何内容。仍需发送的行请用：license-sync retry {run}',
  },
  'retry.other_connection': {
    en: 'the unknown rows of run {run} belong to connection {connection}: another platform cannot tell whether they were carried out; leave --connection out, or leave them out',
    zh: '运行 {run} 中状态为 unknown 的行属于连接 {connection}：其他平台无法判断它们是否已执行；请去掉 --connection，或不包含这些行',
  },
  'retry.needs_yes': {
    en: '{rows} rows of run {run} are unknown: they may have been carried out already, and sending them again may do it twice. That needs a yes; there is no terminal to ask on, so add --yes when it is meant. Safer: license-sync resolve {run} --verify. Nothing was sent.',
    zh: '运行 {run} 中有 {rows} 行状态为 unknown：它们可能已经执行，再次发送可能导致重复。此操作需要确认；当前没有可交互的终端，如确需执行请加上 --yes。更稳妥的做法：license-sync resolve {run} --verify。未发送任何内容。',
  },
} as const;
