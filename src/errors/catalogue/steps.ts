/** Texts of runs of several steps. `zh` carries the same {names} as `en`. */
export const STEPS = {
  'steps.not_on': {
    en: 'not sent: step {step} is {status}',
    zh: '未发送：步骤 {step} 为 {status}',
  },
  'steps.numbers_differ': {
    en: 'not sent: step {step} is {status}, but returned more asset numbers than requested. Check the numbers, and order with them in a separate job',
    zh: '未发送：步骤 {step} 的状态为 {status}，但返回的锁号多于申请的数量。请核对这些锁号，并用另一个任务下单',
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
  'steps.unmatched_nearest': {
    en: '"{value}" fits no step; did you mean "{near}"? Values that fit: {known}. To skip such rows, write unmatched: skip above steps in the job',
    zh: '“{value}”不符合任何步骤；是否指“{near}”？可用的值：{known}。如要跳过这样的行，请在任务的 steps 之前写明 unmatched: skip',
  },
  'steps.unmatched_value': {
    en: '"{value}" fits no step. Values that fit: {known}. To skip such rows, write unmatched: skip above steps in the job',
    zh: '“{value}”不符合任何步骤。可用的值：{known}。如要跳过这样的行，请在任务的 steps 之前写明 unmatched: skip',
  },
  'steps.unmatched_empty': {
    en: 'the cell is empty, so the row fits no step. Values that fit: {known}. To skip such rows, write unmatched: skip above steps in the job',
    zh: '单元格为空，该行不符合任何步骤。可用的值：{known}。如要跳过这样的行，请在任务的 steps 之前写明 unmatched: skip',
  },
  'steps.unmatched': {
    en: 'the row fits no step: the condition `when` of each step excludes it ({conditions}). Correct the row or the conditions, or write unmatched: skip above steps in the job',
    zh: '该行不符合任何步骤：每个步骤的条件 when 都排除了它（{conditions}）。请更正该行或条件，或在任务的 steps 之前写明 unmatched: skip',
  },
  'steps.unmatched_row': {
    en: 'the row fits no step, and the job sets unmatched: skip',
    zh: '该行不符合任何步骤，任务已设置 unmatched: skip',
  },
  'steps.unmatched_rows': {
    en: 'sheet {sheet}: {count} rows fit no step and were skipped: {rows}',
    zh: '工作表 {sheet}：{count} 行不符合任何步骤，已跳过：第 {rows} 行',
  },
  'steps.partial': {
    en: '{count} rows did not get through step {step}, and the job says onPartial: stop. To send what can go on: license-sync resume {run}',
    zh: '有 {count} 行未通过步骤 {step}，而任务设置为 onPartial: stop。要继续发送可以继续的行：license-sync resume {run}',
  },
  'steps.name_parent': {
    en: 'run {run} is step {step} of run {parent}; name that one: {parent}',
    zh: '运行 {run} 是运行 {parent} 的步骤 {step}；请改为指定：{parent}',
  },
  'steps.max_items': {
    en: 'step {step}: {why}',
    zh: '步骤 {step}：{why}',
  },
  'steps.only_given': {
    en: 'run {run} was only checked, with values in place of what earlier steps return; it must be planned again before anything of it is sent',
    zh: '运行 {run} 只做过检查，其中前面步骤的返回值以占位值代替；必须重新计划后才能发送',
  },
  'steps.former_name': {
    en: 'the row is known already: it went through step {step} of job {job} in run {run}, which asked for the same under another name, and would be given something new here; call job and step what they were called, or set safety.duplicates to send if it is really meant to go again',
    zh: '该行已为人所知：它在运行 {run} 中经过了任务 {job} 的步骤 {step}，该步骤以另一名称请求了相同内容，在此会得到新的结果；请恢复任务和步骤原来的名称，若确需再次发送请将 safety.duplicates 设为 send',
  },
  'steps.lost_from_sight': {
    en: 'step {step}: run {run} of this job read columns that are not in this sheet any more: {columns}. Rows that it got through cannot be known again: each of them in this sheet gets something new, and may be ordered twice. If there are any, stop here, and give the sheet these columns back, or their former names',
    zh: '步骤 {step}：本任务的运行 {run} 读取过的列已不在此工作表中：{columns}。它已完成的行无法再被识别：此工作表中若有这些行，每行都会得到新的结果，并可能重复下单。若有这样的行，请就此停止，并在工作表中恢复这些列或其原名',
  },
  'steps.row_missing': {
    en: 'row {row} is missing from step {step} of run {run}',
    zh: '运行 {run} 的步骤 {step} 中缺少第 {row} 行',
  },
} as const;
