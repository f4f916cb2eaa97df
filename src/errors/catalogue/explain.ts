/** Texts of a row's story and of what is safe to do next. `zh` carries the same {names} as `en`. */
export const EXPLAIN = {
  'explain.no_such_row': {
    en: 'run {run} has no row {row}; the nearest are {nearest}. Rows are numbered as Excel shows them, the header included.',
    zh: '运行 {run} 中没有第 {row} 行；最接近的是第 {nearest} 行。行号与 Excel 显示的一致（包括表头行）。',
  },
  'explain.no_rows': {
    en: 'run {run} has no rows in the ledger',
    zh: '运行 {run} 在账本中没有任何行',
  },
  'explain.row': {
    en: 'row {row} of {file}, sheet {sheet}',
    zh: '{file} 的工作表 {sheet} 第 {row} 行',
  },
  'explain.run': {
    en: 'run {run}: {operation} on {connection}',
    zh: '运行 {run}：在 {connection} 上执行 {operation}',
  },
  'explain.status': { en: 'status', zh: '状态' },
  'explain.message': { en: 'message', zh: '说明' },
  'explain.cells': { en: 'cells', zh: '单元格' },
  'explain.cells_gone': {
    en: 'the cells cannot be shown: {reason}',
    zh: '无法显示单元格：{reason}',
  },
  'explain.request_sent': {
    en: 'request (batch {batch}, {items} items, this row’s at place {places})',
    zh: '请求（批次 {batch}，共 {items} 项，本行为第 {places} 项）',
  },
  'explain.request_unsent': {
    en: 'request that would be sent (batch {batch}, {items} items, this row’s at place {places})',
    zh: '将要发送的请求（批次 {batch}，共 {items} 项，本行为第 {places} 项）',
  },
  'explain.request_given': {
    en: 'request that would be sent, with <given> for what earlier steps will return',
    zh: '将要发送的请求（<given> 代表前面步骤将返回的值）',
  },
  'explain.step': {
    en: 'step {step}: {operation}, run {run}',
    zh: '步骤 {step}：{operation}，运行 {run}',
  },
  'explain.taken': { en: 'taken from earlier steps:', zh: '取自前面步骤的值：' },
  'explain.returned': { en: 'returned for this row:', zh: '为此行返回的值：' },
  'explain.given': { en: '<given> (not known yet)', zh: '<given>（尚未得知）' },
  'explain.not_returned': { en: '(nothing returned)', zh: '（未返回）' },
  'explain.no_request': {
    en: 'no request: nothing was sent for this row',
    zh: '无请求：未为此行发送任何内容',
  },
  'explain.fresh_nonce': {
    en: 'a fresh one for every attempt',
    zh: '每次尝试均不同',
  },
  'explain.attempt': {
    en: 'attempt {attempt} on {time}',
    zh: '第 {attempt} 次尝试，{time}',
  },
  'explain.attempt_sent': { en: 'request sent', zh: '请求已发出' },
  'explain.attempt_unsent': { en: 'nothing was sent', zh: '未发出任何内容' },
  'explain.attempt_open': {
    en: 'still open: its end is not in the ledger',
    zh: '尚未结束：账本中没有其结果',
  },
  'explain.reply': { en: 'reply', zh: '答复' },
  'explain.audit': { en: 'settled', zh: '处理记录' },
  'explain.audit_operator': {
    en: '{time}: {who} settled it, {from} to {to}',
    zh: '{time}：{who} 将其从 {from} 处理为 {to}',
  },
  'explain.audit_platform': {
    en: '{time}: {who} asked the platform, {from} to {to}',
    zh: '{time}：{who} 向平台查询后，将其从 {from} 处理为 {to}',
  },
  'explain.audit_late': {
    en: '{time}: late reply (received by a process of {who}), {from} to {to}',
    zh: '{time}：迟到的响应（由 {who} 的进程收到），{from} 变为 {to}',
  },
  'explain.late_evidence': {
    en: 'the reply arrived after its request had been recorded as unknown',
    zh: '该响应在其请求已记为结果未知之后到达',
  },
  'explain.audit_left': {
    en: '{time}: {who} asked the platform; it stays {to}',
    zh: '{time}：{who} 向平台查询后，仍为 {to}',
  },
  'explain.audit_note': { en: 'note: {note}', zh: '备注：{note}' },
  'explain.next': { en: 'what to do next', zh: '下一步' },
  'next.undone': {
    en: 'Nothing: run {other} (row {row}) took it back. Where it is wanted after all, run the file again: it is sent anew.',
    zh: '无需操作：运行 {other}（第 {row} 行）已将其撤销。如仍需要，请再次运行该文件：将重新发送。',
  },
  'next.undone_accepted': {
    en: 'Run {other} (row {row}) sent what takes it back, and the platform accepted that; look at the platform. It is sent neither way again by itself.',
    zh: '运行 {other}（第 {row} 行）已发送撤销请求，平台已接受；请在平台上查看。系统不会自行重新发送或再次撤销。',
  },
  'next.perhaps_undone': {
    en: 'Run {other} (row {row}) may have taken it back; settle that first: license-sync resolve {other} --verify, or look at the platform and use --row {row} --as succeeded|failed',
    zh: '运行 {other}（第 {row} 行）可能已将其撤销；请先处理：license-sync resolve {other} --verify，或在平台上查看后使用 --row {row} --as succeeded|failed',
  },
  'next.succeeded': {
    en: 'Nothing: the platform confirmed it. Running the file again skips it.',
    zh: '无需操作：平台已确认。再次运行该文件时会跳过此行。',
  },
  'next.succeeded_repeats': {
    en: 'Nothing: the platform confirmed it. Running the file again would carry it out again.',
    zh: '无需操作：平台已确认。再次运行该文件会再次执行此行。',
  },
  'next.succeeded_aborts': {
    en: 'Nothing: the platform confirmed it. As long as it stands in the file, running that again is refused (safety.duplicates: abort).',
    zh: '无需操作：平台已确认。只要此行仍在该文件中，再次运行该文件就会被拒绝（safety.duplicates: abort）。',
  },
  'next.settled_by_hand': {
    en: 'Nothing: it counts as carried out because it was settled as that, not by a reply of the platform. If that turns out wrong: license-sync resolve {run} --row {row} --as failed --note WHY',
    zh: '无需操作：此项按人工处理结果视为已执行，并非平台回复确认。若后来发现有误：license-sync resolve {run} --row {row} --as failed --note 原因',
  },
  'next.settled_twice': {
    en: 'It may have been carried out twice: it was settled as carried out here, and run {other} sent it again and got it through (license-sync explain {other} {otherRow}). Look on the platform; if it is there twice, undo one of them there. If this one was never carried out: license-sync resolve {run} --row {row} --as failed --note WHY',
    zh: '此项可能执行了两次：这里已按人工处理结果视为已执行，而运行 {other} 又发送了一次并成功（license-sync explain {other} {otherRow}）。请到平台上查看；若有两份，请在平台上撤销其中一份。若这里的一次从未执行：license-sync resolve {run} --row {row} --as failed --note 原因',
  },
  'next.accepted': {
    en: 'Look at the order on the platform: it took it, and does not tell this program how it ended. It is not sent again.',
    zh: '请在平台上查看该订单：平台已受理，但不会告知本程序最终结果。程序不会再次发送。',
  },
  'next.rejected': {
    en: 'The platform refused it and changed nothing. Correct what the message names in the sheet and run the file again; rows that got through are skipped. If the cause lay on the platform’s side: license-sync retry {run} --include rejected',
    zh: '平台拒绝了此项，未做任何更改。请在表格中更正说明所指的内容后再次运行该文件；已完成的行会被跳过。若原因在平台一侧：license-sync retry {run} --include rejected',
  },
  'next.rejected_repeats': {
    en: 'The platform refused it and changed nothing. Correct what the message names and run it in a file of its own: running the whole file again would carry out again what got through. If the cause lay on the platform’s side: license-sync retry {run} --include rejected',
    zh: '平台拒绝了此项，未做任何更改。请更正说明所指的内容，并放入单独的文件中运行：再次运行整个文件会重复执行已完成的行。若原因在平台一侧：license-sync retry {run} --include rejected',
  },
  'next.settled_unfinished': {
    en: 'It can be sent again once the run has ended, which was cut off. First: license-sync resume {run}',
    zh: '该运行中途中断，待其结束后才能再次发送。请先执行：license-sync resume {run}',
  },
  'next.taken_up': {
    en: 'Nothing: run {other} got it through, it is {status} there (row {row}). Do not send it from here again. See: license-sync explain {other} {row}',
    zh: '无需操作：运行 {other} 已完成此行，在其中（第 {row} 行）的状态为 {status}。请不要从这里再次发送。查看：license-sync explain {other} {row}',
  },
  'next.doubted': {
    en: 'Do not send it again yet: it is {status} here, but run {other} left it unknown and may have carried it out. Settle it there first: license-sync resolve {other} --row {row} --verify, or --as succeeded|failed.',
    zh: '请先不要再次发送：它在此处的状态为 {status}，但运行 {other} 将其标为 unknown，可能已经执行。请先在该运行中处理：license-sync resolve {other} --row {row} --verify，或 --as succeeded|failed。',
  },
  'next.failed': {
    en: 'It is safe to send again: license-sync retry {run}',
    zh: '可以安全地再次发送：license-sync retry {run}',
  },
  'next.unknown_verify': {
    en: 'Do not send it again yet: it may have been carried out. Ask the platform: license-sync resolve {run} --row {row} --verify. Or settle it once you know: license-sync resolve {run} --row {row} --as succeeded, or --as failed, after which license-sync retry {run} sends it.',
    zh: '请先不要再次发送：它可能已经执行。可向平台查询：license-sync resolve {run} --row {row} --verify。或在查明后处理：license-sync resolve {run} --row {row} --as succeeded，或 --as failed，之后 license-sync retry {run} 会发送它。',
  },
  'next.unknown_look': {
    en: 'Do not send it again yet: it may have been carried out. Look for it on the platform, then say what you found: license-sync resolve {run} --row {row} --as succeeded (with --license-order-id ID for an order), or --as failed, after which license-sync retry {run} sends it.',
    zh: '请先不要再次发送：它可能已经执行。请到平台上查找，然后给出结论：license-sync resolve {run} --row {row} --as succeeded（订单可加 --license-order-id ID），或 --as failed，之后 license-sync retry {run} 会发送它。',
  },
  'next.unfinished': {
    en: 'The run was cut off while this was under way. Go on with: license-sync resume {run}',
    zh: '运行在处理此项时中断。请继续执行：license-sync resume {run}',
  },
  'next.invalid': {
    en: 'Correct what the message names (the result workbook marks the cells) and run the file again; rows that got through are skipped.',
    zh: '请更正说明所指的内容（结果工作簿中已标出单元格）后再次运行该文件；已完成的行会被跳过。',
  },
  'next.invalid_repeats': {
    en: 'Correct what the message names (the result workbook marks the cells) and run it in a file of its own: running the whole file again would carry out again what got through.',
    zh: '请更正说明所指的内容（结果工作簿中已标出单元格），并放入单独的文件中运行：再次运行整个文件会重复执行已完成的行。',
  },
  'next.left_out_repeats': {
    en: 'Nothing, if it was meant to be left out. Else change the row or the job, and run it in a file of its own: running the whole file again would carry out again what got through.',
    zh: '若本应排除则无需操作；否则请修改该行或任务，并放入单独的文件中运行：再次运行整个文件会重复执行已完成的行。',
  },
  'next.held_changed': {
    en: 'Nothing was sent: run {other} got an item with this key but other content through. If this one is meant as well, give it a key of its own. See: license-sync explain {other} {row}',
    zh: '未发送任何内容：运行 {other} 已完成了键相同但内容不同的项。若此项也需执行，请为它设置新的键。查看：license-sync explain {other} {row}',
  },
  'next.held_repeats': {
    en: 'Settle it where it is unknown: license-sync resolve {other} --row {row} --verify, or --as succeeded|failed. If it failed, run it in a file of its own: running the whole file again would carry out again what got through.',
    zh: '请先在状态为 unknown 的运行中处理：license-sync resolve {other} --row {row} --verify，或 --as succeeded|failed。若结果为 failed，请放入单独的文件中运行：再次运行整个文件会重复执行已完成的行。',
  },
  'next.left_out': {
    en: 'Nothing, if it was meant to be left out. Else change the row or the job, and run the file again.',
    zh: '若本应排除则无需操作；否则请修改该行或任务后再次运行该文件。',
  },
  'next.got_through': {
    en: 'Nothing: run {other} got it through. See: license-sync explain {other} {row}',
    zh: '无需操作：运行 {other} 已完成此项。查看：license-sync explain {other} {row}',
  },
  'next.held': {
    en: 'Settle it where it is unknown: license-sync resolve {other} --row {row} --verify, or --as succeeded|failed. Then run the file again.',
    zh: '请先在状态为 unknown 的运行中处理：license-sync resolve {other} --row {row} --verify，或 --as succeeded|failed；然后再次运行该文件。',
  },
  'next.not_sent_later': {
    en: 'It was not sent, as a step before had not got through when its turn came. Run the file again: what got through is skipped, and the rest goes on.',
    zh: '未发送，因为轮到它时前面的步骤尚未完成。请再次运行该文件：已完成的将被跳过，其余继续。',
  },
  'next.not_sent_resume': {
    en: 'The run stopped before it was settled. Go on with the run: license-sync resume {run}',
    zh: '运行在该行有结果之前已停止。请继续运行：license-sync resume {run}',
  },
  'next.not_sent_invalid': {
    en: 'Nothing was sent, as other rows are invalid. Correct them (or use --on-invalid skip) and run the file again.',
    zh: '因其他行无效，未发送任何内容。请更正那些行（或使用 --on-invalid skip）后再次运行该文件。',
  },
  'next.valid_dry_run': {
    en: 'It passed all checks and was not sent: this was a dry run. Send it, with the other flags of the dry run if it had any: license-sync run {jobFile} --input {input} --connection {connection}',
    zh: '已通过所有检查但未发送：这是一次试运行。发送请用（试运行若带有其他参数，请一并带上）：license-sync run {jobFile} --input {input} --connection {connection}',
  },
  'next.valid_plan': {
    en: 'It passed all checks and waits to be sent: license-sync apply {run}',
    zh: '已通过所有检查，等待发送：license-sync apply {run}',
  },
  'next.going_on': {
    en: 'Wait for the end of the run: a process is at work on it. See: license-sync runs show {run}',
    zh: '请等待该运行结束：有进程正在执行它。查看：license-sync runs show {run}',
  },
  'next.unknown_taken_up': {
    en: 'Do not send it again: run {other} did, and got it through (license-sync explain {other} {otherRow}). Whether this one was carried out as well, look on the platform; if it was, undo one of them there. Then say what you found: license-sync resolve {run} --row {row} --as succeeded, or --as failed.',
    zh: '请不要再次发送：运行 {other} 已再次发送并成功（license-sync explain {other} {otherRow}）。请到平台上查看本次是否也已执行；若已执行，请在平台上撤销其中一次。然后给出结论：license-sync resolve {run} --row {row} --as succeeded，或 --as failed。',
  },
  'next.let_go': {
    en: 'It was held back for row {row} of run {other}, which is {status} by now. Run the file again to send it.',
    zh: '此行曾因运行 {other} 的第 {row} 行而暂缓，而该行现在的状态为 {status}。再次运行该文件即可发送。',
  },
  'next.let_go_repeats': {
    en: 'It was held back for row {row} of run {other}, which is {status} by now. Run it in a file of its own: running the whole file again would carry out again what got through.',
    zh: '此行曾因运行 {other} 的第 {row} 行而暂缓，而该行现在的状态为 {status}。请放入单独的文件中运行：再次运行整个文件会重复执行已完成的行。',
  },
  'explain.lookups': { en: 'looked up while planning', zh: '制定计划时的查询' },
  'explain.lookup': {
    en: '{field}: {operation} ({asked}) gave {records} record(s), {time}',
    zh: '{field}：{operation}（{asked}）返回 {records} 条记录，{time}',
  },
  'explain.lookup_unanswered': {
    en: '{field}: {operation} ({asked}) got no good answer, {time}: {detail}',
    zh: '{field}：{operation}（{asked}）没有得到有效答复，{time}：{detail}',
  },
} as const;
