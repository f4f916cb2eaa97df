/** Texts of job: maps, and what a comparison and its actions may name. `zh` carries the same {names} as `en`. */
export const JOB_MAP = {
  // The map
  'job.map_lacks': {
    en: '{where}: the map leaves out fields that the operation must have: {fields}',
    zh: '{where}：映射缺少操作所必需的字段：{fields}',
  },
  'job.branch_lacks': {
    en: '{where}: "{branch}" leaves out fields that it must have: {fields}',
    zh: '{where}：“{branch}”缺少必需的字段：{fields}',
  },
  'job.map_mixed': {
    en: '{where}: "{key}" belongs under "{items}", which the map has as well; move it there',
    zh: '{where}：“{key}”属于“{items}”，而映射中已有“{items}”；请把它移到其下',
  },
  'job.map_list': {
    en: '{where}: "{field}" cannot be a list here; name a column, or write the list after the key value',
    zh: '{where}：“{field}”在此处不能是列表；请写列名，或使用 value 键给出列表',
  },
  'job.map_leaf_for_object': {
    en: '{where}: "{field}" has fields of its own, so it cannot come from one cell; map these below it: {fields}',
    zh: '{where}：“{field}”包含下级字段，不能来自单个单元格；请在其下映射：{fields}',
  },
  'job.map_branch_for_field': {
    en: '{where}: "{field}" is a single value ({type}) without fields below it; write a column, or a mapping with column, value, template, expr or lookup',
    zh: '{where}：“{field}”是单个值（{type}），没有下级字段；请写列名，或使用 column、value、template、expr、lookup 之一',
  },
  'job.leaf_conflict': {
    en: '{where}: "{field}" has both "{first}" and "{second}"; keep one',
    zh: '{where}：“{field}”同时有“{first}”和“{second}”；请只保留一个',
  },
  'job.leaf_option_without_column': {
    en: '{where}: "{key}" goes with "column" only, not with "{kind}"',
    zh: '{where}：“{key}”只能与“column”一起使用，不能与“{kind}”一起使用',
  },
  'job.bad_constant': {
    en: '{where}: {value} does not fit the field "{field}" of type {type}',
    zh: '{where}：{value} 不符合字段“{field}”的类型 {type}',
  },
  'job.bad_date_constant': {
    en: '{where}: {value} is no date for the field "{field}"; write it as 2026-12-31 or 2026-12-31T23:59:59, or as a number',
    zh: '{where}：{value} 不是字段“{field}”可用的日期；请写成 2026-12-31 或 2026-12-31T23:59:59，或使用数字',
  },
  'job.only_for_dates': {
    en: '{where}: "{key}" is for dates, but the field "{field}" is of type {type}; remove it',
    zh: '{where}：“{key}”只用于日期，而字段“{field}”的类型是 {type}；请删除',
  },
  'job.only_for_texts': {
    en: '{where}: "{key}" is for text fields, but the field "{field}" is of type {type}; remove it',
    zh: '{where}：“{key}”只用于文本字段，而字段“{field}”的类型是 {type}；请删除',
  },
  'job.only_for_lists': {
    en: '{where}: "{key}" is for fields that take several texts, but the field "{field}" is of type {type}; remove it',
    zh: '{where}：“{key}”只用于可含多个文本的字段，而字段“{field}”的类型是 {type}；请删除',
  },
  'job.bad_format': {
    en: '{where}: the date pattern {value} is wrong at "{letters}"; each of these once, in capital or small letters as here: yyyy or yy year, MM or MMM (Dec) or MMMM (December) month, dd day, HH hour or hh hour with a (AM, PM), mm minute, ss second, SSS millisecond',
    zh: '{where}：日期格式 {value} 在“{letters}”处有误；以下每项只用一次，区分大小写：yyyy 或 yy 年、MM 或 MMM（Dec）或 MMMM（December）月、dd 日、HH 时或 hh 时加 a（AM、PM、上午、下午）、mm 分、ss 秒、SSS 毫秒',
  },
  'job.format_list_empty': {
    en: '{where}: the list of date patterns is empty; name at least one, such as yyyy/MM/dd',
    zh: '{where}：日期格式列表为空；请至少写一个，例如 yyyy/MM/dd',
  },
  'job.format_without_day': {
    en: '{where}: the date pattern {value} needs a year (yyyy), a month (MM, in capitals) and a day (dd)',
    zh: '{where}：日期格式 {value} 必须包含年（yyyy）、月（大写 MM）和日（dd）',
  },
  'job.values_alike': {
    en: '{where}: "{key}" is the same as a text above it, as case and width do not count; keep one',
    zh: '{where}：“{key}”与前面的文本相同（不区分大小写和全半角）；请只保留一个',
  },
  'job.template_unclosed': {
    en: '{where}: the brace that opens here is not closed; a column is named between braces, and two braces stand for one',
    zh: '{where}：此处的左花括号没有闭合；列名写在花括号之间，两个花括号表示一个花括号字符',
  },
  'job.template_unopened': {
    en: '{where}: the brace that closes here was not opened; two braces stand for one',
    zh: '{where}：此处的右花括号没有对应的左花括号；两个花括号表示一个花括号字符',
  },
  'job.template_empty': {
    en: '{where}: the braces are empty; a column is named between them',
    zh: '{where}：花括号内为空；应写列名',
  },
  'job.bad_each': {
    en: '{where}: "each" must be a list of columns, such as [Order No], or name a sheet with a list "on" of columns, not {value}',
    zh: '{where}：“each”必须是列名的列表，例如 [Order No]，或用 sheet 指定工作表并用 on 列出列名，而不是 {value}',
  },
  'job.each_repeats': {
    en: '{where}: the column "{column}" is named twice',
    zh: '{where}：列“{column}”重复出现',
  },
  'job.each_misplaced': {
    en: '{where}: "each" makes the elements of an array and has no place here; arrays at this level: {arrays}',
    zh: '{where}：“each”用于生成数组的元素，不能放在这里；此层级的数组：{arrays}',
  },

  // Shared parts
  'job.maps_no_mapping': {
    en: '{where}: "maps" must hold fragments by name, each a mapping of fields',
    zh: '{where}：“maps”应按名称列出各映射片段，每个片段是一组字段',
  },
  'job.fragment_no_mapping': {
    en: '{where}: the fragment "{fragment}" must be a mapping of fields and where they come from',
    zh: '{where}：片段“{fragment}”必须是字段及其来源的映射',
  },
  'job.bad_use': {
    en: '{where}: "{key}" must name a fragment of "maps" in license-sync.yaml, or list several, not {value}',
    zh: '{where}：“{key}”必须是 license-sync.yaml 中“maps”下的片段名称或其列表，而不是 {value}',
  },
  'job.use_without_settings': {
    en: '{where}: "{name}" is to be a fragment of license-sync.yaml, but there is no such file in this folder or above',
    zh: '{where}：“{name}”应是 license-sync.yaml 中的片段，但本文件夹及其上级文件夹中都没有该文件',
  },
  'job.use_without_maps': {
    en: '{where}: "{name}" is to be a fragment, but {file} has none; add it there under "maps"',
    zh: '{where}：“{name}”应是一个片段，但 {file} 中没有任何片段；请将其添加到该文件的“maps”下',
  },
  'job.unknown_fragment': {
    en: '{where}: {file} has no fragment "{name}"; did you mean "{near}"? Known: {known}',
    zh: '{where}：{file} 中没有片段“{name}”；是否指“{near}”？可用的片段：{known}',
  },
  'job.unknown_fragment_far': {
    en: '{where}: {file} has no fragment "{name}". Known: {known}',
    zh: '{where}：{file} 中没有片段“{name}”。可用的片段：{known}',
  },
  'job.fragment_circle': {
    en: '{where}: this fragment uses itself: {circle}',
    zh: '{where}：此片段引用了自身：{circle}',
  },
  'job.bad_parameter': {
    en: '{where}: {found} names no parameter: it is a name of letters, digits, - and _ between the parentheses; a doubled dollar sign before them stands for itself',
    zh: '{where}：{found} 不是有效的参数：圆括号内应为由字母、数字、- 和 _ 组成的名称；若要表示字面内容，请在括号前写两个美元符号',
  },
  'job.missing_parameter': {
    en: '{where}: the fragment "{fragment}" wants the parameter "{name}" ({at}); give it under "with"',
    zh: '{where}：片段“{fragment}”需要参数“{name}”（{at}）；请在“with”下给出',
  },
  'job.unused_parameter': {
    en: '{where}: no fragment that is used here takes the parameter "{name}"; remove it',
    zh: '{where}：此处使用的片段都不需要参数“{name}”；请删除',
  },
  'job.misspelt_parameter': {
    en: '{where}: no fragment that is used here takes the parameter "{name}"; did you mean "{near}" ({at})?',
    zh: '{where}：此处使用的片段都不需要参数“{name}”；是否指“{near}”（{at}）？',
  },

  // Reconciliation
  'job.each_in_comparison': {
    en: '{where}: "each" has no place in "{key}": every row is compared by itself',
    zh: '{where}：“{key}”中不能使用“each”：每一行单独核对',
  },
  'job.not_comparable': {
    en: '{where}: "{field}" ({type}) cannot be compared with a cell; remove it',
    zh: '{where}：“{field}”（{type}）无法与单元格比较；请删除',
  },
  'job.each_sheet_in_action': {
    en: '{where}: an action reads the rows of the job\'s own sheet only; write "each" as a list of its columns, such as [Order No]',
    zh: '{where}：动作只读取任务自身工作表的行；请将“each”写成该表列名的列表，例如 [Order No]',
  },
  'job.unknown_field': {
    en: '{where}: there is no field "{field}" to read; did you mean "{near}"? Known: {known}',
    zh: '{where}：没有可读取的字段“{field}”；是否指“{near}”？可用的字段：{known}',
  },
  'job.unknown_field_far': {
    en: '{where}: there is no field "{field}" to read. Known: {known}',
    zh: '{where}：没有可读取的字段“{field}”。可用的字段：{known}',
  },
  'job.field_not_expected': {
    en: '{where}: "{field}" is never given, as "expect" does not name it; add it to "expect", or take "{actual}"',
    zh: '{where}：“expect”没有列出该字段，因此“{field}”不会有值；请将其加入“expect”，或改用“{actual}”',
  },
  'job.extra_has_no_row': {
    en: '{where}: an extra record has no row in the source, so "{column}" has no value here; take a field of the record, such as "{example}", or a constant',
    zh: '{where}：多出的记录在数据源中没有对应的行，因此“{column}”在此没有值；请使用记录的字段（例如“{example}”）或常量',
  },
  'job.missing_has_no_record': {
    en: '{where}: a missing record has no fields, so "{column}" has no value here; take a column of the source, or what is expected, such as "{example}"',
    zh: '{where}：缺失的记录没有字段，因此“{column}”在此没有值；请使用数据源的列，或预期值（例如“{example}”）',
  },

  // Look-ups
  'job.lookup_misplaced': {
    en: '{where}: "{field}" cannot be looked up here; look-ups fill the map of a job or of an action',
    zh: '{where}：“{field}”在此处不能用查询填写；查询只用于任务或操作的映射',
  },
  'job.lookup_in_lookup': {
    en: '{where}: "{field}" is part of a look-up\'s own request, so it cannot be looked up, or come from an earlier step; name a column or a constant',
    zh: '{where}：“{field}”属于查询本身的请求，不能再由查询或先前步骤得出；请写列名或常量',
  },
  'job.lookup_lacks': {
    en: '{where}: {operation} cannot be asked without: {fields}',
    zh: '{where}：查询 {operation} 还缺少：{fields}',
  },
  'job.lookup_member': {
    en: '{where}: the records of {operation} have no single value "{member}"; they have: {known}',
    zh: '{where}：{operation} 的记录没有单值成员“{member}”；有：{known}',
  },
  'job.lookup_member_nearest': {
    en: '{where}: the records of {operation} have no "{member}"; did you mean "{near}"? They have: {known}',
    zh: '{where}：{operation} 的记录没有“{member}”；是否指“{near}”？记录有：{known}',
  },
  'job.lookup_never_equal': {
    en: '{where}: "{member}" of the record is of type {type}, which never equals the text of a cell; write string(record["{member}"]) == row["{column}"]',
    zh: '{where}：记录的“{member}”类型为 {type}，永远不等于单元格的文本；请写 string(record["{member}"]) == row["{column}"]',
  },
} as const;
