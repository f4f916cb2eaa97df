/** Texts of pulls. `zh` carries the same {names} as `en`. */
export const PULL = {
  'pull.unread': {
    en: 'row {row} of the keys can not be read: {why}',
    zh: '键表第 {row} 行无法读取：{why}',
  },
  'pull.unanswered': {
    en: 'row {row}, {name}: no answer from the platform, so its records lack in the sheet: {why}',
    zh: '第 {row} 行（{name}）：平台没有给出答复，因此表中缺少其记录：{why}',
  },
  'pull.unanswered_more': {
    en: '{count} more keys have no answer',
    zh: '另有 {count} 个键没有得到答复',
  },
  'pull.too_many_failures': {
    en: '{count} keys in a row had no answer: {why}',
    zh: '连续 {count} 个键没有得到答复：{why}',
  },
  'pull.stopped': {
    en: '{why}. Nothing was written, as half of the records would pass for all of them; pull again later.',
    zh: '{why}。由于不完整的记录会被误认为全部，未写入任何文件；请稍后重新拉取。',
  },
  'pull.interrupted': {
    en: 'Interrupted: nothing was written.',
    zh: '已中断：未写入任何文件。',
  },
  'pull.too_many_rows': {
    en: '{file} would have more rows than a worksheet holds ({limit}); write it as .csv or .ndjson (--output)',
    zh: '{file} 的行数超过工作表的上限（{limit}）；请输出为 .csv 或 .ndjson（--output）',
  },
  'pull.stopping': {
    en: 'stopping; nothing will be written (Ctrl-C again leaves at once)',
    zh: '正在停止；不会写入任何文件（再按一次 Ctrl-C 立即退出）',
  },
  'pull.summary': {
    en: 'pull {what}: {status} on {connection} in {seconds} s',
    zh: '拉取 {what}：{status}，连接 {connection}，用时 {seconds} 秒',
  },
  'pull.counts': {
    en: '{records} records of {keys} keys; {empty} keys without a record, {unanswered} without an answer',
    zh: '{keys} 个键共 {records} 条记录；{empty} 个键没有记录，{unanswered} 个没有得到答复',
  },
} as const;
