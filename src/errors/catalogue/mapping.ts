/** Texts of mapping about cells, rows and groups. `zh` carries the same {names} as `en`. */
export const MAPPING = {
  // A cell that can't become its field. Shown after `Sheet!D7 field:`.
  'mapping.required_empty': {
    en: 'the cell under "{header}" is empty, but this field is required; fill it in',
    zh: '“{header}”列的单元格为空，但该字段必填；请填写',
  },
  'mapping.required_no_value': {
    en: 'gives no value for this row, but this field is required',
    zh: '此行没有得到值，但该字段必填',
  },
  'mapping.error_value': {
    en: 'the cell holds the error value {text}; correct the formula or type the value',
    zh: '单元格是错误值 {text}；请修正公式或直接填写内容',
  },
  'mapping.no_result': {
    en: 'the formula has no stored result; open the file in Excel, let it calculate, save it, and run again',
    zh: '公式没有保存的计算结果；请用 Excel 打开文件、重新计算并保存后再运行',
  },
  'mapping.not_calculated': {
    en: 'the file says that its formulas must be calculated on opening, and the stored result is 0, which does not count; open the file in Excel, save it, and run again; if 0 is correct, type 0 in place of the formula',
    zh: '文件标明打开时需重新计算公式，而保存的结果是 0，不能采用；请用 Excel 打开并保存文件后再运行；若结果确实是 0，请直接输入 0 代替公式',
  },
  'mapping.merged_over': {
    en: 'lies under the merged range {range}, whose value only its first cell has; if it holds for every row, set source.merged: fill in the job (or name the column in source.fillDown), else unmerge the cells and fill them in',
    zh: '位于合并区域 {range} 之下，只有该区域的第一个单元格有值；如果该值适用于每一行，请在任务中设置 source.merged: fill（或在 source.fillDown 中列出该列），否则请取消合并并逐格填写',
  },
  'mapping.number_too_long': {
    en: '{text} is stored as a number of more than 15 digits, of which Excel keeps only 15; format the column as text and type it again',
    zh: '{text} 以数字形式存储且超过 15 位，Excel 只保留前 15 位；请将该列设为文本格式后重新输入',
  },
  'mapping.not_whole': {
    en: '"{text}" is not a whole number; write plain digits such as 1200, without separators, units or exponent',
    zh: '“{text}”不是整数；请只写数字，例如 1200，不要带千位分隔符、单位或指数',
  },
  'mapping.unreadable': {
    en: '"{text}" holds the sign U+FFFD, which a program puts where it could not read a character; type the text again, or export the file anew in UTF-8',
    zh: '“{text}”含有 U+FFFD，表示某个字符在读取时已丢失；请重新输入，或以 UTF-8 编码重新导出文件',
  },
  'mapping.date_in_text': {
    en: '{text} is a date or a time of day, and this field takes text: spreadsheets turn entries such as 3-4 or 1:2 into one; format the column as text and type the entry again',
    zh: '{text} 是日期或时间，而此字段需要文本：电子表格会把 3-4、1:2 之类的内容转换成日期或时间；请将该列设为文本格式后重新输入原内容',
  },
  'mapping.date_in_number': {
    en: '{text} is a date or a time of day, and a whole number is needed: its cell has the wrong format; give it a number format, and type the number again',
    zh: '{text} 是日期或时间，而此处需要整数：单元格格式有误；请设为数字格式后重新输入数字',
  },
  'mapping.date_in_template': {
    en: '{text} is a date or a time of day, and an identifier is made with it: spreadsheets turn entries such as 3-4 or 1:2 into one; format the column as text and type the entry again, or, where the date is meant, put it in with an expr',
    zh: '{text} 是日期或时间，却被用于组成编号：电子表格会把 3-4、1:2 之类的内容转换成日期或时间；请将该列设为文本格式后重新输入，若确实要用日期，请用 expr 写入',
  },
  'mapping.truth_in_identifier': {
    en: '{text} is a truth value, and no identifier; format the column as text and type the identifier again',
    zh: '{text} 是逻辑值，不是编号；请将该列设为文本格式后重新输入编号',
  },
  'mapping.exponent_in_identifier': {
    en: '{text} is a number in scientific notation, whose last digits may be lost; take the whole number from where it came from, format the column as text, and type it again; if it is a code, set asIs: true for this column',
    zh: '{text} 是科学计数法，末尾的数字可能已丢失；请从原始来源取得完整号码，将该列设为文本格式后重新输入；若它是代码，请为该列设置 asIs: true',
  },
  'mapping.wide_in_identifier': {
    en: '"{text}" holds full-width characters, as an input method types them; write {narrow}',
    zh: '“{text}”含有输入法的全角字符；请改为半角 {narrow}',
  },
  'mapping.blank_in_number': {
    en: '"{text}" holds a blank, and no asset number does; remove it, or part several numbers by a comma or a line break',
    zh: '“{text}”中有空格，而资产号不含空格；请删除空格，若是多个号码请用逗号或换行分隔',
  },
  'mapping.point_in_number': {
    en: '{text} is shown with decimal places, and no asset number has any; format the column as text and type the number again',
    zh: '{text} 显示了小数位，而资产号没有小数；请将该列设为文本格式后重新输入号码',
  },
  'mapping.ditto': {
    en: '{text} stands for the value of the cell above; write that value, or leave the cell empty and name its column in source.fillDown',
    zh: '{text} 表示与上方单元格相同；请写明该值，或将单元格留空并在 source.fillDown 中列出该列',
  },
  'mapping.hidden_digits': {
    en: 'the cell shows {shown} but holds {text}, so it cannot be told which is meant; format the column as text and type the identifier again',
    zh: '单元格显示 {shown}，实际内容为 {text}，无法判断以哪个为准；请将该列设为文本格式后重新输入编号',
  },
  'mapping.fraction_in_identifier': {
    en: '{text} is a number with decimal places, not an identifier; format the column as text and type the identifier again',
    zh: '{text} 是带小数的数字，不是编号；请将该列设为文本格式后重新输入编号',
  },
  'mapping.zeros_in_identifier': {
    en: '"{text}" is a number with decimal places, as programs export whole numbers; write {digits}, or set asIs: true for this column if the identifier is written so',
    zh: '“{text}”带有小数位，程序导出整数时会出现这种写法；请改为 {digits}，若编号确实如此书写，请为该列设置 asIs: true',
  },
  'mapping.grouped_digits': {
    en: '"{text}" may be one number with separators, or several; write {digits} without separators, or separate several numbers by semicolons',
    zh: '“{text}”可能是一个带千位分隔符的号码，也可能是多个号码；请不带分隔符写成 {digits}，若是多个号码请用分号分隔',
  },
  'mapping.nothing_in_identifier': {
    en: '"{text}" is not an identifier; write the identifier or leave the cell empty; to leave the field out for this word, add "{text}": none to the values of the column in the job',
    zh: '“{text}”不是编号；请填写编号或将单元格留空；若要按此字样省略该字段，请在任务中该列的 values 下添加 "{text}": none',
  },
  'mapping.quote_in_identifier': {
    en: '"{text}" begins or ends with a quote; type the identifier without it, or set asIs: true for this column if the quote belongs to it',
    zh: '“{text}”的开头或结尾有引号；请去掉引号，若引号属于编号本身，请为该列设置 asIs: true',
  },
  'mapping.look_alike': {
    en: '"{text}" holds {character} ({code}), which looks like another character; type it with the usual letters, digits and hyphen, or set asIs: true for this column if it is meant',
    zh: '“{text}”含有形近字符 {character}（{code}）；请改用普通的字母、数字和连字符，若确为此字符，请为该列设置 asIs: true',
  },
  'mapping.range_of_numbers': {
    en: '"{text}" is a range of asset numbers; list each number, separated by commas or line breaks',
    zh: '“{text}”是资产号的区间；请逐个列出号码，用逗号或换行分隔',
  },
  'mapping.not_asset_number': {
    en: '"{text}" holds "{character}", but an asset number consists of letters, digits, "-", "_" and "."; write the number alone, and separate several numbers by commas or line breaks',
    zh: '“{text}”含有“{character}”，而资产号只由字母、数字、“-”、“_”和“.”组成；请只填写号码，多个号码用逗号或换行分隔',
  },
  'mapping.joined_numbers': {
    en: '"{text}" is several asset numbers joined by "{character}"; separate them by commas or line breaks',
    zh: '“{text}”是用“{character}”连接的多个资产号；请用逗号或换行分隔',
  },
  'mapping.no_digit': {
    en: '"{text}" has no digit, so it is not an asset number; write the number',
    zh: '“{text}”不含数字，不是资产号；请填写号码',
  },
  'mapping.marker_dropped': {
    en: '{cell} {field}: taken as {taken}; the apostrophe of {text} only marks a text',
    zh: '{cell} {field}：按 {taken} 读取；{text} 中的撇号只是文本标记',
  },
  'mapping.marker_dropped_more': {
    en: 'the apostrophe that marks a text was dropped from {count} further cells',
    zh: '另有 {count} 个单元格去掉了作为文本标记的撇号',
  },
  'mapping.marker_in_text': {
    en: '{cell} {field}: sent as {text}; if the sign at its start only marks a text, remove it',
    zh: '{cell} {field}：按 {text} 发送；若开头的符号只是文本标记，请删除',
  },
  'mapping.marker_in_text_more': {
    en: '{count} further texts were sent with a sign at their start that may only mark a text',
    zh: '另有 {count} 个文本以可能只是文本标记的符号开头，已原样发送',
  },
  'mapping.nothing_in_text': {
    en: '{cell} {field}: sent as "{text}", which may stand for nothing; leave the cell empty if there is no value',
    zh: '{cell} {field}：按“{text}”发送，它可能表示没有内容；若没有内容，请将单元格留空',
  },
  'mapping.nothing_in_text_more': {
    en: '{count} further texts were sent that may stand for nothing',
    zh: '另有 {count} 个可能表示没有内容的文本已发送',
  },
  'mapping.widthless_dropped': {
    en: '{cell} {field}: left out the character {character} at position {position}, which cannot be seen ({shown}), and any more of its kind',
    zh: '{cell} {field}：已去掉第 {position} 个字符 {character}（不可见：{shown}）及同类字符',
  },
  'mapping.widthless_dropped_more': {
    en: 'characters that cannot be seen were left out of {count} further cells',
    zh: '另有 {count} 个单元格去掉了不可见字符',
  },
  'mapping.decimals_dropped_more': {
    en: '{count} further numbers were taken as they are shown, with fewer decimal places than their cells hold',
    zh: '另有 {count} 个数字按显示的小数位读取，少于单元格实际内容',
  },
  'mapping.decimals_dropped': {
    en: '{cell} {field}: taken as it is shown, {shown}; the cell holds {text}',
    zh: '{cell} {field}：按单元格显示的 {shown} 读取；实际内容为 {text}',
  },
  'mapping.shown_otherwise': {
    en: '{cell} {field}: taken as {text}, but the format of the cell shows it as {shown}; if that is meant, type it without such a format',
    zh: '{cell} {field}：按 {text} 读取，但单元格因格式显示为 {shown}；若应以显示内容为准，请去掉该格式后重新输入',
  },
  'mapping.shown_otherwise_more': {
    en: '{count} further cells were taken as what they hold, which their format shows as something else',
    zh: '另有 {count} 个单元格按实际内容读取，与其格式显示的不同',
  },
  'mapping.not_shown': {
    en: '{cell} {field}: read as {text}, which the format of the cell hides; if the cell must be empty, clear it',
    zh: '{cell} {field}：按 {text} 读取，而单元格的格式将其隐藏；若应为空，请清除该单元格',
  },
  'mapping.date_not_shown': {
    en: '{cell} {field}: read as {text}, of which the format of the cell shows neither year, month nor day; check the date',
    zh: '{cell} {field}：按 {text} 读取，而单元格的格式不显示年、月、日；请核对日期',
  },
  'mapping.date_shown_partly': {
    en: '{cell} {field}: taken as {text}, of which the format of the cell shows only {shown}; check that the rest is right',
    zh: '{cell} {field}：按 {text} 读取，而单元格因格式只显示 {shown}；请确认未显示的部分无误',
  },
  'mapping.hidden_time': {
    en: 'the cell shows {day} but holds {day} {time}: it may mean the end of that day or {time} on that day; type the day again without a time, or show the time by the format of the cell, or set time: ignore for this column in the job to read all such cells as their day',
    zh: '单元格显示 {day}，实际内容为 {day} {time}：可能指当天结束，也可能指当天 {time}；请重新输入不带时间的日期，或用单元格格式显示时间，或在任务中为该列设置 time: ignore，将此类单元格都按日期读取',
  },
  'mapping.hidden_time_dropped': {
    en: '{cell} {field}: read as the day {day}, as the cell shows it; the cell holds {time} on that day, within a minute of midnight',
    zh: '{cell} {field}：按单元格显示的日期 {day} 读取；实际内容为当天 {time}，与零点相差不到一分钟',
  },
  'mapping.hidden_time_dropped_more': {
    en: '{count} further cells that show a day and hold a time within a minute of midnight were read as that day',
    zh: '另有 {count} 个显示日期、实际时间与零点相差不到一分钟的单元格按日期读取',
  },
  'mapping.date_shown_partly_more': {
    en: '{count} further dates were taken in full, of which their format shows only a part',
    zh: '另有 {count} 个日期按完整内容读取，而其格式只显示一部分',
  },
  'mapping.not_duration': {
    en: '"{text}" is not in the form years-months-days; write for example 1-0-0 for one year',
    zh: '“{text}”不是“年-月-日”格式；例如一年请写 1-0-0',
  },
  'mapping.date_in_duration': {
    en: '{text} is a date: spreadsheets turn a length of time such as 1-1-1 into 2001-01-01; format the column as text and type it again as years-months-days, such as 1-0-0 for one year',
    zh: '{text} 是日期：电子表格会把 1-1-1 这样的时长转换成 2001-01-01；请将该列设为文本格式后按“年-月-日”重新输入，例如一年写 1-0-0',
  },
  'mapping.negative': {
    en: '{text} is negative, which cannot be meant here; write {least} or more',
    zh: '{text} 是负数，此处不可能为负；请填写 {least} 或更大的数',
  },
  'mapping.too_small': {
    en: '{text} is too few; write {least} or more',
    zh: '{text} 太小；请填写 {least} 或更大的数',
  },
  'mapping.fraction_hidden': {
    en: 'the cell shows {shown} but holds {text}, and a whole number is needed; type the number that is meant',
    zh: '单元格显示 {shown}，实际内容为 {text}，而此处需要整数；请重新输入要用的数',
  },
  'mapping.fraction': {
    en: '{text} has decimal places, but a whole number is needed, such as 12',
    zh: '{text} 带小数，但此处需要整数，例如 12',
  },
  'mapping.out_of_range': {
    en: '{text} lies outside the range of the type {type}, {least} to {most}',
    zh: '{text} 超出 {type} 类型的范围（{least} 至 {most}）',
  },
  'mapping.not_boolean': {
    en: '"{text}" is neither yes nor no; write TRUE or FALSE, 1 or 0, Y or N, yes or no, 是 or 否',
    zh: '“{text}”不是“是/否”值；请填写 TRUE 或 FALSE、1 或 0、Y 或 N、yes 或 no、是或否',
  },
  'mapping.not_allowed': {
    en: '"{text}" is not allowed here; allowed are: {allowed}',
    zh: '此处不能填“{text}”；可填：{allowed}',
  },
  'mapping.not_allowed_nearest': {
    en: '"{text}" is not allowed here; did you mean {nearest}? Allowed are: {allowed}',
    zh: '此处不能填“{text}”；是否想填 {nearest}？可填：{allowed}',
  },
  'mapping.not_phone': {
    en: '"{text}" is not one phone number; write a single number, of digits, blanks and -, perhaps with + at its start',
    zh: '“{text}”不是一个电话号码；请只填写一个号码，可用数字、空格和 -，开头可有 +',
  },
  'mapping.not_date': {
    en: '"{text}" is not read as a date; use a date cell, write it like 2026-01-31, or give the column a format in the job',
    zh: '无法将“{text}”读作日期；请使用日期单元格，或写成 2026-01-31，或在任务中为该列设置 format',
  },
  'mapping.not_date_proposed': {
    en: '"{text}" is not read as a date, because its year does not come first; use a date cell, write it like 2026-01-31, or give the column its format in the job (format: {formats})',
    zh: '“{text}”的年份不在最前，无法读作日期；请使用日期单元格，或写成 2026-01-31，或在任务中为该列设置 format（{formats}）',
  },
  'mapping.no_end_date': {
    en: '"{text}" is not a date; leave the cell empty if there is no end date, or write {text}: none under values in the job',
    zh: '“{text}”不是日期；没有结束日期时请留空，或在任务的 values 中写明 {text}: none',
  },
  'mapping.not_date_format': {
    en: '"{text}" is not a date in the form {format}, which the job gives for this column; correct it, or add its form: format may be a list',
    zh: '“{text}”不符合任务为该列设置的日期格式 {format}；请更正，或补充该写法：format 可以是列表',
  },
  'mapping.not_date_format_iso': {
    en: '"{text}" is not a date in the form {format}, which the job gives for this column; if it is right as it is, add yyyy-MM-dd: format may be a list',
    zh: '“{text}”不符合任务为该列设置的日期格式 {format}；若写法无误，请补充 yyyy-MM-dd：format 可以是列表',
  },
  'mapping.date_ambiguous': {
    en: '"{text}" is {date} by the format {format}, and {otherDate} by {otherFormat}; write it as one of these dates, or leave the wrong format out of the job',
    zh: '“{text}”按格式 {format} 为 {date}，按 {otherFormat} 为 {otherDate}；请改写成其中一个日期，或从任务中去掉不对的格式',
  },
  'mapping.unbelievable_date': {
    en: 'the date {text} lies outside the years 1990 to 2199; correct it',
    zh: '日期 {text} 不在 1990 年至 2199 年之间；请更正',
  },
  'mapping.number_is_written_date': {
    en: '{text} is a plain number, not a date; if it stands for {date}, give the column "format: {format}" in the job',
    zh: '{text} 是普通数字，不是日期；若表示 {date}，请在任务中为该列设置 format: {format}',
  },
  'mapping.number_in_other_unit': {
    en: '{text} is no point in time from 1990 to 2199 in {unit}, the unit of the connection; in {other} it would be {date}: write a date, or correct "timestamps" of the connection',
    zh: '{text} 按连接的单位 {unit} 不在 1990 至 2199 年之间；按 {other} 则为 {date}：请填写日期，或更正连接的 timestamps',
  },
  'mapping.number_is_excel_day': {
    en: '{text} looks like the number by which Excel keeps the date {date} ({later} where the workbook counts from 1904), whose cell lost its format; give the cell a date format again, or write 2026-01-31',
    zh: '{text} 看起来是 Excel 存储日期 {date}（采用 1904 日期系统的工作簿中为 {later}）的序列号，单元格的日期格式已丢失；请重新设为日期格式，或写成 2026-01-31',
  },
  'mapping.number_is_no_time': {
    en: '{text} is no date, and in {unit}, the unit of the connection, no point in time from 1990 to 2199; write a date such as 2026-01-31',
    zh: '{text} 不是日期，按连接的单位 {unit} 也不在 1990 至 2199 年之间；请填写日期，例如 2026-01-31',
  },
  'mapping.not_date_cell': {
    en: '{text} is no date; a day is needed, such as 2026-01-31',
    zh: '{text} 不是日期；此处需要某一天，例如 2026-01-31',
  },
  'mapping.no_such_date': {
    en: 'the date {text} does not exist; correct it',
    zh: '日期 {text} 不存在；请更正',
  },
  'mapping.skipped_time': {
    en: '{text} does not exist in the time zone {zone}, where clocks skip it; write another time',
    zh: '{text} 在时区 {zone} 中不存在（时钟拨快时被跳过）；请改写时间',
  },
  'mapping.invisible': {
    en: 'holds the invisible character {character} at position {position}: {shown}; type it again without it',
    zh: '第 {position} 个字符是不可见字符 {character}：{shown}；请去掉后重新输入',
  },
  'mapping.control': {
    en: 'holds the control character {character} at position {position}: {shown}; type it again without it',
    zh: '第 {position} 个字符是控制字符 {character}：{shown}；请去掉后重新输入',
  },
  'mapping.template_gap': {
    en: 'the cell is empty, but the identifier "{template}" is made with it; fill it in',
    zh: '单元格为空，但标识“{template}”需要用到它；请填写',
  },
  'mapping.expr_failed': {
    en: 'the expression {expr} cannot be worked out for this row: {detail}',
    zh: '无法对此行计算表达式 {expr}：{detail}',
  },
  'mapping.expr_list': {
    en: 'the expression gives a list ({text}), but this field takes a single value',
    zh: '表达式得到的是列表（{text}），但该字段只能是单个值',
  },

  // Results of earlier steps.
  'mapping.from_nothing': {
    en: 'a value is required here, but {from} is empty: the reply did not have it',
    zh: '此处必须有值，但 {from} 为空：平台的应答中没有该值',
  },
  'mapping.from_left_out': {
    en: 'a value is required here, but this row was left out of the step {step}, so there is no {from}; say with "else" what stands in its place',
    zh: '此处必须有值，但此行未参加步骤 {step}，因此没有 {from}；请用“else”说明用什么代替',
  },
  'mapping.from_several': {
    en: '{from} has {count} values, but {field} takes one',
    zh: '{from} 有 {count} 个值，而 {field} 只接受一个',
  },
  'mapping.from_count': {
    en: 'The job takes {from} into {field} (line {line}, column {column}), which takes one value, but row {row} asks for {count}; let each row ask for one, or take them into a field that takes several.',
    zh: '任务把 {from} 用于字段 {field}（第 {line} 行第 {column} 列），该字段只接受一个值，但第 {row} 行要求 {count} 个；请让每行只要求一个，或用于可含多个值的字段。',
  },
  'mapping.from_unfit': {
    en: '{from} is {value}, which does not fit: {detail}',
    zh: '{from} 为 {value}，不符合要求：{detail}',
  },
  'mapping.step_several': {
    en: '{from} has {count} values where an expression needs one',
    zh: '{from} 有 {count} 个值，而表达式需要单个值',
  },
  'mapping.when_failed': {
    en: 'the condition {when} cannot be worked out for this row: {detail}',
    zh: '无法对此行计算条件 {when}：{detail}',
  },

  // Rows and groups.
  'mapping.conflict': {
    en: 'here {value}, but in row {row} {other}; rows {rows} belong together and must agree',
    zh: '此处为{value}，而第 {row} 行为{other}；第 {rows} 行属于同一组，必须一致',
  },
  'mapping.key_empty': {
    en: 'the cells under {headers} are empty, so it cannot be told what this row belongs to; fill them in',
    zh: '{headers} 列的单元格为空，无法判断此行属于哪一组；请填写',
  },
  'mapping.key_empty_below': {
    en: '{empty} ({headers}) is empty, but {filled} is filled: it cannot be told which {field} this row belongs to, and it is not sent without. Fill in {empty}, or say in the job that an empty cell takes the value above it (source.fillDown: [{columns}])',
    zh: '{empty}（{headers}）为空，而 {filled} 已填写：无法判断此行属于哪个 {field}，因此不会发送。请填写 {empty}，或在任务中声明空单元格沿用上方的值（source.fillDown: [{columns}]）',
  },
  'mapping.array_empty': {
    en: 'this row gives none, but at least one is required',
    zh: '此行没有提供任何一项，但至少需要一项',
  },
  'mapping.array_empty_joined': {
    en: 'sheet {sheet} has no row for it ({on}: {key}), but at least one is required',
    zh: '工作表 {sheet} 中没有与之对应的行（{on}：{key}），但至少需要一行',
  },
  'mapping.rows_agree': {
    en: '{sheet}: rows {rows} agree in every mapped column and count once',
    zh: '{sheet}：第 {rows} 行在所有映射列上完全相同，只计一次',
  },
  'mapping.elements_agree': {
    en: '{sheet}: rows {rows} give the same {field} and each counts; if one is meant, group them with each in the map',
    zh: '{sheet}：第 {rows} 行给出相同的 {field}，各计一次；若只应有一项，请在映射中用 each 分组',
  },
} as const;
