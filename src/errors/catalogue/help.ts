/** Texts of `--help` and of the command line's own faults. `zh` carries the same {names} as `en`. */
export const HELP = {
  'help.about': {
    en: 'Brings customers, licence orders and lock numbers from spreadsheets to the licensing platform.',
    zh: '把电子表格中的客户、授权订单和锁号送到授权平台。',
  },
  'help.lang': {
    en: 'of messages; default from LC_ALL, LC_MESSAGES or LANG',
    zh: '消息和帮助的语言；默认取自 LC_ALL、LC_MESSAGES 或 LANG',
  },
  'help.more': { en: '(add --help for the options)', zh: '（加 --help 查看选项）' },
  'help.console': {
    en: 'Serve the pages for those who own the sheets; prints the address, which signs in once.',
    zh: '提供供表格负责人使用的网页；打印的地址可登录一次。',
  },
  'help.console_port': { en: 'port; 0 takes any free one', zh: '端口；0 表示任意空闲端口' },
  'help.console_host': {
    en: 'address to listen at; beyond this machine only with TLS or a trusted proxy (`console:` of license-sync.yaml)',
    zh: '监听的地址；本机以外的地址需要 TLS 或受信任的代理（license-sync.yaml 的 `console:`）',
  },
  'help.console_open': { en: 'open it in the browser', zh: '在浏览器中打开' },
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
  'help.ledger': { en: 'the ledger, in place of the one that is found', zh: '账本，代替自动找到的账本' },
  'help.submit': {
    en: 'Plan a run here and put it into the queue of the shared ledger; workers carry it out. Asks what run asks; prints its id.',
    zh: '在此处规划一次运行并放入共用账本的队列，由工作进程执行。询问内容与 run 相同；输出运行编号。',
  },
  'help.submit_wait': {
    en: 'follow the run to its end and write its result here, as wait does',
    zh: '跟踪运行直到结束并在此处写出结果，与 wait 相同',
  },
  'help.worker': {
    en: 'Carry out queued runs until stopped. A worker takes each connection’s token from its own environment.',
    zh: '执行队列中的运行，直到被停止。工作进程从自身环境中取得各连接的令牌。',
  },
  'help.slots': { en: 'requests under way at a time, at most', zh: '同时进行的请求数上限' },
  'help.worker_connections': {
    en: 'carry out the runs of these connections only, as a,b',
    zh: '只执行这些连接的运行，例如 a,b',
  },
  'help.once': { en: 'carry out all that is queued, then end', zh: '执行完队列中的全部运行后结束' },
  'help.worker_export': {
    en: 'write what keeps a worker running elsewhere, in place of being one',
    zh: '不启动工作进程，而是写出用于在别处保持其运行的文件',
  },
  'help.ledger_command': {
    en: 'Look after the ledger: show it, copy it to a server, check it.',
    zh: '维护账本：查看、复制到服务器、检查。',
  },
  'help.ledger_show': {
    en: 'Show where the ledger is, its version and size, and how many runs and workers it has.',
    zh: '显示账本的位置、版本、大小，以及运行和工作进程的数量。',
  },
  'help.ledger_copy': {
    en: 'Copy all of this ledger into an empty one, and compare the counts.',
    zh: '将此账本的全部内容复制到一个空账本中，并核对数量。',
  },
  'help.ledger_to': { en: 'the empty ledger: postgres://…', zh: '空账本：postgres://…' },
  'help.ledger_check': {
    en: 'Check the ledger: sums, orphans, attempts that are open. Exit 1 where something does not fit.',
    zh: '检查账本：合计、孤立记录、未结束的尝试。有不符之处时退出码为 1。',
  },
  'help.wait': {
    en: 'Follow a run to its end and write its result here. Ctrl-C ends the waiting, not the run.',
    zh: '跟踪一次运行直到结束，并在此处写出结果。Ctrl-C 只结束等待，不结束运行。',
  },
  'help.stop': {
    en: 'Stop a run that workers carry: no more of it is sent, anywhere. It can be resumed.',
    zh: '停止由工作进程执行的运行：任何地方都不再发送。之后可以继续。',
  },
  'help.workers': {
    en: 'Show who is there, what they carry, and when they were last heard of.',
    zh: '显示有哪些工作进程、它们在执行什么以及最近一次的消息时间。',
  },
  'help.apply_queue': {
    en: 'put what it would send into the queue, for workers to carry out',
    zh: '将要发送的内容放入队列，由工作进程执行',
  },
  'help.request': {
    en: 'Ask for the approval of a kept plan, where its connection wants one.',
    zh: '申请批准已保存的计划（当其连接要求批准时）。',
  },
  'help.approve': {
    en: 'Let a plan be sent that somebody else made. The approval is of this very plan: any change voids it.',
    zh: '批准发送由他人制作的计划。批准仅针对该计划本身：任何改动都会使其失效。',
  },
  'help.reject': {
    en: 'Say that a plan is not to be sent, and why.',
    zh: '驳回计划并说明原因。',
  },
  'help.comment': { en: 'what to know about it', zh: '备注' },
  'help.comment_wanted': { en: 'why; a rejection says it', zh: '原因（驳回时必填）' },
  'help.approval_age': {
    en: 'how long the approval holds (s, m, h, d)',
    zh: '批准的有效时长（s、m、h、d）',
  },
  'help.resume_queue': {
    en: 'put what is left into the queue, for workers to carry out',
    zh: '将剩余部分放入队列，由工作进程执行',
  },
  'help.resume': {
    en: 'Go on with a run that was stopped, interrupted or killed.',
    zh: '继续已停止、被中断或被终止的运行。',
  },
  'help.doctor': {
    en: 'Check connection, token, certificate and clock, without changing anything anywhere.',
    zh: '检查连接、令牌、证书和时钟，不做任何更改。',
  },
  'help.connection_check': {
    en: 'the connection to check, in place of the job’s',
    zh: '要检查的连接，代替任务中的连接',
  },
  'help.json_one': { en: 'print one JSON object', zh: '输出一个 JSON 对象' },
  'help.sandbox': { en: 'Serve the simulated platform until stopped.', zh: '提供模拟平台服务，直到被停止。' },
  'help.port': { en: '0 takes a free one', zh: '端口；0 表示任选一个空闲端口' },
  'help.host': { en: 'the address to listen on', zh: '监听的地址' },
  'help.state': { en: 'keep what was carried out in this file', zh: '把已执行的内容保存在该文件中' },
  'help.latency': { en: 'wait before each answer', zh: '每次应答前的等待时间（毫秒）' },
  'help.faults': { en: 'make faults happen: kind=rate,…,seed=N', zh: '制造故障：种类=比率,…,seed=N' },
  'help.token': {
    en: 'accept only this bearer token (a made-up one: the sandbox guards nothing)',
    zh: '只接受此令牌（随意编造即可：沙箱不保护任何数据）',
  },
  'help.json_ready': { en: 'print one JSON object when ready', zh: '就绪时输出一个 JSON 对象' },
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
    en: 'take back only this row, with the rest of its order; may be repeated (default: all rows)',
    zh: '仅撤销该行（及同一订单的其余行）；可重复使用（默认：所有行）',
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
  'help.output_again': {
    en: 'write the result of the run again (.xlsx, .csv or .ndjson)',
    zh: '重新写出该运行的结果（.xlsx、.csv 或 .ndjson）',
  },
  'help.explain': {
    en: 'Tell one row’s story, and what is safe to do next.',
    zh: '说明一行的来龙去脉，以及接下来可以安全地做什么。',
  },
  'help.people': {
    en: 'People of the ledger: who may read, make, check or manage. On a server, a ledger with people wants the API token of one for what writes.',
    zh: '账本中的人员：谁可以读取、制作、审核或管理。服务器上的账本一旦有人员，写入即需要其中一人的 API 令牌。',
  },
  'help.people_list': { en: 'List the people of the ledger.', zh: '列出账本中的人员。' },
  'help.people_add': {
    en: 'Add a person, and print an API token for them once.',
    zh: '添加人员，并输出一次其 API 令牌。',
  },
  'help.people_remove': {
    en: 'Remove a person; their token ends, what they did stays told.',
    zh: '移除人员；其令牌失效，其所做的操作仍保留在记录中。',
  },
  'help.people_policies': {
    en: 'List which hosts want approvals, by the settings under which something was planned for them.',
    zh: '列出哪些主机要求批准（依据先前为其生成计划时的配置）。',
  },
  'help.lift': {
    en: 'the host’s approvals are wanted no more, until settings say so again (admins)',
    zh: '不再要求该主机的批准，直至配置再次要求（仅限管理员）',
  },
  'help.people_token': {
    en: 'Print a new API token for a person; the one before ends.',
    zh: '为人员输出新的 API 令牌；之前的令牌失效。',
  },
  'help.role': {
    en: 'viewer, maker, checker or admin; several with commas',
    zh: 'viewer、maker、checker 或 admin；多个用逗号分隔',
  },
  'help.subject': { en: 'how the OpenID provider names them (sub)', zh: 'OpenID 提供方对其的标识（sub）' },
  'help.expires': { en: 'when the token ends, such as 90d or 12h', zh: '令牌何时失效，例如 90d 或 12h' },
  'help.audit': {
    en: 'What was done in the ledger and by whom, oldest first; check that no line was altered or removed.',
    zh: '账本中由谁做了什么，最早的在前；检查是否有记录被更改或删除。',
  },
  'help.audit_run': { en: 'only lines of this run', zh: '仅此运行的记录' },
  'help.audit_who': { en: 'only lines of this person', zh: '仅此人的记录' },
  'help.since': {
    en: 'only since a date or time (2026-11-23T08:00:00Z), or for an age (7d, 12h, 30m)',
    zh: '仅自某日期或时间（2026-11-23T08:00:00Z）起，或某时长内（7d、12h、30m）',
  },
  'help.audit_check': {
    en: 'Check the chain of the audit; exit 1 names the first line that does not fit.',
    zh: '检查审计记录链；退出码 1 并指出第一条不符的记录。',
  },
  'help.runs': {
    en: 'List the runs of the ledger; show one; prune old ones.',
    zh: '列出账本中的运行；查看某次运行；清理旧的运行。',
  },
  'help.limit': { en: 'how many at most, newest first', zh: '最多显示多少次，最新的在前' },
  'help.runs_show': { en: 'Show one run.', zh: '显示一次运行。' },
  'help.runs_export': { en: 'Write the result of a run again.', zh: '重新写出一次运行的结果。' },
  'help.corrected': {
    en: 'write the input instead, with the cells corrected that the run was planned with (.xlsx, or .csv of a .csv)',
    zh: '改为写出输入文件，含计划此运行时所做的更正（.xlsx；输入为 .csv 时写 .csv）',
  },
  'help.output_any': {
    en: 'where it goes (.xlsx, .csv or .ndjson)',
    zh: '写到哪里（.xlsx、.csv 或 .ndjson）',
  },
  'help.runs_report': {
    en: 'Write a web page of a run: figures, problems and what to do next.',
    zh: '把一次运行写成网页：数据、问题以及下一步。',
  },
  'help.output_html': { en: 'where it goes (.html)', zh: '写到哪里（.html）' },
  'help.runs_prune': {
    en: 'Remove the personal data of old runs; repeats are still found.',
    zh: '删除旧运行中的个人数据；仍能识别重复。',
  },
  'help.older_than': { en: 'such as 90d or 12h', zh: '例如 90d 或 12h' },
  'help.json_only': {
    en: 'print one JSON object on stdout and nothing else there',
    zh: '在标准输出上只输出一个 JSON 对象',
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
  'help.whole_number': { en: 'a whole number is wanted.', zh: '需要一个整数。' },
  'help.whole_from_one': { en: 'a whole number from 1 is wanted.', zh: '需要一个不小于 1 的整数。' },
  'help.operations': {
    en: 'List the operations, or the fields of one.',
    zh: '列出所有操作，或某个操作的字段。',
  },
  'help.template': {
    en: 'Write a workbook to fill in, for an operation or for a job’s own columns.',
    zh: '写出供填写的工作簿，用于某个操作或某个任务自己的列。',
  },
  'help.template_output': {
    en: 'where it goes (.xlsx); default OPERATION.xlsx in the current folder',
    zh: '写到哪里（.xlsx）；默认为当前文件夹中的 操作名.xlsx',
  },
  'help.nested': {
    en: 'orders, products, features and packages in sheets of their own, with the job file',
    zh: '订单、产品、特征和套餐各占一张工作表，并附任务文件',
  },
  'help.filled': { en: 'with the example’s rows filled in, to try it out', zh: '填入示例行，便于试用' },
  'help.force': { en: 'replace what is there, filled in or not', zh: '替换已有文件，无论是否已填写' },
  'help.template_all': {
    en: 'write one for every operation into a folder, in English and in Chinese',
    zh: '为每个操作各写一份到文件夹中，中英文各一份',
  },
  'help.template_check': {
    en: 'with --all: write nothing, exit 1 when a file there is out of date',
    zh: '与 --all 一起使用：不写文件，有文件过期时以 1 退出',
  },
  'help.show': {
    en: 'Print a job as it counts, as a file that can be run, with where each value comes from.',
    zh: '输出任务实际生效的内容（可直接运行的文件），并注明每个值的来源。',
  },
  'help.schema': { en: 'Print the JSON Schema of the job file.', zh: '输出任务文件的 JSON Schema。' },
  'help.schema_config': {
    en: 'the schema of license-sync.yaml instead',
    zh: '改为输出 license-sync.yaml 的 schema',
  },
  'help.schema_check': {
    en: 'compare a file with the schema; exit 1 when it is out of date',
    zh: '将文件与 schema 比较；过期时以 1 退出',
  },
  'help.init': {
    en: 'Set up a folder with a job that runs on the sandbox at once.',
    zh: '建立一个文件夹，其中的任务可立即在沙箱上运行。',
  },
  'help.init_operation': { en: 'what the first job does', zh: '第一个任务做什么' },
  'help.guess': {
    en: 'Write a job file for a spreadsheet, by its headers and cells.',
    zh: '根据电子表格的表头和单元格写出任务文件。',
  },
  'help.guess_operation': {
    en: 'what the job does, in place of the likeliest operation; several, joined by commas, are steps',
    zh: '任务做什么，代替最可能的操作；多个以逗号分隔，表示依次执行的步骤',
  },
  'help.guess_output': {
    en: 'where the job goes; default the spreadsheet’s name, in the current folder',
    zh: '任务文件写到哪里；默认以电子表格的名称放在当前文件夹',
  },
  'help.password_env': {
    en: 'the environment variable that holds the password of an encrypted workbook',
    zh: '存放加密工作簿密码的环境变量',
  },
  'help.encoding': {
    en: 'encoding of a text file, where its bytes do not tell it, such as gb18030',
    zh: '文本文件的编码，用于无法从字节判断时，例如 gb18030',
  },
  'help.guess_force': { en: 'replace a job file that is there already', zh: '替换已有的任务文件' },
  'help.usage': { en: 'Usage:', zh: '用法：' },
  'help.arguments': { en: 'Arguments:', zh: '参数：' },
  'help.options': { en: 'Options:', zh: '选项：' },
  'help.global_options': { en: 'Global Options:', zh: '全局选项：' },
  'help.commands': { en: 'Commands:', zh: '命令：' },
  'help.examples': { en: 'Examples:', zh: '示例：' },
  'help.default': { en: 'default: {value}', zh: '默认：{value}' },
  'help.choices': { en: 'choices: {values}', zh: '可选：{values}' },
  'help.help': { en: 'display help for command', zh: '显示命令的帮助' },
  'help.version': { en: 'output the version number', zh: '显示版本号' },
  'help.error': { en: 'error: {what}', zh: '错误：{what}' },
  'help.unknown_option': { en: "unknown option '{flag}'", zh: '未知选项“{flag}”' },
  'help.unknown_command': { en: "unknown command '{name}'", zh: '未知命令“{name}”' },
  'help.did_you_mean': { en: '(Did you mean {names}?)', zh: '（是否想输入 {names}？）' },
  'help.missing_argument': { en: "missing required argument '{name}'", zh: '缺少必需的参数“{name}”' },
  'help.option_argument_missing': { en: "option '{flags}' argument missing", zh: '选项“{flags}”缺少参数' },
  'help.required_option': { en: "required option '{flags}' not specified", zh: '未指定必需的选项“{flags}”' },
  'help.too_many_arguments': {
    en: 'too many arguments; {expected} expected, {received} given',
    zh: '参数过多；应为 {expected} 个，实际为 {received} 个',
  },
  'help.invalid_option': {
    en: "option '{flags}' argument '{value}' is invalid. {why}",
    zh: '选项“{flags}”的参数“{value}”无效。{why}',
  },
  'help.invalid_argument': {
    en: "'{value}' is invalid for argument '{name}'. {why}",
    zh: '“{value}”不能用作参数“{name}”。{why}',
  },
  'help.allowed': { en: 'Allowed choices are {values}.', zh: '可选值：{values}。' },
} as const;
