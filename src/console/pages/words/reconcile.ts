import type { PageWord } from './language.js';

/** Comparisons with the platform. */
export const RECONCILE = {
  about: {
    en: 'Compares a sheet with the platform, row by row and field by field. Nothing is changed by that.',
    zh: '将表格与平台逐行逐字段比较，不做任何更改。',
  },
  title: { en: 'Reconcile {job}', zh: '核对 {job}' },
  job: { en: 'Job', zh: '任务' },
  compare: { en: 'Compare', zh: '比较' },
  no_jobs: { en: 'No job compares anything', zh: '没有核对任务' },
  no_jobs_told: {
    en: 'A job that compares has “reconcile:” in its file in the folder jobs.',
    zh: '核对任务在文件夹 jobs 的文件中以“reconcile:”开头。',
  },
  earlier: { en: 'Comparisons so far', zh: '以往的核对' },
  none: { en: 'No comparison yet', zh: '尚无核对' },
  drift: { en: 'What differs', zh: '差异' },
  row: { en: 'Row', zh: '行' },
  no_row: { en: 'in no row', zh: '不在表格中' },
  status: { en: 'Status', zh: '状态' },
  field: { en: 'Field', zh: '字段' },
  sheet: { en: 'In the sheet', zh: '表格中' },
  platform: { en: 'On the platform', zh: '平台上' },
  message: { en: 'Message', zh: '说明' },
  action: { en: 'Action', zh: '操作' },
  outcome: { en: '{action}: {outcome}', zh: '{action}：{outcome}' },
  in_sync: { en: 'All is in sync', zh: '全部一致' },
  not_over: {
    en: 'It did not come to its end, so nobody knows what differs. Compare again.',
    zh: '核对未能完成，尚不知有何差异。请重新核对。',
  },
  gone: {
    en: 'The result isn’t at {file} any more; compare again to see the rows.',
    zh: '结果已不在 {file}；请重新核对以查看各行。',
  },
  plan: { en: 'Plan the actions', zh: '将操作生成计划' },
  plan_told: {
    en: 'The sheet is compared again, and what the job’s actions would send is kept as a plan each. Nothing is sent by this.',
    zh: '将重新核对，并把任务中每个操作要发送的内容各保存为一个计划。此步骤不发送任何内容。',
  },
  plans: { en: 'Plans of its actions', zh: '操作的计划' },
  items: { en: '{count} items', zh: '{count} 项' },
  comparing: { en: 'Comparing …', zh: '正在核对……' },
  result: { en: 'Download result', zh: '下载结果' },
} as const satisfies Record<string, PageWord>;
