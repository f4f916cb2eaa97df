/** Help of commands that run jobs, and of their options. `zh` carries the same {names} as `en`. */
export const HELP_RUNS = {
  'help.reconcile': {
    en: 'Compare a spreadsheet with what the platform holds; nothing is changed without --apply.',
    zh: '将电子表格与平台上的数据核对；不加 --apply 不会更改任何内容。',
  },
  'help.rehearse': {
    en: 'Carry a job out in a sandbox filled from the platform, to see what would come of it. The platform is only read.',
    zh: '在以平台数据填充的沙箱中执行任务，以预知其结果。对平台只读取，不更改。',
  },
  'help.rehearse_compare': {
    en: 'list what came out otherwise in this run than in the last rehearsal before it',
    zh: '列出该运行与其之前最近一次演练不同的结果',
  },
  'help.pull': {
    en: 'Write what the platform has as a sheet whose headers are field names. Only reads.',
    zh: '将平台上的数据写成以字段名为表头的表格。只读取，不更改。',
  },
  'help.pull_asset': {
    en: 'Pull the assets of enterprises: one request for each distinct enterprise of the sheet.',
    zh: '拉取企业的资产：表中每个不同的企业查询一次。',
  },
  'help.pull_enterprise': {
    en: 'Pull the customers of enterprise main accounts: one request for each distinct customer of a channel.',
    zh: '拉取企业主账号的客户：表中每个不同的渠道客户查询一次。',
  },
  'help.pull_enterprises': {
    en: 'spreadsheet with a column of enterprises (enterpriseGlobalId, or a usual word for it)',
    zh: '含企业列（enterpriseGlobalId 或其常用名称）的表格',
  },
  'help.pull_customers': {
    en: 'spreadsheet with columns of channels and their customers (channelCode, channelCustomerId)',
    zh: '含渠道与渠道客户列（channelCode、channelCustomerId）的表格',
  },
  'help.pull_output': {
    en: 'the sheet to write: .xlsx, .csv or .ndjson',
    zh: '要写入的表格：.xlsx、.csv 或 .ndjson',
  },
  'help.pull_sheet': {
    en: 'worksheet of the keys; default the first visible one',
    zh: '键所在的工作表；默认为第一个可见的工作表',
  },
  'help.pull_header_row': {
    en: 'row of its headers; default 1',
    zh: '其表头所在的行；默认为 1',
  },
  'help.apply_actions': {
    en: 'carry out the job’s actions, then read again what they touched',
    zh: '执行任务中的动作，然后重新读取受影响的记录',
  },
  'help.input': { en: 'the spreadsheet, in place of the job’s', zh: '电子表格文件，代替任务中的文件' },
  'help.set_concurrency': {
    en: 'override a setting of the job, as run.concurrency=2',
    zh: '覆盖任务的一项设置，例如 run.concurrency=2',
  },
  'help.set_conflicts': {
    en: 'safety.conflicts=warn sends rows whose locks other runs changed',
    zh: 'safety.conflicts=warn：仍发送加密锁已被其他运行更改的行',
  },
  'help.set_retries': {
    en: 'override a setting of the job, as run.retries=2',
    zh: '覆盖任务的一项设置，例如 run.retries=2',
  },
  'help.schedule': {
    en: 'Run the jobs that have a schedule at their times, until stopped. Paths are job files, or folders of them; default jobs/ where it is there, else the current folder. Schedules are read at the start.',
    zh: '按时间表运行带有 schedule 的任务，直到被停止。路径是任务文件或其所在文件夹；默认为 jobs/（若存在），否则为当前文件夹。时间表在启动时读取。',
  },
  'help.connection_jobs': {
    en: 'the connection to use, in place of the jobs’',
    zh: '使用的连接，代替各任务中的连接',
  },
  'help.runs_at_once': { en: 'runs at a time, at most', zh: '同时进行的运行数上限' },
  'help.schedule_apply': {
    en: 'reconcile jobs carry out their actions; without it they only compare',
    zh: '核对任务执行其动作；不加则只比较',
  },
  'help.schedule_yes': {
    en: 'answer yes to what a run would ask (without it such a run is refused: exit 4)',
    zh: '对运行中的询问一律回答“是”（不加则此类运行被拒绝：退出码 4）',
  },
  'help.schedule_wait': {
    en: 'while another scheduler works: stand by and take over from it',
    zh: '已有调度程序在工作时：待命并接替它',
  },
  'help.schedule_log': { en: 'every run writes what happens to this file', zh: '每次运行都把过程写入该文件' },
  'help.json_each': {
    en: 'print one JSON object for each run, one a line',
    zh: '每次运行输出一个 JSON 对象，每行一个',
  },
  'help.schedule_list': {
    en: 'Show the next times, the last outcomes, and what was missed.',
    zh: '显示下次运行时间、上次结果以及错过的运行。',
  },
  'help.json': { en: 'print JSON', zh: '输出 JSON' },
  'help.schedule_export': {
    en: 'Write the schedules for systemd, cron or Kubernetes; --connection, --apply, --yes, --log-file and --metrics-file are written into the commands.',
    zh: '为 systemd、cron 或 Kubernetes 写出时间表；--connection、--apply、--yes、--log-file 和 --metrics-file 会写入命令中。',
  },
  'help.format': { en: 'what it is for', zh: '目标系统' },
  'help.units': {
    en: 'where the files go; without it everything is printed',
    zh: '文件的存放位置；不加则全部打印出来',
  },
  'help.program': {
    en: 'the program to start there, in place of this one',
    zh: '在目标系统上启动的程序，代替当前程序',
  },
  'help.image': { en: 'the container image, for kubernetes', zh: '容器镜像，用于 kubernetes' },
  'help.run': {
    en: 'Bring a spreadsheet’s rows to the platform and write the result workbook.',
    zh: '把电子表格中的各行送到平台，并写出结果工作簿。',
  },
  'help.dry_run': {
    en: 'check everything, send nothing (the same as validate)',
    zh: '检查全部内容，不发送（与 validate 相同）',
  },
  'help.offline': {
    en: 'do not ask look-ups; what they fill counts as given (only where nothing is sent)',
    zh: '不向平台查询；需查询的字段视为已给出（仅在不发送时可用）',
  },
  'help.corrections': {
    en: 'cells that are read otherwise than the file has them: a .csv with row, column, value',
    zh: '按更正后的内容读取的单元格：含 row、column、value 三列的 .csv 文件',
  },
  'help.canary': {
    en: 'send the first n items, then ask before the rest',
    zh: '先发送前 n 项，其余发送前再询问',
  },
  'help.validate': {
    en: 'Check every row and write the result workbook, without sending anything.',
    zh: '检查每一行并写出结果工作簿，不发送任何内容。',
  },
  'help.plan': {
    en: 'A dry run whose plan is kept, to be looked at and then applied.',
    zh: '试运行并保留计划，供查看后再执行。',
  },
  'help.apply': {
    en: 'Carry out a plan exactly as it was made, once.',
    zh: '严格按照计划执行，且只执行一次。',
  },
  'help.max_age': { en: 'refuse an older plan', zh: '拒绝更旧的计划' },
  'help.resume': {
    en: 'Go on with a run that was stopped, interrupted or killed.',
    zh: '继续已停止、被中断或被终止的运行。',
  },
  'help.retry': {
    en: 'Send the rows of a run that failed again, as a new run.',
    zh: '把某次运行中失败的行作为新的运行重新发送。',
  },
  'help.all_differences': {
    en: 'list all that would change, not the first ten of each kind',
    zh: '列出全部将要发生的更改，而不只是每类的前十项',
  },
  'help.revert': {
    en: 'Make a plan that takes back what a run did; nothing is sent until it is applied.',
    zh: '为撤销某次运行所做的内容生成计划；执行（apply）之前不发送任何内容。',
  },
  'help.revert_row': {
    en: 'revert only this row, with the rest of its order; may be repeated (default: all rows)',
    zh: '仅回退该行（及同一订单的其余行）；可重复使用（默认：所有行）',
  },
  'help.resolve_row': {
    en: 'the row, or the unknown rows of a range (3-59), by their numbers in the sheet; may be repeated',
    zh: '行号，或一个范围（3-59）内结果未知的行；可重复使用',
  },
  'help.resolve_from': {
    en: 'take rows and outcomes from a result whose column status was changed to succeeded or failed',
    zh: '从结果文件读取：在其 status 列把 unknown 改为 succeeded 或 failed',
  },
  'help.option_twice': {
    en: "option '{flags}' is given twice, but takes one value",
    zh: '选项“{flags}”写了两次，但只能有一个值',
  },
  'help.rows_form': {
    en: 'a row number such as 7, or a range such as 3-59',
    zh: '请填写行号（如 7）或范围（如 3-59）',
  },
  'help.include': {
    en: 'send these too: unknown (needs a yes), rejected, not_sent',
    zh: '同时发送：unknown（需要确认）、rejected、not_sent',
  },
  'help.resolve': {
    en: 'Settle rows that are unknown, by what you or the platform know.',
    zh: '根据您或平台所知，处理状态为 unknown 的行。',
  },
  'help.run_id': { en: 'the run, by its id', zh: '运行，按其编号' },
  'help.row': { en: 'the row, by its number in the sheet', zh: '行，按其在工作表中的行号' },
  'help.as': { en: 'what it came to', zh: '该行的最终结果' },
  'help.order_id': {
    en: 'the order’s id on the platform, with --as succeeded',
    zh: '订单在平台上的编号，与 --as succeeded 一起使用',
  },
  'help.note': { en: 'how you know; kept in the audit', zh: '依据；保存在审计记录中' },
  'help.verify': {
    en: 'ask the platform where it can tell (it changes nothing there)',
    zh: '在平台可以查明时向其询问（不更改平台上的任何内容）',
  },
  'help.quiet': { en: 'no progress, only faults and the result', zh: '不显示进度，只显示错误和结果' },
  'help.output': {
    en: 'where the result goes (.xlsx, .csv or .ndjson)',
    zh: '结果写到哪里（.xlsx、.csv 或 .ndjson）',
  },
  'help.connection': {
    en: 'the connection to use, in place of the job’s',
    zh: '使用的连接，代替任务中的连接',
  },
  'help.concurrency': { en: 'requests in flight at most', zh: '同时进行的请求数上限' },
  'help.max_items': { en: 'lets one run send more items', zh: '允许一次运行发送更多项' },
  'help.max_deletes': {
    en: 'lets one run revoke more assets or products',
    zh: '允许一次运行撤销更多资产或产品',
  },
  'help.log_file': {
    en: 'write what happens to this file, one JSON object a line',
    zh: '把过程写入该文件，每行一个 JSON 对象',
  },
  'help.accept_restored': {
    en: 'send although the ledger was restored from an older copy or replaced',
    zh: '即使账本是从旧副本恢复的或已被替换，也继续发送',
  },
  'help.yes': { en: 'answer yes to what would be asked', zh: '对所有询问回答“是”' },
  'help.report': {
    en: 'write a web page (.html) of the run too; {job}, {run} and {input} in its name are put in',
    zh: '同时把运行写成网页（.html）；文件名中的 {job}、{run} 和 {input} 会被替换',
  },
  'help.metrics': {
    en: 'write Prometheus metrics to this file (.prom) at the end',
    zh: '结束时把 Prometheus 指标写入该文件（.prom）',
  },
  'help.on_invalid': {
    en: 'invalid rows: send nothing, or skip them',
    zh: '有无效行时：全部不发送，或跳过这些行',
  },
} as const;
