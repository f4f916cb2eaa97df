/** Why something is not sent, or not offered, at the console's pages. `zh` carries the same {names} as `en`. */
export const SEND = {
  'send.nothing': { en: 'there is nothing to send: no row is ready', zh: '没有可发送的内容：没有就绪的行' },
  'send.items_differ': {
    en: 'plan {plan} has {now} items, not {items}: look at it again',
    zh: '计划 {plan} 有 {now} 项，而不是 {items} 项：请重新查看',
  },
  'send.connection_differs': {
    en: 'plan {plan} goes to {now}, not to {connection}: look at it again',
    zh: '计划 {plan} 发往 {now}，而不是 {connection}：请重新查看',
  },
  'send.number_wanted': {
    en: 'this plan deletes: type the number of its items, {items}',
    zh: '该计划会执行删除：请输入其项数 {items}',
  },
  'send.carried_here': {
    en: 'run {run} is being carried out already',
    zh: '运行 {run} 已在执行中',
  },
  'send.not_carried_here': {
    en: 'run {run} is not carried out by this console: {next}',
    zh: '运行 {run} 不由此控制台执行：{next}',
  },
  'send.not_under_way': { en: 'run {run} is not under way: {state}', zh: '运行 {run} 未在进行：{state}' },
  'send.own_plan': { en: 'nobody approves what they made', zh: '任何人不得批准自己所做的计划' },
  'send.not_asked': { en: 'nobody has asked for approval', zh: '尚无人请求批准' },
  'send.is_approved': { en: 'it is approved already', zh: '已获批准' },
  'send.ask_again': {
    en: 'approval has to be asked for again: the plan was rejected, or its approval has expired',
    zh: '须重新请求批准：计划已被驳回，或其批准已过期',
  },
  'send.not_approved': {
    en: 'another person has to approve it first',
    zh: '须先由另一人批准',
  },
  'send.held_by_invalid': {
    en: '{rows} rows are invalid, and this job sends nothing while one is (run.onInvalid). Correct them in the import or in the sheet, and plan again; or plan again and leave them out',
    zh: '有 {rows} 行无效，只要有无效行，此任务就不发送任何内容（run.onInvalid）。请在导入页或表格中更正后重新制作计划，或重新制作计划并排除这些行',
  },
  'send.asked': { en: 'approval was asked for already', zh: '已请求批准' },
  'send.nothing_to_do': { en: '{why}', zh: '{why}' },
} as const;
