/** Texts of source about tables and their rows, in any file: what is wrong, where, and what would be right. `zh` carries the same {names} as `en`. */
export const SOURCE = {
  // any file
  'source.file_format': {
    en: '{file}: files of the kind {extension} are not read. Open it in its program and save it as .xlsx (or as .csv in UTF-8).',
    zh: '{file}：不支持读取 {extension} 格式的文件。请用相应程序打开后另存为 .xlsx（或 UTF-8 编码的 .csv）。',
  },
  'source.file_extension': {
    en: '{file}: the extension {extension} tells no text table, and the content is no workbook; .xlsx, .xlsm, .xls, .xlsb and .ods are read, and text as .csv, .tsv and .txt. Rename the file or save it as one of these.',
    zh: '{file}：扩展名 {extension} 不是可识别的文本表格，内容也不是工作簿；支持 .xlsx、.xlsm、.xls、.xlsb 和 .ods，文本支持 .csv、.tsv 和 .txt。请改名或另存为其中一种。',
  },
  'source.file_is_folder': {
    en: '{file}: this is a folder; name the file in it.',
    zh: '{file}：这是文件夹，请指定其中的文件。',
  },
  'source.file_unreadable': {
    en: '{file}: the file cannot be read ({reason}). Check that you may read it and that no other program holds it.',
    zh: '{file}：无法读取文件（{reason}）。请确认您有读取权限，且文件未被其他程序占用。',
  },
  // text tables
  'source.csv_encoding_far': {
    en: '{file}: there is no encoding "{encoding}" (source.encoding); there are {known} and others.',
    zh: '{file}：不存在编码“{encoding}”（source.encoding）；可用的有 {known} 等。',
  },
  'source.csv_encoding_unknown': {
    en: '{file}: there is no encoding "{encoding}" (source.encoding); near it: {near}.',
    zh: '{file}：不存在编码“{encoding}”（source.encoding）；相近的有：{near}。',
  },
  'source.csv_encoding_unclear': {
    en: '{file}: the encoding of this text cannot be told for sure; it is not UTF-8 and reads as nonsense in GB18030. Save it as "CSV UTF-8", or name the encoding: source.encoding in the job, --encoding of guess (gb18030, big5, windows-1252, …).',
    zh: '{file}：无法确定此文本的编码；它不是 UTF-8，按 GB18030 读取则不像正常文字。请另存为“CSV UTF-8”，或指定编码：任务中的 source.encoding，或 guess 的 --encoding（gb18030、big5、windows-1252 等）。',
  },
  'source.csv_encoding_both': {
    en: '{file}: this text can be read as UTF-8 and as Chinese in GBK. Name the encoding: source.encoding in the job, --encoding of guess (gbk or utf-8), or save the file as "CSV UTF-8".',
    zh: '{file}：此文本既可按 UTF-8 读取，也可按 GBK 读取为中文。请指定编码：任务中的 source.encoding，或 guess 的 --encoding（gbk 或 utf-8），或另存为“CSV UTF-8”。',
  },
  'source.csv_encoding_taken': {
    en: '{file}: read as {encoding}; the file does not say so itself. If the text looks wrong, name the encoding in the job (source.encoding).',
    zh: '{file}：按 {encoding} 读取（文件本身没有标明）。如果文字显示不正确，请在任务中指定编码（source.encoding）。',
  },
  'source.csv_undecodable': {
    en: '{file}: the text is not valid {encoding} (from about byte {offset} on). Save it as "CSV UTF-8", or correct the encoding in the job (source.encoding).',
    zh: '{file}：文本不是有效的 {encoding}（约从第 {offset} 字节起）。请另存为“CSV UTF-8”，或更正任务中的编码（source.encoding）。',
  },
  'source.csv_utf32': {
    en: '{file}: the text is in UTF-32, which is not read. Save it as "CSV UTF-8".',
    zh: '{file}：文本采用 UTF-32 编码，不支持读取。请另存为“CSV UTF-8”。',
  },
  'source.csv_delimiter': {
    en: '{file}: "{delimiter}" is no delimiter (source.delimiter); give auto or one character, such as , or ; or tab.',
    zh: '{file}：“{delimiter}”不能作为分隔符（source.delimiter）；请填写 auto 或单个字符，例如 , 或 ; 或 tab。',
  },
  'source.csv_quote_open': {
    en: '{file}, row {row}: the quotation mark opened in column {column} is never closed, so the rest of the file would melt into one cell. Close it, or double it if it belongs to the text.',
    zh: '{file} 第 {row} 行：第 {column} 列的引号没有结束，其后的内容会全部并入一个单元格。请补上结束引号；如果引号属于内容，请写成两个引号。',
  },
  'source.csv_text_after_quote': {
    en: 'after the closing quotation mark there is still text ({text}), so the line may have shifted; a quotation mark is missing or too many. Close the quotes properly, or double those that belong to the text',
    zh: '结束引号之后仍有内容（{text}），该行可能已错位：缺少或多出了引号。请正确配对引号；如果引号属于内容，请写成两个引号',
  },
  'source.csv_quote_inside': {
    en: 'a quotation mark stands inside a value that has none around it ({text}), so the line may have shifted; put the value in quotation marks and double those inside it, or delete the mark',
    zh: '未用引号括起的值中含有引号（{text}），该行可能已错位；请用引号括起该值并将其中的引号写成两个，或删除该引号',
  },
  'source.csv_record_size': {
    en: '{file}, row {row}: the row is larger than {limit} MB; probably a quotation mark is never closed. Close it, or double it if it belongs to the text.',
    zh: '{file} 第 {row} 行：该行超过 {limit} MB；可能是引号没有结束。请补上结束引号；如果引号属于内容，请写成两个引号。',
  },
  'source.csv_fields': {
    en: '{file}, row {row}: the row has more than {limit} fields, the most that a sheet has columns; probably its line breaks are missing, or the delimiter is another one. Export the file again, or name the delimiter in the job (source.delimiter).',
    zh: '{file} 第 {row} 行：该行的字段超过 {limit} 个，即工作表的最大列数；可能缺少换行，或分隔符不对。请重新导出文件，或在任务中指定分隔符（source.delimiter）。',
  },
  'source.csv_nul': {
    en: '{file}, row {row}, cell {cell}: the text holds a NUL character, so the file is damaged or is no text. Export it again.',
    zh: '{file} 第 {row} 行单元格 {cell}：文本中含有 NUL 字符，说明文件已损坏或不是文本。请重新导出。',
  },
  'source.csv_cell_length': {
    en: '{file}, row {row}, cell {cell}: the text has {length} characters; a cell holds {limit} at most. Shorten it, or look for a quotation mark that is not closed.',
    zh: '{file} 第 {row} 行单元格 {cell}：文本有 {length} 个字符，单元格最多容纳 {limit} 个。请缩短内容，或检查是否有未结束的引号。',
  },
  'source.csv_row_cut_off': {
    en: 'the file ends in this line without a line end, and the line has fewer fields ({found}) than the header in row {header} ({expected}): the file may be cut off. Get the complete file, or complete the line',
    zh: '文件在该行结束且没有换行符，该行有 {found} 个字段，而第 {header} 行表头有 {expected} 个：文件可能不完整。请获取完整的文件，或补全该行',
  },
  'source.csv_short_lines': {
    en: 'sheet {sheet}: {count} of the lines have fewer fields than the header; the missing fields were read as empty (row {rows})',
    zh: '工作表 {sheet}：有 {count} 行的字段少于表头；缺少的字段按空值读取（第 {rows} 行）',
  },
  'source.csv_row_long': {
    en: 'the line has more fields ({found}) than the header in row {header} ({expected}), so its cells may stand in the wrong columns: probably a delimiter stands inside a value. Put that value in quotation marks',
    zh: '该行有 {found} 个字段，而第 {header} 行表头有 {expected} 个，单元格可能不在正确的列中：可能某个值中含有分隔符。请用引号括起该值',
  },
  'source.csv_no_header': {
    en: 'this cell is filled, but the header in row {header} is empty there, so the line may have shifted: probably a delimiter stands inside a value. Put that value in quotation marks, or give the column a header',
    zh: '此单元格有内容，但第 {header} 行表头在该列为空，该行可能已错位：可能某个值中含有分隔符。请用引号括起该值，或为该列填写表头',
  },
  'source.value_above_lost': {
    en: 'this empty cell takes the value above it (source.fillDown), but the line of row {above} is at fault, so that value cannot be told. Correct row {above}, or fill in the cell',
    zh: '此空单元格沿用上方的值（source.fillDown），但第 {above} 行有误，无法确定该值。请更正第 {above} 行，或填写此单元格',
  },
  'source.csv_header_fault': {
    en: '{file}, row {row}: the header line itself is at fault, so it cannot be told which column is which. Correct it in the file.',
    zh: '{file} 第 {row} 行：表头行本身有误，无法判断各列的含义。请在文件中更正。',
  },
  // tables
  'source.sheet_missing': {
    en: '{file}: there is no sheet "{sheet}"; the sheets are: {all}.',
    zh: '{file}：没有工作表“{sheet}”；现有工作表：{all}。',
  },
  'source.sheet_missing_near': {
    en: '{file}: there is no sheet "{sheet}"; did you mean "{near}"? The sheets are: {all}.',
    zh: '{file}：没有工作表“{sheet}”；是否为“{near}”？现有工作表：{all}。',
  },
  'source.sheet_position': {
    en: '{file}: there is no worksheet at position {position}; the sheets are: {all}.',
    zh: '{file}：第 {position} 个位置没有工作表；现有工作表：{all}。',
  },
  'source.sheet_none_visible': {
    en: '{file}: no worksheet is visible; name the one to read in the job (source.sheet). The sheets are: {all}.',
    zh: '{file}：没有可见的工作表；请在任务中指定要读取的工作表（source.sheet）。现有工作表：{all}。',
  },
  'source.header_missing': {
    en: '{file}, sheet {sheet}: row {row} should hold the column headers, but it is empty. Set source.headerRow to the row that holds them.',
    zh: '{file} 的工作表 {sheet}：第 {row} 行应为列标题，但该行为空。请将 source.headerRow 设为标题所在的行。',
  },
  'source.header_missing_elsewhere': {
    en: '{file}, sheet {sheet}: row {row} should hold the column headers, but it is empty. Row {found} looks like the header: set source.headerRow to {found} (headerRow: {found}).',
    zh: '{file} 的工作表 {sheet}：第 {row} 行应为列标题，但该行为空。第 {found} 行看起来是标题行：请将 source.headerRow 设为 {found}（headerRow: {found}）。',
  },
  'source.header_elsewhere': {
    en: 'the job takes row {header} of sheet {sheet} for the header, but row {row} holds the columns that are missing: set source.headerRow (headerRow: {row})',
    zh: '任务把工作表 {sheet} 的第 {header} 行当作标题行，而缺少的列位于第 {row} 行：请设置 source.headerRow（headerRow: {row}）',
  },
  'source.header_elsewhere_joined': {
    en: 'the headers of a joined sheet stand in row {header}, but sheet {sheet} has the columns that are missing in row {row}: delete the rows above it',
    zh: '被关联的工作表的标题应位于第 {header} 行，而工作表 {sheet} 中缺少的列位于第 {row} 行：请删除其上方的行',
  },
  'source.header_other_sheet': {
    en: 'the job reads sheet {sheet}, but row {row} of sheet {other} has the columns that are missing: if that is the table, set sheet: {other} and headerRow: {row} in source',
    zh: '任务读取的是工作表 {sheet}，而缺少的列位于工作表 {other} 的第 {row} 行：若应读取该表，请在 source 中设置 sheet: {other} 和 headerRow: {row}',
  },
  // rows of a table that are none of its data
  'source.row_note': {
    en: 'no cell of this row that the job reads is filled; it is passed over',
    zh: '此行中任务所读取的单元格均为空，已略过',
  },
  'source.row_header': {
    en: 'this row repeats the header; it is passed over',
    zh: '此行重复了标题行，已略过',
  },
  'source.row_total': {
    en: 'a row of totals ("{text}"); it is skipped. If it is data, change that text',
    zh: '合计行（“{text}”），已略过；若为数据行，请修改该文字',
  },
  'source.row_form': {
    en: 'a row below the data with the label "{text}" and without a key; it is skipped',
    zh: '数据下方带有“{text}”且没有键的行，已略过',
  },
  'source.forms_skipped': {
    en: 'sheet {sheet}: {count} of the rows below the data are labels of a form without a key and were skipped (row {rows})',
    zh: '工作表 {sheet}：数据下方有 {count} 行是没有键的表单标签，已略过（第 {rows} 行）',
  },
  'source.row_ended': {
    en: 'below the end of the table, which is row {end} by source.until',
    zh: '位于表格结束之后：按 source.until，表格在第 {end} 行之前结束',
  },
  'source.row_footer': {
    en: 'below the end of the table, which is row {end} by source.until; only one field is filled and no complete line follows, so it is read as the footer of a report',
    zh: '位于表格结束之后：按 source.until，表格在第 {end} 行之前结束；只填写了一个字段且其后没有完整的行，视为报表页脚',
  },
  'source.footers_skipped': {
    en: 'sheet {sheet}: {count} of the lines below the end of the table (row {end}) have only one filled field and were ignored as the footer of a report (row {rows})',
    zh: '工作表 {sheet}：表格结束（第 {end} 行）之后有 {count} 行只填写了一个字段，视为报表页脚，已忽略（第 {rows} 行）',
  },
  'source.row_beyond': {
    en: "source.until ends the table before row {end}, but this cell below is filled and may be data; correct source.until, or move what is no data out of the table's columns",
    zh: '按 source.until，表格在第 {end} 行之前结束，但其下的此单元格已填写，可能是数据；请更正 source.until，或把非数据内容移出表格各列',
  },
  'source.row_total_key': {
    en: '"{text}" in {cell} is the label of a total, so this row is not data; exclude it with source.where (or delete the row), or end the table before it with source.until',
    zh: '{cell} 中的“{text}”是汇总行的标签，此行不是数据；请用 source.where 排除此行（或删除它），或用 source.until 使表格在其之前结束',
  },
  'source.row_subtotal': {
    en: '{cell} is a formula with SUBTOTAL or AGGREGATE, so this row is a subtotal of other rows; exclude it with source.where (or delete the row), or end the table before it with source.until; if it is data, replace the formula by its value',
    zh: '{cell} 是含 SUBTOTAL 或 AGGREGATE 的公式，此行是其他行的汇总；请用 source.where 排除此行（或删除它），或用 source.until 使表格在其之前结束；若此行是数据，请用公式的值替换公式',
  },
  'source.formulas_pending': {
    en: 'sheet {sheet}: the file says that its formulas must be calculated on opening; their stored results were read (first in {cell}); to be sure of them, open the file in Excel, save it, and run again',
    zh: '工作表 {sheet}：文件标明打开时需重新计算公式；已按保存的结果读取（首个在 {cell}）；为确保无误，请用 Excel 打开并保存文件后再运行',
  },
  'source.formula_zero': {
    en: '{cell}: every formula in the column "{header}" has the result 0; the program that wrote the file may not have calculated it; check the value, or open the file in Excel, save it, and run again',
    zh: '{cell}：“{header}”列所有公式的结果都是 0；写入该文件的程序可能没有计算公式；请核对，或用 Excel 打开并保存文件后再运行',
  },
  'source.formula_zero_more': {
    en: 'sheet {sheet}: the formulas in the column "{header}" have the result 0 in {count} further rows (row {rows})',
    zh: '工作表 {sheet}：“{header}”列的公式在另外 {count} 行的结果也是 0（第 {rows} 行）',
  },
  'source.struck_out': {
    en: 'sheet {sheet}: {count} of the cells that were read are struck out, in whole or in part: {cells}; they were read as if they were not; clear them or exclude their rows if they do not apply',
    zh: '工作表 {sheet}：读取的单元格中有 {count} 个全部或部分带删除线：{cells}；已照常读取；若已作废，请清空单元格或排除这些行',
  },
  'source.row_total_doubtful': {
    en: '"{text}" in {word} makes this look like a row of totals, but {cell}, where an identifier belongs, is filled and the key is empty; if it is a total, delete the row, else fill in its key',
    zh: '{word} 中的“{text}”使此行像是合计行，但应填标识的 {cell} 已填写，而键为空；如为合计，请删除此行，否则请填写其键',
  },
  'source.row_spread': {
    en: '"{text}" is merged over {range} and is all that the job reads in this row: a title or a note by all appearances, not data; move it out of the columns of the table, or take the merge apart and fill in each cell',
    zh: '“{text}”合并占据 {range}，且任务在此行只读到它：看来是标题或备注而非数据；请将其移出表格各列，或取消合并并逐格填写',
  },
  'source.notes_skipped': {
    en: 'sheet {sheet}: {count} of the rows fill no column that the job reads and were passed over (row {rows})',
    zh: '工作表 {sheet}：有 {count} 行未填写任务所读取的任何列，已略过（第 {rows} 行）',
  },
  'source.headers_skipped': {
    en: 'sheet {sheet}: {count} of the rows repeat the header and were passed over (row {rows})',
    zh: '工作表 {sheet}：有 {count} 行重复了标题行，已略过（第 {rows} 行）',
  },
  'source.totals_skipped': {
    en: 'sheet {sheet}: {count} of the rows are totals and were skipped (row {rows})',
    zh: '工作表 {sheet}：有 {count} 行是合计行，已略过（第 {rows} 行）',
  },
  'source.table_ended': {
    en: 'sheet {sheet}: by source.until the table ends before row {end}; {count} of the rows stand below its end and were not read (row {rows})',
    zh: '工作表 {sheet}：按 source.until，表格在第 {end} 行之前结束；有 {count} 行位于其后，未读取（第 {rows} 行）',
  },
  // rows that the program keeps for itself
  'source.rows_foreign': {
    en: '{file}: this is no file of rows kept by license-sync. Name a spreadsheet (.xlsx, .csv, .tsv) as the source.',
    zh: '{file}：这不是由 license-sync 保存的行文件。请将电子表格（.xlsx、.csv、.tsv）指定为数据源。',
  },
  'source.rows_version': {
    en: '{file}: the kept rows are of version {version}; this program knows version {known}. Use the version of license-sync that wrote the file.',
    zh: '{file}：所保存的行为版本 {version}，而本程序只支持版本 {known}。请使用写入该文件的 license-sync 版本。',
  },
  'source.rows_damaged': {
    en: '{file}, line {line}: the kept rows were cut off or altered, so nothing of them is used. Start over from the job that they were kept for.',
    zh: '{file} 第 {line} 行：所保存的行已被截断或改动，因此一行也不会使用。请从产生该文件的任务重新开始。',
  },
} as const;
