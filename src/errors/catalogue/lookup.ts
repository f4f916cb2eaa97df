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
} as const;
