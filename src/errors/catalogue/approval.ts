/** Texts of plans that want a second person's word. `zh` carries the same {names} as `en`. */
export const APPROVAL = {
  // What a run says that stops after its plan
  'approval.stopped': {
    en: 'The connection {connection} wants a second person to approve what is sent over it, so nothing was sent; what would be is kept as plan {plan}. Ask for the approval with: license-sync request {plan}',
    zh: '连接 {connection} 要求由另一人批准所要发送的内容，因此未发送任何内容；待发送的内容已保存为计划 {plan}。请申请批准：license-sync request {plan}',
  },
  'approval.step_above': {
    en: 'Run {run} stopped before its next step: with the values that the earlier steps returned, it is about more than may be sent over {connection} without an approval. Nothing of that step was sent. Request the approval with: license-sync request {run}. Once it is approved, continue with: license-sync resume {run}',
    zh: '运行 {run} 在下一步骤之前停止：根据先前步骤返回的值，其数量超过了未经批准可通过连接 {connection} 发送的上限。该步骤未发送任何内容。请申请批准：license-sync request {run}。批准后继续执行：license-sync resume {run}',
  },

  'approval.wanted_since': {
    en: 'Plan {plan} was made without an approval, and what is sent over {connection} wants one: by the settings, or by those under which something was sent to the same host before. Nothing of it is sent. Make a new plan with: license-sync plan JOB',
    zh: '计划 {plan} 生成时未要求批准，而通过连接 {connection} 发送的内容须经批准：依据当前配置，或依据先前向同一主机发送时的配置。不发送其中任何内容。请重新生成计划：license-sync plan JOB',
  },

  'approval.actions_kept': {
    en: 'The connection {connection} wants a second person to approve what is sent over it, so no action was carried out; they are kept as plans: {plans}. Ask for the approval of each with: license-sync request PLAN',
    zh: '连接 {connection} 要求由另一人批准所要发送的内容，因此未执行任何操作；它们已保存为计划：{plans}。请分别申请批准：license-sync request PLAN',
  },

  // Whose word is missing
  'approval.not_asked': {
    en: 'Plan {plan} may only be sent over {connection} with the approval of {checkers}, and nobody has asked for it: license-sync request {plan}. Nothing was sent.',
    zh: '计划 {plan} 须经 {checkers} 批准才能通过连接 {connection} 发送，但尚未有人申请：license-sync request {plan}。未发送任何内容。',
  },
  'approval.waits': {
    en: 'Plan {plan} waits for the word of {checkers} (asked for by {by} at {at}): license-sync approve {plan}. Nothing was sent.',
    zh: '计划 {plan} 正在等待 {checkers} 的批准（{by} 于 {at} 申请）：license-sync approve {plan}。未发送任何内容。',
  },
  'approval.expired': {
    en: 'The approval of plan {plan} by {by} held until {until}; a new word of {checkers} is missing: license-sync approve {plan}. Nothing was sent.',
    zh: '{by} 对计划 {plan} 的批准有效期至 {until}；需要 {checkers} 重新批准：license-sync approve {plan}。未发送任何内容。',
  },
  'approval.rejected': {
    en: 'Plan {plan} was rejected by {by} at {at}: {comment}. It is not sent. Make a new plan, or have this one approved after all: license-sync request {plan}',
    zh: '计划 {plan} 已被 {by} 于 {at} 驳回：{comment}。不会发送。请重新生成计划，或再次申请批准：license-sync request {plan}',
  },
  'approval.changed': {
    en: 'Plan {plan} is not what was planned any more: its rows, requests or settings were altered in the ledger. Nothing was sent. Make a new plan with: license-sync plan JOB',
    zh: '计划 {plan} 已不再是当初生成的内容：账本中的行、请求或设置被改动过。未发送任何内容。请重新生成计划：license-sync plan JOB',
  },
  'approval.changed_since': {
    en: 'Run {run} is not what was approved any more: its rows, requests or settings were altered in the ledger. Nothing more of it is sent.',
    zh: '运行 {run} 已不再是所批准的内容：账本中的行、请求或设置被改动过。不再发送其中任何内容。',
  },
  'approval.replaced': {
    en: 'Plan {plan} was replaced by plan {by}, which the schedule made of the same job since: it can neither be approved nor sent. Look at plan {by}.',
    zh: '计划 {plan} 已被同一任务的日程此后生成的计划 {by} 取代：不能再批准或发送。请查看计划 {by}。',
  },
  'approval.replaces': {
    en: 'It takes the place of what the schedule had planned before and nobody approved: {plans}.',
    zh: '它取代了日程此前生成且未获批准的计划：{plans}。',
  },
  'approval.other_connection': {
    en: 'Run {run} was approved for the connection {connection} as it was configured then; {changed} is another now. Nothing more of it is sent: configure it as it was, or plan the rest anew with license-sync retry {run} --include not_sent',
    zh: '运行 {run} 获批时连接 {connection} 的配置与现在不同：{changed} 已更改。不再发送其中任何内容：请恢复原配置，或用 license-sync retry {run} --include not_sent 为其余部分重新生成计划',
  },
  'approval.a_checker': {
    en: 'a checker who did not make it (it was made by {maker})',
    zh: '非制作人（制作人 {maker}）的审批人',
  },
  'approval.one_of': {
    en: '{names} (it was made by {maker})',
    zh: '{names}（制作人 {maker}）',
  },

  // What can't be said of a plan
  'approval.not_needed': {
    en: 'Plan {plan} needs no approval: the connection {connection} asks for none. Send it with: license-sync apply {plan}',
    zh: '计划 {plan} 不需要批准：连接 {connection} 没有此要求。发送：license-sync apply {plan}',
  },
  'approval.asked_already': {
    en: 'The approval of plan {plan} was asked for already, by {by} at {at}.',
    zh: '{by} 已于 {at} 申请批准计划 {plan}。',
  },
  'approval.comment_wanted': {
    en: 'A rejection says why: license-sync reject {plan} --comment "…"',
    zh: '驳回时请说明原因：license-sync reject {plan} --comment "…"',
  },
  'approval.seen_another': {
    en: 'Plan {plan} is not the one that was looked at; nothing was said of it. Look at it again.',
    zh: '计划 {plan} 与所查看的内容不一致；未作任何批复。请重新查看。',
  },

  'approval.worker': {
    en: 'The connection {connection} wants a second person to approve what is sent over it, by the settings of the worker; run {run} was queued without. The worker sends nothing of it. Say approval: in the settings where it is queued too, and make a plan there.',
    zh: '按照工作进程的配置，通过连接 {connection} 发送的内容须由第二人批准；运行 {run} 加入队列时未经批准，工作进程不发送其中任何内容。请在提交运行的一方的配置中也写明 approval:，并重新生成计划。',
  },

  // What was said
  'approval.said_request': {
    en: '{plan}  waits for the approval of {checkers}: license-sync approve {plan}',
    zh: '{plan}  正在等待 {checkers} 的批准：license-sync approve {plan}',
  },
  'approval.said_approve': {
    en: '{plan}  approved by {by} until {until}; it is sent with: license-sync apply {plan}',
    zh: '{plan}  已由 {by} 批准，有效期至 {until}；发送：license-sync apply {plan}',
  },
  'approval.said_reject': {
    en: '{plan}  rejected by {by}: {comment}',
    zh: '{plan}  已被 {by} 驳回：{comment}',
  },
  'approval.said_of': {
    en: '  job {job}, {operation} over {connection}: {items} items of {rows} rows\n  plan hash {planHash}',
    zh: '  任务 {job}，{operation}，连接 {connection}：{rows} 行，共 {items} 项\n  计划哈希 {planHash}',
  },

  // What the database refuses
  'approval.own_plan': {
    en: 'You cannot approve your own plans, with any role: you planned {run}, uploaded its sheet, made its import, corrected or excluded rows, or changed its job (license-sync runs show {run}). Another person must approve it.',
    zh: '任何人都不能批准自己参与制作的内容，无论具有何种角色：您生成了计划 {run}、上传了其表格、创建了其导入、更正或排除了行，或修改了其任务（license-sync runs show {run}）。须由他人批准。',
  },
  'approval.granted_by_maker': {
    en: 'A maker of plan {run} added you or gave you a token within the last 7 days. Another person must approve it, or another admin confirms you with: license-sync people confirm NAME',
    zh: '计划 {run} 的制作人在最近 7 天内添加了您或向您签发了令牌。须由他人批准，或由另一位管理员确认您：license-sync people confirm 姓名',
  },
  'approval.same_user': {
    en: 'the plan was made by a process of the same user on the same machine ({user}), who approves it now',
    zh: '该计划由同一台计算机上的同一用户（{user}）的进程生成，现由其批准',
  },
  'approval.made_by': { en: 'made by {makers}', zh: '制作人：{makers}' },
  'approval.maker': { en: '{who} ({did})', zh: '{who}（{did}）' },
  'approval.maker_planned': { en: 'planned it', zh: '生成计划' },
  'approval.maker_uploaded': { en: 'uploaded the sheet', zh: '上传表格' },
  'approval.maker_imported': { en: 'made the import', zh: '创建导入' },
  'approval.maker_corrected': { en: 'corrected or excluded rows', zh: '更正或排除行' },
  'approval.maker_changed_job': { en: 'changed the job', zh: '修改任务' },
  'approval.no_maker': {
    en: 'Nobody knows who made plan {run}, so nobody can approve it. Make it anew with: license-sync plan JOB',
    zh: '无法确定计划 {run} 的制作人，因此不能批准。请重新生成计划：license-sync plan JOB',
  },
  'approval.not_requested': {
    en: 'Nobody asked for the approval of plan {run}. Its maker does with: license-sync request {run}',
    zh: '尚未有人申请批准计划 {run}。请制作人执行：license-sync request {run}',
  },
  'approval.other_hash': {
    en: 'What was said is of another plan than {run} as it lies in the ledger; it was refused.',
    zh: '该批复针对的内容与账本中的计划 {run} 不一致，已被拒绝。',
  },
  'approval.wanted': {
    en: 'Plan {run} may only be sent with an approval that holds now, and there is none. Nothing was sent.',
    zh: '计划 {run} 须有当前有效的批准才能发送，但目前没有。未发送任何内容。',
  },
  'approval.applied': {
    en: 'Plan {run} was applied already; a plan is carried out once. See: license-sync runs show {run}',
    zh: '计划 {run} 已经执行过；每个计划只能执行一次。查看：license-sync runs show {run}',
  },
  'approval.plan_sealed': {
    en: 'Plan {run} is kept as it was made; the ledger refuses to change it.',
    zh: '计划 {run} 按生成时的内容保存；账本拒绝更改。',
  },
  'approval.kept': {
    en: 'What was said of plan {run} stays as it was said; the ledger refuses to change or remove it.',
    zh: '对计划 {run} 的批复按原样保留；账本拒绝更改或删除。',
  },

  'approval.policy_admin': {
    en: 'What approvals a host wants is lifted by an admin of this ledger, and by nobody else.',
    zh: '只有此账本的管理员才能解除对主机的批准要求。',
  },
  'approval.policy_kept': {
    en: 'What approvals a host wants stays as it was kept; the ledger refuses to change or remove it.',
    zh: '对主机的批准要求按原样保留；账本拒绝更改或删除。',
  },

  // What hosts want
  'approval.host': { en: 'host', zh: '主机' },
  'approval.wants': { en: 'approval of', zh: '须批准' },
  'approval.kept_by': { en: 'seen with', zh: '来自' },
  'approval.kept_at': { en: 'since', zh: '自' },
  'approval.of_all': { en: 'every plan', zh: '所有计划' },
  'approval.of_operations': { en: '{operations}', zh: '{operations}' },
  'approval.of_more': { en: 'more than {above} items', zh: '超过 {above} 项' },
  'approval.of_both': { en: '{operations}, more than {above} items', zh: '{operations}，超过 {above} 项' },
  'approval.no_policies': {
    en: 'no host wants approvals by what {location} has seen',
    zh: '{location} 中没有要求批准的主机',
  },
  'approval.no_policy': {
    en: 'this ledger knows of no approvals that {host} wants; license-sync people policies shows which hosts want some',
    zh: '此账本没有主机 {host} 的批准要求；license-sync people policies 可列出有要求的主机',
  },
  'approval.lifted': {
    en: 'the ledger wants no approvals for {host} any more; what settings say holds from their next plan on',
    zh: '账本不再要求 {host} 的内容须经批准；此后自下一个计划起以配置为准',
  },

  // As runs are listed
  'approval.state_not_asked': { en: 'wants approval', zh: '需要批准' },
  'approval.state_waiting': { en: 'waiting for approval', zh: '等待批准' },
  'approval.state_approved': { en: 'approved by {by} until {until}', zh: '已由 {by} 批准，有效期至 {until}' },
  'approval.state_expired': { en: 'approval by {by} expired', zh: '{by} 的批准已过期' },
  'approval.state_rejected': { en: 'rejected by {by}', zh: '已被 {by} 驳回' },
  'approval.line_request': { en: '{at}  asked for by {by}', zh: '{at}  {by} 申请批准' },
  'approval.line_approve': {
    en: '{at}  approved by {by} until {until}',
    zh: '{at}  {by} 批准，有效期至 {until}',
  },
  'approval.line_reject': { en: '{at}  rejected by {by}', zh: '{at}  {by} 驳回' },
  'approval.line_apply': { en: '{at}  applied by {by}', zh: '{at}  {by} 执行' },
  'approval.state_applied': { en: 'approved by {by}', zh: '已由 {by} 批准' },
} as const;
