/** Texts of reconciliations. `zh` carries the same {names} as `en`. */
export const RECONCILE = {
  'reconcile.unfit_action': {
    en: 'in action {action} ({operation}) of {job}, with the columns of {file}; nothing was asked or sent',
    zh: '出自 {job} 的第 {action} 个动作（{operation}），所用列来自 {file}；未查询也未发送任何内容',
  },
  'reconcile.one_file': {
    en: '{job}: a reconciliation compares one file, and {file} is a pattern for several; name the file, or give one with --input',
    zh: '{job}：核对一次只比较一个文件，而 {file} 是匹配多个文件的模式；请写明文件名，或用 --input 指定一个文件',
  },
  'reconcile.no_comparison': {
    en: 'run {run} compared nothing: it is no reconciliation',
    zh: '运行 {run} 不是核对，没有比较任何内容',
  },
  'reconcile.unread': {
    en: 'the platform could not be read: {detail}',
    zh: '无法从平台读取：{detail}',
  },
  'reconcile.unread_again': {
    en: 'shown as it stood before the actions, as the platform could not be read again: {detail}',
    zh: '显示的是执行动作之前的状态，因为无法再次从平台读取：{detail}',
  },
  'reconcile.not_asked_again': {
    en: 'shown as it stood before the actions: the reconciliation stopped before it was read again',
    zh: '显示的是执行动作之前的状态：核对在再次读取之前已停止',
  },
  'reconcile.nameless': {
    en: '{count} records in the reply for it have no number, so whether {names} is among them cannot be told',
    zh: '其答复中有 {count} 条记录没有编号，无法判断其中是否有 {names}',
  },
  'reconcile.several_records': {
    en: 'the platform has {count} records named {name}; all of them have to be as expected',
    zh: '平台上有 {count} 条名为 {name} 的记录，它们都应符合预期',
  },
  'reconcile.contradicted': {
    en: 'row {other} expects another {field} of {record}; both cannot be, so neither row is compared. Keep the one that is right',
    zh: '第 {other} 行对 {record} 的 {field} 有不同的预期；二者不能同时成立，因此两行均未比较。请只保留正确的一行',
  },
  'reconcile.not_asked': {
    en: 'not compared: the reconciliation stopped before it',
    zh: '未比较：核对在此之前已停止',
  },
  'reconcile.gone': {
    en: 'no longer on the platform',
    zh: '平台上已不存在',
  },
  'reconcile.extra': {
    en: 'on the platform, but in no row of the source: {record}',
    zh: '平台上存在，但数据源中没有对应的行：{record}',
  },
  'reconcile.was_extra': {
    en: 'an extra record that an earlier reconciliation told of, no row of the source; left out',
    zh: '这是此前核对报告的多余记录（extra），不是数据源中的行；已略过',
  },
  'reconcile.missing_some': {
    en: 'not on the platform: {names}',
    zh: '平台上不存在：{names}',
  },
  'reconcile.before': {
    en: 'was {status} before',
    zh: '此前为 {status}',
  },
  'reconcile.before_differing': {
    en: 'was {status} before ({differences})',
    zh: '此前为 {status}（{differences}）',
  },
  'reconcile.when_undecided': {
    en: 'the condition {condition} (`when`) cannot be evaluated: {detail}',
    zh: '无法计算条件 {condition}（when）：{detail}',
  },
  'reconcile.not_carried_out': {
    en: 'not carried out: {why}',
    zh: '未执行：{why}',
  },
  'reconcile.too_many_failures': {
    en: '{count} requests in a row got no good answer (run.stopAfterFailures), the last of them: {why}',
    zh: '连续 {count} 个请求没有得到有效答复（run.stopAfterFailures），最后一个：{why}',
  },
  'reconcile.unanswered': {
    en: '{count} requests got no good answer, the last of them: {why}',
    zh: '有 {count} 个请求没有得到有效答复，最后一个：{why}',
  },
  'reconcile.extra_actions_withheld': {
    en: 'the key of row {row} cannot be told, so what it names would count as extra: actions on extra records are not carried out. Mend the row first.',
    zh: '无法确定第 {row} 行的键，其所指记录会被误认为多余：不执行针对多余记录（extra）的动作。请先修正该行。',
  },
  'reconcile.extra_actions_incomplete': {
    en: 'not everything could be compared, so actions on extra records are not carried out',
    zh: '未能完成全部比较，因此不执行针对多余记录（extra）的动作',
  },
  'reconcile.then_again': {
    en: '{why}. Then run the comparison again',
    zh: '{why}。然后重新运行核对',
  },
  'reconcile.later_again': {
    en: '{why}; the comparison stopped. Run it again when the platform answers again',
    zh: '{why}；核对已停止。待平台恢复后请重新运行核对',
  },
  'reconcile.interrupted': {
    en: 'interrupted; nothing is left half done by the comparison, run it again',
    zh: '已中断；比较本身不会留下未完成的操作，请重新运行',
  },
  'reconcile.actions_left': {
    en: 'actions were not all carried out: {why}',
    zh: '动作未全部执行：{why}',
  },
} as const;
