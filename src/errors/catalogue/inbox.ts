/** Texts of input folders: jobs that take every file that fits a pattern. `zh` carries the same {names} as `en`. */
export const INBOX = {
  'inbox.no_folder': {
    en: '{job} takes files from {folder}, which does not exist; make that folder, or correct source.file',
    zh: '{job} 从 {folder} 读取文件，但该文件夹不存在；请创建该文件夹，或更正 source.file',
  },
  'inbox.not_a_folder': {
    en: '{folder} is not a folder, and files belong there; rename it, or correct source.file',
    zh: '{folder} 不是文件夹，而文件需要放在其中；请将其改名，或更正 source.file',
  },
  'inbox.folder_closed': {
    en: 'files cannot be listed in {folder} or moved out of it ({reason}); have its permissions corrected. Nothing was sent',
    zh: '无法列出 {folder} 中的文件，或无法将文件移出（{reason}）；请更正其权限。未发送任何内容',
  },
  'inbox.plan_one': {
    en: 'a plan is of one file, and {pattern} may be several; name the one with --input FILE',
    zh: '计划只针对一个文件，而 {pattern} 可能对应多个文件；请用 --input 文件 指定其中一个',
  },
  'inbox.shared_result': {
    en: 'every file has a result of its own, and all of them would go to {file}; put run or input in braces into its name, such as {example}',
    zh: '每个文件都有自己的结果，而所有结果都会写到 {file}；请在其名称中用花括号加入 run 或 input，例如 {example}',
  },
  'inbox.result_in_inbox': {
    en: 'results in {folder} would be taken for further input; name another folder in output.file',
    zh: '写入 {folder} 的结果会被当作新的输入；请在 output.file 中指定其他文件夹',
  },
  'inbox.none': {
    en: 'no file fits {pattern}',
    zh: '没有与 {pattern} 相符的文件',
  },
  'inbox.tally': {
    en: 'runs {runs}, only moved {moved}, left {left}',
    zh: '运行 {runs} 个文件，仅移动 {moved} 个，留待下次 {left} 个',
  },
  'inbox.open_elsewhere': {
    en: 'it is open in another program (its lock file {lock} lies beside it); left for the next time',
    zh: '它正在其他程序中打开（旁边有锁定文件 {lock}）；留待下次处理',
  },
  'inbox.name_not_utf8': {
    en: 'its name is not valid UTF-8 and the program cannot open it; rename the file',
    zh: '文件名不是有效的 UTF-8，程序无法打开它；请重命名该文件',
  },
  'inbox.dangling_link': {
    en: 'it is a link to a file that does not exist; restore that file or remove the link',
    zh: '它是一个链接，但所指向的文件不存在；请恢复该文件或删除此链接',
  },
  'inbox.empty': {
    en: 'it is empty; checked again the next time',
    zh: '它是空文件；下次再检查',
  },
  'inbox.done_changed': {
    en: '{file} was changed after it was taken. It is {movedTo} now and is checked again: new content is run',
    zh: '{file} 在被处理后又发生了变化。它现在位于 {movedTo}，将重新检查；新的内容会被运行',
  },
  'inbox.done_changed_stays': {
    en: '{file} was changed after it was taken and cannot be checked again ({reason}). Copy it into {folder} if the change is to be run',
    zh: '{file} 在被处理后又发生了变化，但无法重新检查（{reason}）。如需运行新的内容，请将它复制到 {folder}',
  },
  'inbox.changing': {
    en: 'it is still being written; left for the next time',
    zh: '它仍在写入；留待下次处理',
  },
  'inbox.gone': {
    en: 'it was taken away before its turn',
    zh: '在轮到它之前已被移走',
  },
  'inbox.unreadable': {
    en: 'it cannot be read ({reason}); have its permissions corrected',
    zh: '无法读取（{reason}）；请更正其权限',
  },
  'inbox.carried': {
    en: 'process {process} on {host} is at work on it; left to that one',
    zh: '主机 {host} 上的进程 {process} 正在处理它；由该进程完成',
  },
  'inbox.carried_elsewhere': {
    en: 'another process is at work on it; left to that one',
    zh: '另一个进程正在处理它；由该进程完成',
  },
  'inbox.not_begun': {
    en: 'the command ended before its turn; left for the next time',
    zh: '命令在轮到它之前已结束；留待下次处理',
  },
  'inbox.stays': {
    en: 'run {run} of it can be gone on with; it stays until that has come to its end. The next start of the job does it, or: license-sync resume {run}',
    zh: '它的运行 {run} 可以继续；在该运行结束之前文件保留在原处。下次启动任务时会继续，也可使用：license-sync resume {run}',
  },
  'inbox.stays_for_approval': {
    en: 'it stays until its plan {run} was approved and sent',
    zh: '在其计划 {run} 获批准并发送之前，文件保留在原处',
  },
  'inbox.retry_open': {
    en: 'run {run}, a retry of its rows, was not carried to its end; go on with it first: license-sync resume {run}',
    zh: '运行 {run}（对其行的重试）尚未完成；请先继续：license-sync resume {run}',
  },
  'inbox.left_over': {
    en: 'run {run} had come to its end without the file being moved; moved now, nothing was sent',
    zh: '运行 {run} 已结束但当时未移动文件；现已移动，未发送任何内容',
  },
  'inbox.approved': {
    en: 'its plan {plan} is approved, and waits to be sent: license-sync apply {plan}',
    zh: '其计划 {plan} 已获批准，等待发送：license-sync apply {plan}',
  },
  'inbox.repeat': {
    en: 'run {run} already got the very same file through; nothing was sent. If it is to be sent again, set safety.duplicates to send',
    zh: '运行 {run} 已经成功处理过完全相同的文件；未发送任何内容。如确需再次发送，请将 safety.duplicates 设为 send',
  },
  'inbox.repeat_refused': {
    en: 'run {run} already got the very same file through, and the job says safety.duplicates: abort; nothing was sent',
    zh: '运行 {run} 已经成功处理过完全相同的文件，且任务设置为 safety.duplicates: abort；未发送任何内容',
  },
  'inbox.repeat_unguarded': {
    en: 'run {run} has sent the very same file, and nothing would keep rows of {operation} that got through from being sent twice; nothing was sent. Send the rows that failed with: license-sync retry {run}',
    zh: '运行 {run} 已经发送过完全相同的文件，而 {operation} 中已成功的行无法防止重复发送；未发送任何内容。请用以下命令发送失败的行：license-sync retry {run}',
  },
  'inbox.taken_away': {
    en: '{file} was taken away while run {run} sent its rows; the run stands',
    zh: '在运行 {run} 发送 {file} 各行期间，该文件已被移走；运行结果有效',
  },
  'inbox.replaced': {
    en: '{file} was replaced while run {run} sent what it held before; the new one stays for the next time',
    zh: '在运行 {run} 发送其原有内容期间，{file} 被替换；新文件留待下次处理',
  },
  'inbox.not_moved': {
    en: '{file} could not be moved to {folder} ({reason}); its run stands, and the next start of the job only moves it',
    zh: '无法将 {file} 移动到 {folder}（{reason}）；其运行结果有效，下次启动任务时只会移动该文件',
  },
  'inbox.reason_file': {
    en: 'Why {file} lies here, in failed:',
    zh: '文件 {file} 被放入 failed 的原因：',
  },
  'inbox.reason_run': {
    en: 'run {run}: job {job}, {operation} on {connection}, exit code {exitCode}',
    zh: '运行 {run}：任务 {job}，在 {connection} 上执行 {operation}，退出码 {exitCode}',
  },
  'inbox.reason_why': { en: 'reason: {why}', zh: '原因：{why}' },
  'inbox.reason_todo': { en: 'what to do:', zh: '如何处理：' },
  'inbox.reason_unknown': {
    en: 'unknown ({rows} rows): they may have been carried out and are not sent again by themselves. Ask the platform: license-sync resolve {run} --verify, or look there and say what you found: license-sync resolve {run} --row N --as succeeded, or --as failed',
    zh: 'unknown（{rows} 行）：可能已经执行，程序不会自行再次发送。可向平台查询：license-sync resolve {run} --verify；或到平台上查找后给出结论：license-sync resolve {run} --row N --as succeeded，或 --as failed',
  },
  'inbox.reason_held': {
    en: 'rows wait for an earlier run that left them unknown; each row’s message in the result names it. Settle them there, then lay the file into the folder again',
    zh: '有些行在等待先前的运行，该运行将其标为 unknown；结果中各行的说明写明了是哪个运行。请先在那里处理，再将文件放回文件夹',
  },
  'inbox.reason_failed': {
    en: 'failed ({rows} rows): nothing happened, and it is safe to send them again: license-sync retry {run}',
    zh: 'failed（{rows} 行）：未产生效果，可以安全地再次发送：license-sync retry {run}',
  },
  'inbox.reason_correct': {
    en: 'rejected or invalid ({rows} rows): correct them in the file (the result marks the cells) and lay it into the folder again; where the job goes by keys, rows that got through are skipped',
    zh: 'rejected 或 invalid（{rows} 行）：请在文件中更正（结果中已标出单元格）后放回文件夹；按键识别的任务会跳过已完成的行',
  },
  'inbox.reason_refused': {
    en: 'nothing of it was sent: correct what the reason names and lay the file into the folder again',
    zh: '该文件的任何内容都未发送：请更正原因中所指的内容后，将文件放回文件夹',
  },
  'inbox.reason_more': {
    en: 'more of it: license-sync runs show {run}, and of one row: license-sync explain {run} ROW',
    zh: '更多信息：license-sync runs show {run}；单独查看某一行：license-sync explain {run} 行号',
  },
  'inbox.reason_unwritten': {
    en: 'the reason could not be written beside {file} ({reason}); see: license-sync runs show {run}',
    zh: '无法在 {file} 旁写入原因（{reason}）；请查看：license-sync runs show {run}',
  },
} as const;
