/** Texts of taking back what a run did. `zh` carries the same {names} as `en`. */
export const REVERT = {
  'revert.stays': {
    en: 'not taken back: {reason}',
    zh: '未撤销：{reason}',
  },
  'revert.unknown': {
    en: 'whether it was carried out is unknown: settle it first with license-sync resolve',
    zh: '是否已执行尚不确定：请先用 license-sync resolve 处理',
  },
  'revert.undone': {
    en: 'run {run} (row {row}) has taken it back already',
    zh: '运行 {run}（第 {row} 行）已将其撤销',
  },
  'revert.perhaps_undone': {
    en: 'run {run} (row {row}) may have taken it back: settle that first with license-sync resolve {run}',
    zh: '运行 {run}（第 {row} 行）可能已将其撤销：请先用 license-sync resolve {run} 处理',
  },
  'revert.elsewhere': {
    en: 'what this step did for the row is taken back with another row, or it did nothing',
    zh: '该步骤为此行所做的内容随另一行一并撤销，或该步骤未执行任何操作',
  },
  'revert.not_a_run': {
    en: '{run} is a plan or a dry run: nothing of it was sent, so there is nothing to take back',
    zh: '{run} 是计划或试运行：未发送过任何内容，无需撤销',
  },
  'revert.comparison': {
    en: 'run {run} is a comparison, which changes nothing; what its actions did is taken back by their own runs: {actions}',
    zh: '运行 {run} 是对比，不会更改任何内容；其操作所做的更改请按各自的运行撤销：{actions}',
  },
  'revert.comparison_only': {
    en: 'run {run} is a comparison, which changes nothing: there is nothing to take back',
    zh: '运行 {run} 是对比，不会更改任何内容，无需撤销',
  },
  'revert.unfinished': {
    en: 'run {run} is not over ({state}), and what it may still do could not be taken back; go on with it first: license-sync resume {run} (or wait for it)',
    zh: '运行 {run} 尚未结束（{state}），其后续操作无法一并撤销；请先继续执行：license-sync resume {run}（或等待其结束）',
  },
  'revert.accepted': {
    en: '{count} orders were accepted only, and may not have been carried out yet: what takes them back goes the same way (async), and is not told as done either',
    zh: '有 {count} 个订单仅为 accepted，可能尚未执行：撤销订单以同样方式（async）发送，其结果同样不会显示为已完成',
  },
  'revert.resumable': {
    en: 'run {run} ({state}) can still be resumed, and would send what is left of it',
    zh: '运行 {run}（{state}）仍可继续，届时会发送其余内容',
  },
  'revert.changed_since': {
    en: '{asset} was changed since: {other} ({operation})',
    zh: '锁号 {asset} 此后已被更改：{other}（{operation}）',
  },
  'revert.changed_refused': {
    en: '{why}. Revert that run first; to send the row anyway, use --set safety.conflicts=warn',
    zh: '{why}。请先回退该运行；如仍需发送，请使用 --set safety.conflicts=warn',
  },
  'revert.none': {
    en: 'nothing that run {run} did can be taken back',
    zh: '运行 {run} 所做的内容均无法撤销',
  },
  'revert.none_why': {
    en: 'nothing that run {run} did can be taken back: {reason}',
    zh: '运行 {run} 所做的内容均无法撤销：{reason}',
  },
  'revert.all_undone': {
    en: 'there is nothing left to take back: all that run {run} did was taken back already (run {by})',
    zh: '没有可撤销的内容：运行 {run} 所做的内容已全部撤销（运行 {by}）',
  },
  'revert.nothing_done': {
    en: 'run {run} did nothing that could be taken back',
    zh: '运行 {run} 没有可撤销的内容',
  },
} as const;
