/** Texts of rehearsals. `zh` carries the same {names} as `en`. */
export const REHEARSE = {
  'rehearse.unread_one': {
    en: '{operation} of {name}: {why}',
    zh: '{operation}（对象 {name}）：{why}',
  },
  'rehearse.unread': {
    en: '{count} things that the rows touch could not be read from the platform, so what would come of them can not be rehearsed. Nothing was carried out; try again later.',
    zh: '各行涉及的内容中有 {count} 项无法从平台读取，因此无法演练其结果。未执行任何操作；请稍后重试。',
  },
  'rehearse.refused': {
    en: 'the platform could not be read, so nothing was rehearsed: {why}',
    zh: '无法从平台读取，因此未进行演练：{why}',
  },
  'rehearse.lock_of_nobody': {
    en: 'rows {rows}: which enterprise these locks belong to can not be told ({locks}), so they can not be read from the platform and not be rehearsed. Add a column enterpriseGlobalId to the sheet, or a usual word for it; the map need not read it.',
    zh: '第 {rows} 行：无法得知这些锁属于哪个企业（{locks}），因此无法从平台读取，也无法演练。请在表中添加 enterpriseGlobalId 列（或其常用名称）；映射不必读取该列。',
  },
  'rehearse.revoked_nowhere': {
    en: '{count} assets that are to be revoked stand in no list of their enterprises ({assets}): the sandbox passes over them, the platform may refuse them',
    zh: '待撤销的资产中有 {count} 个不在其企业的清单中（{assets}）：沙箱会略过，平台可能拒绝',
  },
  'rehearse.crm_given': {
    en: '{count} customers are updated by their CRM number, by which the platform can not be asked: the rehearsal takes it for granted that they are there',
    zh: '有 {count} 个客户按 CRM 编号更新，而平台不能按该编号查询：演练时视为其已存在',
  },
  'rehearse.yes_needed': {
    en: 'the run itself will want a yes on connection {connection} (--yes where nobody can be asked); the rehearsal went on without one',
    zh: '在连接 {connection} 上实际运行时需要确认（无人应答时用 --yes）；演练未经确认即继续',
  },
  'rehearse.interrupted': {
    en: 'Interrupted: not all was rehearsed. Rehearse it again.',
    zh: '已中断：演练未完成。请重新演练。',
  },
  'rehearse.stopping': {
    en: 'stopping; a rehearsal can not be resumed, only begun again (press Ctrl-C again to leave at once)',
    zh: '正在停止；演练无法继续，只能重新开始（再按一次 Ctrl-C 立即退出）',
  },
  'rehearse.nothing_kept': {
    en: 'there is no rehearsal of what run {run} carried out: of job {job} on {connection}, over the same input and before the run. `license-sync rehearse` keeps what came of one for this.',
    zh: '没有与运行 {run} 对应的演练（任务 {job}，连接 {connection}，相同输入且早于该运行）。`license-sync rehearse` 会为此保留演练结果。',
  },
  'rehearse.which': {
    en: 'say which job to rehearse, or which run to compare with its rehearsal: license-sync rehearse JOB, license-sync rehearse --compare RUN',
    zh: '请指明要演练的任务，或要与其演练比较的运行：license-sync rehearse JOB，license-sync rehearse --compare RUN',
  },
  'rehearse.other_job': {
    en: 'run {run} is of job {own}, not of {asked}',
    zh: '运行 {run} 属于任务 {own}，而不是 {asked}',
  },
  'rehearse.no_run': {
    en: 'run {run} carried out nothing ({kind}): only a run can be compared with its rehearsal',
    zh: '运行 {run} 未执行任何操作（{kind}）：只有实际运行才能与其演练比较',
  },
  'rehearse.not_alone': {
    en: '{run} is no plan that was made from a sheet, and all of it: only such a plan is rehearsed',
    zh: '{run} 不是由表格完整生成的计划：只有这样的计划才能演练',
  },
  'rehearse.under_way': {
    en: '{run} is being rehearsed already',
    zh: '{run} 已在演练中',
  },
  'rehearse.none_of': {
    en: 'no rehearsal of {run} is kept here; it can be rehearsed as long as it wasn’t sent',
    zh: '此处没有 {run} 的演练结果；在发送之前可以进行演练',
  },
  'rehearse.compared': {
    en: 'run {run} against its rehearsal of {time}: {rows} rows, {differing} came out otherwise',
    zh: '运行 {run} 与 {time} 的演练比较：共 {rows} 行，其中 {differing} 行结果不同',
  },
  'rehearse.difference': {
    en: 'row {row}: rehearsed {expected}, then {actual}',
    zh: '第 {row} 行：演练为 {expected}，实际为 {actual}',
  },
  'rehearse.no_such_row': {
    en: '(no such row)',
    zh: '（无此行）',
  },
} as const;
