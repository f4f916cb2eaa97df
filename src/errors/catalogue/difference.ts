/** What a plan or a comparison would change, line by line. `zh` carries the same {names} as `en`. */
export const DIFFERENCE = {
  'difference.new': { en: '+ {count} new ({operation})', zh: '+ 新增 {count} 项（{operation}）' },
  'difference.changed': { en: '~ {count} changed ({operation})', zh: '~ 变更 {count} 项（{operation}）' },
  'difference.revoked': { en: '- {count} revoked ({operation})', zh: '- 撤销 {count} 项（{operation}）' },
  'difference.asked': {
    en: '? {count} asked for, which changes nothing ({operation})',
    zh: '? 查询 {count} 项，不作更改（{operation}）',
  },
  'difference.skipped': { en: '= {count} rows skipped', zh: '= 跳过 {count} 行' },
  'difference.step': { en: 'step {step}', zh: '步骤 {step}' },
  'difference.row': { en: 'row {row}: {text}', zh: '第 {row} 行：{text}' },
  'difference.was_sent': {
    en: '{text}; {changes} (old: what run {run}, row {row}, sent)',
    zh: '{text}；{changes}（旧值为运行 {run} 第 {row} 行所发送）',
  },
  'difference.same_sent': {
    en: '{text}; the same as run {run}, row {row}, sent',
    zh: '{text}；与运行 {run} 第 {row} 行所发送的相同',
  },
  'difference.was_looked_up': {
    en: '{text}; {changes} (old: as looked up)',
    zh: '{text}；{changes}（旧值为查询所得）',
  },
  'difference.why': { en: '{count} × {reason} (row {rows})', zh: '{count} 处：{reason}（第 {rows} 行）' },
  'difference.more': {
    en: '… and {count} more; --all shows them',
    zh: '……另有 {count} 项；使用 --all 全部显示',
  },
  'difference.more_there': {
    en: '… and {count} more, among the rows of the plan',
    zh: '……另有 {count} 项，见计划的行',
  },
  'difference.more_kept': {
    en: '… and {count} more; all are in the result',
    zh: '……另有 {count} 项；完整内容见结果文件',
  },
  'difference.drift': { en: '{count} {status}', zh: '{status} {count} 行' },
  'difference.extra_row': { en: 'no row: {text}', zh: '表中无此行：{text}' },

  'asked.same': { en: 'nothing: the same items, the same job', zh: '无变化：项与任务均相同' },
  'asked.new': { en: '+ {count} new', zh: '+ 新增 {count} 项' },
  'asked.changed': { en: '~ {count} changed', zh: '~ 变更 {count} 项' },
  'asked.gone': { en: '- {count} not sent any more', zh: '- 不再发送 {count} 项' },
  'asked.row_then': { en: 'row {row} then: {text}', zh: '当时第 {row} 行：{text}' },
  'asked.job_differs': { en: 'the job file was changed', zh: '任务文件已更改' },
  'asked.too_many': {
    en: '{before} items then, {count} now: too many to be compared one by one',
    zh: '当时 {before} 项，现在 {count} 项：数量过多，无法逐项比较',
  },
} as const;
