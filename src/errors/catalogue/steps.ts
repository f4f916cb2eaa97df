/** Texts of runs of several steps. `zh` carries the same {names} as `en`. */
export const STEPS = {
  'steps.not_on': {
    en: 'not sent: step {step} is {status}',
    zh: '未发送：步骤 {step} 为 {status}',
  },
  'steps.invalid': {
    en: 'not sent: the row is invalid in step {step}',
    zh: '未发送：该行在步骤 {step} 中无效',
  },
  'steps.together': {
    en: 'not sent: it belongs together with row {row}, of which step {step} is {status}',
    zh: '未发送：它与第 {row} 行属于同一项，而该行的步骤 {step} 为 {status}',
  },
  'steps.left_out': {
    en: 'left out of this step by its condition `when`',
    zh: '被该步骤的条件 when 排除',
  },
  'steps.row_missing': {
    en: 'row {row} is missing from step {step} of run {run}',
    zh: '运行 {run} 的步骤 {step} 中缺少第 {row} 行',
  },
} as const;
