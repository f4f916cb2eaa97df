/** Texts of `guess` and `init`, and the comments in the job files that they write. `zh` carries the same {names} as `en`. */
export const GUESS = {
  'guess.no_table': {
    en: '{file} has no row that looks like headers: a row of names above rows of data. Check that it is the right file, or add a row of headers.',
    zh: '{file} 中没有像表头的行：应有一行列名，其下为数据行。请确认文件是否正确，或添加一行表头。',
  },
  'guess.no_operation': {
    en: '{file}: the headers of sheet {sheet} ({headers}) fit no operation well enough; say which one is meant with --operation. `license-sync operations` lists them.',
    zh: '{file}：工作表 {sheet} 的表头（{headers}）与各操作均不够匹配；请用 --operation 指明操作。`license-sync operations` 可列出全部。',
  },
  'guess.which_operation': {
    en: '{file}: the columns of sheet {sheet} fit {candidates}, and nothing in the names of file, sheet and columns says what is to be done. Name the operation that is meant, as in --operation {first}.',
    zh: '{file}：工作表 {sheet} 的列适合 {candidates}，但文件名、工作表名和表头都没有说明要做什么。请指明所要的操作，例如 --operation {first}。',
  },
  'guess.which_operation_said': {
    en: '{file}: {words} speak for different operations ({candidates}). Name the one that is meant, as in --operation {first}.',
    zh: '{file}：{words} 分别指向不同的操作（{candidates}）。请用 --operation 指明，例如 --operation {first}。',
  },
  'guess.steps_customers': {
    en: 'This sheet holds customers and orders: {count} steps? --operation {operations} writes a job whose orders take the ids of the customers that it binds first.',
    zh: '此表同时包含客户和订单：是否分 {count} 步处理？使用 --operation {operations} 可生成先绑定客户、再以所得编号下单的任务。',
  },
  'guess.steps_numbers': {
    en: 'This sheet counts locks and has no numbers for them: {count} steps? --operation {operations} writes a job whose orders take the numbers that it allocates first.',
    zh: '此表只有锁的数量而没有锁号：是否分 {count} 步处理？使用 --operation {operations} 可生成先分配锁号、再下单的任务。',
  },
  'guess.exists': {
    en: '{file} exists already and was left as it is; choose another place with --output, or replace it with --force.',
    zh: '{file} 已存在，未作改动；请用 --output 指定其他位置，或用 --force 覆盖。',
  },
  'guess.not_yaml': {
    en: 'A job file ends in .yaml or .yml, not as {file} does.',
    zh: '任务文件应以 .yaml 或 .yml 结尾，而 {file} 不是。',
  },
  'guess.unwritable': {
    en: '{file} cannot be written ({reason}); choose another place.',
    zh: '无法写入 {file}（{reason}）；请选择其他位置。',
  },
  'guess.proposed': {
    en: 'operation {operation}: {matched} of its {required} required fields have a column, and {used} of {columns} columns are used{hint}',
    zh: '操作 {operation}：{required} 个必填字段中有 {matched} 个找到了对应的列，{columns} 列中用到 {used} 列{hint}',
  },
  'guess.proposed_hint': {
    en: '; "{hint}" speaks for it too',
    zh: '；“{hint}”也表明如此',
  },
  'guess.runner_up': {
    en: 'next likely: {operation} ({matched} of {required} required fields, {used} of {columns} columns); take it with --operation {operation}',
    zh: '其次可能是：{operation}（{required} 个必填字段中有 {matched} 个，{columns} 列中用到 {used} 列）；如需采用请加 --operation {operation}',
  },
  'guess.lacks': {
    en: 'no column was found for these required fields: {fields}. The comments in {file} say what to do; until then license-sync validate names them.',
    zh: '以下必填字段没有找到对应的列：{fields}。处理方法见 {file} 中的注释；在此之前 license-sync validate 会指出这些字段。',
  },
  'guess.schema_missing': {
    en: 'editors check the job by {schema}, which is not there yet: license-sync schema > {schema}',
    zh: '编辑器依据 {schema} 检查任务文件，但该文件尚不存在：license-sync schema > {schema}',
  },
  'guess.next': {
    en: 'look through {file}, then: license-sync validate {file}',
    zh: '请先查看 {file}，然后执行：license-sync validate {file}',
  },
  'guess.rows_cut': {
    en: 'only the first {rows} rows were looked at',
    zh: '仅查看了前 {rows} 行',
  },
  'guess.no_rows': {
    en: 'sheet {sheet} has no rows below its headers in row {row}, so only the headers were gone by',
    zh: '工作表 {sheet} 在第 {row} 行表头之下没有数据行，因此仅依据表头判断',
  },
  'guess.from_result': {
    en: 'this is the result of an earlier run; its result columns were set aside, and the job that made it reads it too (--input)',
    zh: '这是先前运行的结果文件；结果列已忽略，生成它的任务也可直接读取它（--input）',
  },
  'guess.joined': {
    en: 'sheet {sheet} belongs to the rows by {columns} and was joined',
    zh: '工作表 {sheet} 通过 {columns} 与各行对应，已关联',
  },
  'guess.head': {
    en: 'Guessed from {file}: look it through before the first run.',
    zh: '根据 {file} 推测生成：首次运行前请仔细核对。',
  },
  'guess.head_lacking': {
    en: 'Still to do: a column or a value for {fields}.',
    zh: '待补充：为 {fields} 指定列或值。',
  },
  'guess.where_proposed': {
    en: 'the job skips the rows with {no} under {column} (source.where); remove the condition if all rows are to be sent',
    zh: '任务会跳过“{column}”列为 {no} 的行（source.where）；如需发送所有行，请删除该条件',
  },
  'guess.read_as': {
    en: 'Read as {encoding}; add "encoding: {encoding}" if the next file should be read so whatever it looks like.',
    zh: '按 {encoding} 读取；如希望以后的文件一律如此读取，请添加“encoding: {encoding}”。',
  },
  'guess.unused': {
    en: 'Columns that nothing reads: {columns}',
    zh: '未使用的列：{columns}',
  },
  'guess.lacking': {
    en: 'No column was found for {field} (required): put the name of a column here, or `value: …` where it is always the same.',
    zh: '没有找到 {field}（必填）对应的列：请在此填写列名；若取值固定，请写成 `value: …`。',
  },
  'guess.lacking_nearest': {
    en: 'No column was found for {field} (required): put the name of a column here, or `value: …` where it is always the same. Unused columns that come nearest: {nearest}',
    zh: '没有找到 {field}（必填）对应的列：请在此填写列名；若取值固定，请写成 `value: …`。名称最接近的未用列：{nearest}',
  },
  'guess.lacking_used': {
    en: 'A column may feed several fields: "{column}" may do here too.',
    zh: '同一列可供多个字段使用：“{column}”列或许也可用于此处。',
  },
  'guess.lacking_values': {
    en: 'Allowed: {values}',
    zh: '允许的值：{values}',
  },
  'guess.by_content': {
    en: 'Is "{column}" the {field}? Its cells look like it, its header does not say so: check it.',
    zh: '“{column}”列是 {field} 吗？这是根据单元格内容（而非表头）判断的：请核对。',
  },
  'guess.likely': {
    en: 'Is "{column}" the {field}? It is likely and not sure: check it.',
    zh: '“{column}”列是 {field} 吗？很可能是，但不确定：请核对。',
  },
  'guess.likely_others': {
    en: 'Is "{column}" the {field}? It could be meant for {others} too: check it.',
    zh: '“{column}”列是 {field} 吗？也可能是 {others}：请核对。',
  },
  'guess.questions': {
    en: 'columns that are not sure: {columns}. The comments in {file} ask about each of them.',
    zh: '不确定的列：{columns}。{file} 中的注释逐一列出了问题。',
  },
  'guess.header_twice': {
    en: 'The header "{header}" stands above the columns {columns}, so none of them can be named: rename all but the right one in the spreadsheet.',
    zh: '表头“{header}”同时出现在 {columns} 列，无法按名称区分：请在表格中重命名，仅保留正确的一列使用该表头。',
  },
  'guess.dates_mixed': {
    en: 'Dates are written in several ways, of which these are read: {format}. Are all of them right?',
    zh: '日期写法不一，以下写法都会读取：{format}。是否都正确？',
  },
  'guess.dates_both_orders': {
    en: 'Some dates have the day first and some the month; most fit {format}, and the others would be read wrongly or be faults: correct them in the spreadsheet.',
    zh: '有的日期是日在前，有的是月在前；多数符合 {format}，其余会被误读或报错：请在表格中更正。',
  },
  'guess.day_first': {
    en: 'The day comes first, as {text} shows.',
    zh: '日在前，例如 {text}。',
  },
  'guess.month_first': {
    en: 'The month comes first, as {text} shows.',
    zh: '月在前，例如 {text}。',
  },
  'guess.order_from_others': {
    en: 'These dates leave open whether day or month comes first; {format} is how another column of the sheet is written.',
    zh: '这些日期无法判断日在前还是月在前；{format} 与该表另一列的写法一致。',
  },
  'guess.year_open': {
    en: 'Nothing in the data shows whether the year comes last or first: {format} is used; check it, or write {other}.',
    zh: '数据无法判断年份在最后还是最前：暂按 {format}；请核对，或改为 {other}。',
  },
  'guess.order_open': {
    en: 'Nothing in the data tells whether day or month comes first: {format} is taken; check it, or write {other}.',
    zh: '数据无法判断日在前还是月在前：暂按 {format}；请核对，或改为 {other}。',
  },
  'guess.date_serials': {
    en: '{count} cells hold numbers that look like dates without a date format: give the column a date format in the spreadsheet, or they are sent as plain numbers.',
    zh: '有 {count} 个单元格是数字，像是丢失日期格式的日期：请在表格中将该列设为日期格式，否则会按普通数字发送。',
  },
  'guess.many_values': {
    en: 'Too many different texts to list: those that are not values of {field} become faults; `values:` can translate them.',
    zh: '不同的文本过多，未逐一列出：不属于 {field} 取值的会报错；可用 `values:` 进行转换。',
  },
  'guess.other_order_types': {
    en: 'Rows with {texts} in "{column}" are for another operation: they are invalid here, so leave them out with `where` and give them a job of their own.',
    zh: '“{column}”列为 {texts} 的行属于其他操作：在此任务中无效，请用 `where` 排除，并为其另建任务。',
  },
  'guess.values_cut': {
    en: 'Further rows may hold other texts.',
    zh: '后面的行中可能还有其他文本。',
  },
  'guess.open_values': {
    en: 'What these texts stand for is not clear: complete the lines and remove the "#".',
    zh: '以下文本的含义不明确：请补全各行并去掉“#”。',
  },
  'guess.rows_share_order': {
    en: 'Rows with the same order number make one order.',
    zh: '订单号相同的行合为一个订单。',
  },
  'guess.element_by_row': {
    en: 'Every row of sheet {sheet} makes an element of its own, although some have the same {column}.',
    zh: '工作表 {sheet} 的每一行各成一项，即使其中有些行的 {column} 相同。',
  },
  'guess.default_customer': {
    en: 'All customers, not only the default one.',
    zh: '查询全部客户，而不仅是默认客户。',
  },
  'guess.no_usage_time': {
    en: 'No column was found: 0, as no usage time is accumulated.',
    zh: '没有找到对应的列：取 0，即不累计使用时长。',
  },
  'guess.no_trial': {
    en: 'No column was found: 0, no trial.',
    zh: '没有找到对应的列：取 0，即非试用。',
  },
  'guess.trial_end_from_end': {
    en: 'No column was found: the end of the product itself.',
    zh: '没有找到对应的列：取产品自身的到期日。',
  },
  'guess.uri_from_key': {
    en: 'No column was found: a product is named by its gmsPid or appKey (§2.3).',
    zh: '没有找到对应的列：产品以其 gmsPid 或 appKey 标识（§2.3）。',
  },
  'guess.time_unit': {
    en: 'By the header of the quantity; the interface lists no units.',
    zh: '根据数量列的表头判断；接口未列出可用单位。',
  },
  'init.job_head': {
    en: 'Runs on the sandbox as it is: put in your own rows, and your own headers where they differ.',
    zh: '可直接在沙箱中运行：请填入自己的数据；表头不同时，请改成自己的列名。',
  },
  'init.left_alone': {
    en: '{file} was there already and was left as it is',
    zh: '{file} 已存在，未作改动',
  },
  'init.not_a_folder': {
    en: '{folder} is a file; name a folder to set up.',
    zh: '{folder} 是文件；请指定要创建内容的文件夹。',
  },
  'init.next': {
    en: 'next: {commands}',
    zh: '下一步：{commands}',
  },
  'guess.no_column': {
    en: 'sheet {sheet} has no column for {name}: name one so, or by its usual words. Its headers are {headers}',
    zh: '工作表 {sheet} 中没有 {name} 对应的列：请以该字段名或其常用名称作为表头。现有表头：{headers}',
  },
  'guess.no_column_nearest': {
    en: 'sheet {sheet} has no column for {name}; the nearest is "{nearest}". Name the column that is meant {name}.',
    zh: '工作表 {sheet} 中没有 {name} 对应的列；最接近的是“{nearest}”。请将所指的列命名为 {name}。',
  },
  'guess.column_contested': {
    en: 'sheet {sheet}: the columns {first} and {second} may both be {name}. Name the one that is meant {name}.',
    zh: '工作表 {sheet}：{first} 列和 {second} 列都可能是 {name}。请将所指的列命名为 {name}。',
  },
} as const;
