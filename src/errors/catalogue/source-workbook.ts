/** Texts of source about .xlsx files, from the package to the cell: what is wrong, where, and what would be right. `zh` carries the same {names} as `en`. */
export const SOURCE_WORKBOOK = {
  // .xlsx: the file is something else
  'source.xlsx_unreadable': {
    en: '{file}: the file cannot be opened ({reason}). Check that it is there and that you may read it.',
    zh: '{file}：无法打开文件（{reason}）。请确认文件存在且您有读取权限。',
  },
  'source.xlsx_empty_file': {
    en: '{file}: the file is empty (0 bytes). Export or save the workbook again.',
    zh: '{file}：文件是空的（0 字节）。请重新导出或保存该工作簿。',
  },
  'source.xlsx_is_html': {
    en: '{file}: this is a web page (HTML or XML text), not a workbook. Open it in Excel and save it as .xlsx.',
    zh: '{file}：这是网页（HTML 或 XML 文本），不是工作簿。请用 Excel 打开并另存为 .xlsx。',
  },
  'source.xlsx_is_text': {
    en: '{file}: this is plain text, not a workbook. Name it .csv (or .tsv), or open it in Excel and save it as .xlsx.',
    zh: '{file}：这是纯文本，不是工作簿。请把扩展名改为 .csv（或 .tsv），或者用 Excel 打开并另存为 .xlsx。',
  },
  'source.xlsx_is_other_office': {
    en: '{file}: this is a presentation or a text document, not a workbook. Choose the workbook.',
    zh: '{file}：这是演示文稿或文字文档，不是工作簿。请选择工作簿文件。',
  },
  'source.xlsx_not_a_workbook': {
    en: '{file}: this is not a workbook; it does not begin as one. Export or save the workbook again.',
    zh: '{file}：这不是工作簿，文件开头不符合该格式。请重新导出或保存该工作簿。',
  },
  // .xlsx: the package
  'source.zip_truncated': {
    en: '{file}: the file is cut off, or damaged at its end. Copy or download it again.',
    zh: '{file}：文件不完整，末尾缺失或损坏。请重新复制或下载。',
  },
  'source.zip_damaged': {
    en: '{file}: the file is damaged; its table of contents cannot be read. Copy or download it again, or open it in Excel and save it anew.',
    zh: '{file}：文件已损坏，无法读取其目录。请重新复制或下载，或者用 Excel 打开后另存。',
  },
  'source.zip_no_entries': {
    en: '{file}: the package is empty; it holds no workbook. Export or save the workbook again.',
    zh: '{file}：压缩包是空的，里面没有工作簿。请重新导出或保存该工作簿。',
  },
  'source.zip_entries': {
    en: '{file}: the package holds {count} entries; at most {limit} are accepted. Save the workbook anew in Excel.',
    zh: '{file}：压缩包内有 {count} 个条目，最多接受 {limit} 个。请用 Excel 打开后另存。',
  },
  'source.zip_name': {
    en: '{file}: an entry of the package has the unsafe name "{name}". Files like this are refused; save the workbook anew in Excel.',
    zh: '{file}：压缩包内有不安全的条目名“{name}”。此类文件会被拒绝，请用 Excel 打开后另存。',
  },
  'source.zip_duplicate': {
    en: '{file}: the package holds the entry "{name}" twice, so its content is ambiguous. Save the workbook anew in Excel.',
    zh: '{file}：压缩包内条目“{name}”出现了两次，内容有歧义。请用 Excel 打开后另存。',
  },
  'source.zip_inflated': {
    en: '{file}: unpacked, the file would be larger than {limit} GB. Split it into smaller workbooks.',
    zh: '{file}：解压后的内容超过 {limit} GB。请拆分成较小的工作簿。',
  },
  'source.zip_entry_encrypted': {
    en: '{file}: the entry "{name}" is protected by a zip password. Save the workbook again without a password.',
    zh: '{file}：条目“{name}”设有 ZIP 密码。请去掉密码后重新保存工作簿。',
  },
  'source.zip_method': {
    en: '{file}: the entry "{name}" is compressed by method {method}, which workbooks do not use. Save the workbook anew in Excel.',
    zh: '{file}：条目“{name}”使用了压缩方式 {method}，工作簿不应使用该方式。请用 Excel 打开后另存。',
  },
  'source.zip_entry_damaged': {
    en: '{file}: the entry "{name}" is damaged; it cannot be unpacked. Copy or download the file again, or open it in Excel and save it anew.',
    zh: '{file}：条目“{name}”已损坏，无法解压。请重新复制或下载，或者用 Excel 打开后另存。',
  },
  'source.zip_crc': {
    en: '{file}: the entry "{name}" is damaged; its checksum does not match. Copy or download the file again, or open it in Excel and save it anew.',
    zh: '{file}：条目“{name}”已损坏，校验和不符。请重新复制或下载，或者用 Excel 打开后另存。',
  },
  'source.zip_size': {
    en: '{file}: the entry "{name}" unpacks to another size than the package states. Copy or download the file again, or open it in Excel and save it anew.',
    zh: '{file}：条目“{name}”解压后的大小与目录记录不符。请重新复制或下载，或者用 Excel 打开后另存。',
  },
  // .xlsx: the workbook
  'source.xlsx_no_workbook': {
    en: '{file}: the package holds no workbook part, so it is none. Export or save the workbook again.',
    zh: '{file}：压缩包内没有工作簿部件，不是工作簿。请重新导出或保存该工作簿。',
  },
  'source.xlsx_no_sheets': {
    en: '{file}: the workbook names no worksheet. Open it in Excel, add a sheet with the data and save it.',
    zh: '{file}：工作簿中没有任何工作表。请用 Excel 打开，添加含数据的工作表后保存。',
  },
  'source.xlsx_sheet_missing': {
    en: '{file}: the workbook names the sheet "{sheet}", but its content is not in the file. Open it in Excel, let it repair the file and save it.',
    zh: '{file}：工作簿列出了工作表“{sheet}”，但文件中没有它的内容。请用 Excel 打开，修复后保存。',
  },
  'source.xlsx_part_broken': {
    en: '{file}: {part} is not readable XML near byte {offset}. Open the file in Excel, let it repair it and save it.',
    zh: '{file}：{part} 在第 {offset} 字节附近不是有效的 XML。请用 Excel 打开，修复后保存。',
  },
  'source.xlsx_dtd': {
    en: '{file}: {part} contains a document type definition (DTD), which no workbook needs and which may be an attack. The file is refused.',
    zh: '{file}：{part} 含有文档类型定义（DTD）。正常的工作簿不需要它，可能是攻击，因此拒绝该文件。',
  },
  'source.xlsx_entity': {
    en: '{file}: {part} uses the unknown entity "{entity}" near byte {offset}. Open the file in Excel, let it repair it and save it.',
    zh: '{file}：{part} 在第 {offset} 字节附近使用了未知实体“{entity}”。请用 Excel 打开，修复后保存。',
  },
  'source.xlsx_encoding': {
    en: '{file}: {part} is not valid text in its encoding {encoding}. Open the file in Excel and save it anew.',
    zh: '{file}：{part} 的内容不符合其编码 {encoding}。请用 Excel 打开后另存。',
  },
  'source.xlsx_part_too_large': {
    en: '{file}: {part} is larger than {limit} MB, though it only describes the workbook. Open the file in Excel and save it anew.',
    zh: '{file}：{part} 只是对工作簿的描述，却超过 {limit} MB。请用 Excel 打开后另存。',
  },
  'source.xlsx_strings_too_large': {
    en: '{file}: the workbook holds more than {limit} MB of distinct text. Split it into smaller workbooks.',
    zh: '{file}：工作簿中的不同文本超过 {limit} MB。请拆分成较小的工作簿。',
  },
  // .xlsx: rows and cells
  'source.xlsx_row_order': {
    en: '{file}, sheet {sheet}: row {row} stands after row {previous}; rows must come once each, in ascending order. Open the file in Excel, let it repair it and save it.',
    zh: '{file}，工作表 {sheet}：第 {row} 行出现在第 {previous} 行之后；各行必须按升序且只出现一次。请用 Excel 打开，修复后保存。',
  },
  'source.xlsx_row_number': {
    en: '{file}, sheet {sheet}: "{value}" (after row {previous}) is no row number; 1 to 1048576 would be right. Open the file in Excel, let it repair it and save it.',
    zh: '{file}，工作表 {sheet}：第 {previous} 行之后的“{value}”不是有效行号，应为 1 到 1048576。请用 Excel 打开，修复后保存。',
  },
  'source.xlsx_row_too_large': {
    en: '{file}, sheet {sheet}, row {row}: the row holds more than {limit} MB of text. Shorten its cells.',
    zh: '{file}，工作表 {sheet}，第 {row} 行：该行文本超过 {limit} MB。请缩短单元格内容。',
  },
  'source.xlsx_cell_reference': {
    en: '{file}, sheet {sheet}, row {row}: "{reference}" is not the address of a cell in this row. Open the file in Excel, let it repair it and save it.',
    zh: '{file}，工作表 {sheet}，第 {row} 行：“{reference}”不是本行单元格的地址。请用 Excel 打开，修复后保存。',
  },
  'source.xlsx_cell_twice': {
    en: '{file}, {sheet}!{cell}: the cell occurs twice, so its value is ambiguous. Open the file in Excel, let it repair it and save it.',
    zh: '{file}，{sheet}!{cell}：该单元格出现了两次，值有歧义。请用 Excel 打开，修复后保存。',
  },
  'source.xlsx_cell_too_long': {
    en: '{file}, {sheet}!{cell}: the text is longer than {limit} characters, the most that a cell can hold. Shorten it.',
    zh: '{file}，{sheet}!{cell}：文本超过 {limit} 个字符，即单元格的上限。请缩短内容。',
  },
  'source.xlsx_string_index': {
    en: '{file}, {sheet}!{cell}: the cell refers to shared text number {index}, but the workbook holds {count}. Open the file in Excel, let it repair it and save it.',
    zh: '{file}，{sheet}!{cell}：该单元格引用了第 {index} 条共享文本，但工作簿中只有 {count} 条。请用 Excel 打开，修复后保存。',
  },
} as const;
