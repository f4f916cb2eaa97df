/** Help of commands for people, workers and approvals, and of those that look at what is in the ledger. `zh` carries the same {names} as `en`. */
export const HELP_TEAM = {
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
  'help.ledger_accept': {
    en: 'Accept a ledger that was restored from an older copy or replaced: sending continues, on all hosts.',
    zh: '接受从旧副本恢复的或已被替换的账本：所有主机可继续发送。',
  },
  'help.ledger_migrate': {
    en: 'Bring the schema of a ledger of an older version up to date. A file is copied first; a new database is set up.',
    zh: '将旧版账本的结构升级到最新。文件账本会先保存副本；新数据库会完成初始化。',
  },
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
  'help.ledger_backup': {
    en: 'Copy a ledger file, and the inputs beside it, into another folder while runs go on. For PostgreSQL it names the command.',
    zh: '在运行进行期间将账本文件及其输入文件复制到另一个文件夹。对于 PostgreSQL，输出应使用的命令。',
  },
  'help.ledger_reopen': {
    en: 'Reopen a ledger that was closed when it was copied.',
    zh: '重新打开因复制而关闭的账本。',
  },
  'help.people_confirm': {
    en: 'Confirm a person whom another admin added or gave a token to, so that they may approve that admin’s plans.',
    zh: '确认由另一位管理员添加或签发令牌的人员，使其可以批准该管理员的计划。',
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
} as const;
