/** What is said of rows when a run is planned: which are left out, held, or contradict each other. `zh` carries the same {names} as `en`. */
export const RUN_ROWS = {
  'run.in_records': {
    en: 'the returned numbers are in the sheet Records',
    zh: '返回的锁号在 Records 工作表中',
  },
  'run.in_export': {
    en: 'license-sync runs export {run} --output FILE.xlsx lists the returned numbers',
    zh: '用 license-sync runs export {run} --output FILE.xlsx 列出返回的锁号',
  },
  'run.filtered': {
    en: 'left out by the condition `where` of the job',
    zh: '被任务中的条件 where 排除',
  },
  'run.sent_before': {
    en: 'row {row} of run {run} succeeded, so it is not sent again; safety.duplicates: send sends it',
    zh: '运行 {run} 的第 {row} 行已成功（succeeded），因此不再发送；如需再次发送，请设置 safety.duplicates: send',
  },
  'run.hidden_skipped': {
    en: 'a hidden row; the job says hiddenRows: skip',
    zh: '隐藏行；任务设置为 hiddenRows: skip',
  },
  'run.hidden_refused': {
    en: '{file}, sheet {sheet}: {count} hidden rows (row {rows}). The job says hiddenRows: refuse; show or delete them, or set hiddenRows to include or skip.',
    zh: '{file} 的工作表 {sheet}：有 {count} 个隐藏行（第 {rows} 行）。任务设置为 hiddenRows: refuse；请取消隐藏或删除这些行，或将 hiddenRows 设为 include 或 skip。',
  },
  'run.hidden_rows': {
    en: 'sheet {sheet}: {count} of the rows are hidden (row {rows}); hiddenRows: {policy}',
    zh: '工作表 {sheet}：有 {count} 行处于隐藏状态（第 {rows} 行）；hiddenRows: {policy}',
  },
  'run.where_failed': {
    en: 'the condition {condition} (`where`) cannot be evaluated for this row: {detail}',
    zh: '无法对此行计算条件 {condition}（where）：{detail}',
  },
  'run.where_unknown_column': {
    en: '{job}:{line}:{column}: the condition `where` names the column "{name}", which sheet {sheet} does not have; its columns are: {known}',
    zh: '{job}:{line}:{column}：条件 where 引用了列“{name}”，但工作表 {sheet} 中没有该列；现有列：{known}',
  },
  'run.when_unknown_column': {
    en: '{job}:{line}:{column}: the condition `when` names the column "{name}", which sheet {sheet} does not have; its columns are: {known}',
    zh: '{job}:{line}:{column}：条件 when 引用了列“{name}”，但工作表 {sheet} 中没有该列；现有列：{known}',
  },
  'run.until_failed': {
    en: 'the condition {condition} (`until`) cannot be evaluated for this row, so it cannot be determined whether the table ends here: {detail}',
    zh: '无法对此行计算条件 {condition}（until），因此无法判断表格是否在此结束：{detail}',
  },
  'run.until_unknown_column': {
    en: '{job}:{line}:{column}: the condition `until` names the column "{name}", which sheet {sheet} does not have; its columns are: {known}',
    zh: '{job}:{line}:{column}：条件 until 引用了列“{name}”，但工作表 {sheet} 中没有该列；现有列：{known}',
  },
  'run.fill_down_unknown_column': {
    en: '{job}: source.fillDown names the column "{name}", which sheet {sheet} does not have; its columns are: {known}',
    zh: '{job}：source.fillDown 引用了列“{name}”，但工作表 {sheet} 中没有该列；现有列：{known}',
  },
  'run.held_above_joined': {
    en: 'row {rows} of sheet {sheet} has no key of its own ({headers}) and stands right below rows that belong here, so it may belong here too; correct it there',
    zh: '工作表 {sheet} 的第 {rows} 行没有自己的键（{headers}），且紧接在属于此处的行之下，可能也属于此处；请先更正该行',
  },
  'run.orphan_merged': {
    en: '{sheet}, row {row}: its cell {cell} under {on} lies under the merged range {range}, so it cannot be told which row of sheet {parent} it belongs to; set source.merged: fill, or unmerge the cells and fill them in',
    zh: '{sheet} 第 {row} 行：{on} 列的单元格 {cell} 位于合并区域 {range} 之下，无法判断它属于工作表 {parent} 的哪一行；请设置 source.merged: fill，或取消合并并逐格填写',
  },
  'run.held_above': {
    en: 'held back: row {rows} beside it has no key of its own, or none that is certain, and may belong to this row; correct it there',
    zh: '暂不发送：相邻的第 {rows} 行没有自己的键或键不确定，可能属于此行；请先更正该行',
  },
  'run.repeated_key': {
    en: 'the same item as row {rows}: orders and records must stand once in a file; remove one, or make them differ in what identifies them',
    zh: '与第 {rows} 行是同一项：每个订单或记录在文件中只能出现一次；请删除其中一行，或修改标识它们的内容',
  },
  'run.contradiction': {
    en: 'row {rows} names {value} as well, with other content: {differs}. One file can ask for one of them only; keep one row, or make them agree',
    zh: '第 {rows} 行也指定了 {value}，但内容不同：{differs}。同一文件只能要求其中一种；请只保留一行，或使各行一致',
  },
  'run.conflict_in_file': {
    en: '{asset} is ordered for another customer in row {rows}',
    zh: '锁号 {asset} 在第 {rows} 行为另一客户下单',
  },
  'run.conflict_customer': {
    en: '{asset} was ordered for another customer: {other}',
    zh: '锁号 {asset} 已为另一客户下单：{other}',
  },
  'run.conflict_refused': {
    en: '{why}. Correct the asset number or the customer. If the lock was moved, set transferedAssetNum to true; to send the row unchanged, use --set safety.conflicts=warn',
    zh: '{why}。请更正锁号或客户；如该锁已转给新客户，请将 transferedAssetNum 设为 true；如需原样发送，请使用 --set safety.conflicts=warn',
  },
  'run.conflict_row': { en: 'row {row}: {why}', zh: '第 {row} 行：{why}' },
  'run.only_conflicts': {
    en: '--set {argument}: a command that continues what was planned accepts safety.conflicts=warn or safety.conflicts=abort only',
    zh: '--set {argument}：继续执行已生成的计划时，只能设置 safety.conflicts=warn 或 safety.conflicts=abort',
  },
  'run.conflict_since': {
    en: '{count} rows cannot be sent, because other runs changed their locks or are about to; the first is row {row}: {why}. Nothing more was sent. To send the other rows, run the file again with --on-invalid skip',
    zh: '有 {count} 行不能发送，因为其他运行已更改或即将更改其加密锁；首先是第 {row} 行：{why}。未再发送任何内容。如需发送其余各行，请使用 --on-invalid skip 重新运行该文件',
  },
  'run.invalid_together': {
    en: 'not sent: it belongs together with row {rows}, which is invalid',
    zh: '未发送：它与无效的第 {rows} 行属于同一项',
  },
  'run.held_done': {
    en: 'run {run} already got this through (its row {row}, {status}); not sent again',
    zh: '运行 {run} 已经完成此项（其第 {row} 行，{status}）；不再发送',
  },
  'run.held_changed': {
    en: 'run {run} already got an item with this key through (its row {row}, {status}), but the content has changed since; give it a key of its own, or set safety.duplicates to send if it is really meant to go again',
    zh: '运行 {run} 已经完成了具有相同键的项（其第 {row} 行，{status}），但内容此后有变化；请为它设置新的键，若确需再次发送请将 safety.duplicates 设为 send',
  },
  'run.held_unknown': {
    en: 'run {run} may have sent this already (its row {row} is unknown); settle it first: license-sync resolve {run} --row {row}',
    zh: '运行 {run} 可能已经发送过此项（其第 {row} 行状态为 unknown）；请先处理：license-sync resolve {run} --row {row}',
  },
  'run.held_abort': {
    en: '{count} items were already got through or left unknown by earlier runs, the first by run {run}; the job says safety.duplicates: abort, so nothing was sent',
    zh: '有 {count} 项已由先前的运行完成或状态未知，第一项来自运行 {run}；任务设置为 safety.duplicates: abort，因此未发送任何内容',
  },
  'run.orphan': {
    en: '{sheet}, row {row}: no row of sheet {parent} has the key {key} ({on}, cell {cell}); correct the key in one of the sheets, or delete the row',
    zh: '{sheet} 第 {row} 行：工作表 {parent} 中没有键为 {key} 的行（{on}，单元格 {cell}）；请更正其中一个工作表的键，或删除该行',
  },
  'run.orphans': {
    en: '{file}: {count} rows of joined sheets belong to no row of sheet {parent}; nothing was sent. The first: {first}. The sheet Problems of the result lists them',
    zh: '{file}：所关联的工作表中有 {count} 行不属于工作表 {parent} 的任何行；未发送任何内容。第一处：{first}。结果中的 Problems 工作表列出了这些行',
  },
  'run.orphans_skipped': {
    en: '{file}: {count} rows of joined sheets belong to no row of sheet {parent} and were not sent. The first: {first}',
    zh: '{file}：所关联的工作表中有 {count} 行不属于工作表 {parent} 的任何行，未发送。第一处：{first}',
  },
  'run.same_sequence': {
    en: 'sequence {sequence} stands at row {row} too, in an order that may share its request; give each order its own sequence, leave sequence unmapped, or set batch.size to 1',
    zh: 'sequence {sequence} 在第 {row} 行已经出现，且两个订单可能在同一请求中；请为每个订单设置不同的 sequence、不映射 sequence，或将 batch.size 设为 1',
  },
  'run.row_unaccounted': {
    en: 'the ledger and the input do not agree at row {row} of {file}: the result would not add up and was not written. The ledger is whole; please report this.',
    zh: '账本与输入在 {file} 第 {row} 行不一致：结果无法对齐，因此未写出。账本完好；请报告此问题。',
  },
  'run.input_changed': {
    en: '{file} changed while it was being copied; close it in the other program and start again',
    zh: '{file} 在复制过程中发生了变化；请在其他程序中关闭它后重试',
  },
  'run.input_gone': {
    en: 'the copy of the input that run {run} keeps at {file} is missing or altered, so the run cannot go on; what was sent stands in the ledger',
    zh: '运行 {run} 保存的输入副本 {file} 缺失或被改动，无法继续；已发送的内容都在账本中',
  },
  'run.no_rows': {
    en: '{file}, sheet {sheet}: there is no row below the header in row {header}',
    zh: '{file} 的工作表 {sheet}：第 {header} 行表头之下没有数据行',
  },
} as const;
