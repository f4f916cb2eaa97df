import type { PageWord } from './language.js';

/** The page of a plan's rehearsal. */
export const REHEARSAL = {
  name: { en: 'Rehearsal', zh: '演练' },
  title: { en: 'Rehearsal of {job}', zh: '{job} 的演练' },
  mark: { en: 'REHEARSAL', zh: 'REHEARSAL 演练' },
  nothing_took: {
    en: 'Carried out in a sandbox that was filled from the platform. Nothing of this took effect.',
    zh: '在由平台数据填充的沙箱中执行。以下内容均未生效。',
  },
  to_plan: { en: 'To the plan', zh: '返回计划' },
  to_run: { en: 'To the run', zh: '返回运行' },
  none: { en: 'It was not rehearsed here', zh: '此处没有演练' },
  none_detail: {
    en: 'A plan is rehearsed at its page, as long as it wasn’t sent. What came of it is kept for a while.',
    zh: '计划在发送之前可在其页面上演练。演练结果会保留一段时间。',
  },
  under_way: {
    en: 'Being rehearsed: the platform is read, then the rows are sent to the sandbox.',
    zh: '正在演练：先读取平台，再将各行发送到沙箱。',
  },
  stop: { en: 'Stop', zh: '停止' },
  failed: { en: 'Nothing was rehearsed', zh: '未能演练' },
  download: { en: 'Download result', zh: '下载结果' },
  counts: { en: 'What would come of it', zh: '预计结果' },
  by: { en: 'Rehearsed by', zh: '演练人' },
  at: { en: 'Rehearsed at', zh: '演练时间' },
  rows: { en: 'Rows', zh: '行' },
  status: { en: 'Status', zh: '状态' },
  no_rows: { en: 'No row matches', zh: '没有符合的行' },
  compare: { en: 'Compare with what really happened', zh: '与实际结果比较' },
  comparing: { en: '{count} rows compared …', zh: '已比较 {count} 行……' },
  compared: {
    en: '{count} rows compared: {differing} came out otherwise.',
    zh: '已比较 {count} 行：{differing} 行结果不同。',
  },
  first_only: { en: 'The first {count} are shown.', zh: '仅显示前 {count} 行。' },
  more: { en: 'Show more', zh: '显示更多' },
  rehearsed: { en: 'Rehearsed', zh: '演练' },
  happened: { en: 'Happened', zh: '实际' },
  no_such_row: { en: 'no such row', zh: '无此行' },
} as const satisfies Record<string, PageWord>;
