import type { PageWord } from './language.js';

/** The audit. */
export const AUDIT = {
  about: {
    en: 'What was done in this ledger and by whom. Lines are only ever added; each carries the hash of the one before.',
    zh: '此账本中所做的一切及其人员。记录只增不改，每行都带有前一行的哈希。',
  },
  at: { en: 'Time', zh: '时间' },
  who: { en: 'Person', zh: '人员' },
  act: { en: 'Act', zh: '操作' },
  run: { en: 'Run', zh: '运行' },
  detail: { en: 'Detail', zh: '详情' },
  since: { en: 'Since', zh: '自' },
  clear: { en: 'Clear filters', zh: '清除筛选' },
  check: { en: 'Check the chain', zh: '检查链' },
  checking: { en: 'Checking …', zh: '正在检查……' },
  sound: {
    en: 'All {count} lines fit together: none was changed, put in or taken out.',
    zh: '全部 {count} 行前后一致：没有修改、插入或删除。',
  },
  broken: {
    en: 'Line {n} doesn’t fit; {count} lines before it do.',
    zh: '第 {n} 行不符；此前的 {count} 行一致。',
  },
  empty: { en: 'No lines yet', zh: '尚无记录' },
  no_match: { en: 'No line matches these filters', zh: '没有符合筛选条件的记录' },
} as const satisfies Record<string, PageWord>;
