/**
 * What is said at the console's pages in place of a text that names commands or flags, where naming the button instead
 * (`../at-page.ts`) would not make it a sentence. Each code is that of the text it stands for, with no more {names}.
 */
export const AT_PAGE = {
  'argument.is_spreadsheet': {
    en: '{given} is a spreadsheet, not {what}.',
    zh: '{given} 是表格文件，不是{what}。',
  },
  'argument.is_folder': { en: '{given} is a folder, not {what}.', zh: '{given} 是文件夹，不是{what}。' },
  'argument.is_job': { en: '{given} is a job file, not {what}.', zh: '{given} 是任务文件，不是{what}。' },
  'argument.is_run': {
    en: '{given} is the id of a run, not {what}.',
    zh: '{given} 是运行记录的编号，不是{what}。',
  },
  'argument.is_operation': { en: '{given} is an operation, not {what}.', zh: '{given} 是操作，不是{what}。' },
  'run.canary_waits': {
    en: 'the first items are through ({good} of {settled}); the other {left} wait until somebody has looked: Resume sends them',
    zh: '首批已完成（{settled} 项中成功 {good} 项）；其余 {left} 项等待查看：点击“继续”即发送',
  },
  'run.canary_failed': {
    en: 'of the first items, {good} of {settled} went through; the other {left} were not sent. Look at the rows; Resume sends the others all the same',
    zh: '首批 {settled} 项中成功 {good} 项；其余 {left} 项未发送。请查看各行；点击“继续”仍会发送其余项',
  },
  'run.only_conflicts': {
    en: '{argument} cannot be set for what was planned already',
    zh: '已生成的计划不能设置 {argument}',
  },
  'run.conflict_refused': {
    en: '{why}. Correct the asset number or the customer. If the lock was moved, set transferedAssetNum to true; to send the row unchanged, set safety.conflicts: warn in the job',
    zh: '{why}。请更正锁号或客户；如该锁已转给新客户，请将 transferedAssetNum 设为 true；如需原样发送，请在任务中设置 safety.conflicts: warn',
  },
  'run.conflict_since': {
    en: '{count} rows cannot be sent, because other runs changed their locks or are about to; the first is row {row}: {why}. Nothing more was sent. To send the other rows, check the file again and exclude these',
    zh: '有 {count} 行不能发送，因为其他运行已更改或即将更改其加密锁；首先是第 {row} 行：{why}。未再发送任何内容。如需发送其余各行，请重新检查该文件并排除这些行',
  },
  'revert.changed_refused': {
    en: '{why}. Revert that run first; to send the row anyway, set safety.conflicts: warn in the job that is reverted',
    zh: '{why}。请先回退该运行；如仍需发送，请在被回退的任务中设置 safety.conflicts: warn',
  },
  'run.needs_yes': {
    en: '{operation} on connection {connection} ({items} items) needs a yes. Nothing is sent without it.',
    zh: '在连接 {connection} 上执行 {operation}（{items} 项）需要确认。未经确认不会发送任何内容。',
  },
  'run.max_items': {
    en: '{items} items are more than safety.maxItems allows ({limit}); nothing was sent. If so many are meant, safety.maxItems in the job has to say so',
    zh: '{items} 项超过 safety.maxItems 的限制（{limit}）；未发送任何内容。如确需发送，请在任务中提高 safety.maxItems',
  },
  'run.max_deletes': {
    en: '{count} revocations are more than safety.maxDeletes allows ({limit}); nothing was sent. If so many are meant, safety.maxDeletes in the job has to say so',
    zh: '{count} 个撤销超过 safety.maxDeletes 的限制（{limit}）；未发送任何内容。如确需撤销，请在任务中提高 safety.maxDeletes',
  },
  'run.plan_begun': {
    en: '{plan} was begun already (state {state}); “Resume” at its page goes on with it',
    zh: '{plan} 已经开始执行（状态 {state}）；可在其页面点击“继续”',
  },
  'run.plan_too_old': {
    en: 'plan {plan} is {hours} hours old, which is too much; nothing was sent. Make a new plan with: “Plan”',
    zh: '计划 {plan} 已生成 {hours} 小时，时间过长；未发送任何内容。请重新生成计划：“计划”',
  },
  'run.report_failed': {
    en: 'the result could not be written: {why} The outcomes are in the ledger; “Download result” has them',
    zh: '无法写出结果：{why} 所有结果都在账本中；可用“下载结果”取得',
  },
  'run.carried_report_failed': {
    en: 'the result could not be written: {why} The outcomes are in the ledger; “Download result” has them',
    zh: '无法写出结果：{why} 所有结果都在账本中；可用“下载结果”取得',
  },
  'run.cut_off_unknown': {
    en: 'run {run} of this job, over {input}, was cut off and left {rows} rows unknown: they may have been carried out. At its page, go on with it (“Resume”), then settle them (“Resolve”)',
    zh: '此任务的运行 {run}（输入 {input}）中途被切断，有 {rows} 行状态未知：它们可能已经执行。请在其页面先点击“继续”，再用“查明”处理这些行',
  },
  'run.cut_off_unsent': {
    en: 'run {run} of this job, over {input}, was cut off before its end: {rows} of its rows were not sent. If they are still wanted: “Resume” at its page',
    zh: '此任务的运行 {run}（输入 {input}）在结束前被切断：其中 {rows} 行未发送。如仍需要：在其页面点击“继续”',
  },
  'run.is_reconciliation': {
    en: 'run {run} of {job} is a reconciliation: it compared and sent nothing itself. Its actions are runs of their own; to compare again: “Reconcile”',
    zh: '运行 {run}（任务 {job}）是一次核对：它只做比较，自身不发送任何内容。其动作是单独的运行；要再次比较请到“核对”',
  },
  'run.held_unknown': {
    en: 'run {run} may have sent this already (its row {row} is unknown); settle it at the page of that run first',
    zh: '运行 {run} 可能已经发送过此项（其第 {row} 行状态为 unknown）；请先在该运行的页面查明',
  },
  'ledger.held_unknown': {
    en: 'run {run} may have sent this already (its row {row} is unknown); settle it at the page of that run first',
    zh: '运行 {run} 可能已经发送过此项（其第 {row} 行状态为 unknown）；请先在该运行的页面查明',
  },
  'retry.canary_left': {
    en: 'run {run} waits with what its canary leaves, which needs a yes; look at its rows, then go on with: “Resume”',
    zh: '运行 {run} 的试发已结束，其余行正等待确认；请先查看各行，再点击“继续”',
  },
  'retry.other_connection': {
    en: 'the unknown rows of run {run} belong to connection {connection}: another platform cannot tell whether they were carried out',
    zh: '运行 {run} 中状态为 unknown 的行属于连接 {connection}：其他平台无法判断它们是否已执行',
  },
  'retry.needs_yes': {
    en: '{rows} rows of run {run} are unknown: they may have been carried out already, and sending them again may do it twice. Nothing was sent. Settle them at the page of that run first',
    zh: '运行 {run} 中有 {rows} 行状态为 unknown：它们可能已经执行，再次发送可能导致重复。未发送任何内容。请先在该运行的页面查明',
  },
  'revert.unknown': {
    en: 'whether it was carried out is unknown: settle it first (“Resolve”)',
    zh: '是否已执行尚不确定：请先用“查明”处理',
  },
  'revert.perhaps_undone': {
    en: 'run {run} (row {row}) may have taken it back: settle that at its page first',
    zh: '运行 {run}（第 {row} 行）可能已将其撤销：请先在其页面查明',
  },
  'resolve.several_items': {
    en: 'rows {rows} of run {run} are {count} orders, so one licence order {id} cannot be theirs; leave it out',
    zh: '运行 {run} 的第 {rows} 行是 {count} 个订单，授权订单号 {id} 不能同属它们；请留空',
  },
  'resolve.order_id_unfit': {
    en: 'a licence order number goes with what was carried out only',
    zh: '只有已执行的行才能填写授权订单号',
  },
  'resolve.already': {
    en: 'row {row} of run {run} is {status}, not unknown: it was settled so before',
    zh: '运行 {run} 的第 {row} 行状态为 {status}，不是 unknown：此前已处理',
  },
  'next.perhaps_undone': {
    en: 'Run {other} (row {row}) may have taken it back; settle that first, at the page of that run.',
    zh: '运行 {other}（第 {row} 行）可能已将其撤销；请先在该运行的页面查明。',
  },
  'next.settled_by_hand': {
    en: 'Nothing: it counts as carried out because it was settled as that, not by a reply of the platform. If that turns out wrong, whoever runs the console can settle it anew.',
    zh: '无需操作：此项按人工处理结果视为已执行，并非平台回复确认。若后来发现有误，可由运行控制台的人重新处理。',
  },
  'next.settled_twice': {
    en: 'It may have been carried out twice: it was settled as carried out here, and run {other} sent it again and got it through (row {otherRow}). Look on the platform; if it is there twice, undo one of them there. If this one was never carried out, whoever runs the console can settle it anew.',
    zh: '此项可能执行了两次：这里已按人工处理结果视为已执行，而运行 {other} 又发送了一次并成功（第 {otherRow} 行）。请到平台上查看；若有两份，请在平台上撤销其中一份。若这里的一次从未执行，可由运行控制台的人重新处理。',
  },
  'next.rejected': {
    en: 'The platform refused it and changed nothing. Correct what the message names in the sheet and import it again; rows that got through are skipped.',
    zh: '平台拒绝了此项，未做任何更改。请在表格中更正说明所指的内容后再次导入；已完成的行会被跳过。',
  },
  'next.rejected_repeats': {
    en: 'The platform refused it and changed nothing. Correct what the message names and import it in a sheet of its own: sending the whole sheet again would carry out again what got through.',
    zh: '平台拒绝了此项，未做任何更改。请更正说明所指的内容，并放入单独的表格中导入：再次发送整个表格会重复执行已完成的行。',
  },
  'next.doubted': {
    en: 'Do not send it again yet: it is {status} here, but run {other} left it unknown and may have carried it out. Settle it at the page of that run first (row {row}).',
    zh: '请先不要再次发送：它在此处的状态为 {status}，但运行 {other} 将其标为 unknown，可能已经执行。请先在该运行的页面查明（第 {row} 行）。',
  },
  'next.unknown_verify': {
    en: 'Do not send it again yet: it may have been carried out. “Resolve” asks the platform, or takes your word once you know; if it was not carried out, “Retry failed rows” sends it.',
    zh: '请先不要再次发送：它可能已经执行。可用“查明”向平台查询，或在查明后填写结论；若未执行，可用“重试失败的行”再次发送。',
  },
  'next.unknown_look': {
    en: 'Do not send it again yet: it may have been carried out. Look for it on the platform, then say what you found with “Resolve”; if it was not carried out, “Retry failed rows” sends it.',
    zh: '请先不要再次发送：它可能已经执行。请到平台上查找，然后用“查明”填写结论；若未执行，可用“重试失败的行”再次发送。',
  },
  'next.unknown_taken_up': {
    en: 'Do not send it again: run {other} did, and got it through (row {otherRow}). Whether this one was carried out as well, look on the platform; if it was, undo one of them there. Then say what you found with “Resolve”.',
    zh: '请不要再次发送：运行 {other} 已发送并成功（第 {otherRow} 行）。这里的一次是否也已执行，请到平台上查看；若是，请在平台上撤销其中一份。然后用“查明”填写结论。',
  },
  'next.held': {
    en: 'Settle it where it is unknown: row {row} at the page of run {other}. Then send the sheet again.',
    zh: '请先在状态为 unknown 的运行中处理：运行 {other} 页面的第 {row} 行。然后再次发送该表格。',
  },
  'next.held_repeats': {
    en: 'Settle it where it is unknown: row {row} at the page of run {other}. If it was not carried out, import it in a sheet of its own: sending the whole sheet again would carry out again what got through.',
    zh: '请先在状态为 unknown 的运行中处理：运行 {other} 页面的第 {row} 行。若未执行，请放入单独的表格中导入：再次发送整个表格会重复执行已完成的行。',
  },
  'next.not_sent_invalid': {
    en: 'Nothing was sent, as other rows are invalid. Correct them, or plan again and leave them out.',
    zh: '因其他行无效，未发送任何内容。请更正那些行，或重新制作计划并排除它们。',
  },
  'next.not_sent_later': {
    en: 'It was not sent, as a step before had not got through when its turn came. Import the sheet again: what got through is skipped, and the rest goes on.',
    zh: '未发送，因为轮到它时前面的步骤尚未完成。请再次导入该表格：已完成的将被跳过，其余继续。',
  },
  'next.valid_dry_run': {
    en: 'It passed all checks and was not sent: this was a check. “Plan” leads on.',
    zh: '已通过所有检查但未发送：这是一次检查。点击“计划”继续。',
  },
  'lookup.offline': {
    en: 'the platform was not asked, so these fields count as given and are not checked: {fields}',
    zh: '没有向平台查询，以下字段视为已给出，未经检查：{fields}',
  },
  'lookup.offline_plan': {
    en: 'plan {plan} was made without asking the platform: its looked-up fields were never asked for, so it cannot be sent; plan again',
    zh: '计划 {plan} 在生成时未查询平台：其查询字段从未取得，因此不能发送；请重新制作计划',
  },
  'rehearse.yes_needed': {
    en: '“Send” on connection {connection} asks for a yes; the rehearsal went on without one',
    zh: '在连接 {connection} 上“发送”时需要确认；演练未经确认即继续',
  },
  'approval.other_connection': {
    en: 'Run {run} was approved for the connection {connection} as it was configured then; {changed} is another now. Nothing more of it is sent, unless it is configured as it was; or plan what is left anew',
    zh: '运行 {run} 获批时连接 {connection} 的配置与现在不同：{changed} 已更改。除非恢复原配置，否则不再发送其中任何内容；也可为其余部分重新制作计划',
  },
  'approval.comment_wanted': {
    en: 'A rejection says why: fill in “Comment”',
    zh: '驳回时请说明原因：填写“备注”',
  },
  'people.token_unknown': {
    en: 'the API token is not known to this ledger (any more): nothing was done. Ask an admin for a new one',
    zh: '账本中没有（或已不再有）该 API 令牌：未执行任何操作。请让管理员签发新令牌',
  },
  'people.token_expired': {
    en: 'the API token has expired: nothing was done. Ask an admin for a new one',
    zh: 'API 令牌已过期：未执行任何操作。请让管理员签发新令牌',
  },
  'people.token_wanted': {
    en: 'this ledger has people, so {act} wants somebody with the role {wanted} to be signed in. An admin gives tokens, at the page “People”',
    zh: '此账本设有人员，{act} 需要具有角色 {wanted} 的人登录。令牌由管理员在“人员”页面签发',
  },
  'people.name_taken': {
    en: 'there is a person {name} already; choose another name, or give them a new token',
    zh: '已有名为 {name} 的人员；请换一个名称，或签发新令牌',
  },
  'people.no_such_person': {
    en: 'there is no person {name} in this ledger',
    zh: '此账本中没有名为 {name} 的人员',
  },
  'people.empty_subject': {
    en: 'the subject is empty; it is the `sub` by which the OpenID provider names the person',
    zh: 'subject 为空；它是 OpenID 提供方用来标识该人员的 `sub`',
  },
  'console.subject_unknown': {
    en: 'The provider knows you, but nobody was added here with your subject. Ask an admin to add you.',
    zh: '提供方认识您，但此处没有以您的 subject 添加的人员。请让管理员添加您。',
  },
  'guess.no_operation': {
    en: '{file}: the headers of sheet {sheet} ({headers}) fit no operation well enough; choose the one that is meant under “Operation”',
    zh: '{file}：工作表 {sheet} 的表头（{headers}）与各操作均不够匹配；请在“操作”中选择',
  },
  'guess.which_operation': {
    en: '{file}: the columns of sheet {sheet} fit {candidates}, and nothing in the names of file, sheet and columns says what is to be done. Choose the one that is meant under “Operation”',
    zh: '{file}：工作表 {sheet} 的列适合 {candidates}，但文件名、工作表名和表头都没有说明要做什么。请在“操作”中选择',
  },
  'guess.which_operation_said': {
    en: '{file}: {words} speak for different operations ({candidates}). Choose the one that is meant under “Operation”',
    zh: '{file}：{words} 分别指向不同的操作（{candidates}）。请在“操作”中选择',
  },
  'guess.steps_customers': {
    en: 'This sheet holds customers and orders: {count} steps? Choose {operations} under “Operation” for a job whose orders take the ids of the customers that it binds first.',
    zh: '此表同时包含客户和订单：是否分 {count} 步处理？在“操作”中选择 {operations}，即先绑定客户、再以所得编号下单。',
  },
  'guess.steps_numbers': {
    en: 'This sheet counts locks and has no numbers for them: {count} steps? Choose {operations} under “Operation” for a job whose orders take the numbers that it allocates first.',
    zh: '此表只有锁的数量而没有锁号：是否分 {count} 步处理？在“操作”中选择 {operations}，即先分配锁号、再下单。',
  },
  'guess.runner_up': {
    en: 'next likely: {operation} ({matched} of {required} required fields, {used} of {columns} columns); choose it under “Operation” if it is meant',
    zh: '其次可能是：{operation}（{required} 个必填字段中有 {matched} 个，{columns} 列中用到 {used} 列）；如需采用请在“操作”中选择',
  },
  'mapping.column_missing': {
    en: 'sheet {sheet} has no column "{name}", which the job reads',
    zh: '工作表 {sheet} 中没有任务要读取的列“{name}”',
  },
  'mapping.column_missing_nearest': {
    en: 'sheet {sheet} has no column "{name}", which the job reads; the nearest is "{nearest}"',
    zh: '工作表 {sheet} 中没有任务要读取的列“{name}”；最接近的是“{nearest}”',
  },
  'mapping.merged_over': {
    en: 'lies under the merged range {range}, whose value only its first cell has: fill it in here if it holds for this row (Ctrl+D fills down), or have the job say source.merged: fill',
    zh: '位于合并区域 {range} 之下，只有该区域的第一个单元格有值：如果该值适用于此行，请在此处填写（Ctrl+D 向下填充），或在任务中设置 source.merged: fill',
  },
  'source.header_missing': {
    en: '{file}, sheet {sheet}: row {row} should hold the column headers, but it is empty. Put them there in the file and import it again, choose another sheet, or have the job say in source.headerRow which row holds them.',
    zh: '{file} 的工作表 {sheet}：第 {row} 行应为列标题，但该行为空。请在文件中补上后重新导入，或选择其他工作表，或在任务的 source.headerRow 中写明标题所在的行。',
  },
  'source.header_missing_elsewhere': {
    en: '{file}, sheet {sheet}: row {row} should hold the column headers, but it is empty. Row {found} looks like the header: delete the rows above it in the file and import it again, or have the job say headerRow: {found}.',
    zh: '{file} 的工作表 {sheet}：第 {row} 行应为列标题，但该行为空。第 {found} 行看起来是标题行：请在文件中删除其上方的行后重新导入，或在任务中设置 headerRow: {found}。',
  },
  'source.header_elsewhere': {
    en: 'the job takes row {header} of sheet {sheet} for the header, but row {row} holds the columns that are missing: delete the rows above it in the file and import it again, or have the job say headerRow: {row}',
    zh: '任务把工作表 {sheet} 的第 {header} 行当作标题行，而缺少的列位于第 {row} 行：请在文件中删除其上方的行后重新导入，或在任务中设置 headerRow: {row}',
  },
  'source.header_other_sheet': {
    en: 'row {row} of sheet {other} holds the columns that are missing in sheet {sheet}: if that is the table, choose it',
    zh: '工作表 {sheet} 中缺少的列位于工作表 {other} 的第 {row} 行：若应读取该表，请选择该工作表',
  },
  'source.xlsx_encrypted': {
    en: '{file}: the workbook is protected by a password, and the job names none. Choose the job that names it, have this one say where it is found (source.password with env: NAME or file: PATH), or remove the password in Excel (File > Info > Protect Workbook).',
    zh: '{file}：工作簿受密码保护，而任务未指明密码。请选择指明了密码的任务，或在此任务中说明从何处取得（source.password 下写 env: 变量名 或 file: 路径），或在 Excel 中取消密码（文件 > 信息 > 保护工作簿）。',
  },
  'source.csv_encoding_unclear': {
    en: '{file}: the encoding of this text cannot be told for sure; it is not UTF-8 and reads as nonsense in GB18030. Save it as "CSV UTF-8" and choose it again',
    zh: '{file}：无法确定此文本的编码；它不是 UTF-8，按 GB18030 读取则不像正常文字。请另存为“CSV UTF-8”后重新选择',
  },
  'source.csv_encoding_taken': {
    en: '{file}: read as {encoding}; the file does not say so itself. If the text looks wrong, save it as "CSV UTF-8" and import it again.',
    zh: '{file}：按 {encoding} 读取（文件本身没有标明）。如果文字显示不正确，请另存为 "CSV UTF-8" 后重新导入。',
  },
  'run.hidden_rows': {
    en: 'sheet {sheet} has hidden rows: {count} (row {rows}). The job says hiddenRows: {policy} (include: they are checked and sent like all others; skip: they are left out)',
    zh: '工作表 {sheet} 有隐藏行：{count} 行（第 {rows} 行）。任务设置为 hiddenRows: {policy}（include：与其他行一样检查和发送；skip：排除）',
  },
} as const;
