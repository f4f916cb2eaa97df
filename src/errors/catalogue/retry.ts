/** Texts of sending rows of a run again. `zh` carries the same {names} as `en`. */
export const RETRY = {
  'retry.nothing': {
    en: 'nothing to retry: run {run} has no row that is {statuses}',
    zh: '没有需要重试的内容：运行 {run} 中没有状态为 {statuses} 的行',
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
  'retry.other_connection': {
    en: 'the unknown rows of run {run} belong to connection {connection}: another platform cannot tell whether they were carried out; leave --connection out, or leave them out',
    zh: '运行 {run} 中状态为 unknown 的行属于连接 {connection}：其他平台无法判断它们是否已执行；请去掉 --connection，或不包含这些行',
  },
  'retry.needs_yes': {
    en: '{rows} rows of run {run} are unknown: they may have been carried out already, and sending them again may do it twice. That needs a yes; there is no terminal to ask on, so add --yes when it is meant. Safer: license-sync resolve {run} --verify. Nothing was sent.',
    zh: '运行 {run} 中有 {rows} 行状态为 unknown：它们可能已经执行，再次发送可能导致重复。此操作需要确认；当前没有可交互的终端，如确需执行请加上 --yes。更稳妥的做法：license-sync resolve {run} --verify。未发送任何内容。',
  },
} as const;
