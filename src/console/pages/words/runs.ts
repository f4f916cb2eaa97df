import type { PageWord } from './language.js';

/** The list of runs. */
export const RUNS = {
  import: { en: 'Import a spreadsheet', zh: '导入表格' },
  waiting: { en: 'Waiting for approval', zh: '等待批准' },
  waiting_of: { en: 'asked for by {who}', zh: '由 {who} 请求' },
  newest: { en: 'Newest first', zh: '按时间倒序' },
  job: { en: 'Job', zh: '任务' },
  kind: { en: 'Kind', zh: '类型' },
  all_kinds: { en: 'All but checks of imports', zh: '除导入检查外的全部' },
  status: { en: 'Status', zh: '状态' },
  person: { en: 'Person', zh: '人员' },
  date: { en: 'Date', zh: '日期' },
  until: { en: 'Until', zh: '截至' },
  clear: { en: 'Clear filters', zh: '清除筛选' },
  rows: { en: 'Rows', zh: '行' },
  connection: { en: 'Connection', zh: '连接' },
  by: { en: 'By', zh: '人员' },
  started: { en: 'Started', zh: '开始时间' },
  empty: { en: 'No runs yet', zh: '尚无运行' },
  empty_detail: {
    en: 'A run begins with a spreadsheet: it is checked, planned, and then sent.',
    zh: '运行从表格开始：先检查，再计划，然后发送。',
  },
  no_match: { en: 'No run matches these filters', zh: '没有符合筛选条件的运行' },
} as const satisfies Record<string, PageWord>;
