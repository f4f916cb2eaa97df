/** Texts of look-ups: fields filled from the platform while planning. `zh` carries the same {names} as `en`. */
export const LOOKUP = {
  'lookup.no_record': {
    en: '{asked} found nothing on the platform; correct the cell, or say with onNone what holds then',
    zh: '{asked} 在平台上没有找到任何记录；请更正单元格，或用 onNone 说明此时取什么值',
  },
  'lookup.none_meets': {
    en: '{asked} found {count} record(s), but none meets the condition {where}',
    zh: '{asked} 找到 {count} 条记录，但没有一条满足条件 {where}',
  },
  'lookup.several': {
    en: '{asked} found {count} records where one is needed ({take}: {values}); narrow it with where, or say onMany: first',
    zh: '{asked} 找到 {count} 条记录，但只能有一条（{take}：{values}）；请用 where 缩小范围，或写 onMany: first',
  },
  'lookup.no_member': {
    en: '{asked} found a record in which {take} is empty',
    zh: '{asked} 找到的记录中 {take} 为空',
  },
  'lookup.unfit': {
    en: '{asked} found {take} "{value}", which this field cannot take: {detail}',
    zh: '{asked} 找到的 {take} 为“{value}”，该字段不能接受：{detail}',
  },
  'lookup.no_answer': {
    en: '{asked} got no good answer from the platform: {detail}',
    zh: '{asked} 没有得到平台的有效答复：{detail}',
  },
  'lookup.where_failed': {
    en: 'the condition {where} cannot be worked out for record {record} of the answer: {detail}',
    zh: '无法对答复中的第 {record} 条记录计算条件 {where}：{detail}',
  },
  'lookup.key_empty': {
    en: 'the cell under "{header}" is empty, but {operation} needs it as {field} to look the field up',
    zh: '“{header}”列的单元格为空，而 {operation} 查询该字段时需要它作为 {field}',
  },
  'lookup.refused': {
    en: 'look-ups were refused, so nothing is planned: {why}',
    zh: '查询被拒绝，因此没有制定计划：{why}',
  },
  'lookup.impatient': {
    en: 'look-ups had to stop: {why}; go on later with: license-sync resume {run}',
    zh: '查询不得不停止：{why}；稍后可继续：license-sync resume {run}',
  },
  'lookup.too_many_failures': {
    en: 'the platform did not answer {count} look-ups in a row, the last one: {why}; go on later with: license-sync resume {run}',
    zh: '平台连续 {count} 次没有答复查询，最后一次：{why}；稍后可继续：license-sync resume {run}',
  },
  'lookup.offline': {
    en: '--offline: the platform was not asked, so these fields count as given and are not checked: {fields}',
    zh: '--offline：没有向平台查询，以下字段视为已给出，未经检查：{fields}',
  },
  'lookup.offline_plan': {
    en: 'plan {plan} was made with --offline: its looked-up fields were never asked for, so it cannot be applied; plan again without --offline',
    zh: '计划 {plan} 是用 --offline 制定的：需查询的字段从未查询，不能执行；请不带 --offline 重新制定计划',
  },
  'lookup.offline_refused': {
    en: '--offline is for validate and plan: {command} sends, and needs what look-ups find',
    zh: '--offline 只用于 validate 和 plan：{command} 会发送请求，需要查询的结果',
  },
} as const;
