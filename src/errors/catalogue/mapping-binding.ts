/** Texts of mapping about maps that don't fit their sheet or their operation. `zh` carries the same {names} as `en`. */
export const MAPPING_BINDING = {
  // Maps that don't fit the sheet.
  'mapping.column_missing': {
    en: 'map, line {line}:{column}: sheet {sheet} has no column "{name}"',
    zh: '映射第 {line}:{column} 处：工作表 {sheet} 中没有列“{name}”',
  },
  'mapping.column_missing_nearest': {
    en: 'map, line {line}:{column}: sheet {sheet} has no column "{name}"; the nearest is "{nearest}"',
    zh: '映射第 {line}:{column} 处：工作表 {sheet} 中没有列“{name}”；最接近的是“{nearest}”',
  },
  'mapping.columns_there': {
    en: 'the columns of sheet {sheet} are: {headers}',
    zh: '工作表 {sheet} 的列有：{headers}',
  },
  'mapping.header_twice': {
    en: 'sheet {sheet}: the columns {first} and {second} both bear the header "{header}" (spaces, width and case make no difference), so it cannot be told which is meant; rename one',
    zh: '工作表 {sheet}：{first} 列和 {second} 列的表头都是“{header}”（不区分空格、全半角和大小写），无法判断应使用哪一列；请重命名其中一列',
  },
  'mapping.sheet_missing': {
    en: 'map, line {line}:{column}: the workbook has no sheet "{sheet}"',
    zh: '映射第 {line}:{column} 处：工作簿中没有工作表“{sheet}”',
  },
  'mapping.header_ambiguous': {
    en: 'sheet {sheet}, column {letters}: "{header}" may be any of {paths}; write the whole path as the header, or give the job a map',
    zh: '工作表 {sheet} 的 {letters} 列：“{header}”可能是 {paths} 中的任意一个；请用完整路径作表头，或在任务中写明 map',
  },
  'mapping.header_same_field': {
    en: 'sheet {sheet}: the columns {first} and {second} both stand for {field}; remove or rename one',
    zh: '工作表 {sheet}：{first} 列和 {second} 列都对应 {field}；请删除或重命名其中一列',
  },
  'mapping.header_unused': {
    en: 'sheet {sheet}, column {letters}: "{header}" is no field of {operation}; the column is not sent',
    zh: '工作表 {sheet} 的 {letters} 列：“{header}”不是 {operation} 的字段；该列不会发送',
  },
  'mapping.header_unused_nearest': {
    en: 'sheet {sheet}, column {letters}: "{header}" is no field of {operation} and is not sent; did you mean {nearest}?',
    zh: '工作表 {sheet} 的 {letters} 列：“{header}”不是 {operation} 的字段，不会发送；是否想写 {nearest}？',
  },
  'mapping.headers_lacking': {
    en: 'sheet {sheet}: without a map the headers must name the fields, and these required ones have no column: {fields}',
    zh: '工作表 {sheet}：任务没有 map 时表头必须是字段名，以下必填字段没有对应的列：{fields}',
  },

  // Maps that don't fit the operation.
  'mapping.field_unknown': {
    en: 'map, line {line}:{column}: there is no field {field}; the fields here are: {known}',
    zh: '映射第 {line}:{column} 处：没有字段 {field}；此处的字段有：{known}',
  },
  'mapping.field_unknown_nearest': {
    en: 'map, line {line}:{column}: there is no field {field}; did you mean {nearest}?',
    zh: '映射第 {line}:{column} 处：没有字段 {field}；是否想写 {nearest}？',
  },
  'mapping.branch_misplaced': {
    en: 'map, line {line}:{column}: {field} is a single value ({type}); give it a column, not fields of its own',
    zh: '映射第 {line}:{column} 处：{field} 是单个值（{type}）；请为它指定列，而不是下级字段',
  },
  'mapping.leaf_misplaced': {
    en: 'map, line {line}:{column}: {field} ({type}) is made of fields; map them: {members}',
    zh: '映射第 {line}:{column} 处：{field}（{type}）由多个字段组成；请分别映射：{members}',
  },
  'mapping.each_misplaced': {
    en: 'map, line {line}:{column}: each makes an array, and {field} is none; leave it out here',
    zh: '映射第 {line}:{column} 处：each 用于生成数组，而 {field} 不是数组；请在此处去掉',
  },
  'mapping.required_unmapped': {
    en: 'map, line {line}:{column}: the required field {field} is not mapped; give it a column or a value',
    zh: '映射第 {line}:{column} 处：必填字段 {field} 没有映射；请为它指定列或固定值',
  },
  'mapping.option_misplaced': {
    en: 'map, line {line}:{column}: {option} means nothing for {field}, which is of type {type}; leave it out',
    zh: '映射第 {line}:{column} 处：{option} 对类型为 {type} 的 {field} 没有意义；请去掉',
  },
  'mapping.none_required': {
    en: 'map, line {line}:{column}: "none" in values leaves {field} out, but the field is required; remove that line',
    zh: '映射第 {line}:{column} 处：values 中的“none”会省略 {field}，但该字段必填；请删除该行',
  },
  'mapping.format_unknown': {
    en: 'map, line {line}:{column}: the date format "{format}" holds "{part}", which is not understood; use yyyy MM dd HH mm ss and signs between them, other letters in single quotes',
    zh: '映射第 {line}:{column} 处：日期格式“{format}”中的“{part}”无法识别；请使用 yyyy MM dd HH mm ss 及其间的符号，其他字母放在单引号内',
  },
  'mapping.format_incomplete': {
    en: 'map, line {line}:{column}: the date format "{format}" needs a year, a month and a day, such as yyyy/MM/dd',
    zh: '映射第 {line}:{column} 处：日期格式“{format}”必须包含年、月、日，例如 yyyy/MM/dd',
  },
  'mapping.constant_unfit': {
    en: 'map, line {line}:{column}: {field} cannot be "{value}"; expected: {expected}',
    zh: '映射第 {line}:{column} 处：{field} 不能是“{value}”；应为：{expected}',
  },
  'mapping.expr_refused': {
    en: 'map, line {line}:{column}: the expression {expr} is not right: {detail}',
    zh: '映射第 {line}:{column} 处：表达式 {expr} 有误：{detail}',
  },
  'mapping.zone_unknown': {
    en: 'there is no time zone "{zone}"; the connection needs an IANA name such as Asia/Shanghai',
    zh: '没有名为“{zone}”的时区；连接中应写 IANA 名称，例如 Asia/Shanghai',
  },
  'mapping.ends_of_days': {
    en: 'a date without a time means the end of its day ({last}, {zone}) in: {fields}',
    zh: '以下字段中没有时间的日期按当天结束（{last}，{zone}）读取：{fields}',
  },
} as const;
