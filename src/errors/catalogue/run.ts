/** Texts of the run’s stages. `zh` carries the same {names} as `en`. */
export const RUN = {
  'run.no_such_option': {
    en: 'there is no option {name}; there are {known}',
    zh: '没有选项 {name}；可用的有 {known}',
  },
  'run.no_such_option_near': {
    en: 'there is no option {name}; did you mean {near}?',
    zh: '没有选项 {name}；是否指 {near}？',
  },
  'run.no_text_given': {
    en: '{name} is {value}, but a text is wanted: {what}',
    zh: '{name} 为 {value}，应为文本：{what}',
  },
  'run.unfit_option': {
    en: '{name} is {value}, but one of these is wanted: {allowed}',
    zh: '{name} 为 {value}，应为以下之一：{allowed}',
  },
  'run.stopped_between': {
    en: 'stopped before it was begun',
    zh: '在开始之前已停止',
  },
  'run.action_invalid': {
    en: 'rows of {job} are invalid (run {run}), so nothing was sent',
    zh: '任务 {job} 的部分行无效（运行 {run}），因此未发送任何内容',
  },
  'run.action_stopped': {
    en: 'run {run} was not carried out to its end',
    zh: '运行 {run} 未执行完毕',
  },
  'run.is_reconciliation': {
    en: 'run {run} of {job} is a reconciliation: it compared and sent nothing itself. Its actions are runs of their own (license-sync runs); to compare again: license-sync reconcile',
    zh: '运行 {run}（任务 {job}）是一次核对：它只做比较，自身不发送任何内容。其动作是单独的运行（license-sync runs）；要再次比较请用 license-sync reconcile',
  },
  'run.max_items': {
    en: '{items} items are more than safety.maxItems allows ({limit}); nothing was sent. If so many are meant, add --max-items {items}',
    zh: '共 {items} 项，超过 safety.maxItems 的上限（{limit}）；未发送任何内容。如确需处理，请加上 --max-items {items}',
  },
  'run.max_deletes': {
    en: '{count} revocations are more than safety.maxDeletes allows ({limit}); nothing was sent. If so many are meant, add --max-deletes {count}',
    zh: '共 {count} 项撤销，超过 safety.maxDeletes 的上限（{limit}）；未发送任何内容。如确需处理，请加上 --max-deletes {count}',
  },
  'run.not_confirmed': {
    en: 'not confirmed, so nothing was sent',
    zh: '未获确认，因此未发送任何内容',
  },
  'run.needs_yes': {
    en: '{operation} on connection {connection} ({items} items) needs a yes; there is no terminal to ask on, so add --yes when it is meant. Nothing is sent without it.',
    zh: '在连接 {connection} 上执行 {operation}（{items} 项）需要确认；当前没有可交互的终端，如确需执行请加上 --yes。未经确认不会发送。',
  },
  'run.needs_app_key': {
    en: 'connection {connection} has no appKey, which {operation} must send; add appKey to it in license-sync.yaml (or set LICENSE_SYNC_APP_KEY for the connection env)',
    zh: '连接 {connection} 没有 appKey，而 {operation} 必须携带；请在 license-sync.yaml 中为其添加 appKey（连接 env 则设置 LICENSE_SYNC_APP_KEY）',
  },
  'run.plan_used': {
    en: 'plan {plan} was applied already; a plan is carried out once. See: license-sync runs show {plan}',
    zh: '计划 {plan} 已经执行过；每个计划只能执行一次。查看：license-sync runs show {plan}',
  },
  'run.plan_begun': {
    en: '{plan} was begun already (state {state}); go on with: license-sync resume {plan} (with --yes where it stopped for want of a yes)',
    zh: '{plan} 已经开始执行（状态 {state}）；继续执行：license-sync resume {plan}（若因缺少确认而停止，请加上 --yes）',
  },
  'run.not_a_plan': {
    en: '{plan} is not a plan that waits to be applied (state {state}); make one with: license-sync plan JOB',
    zh: '{plan} 不是等待执行的计划（状态 {state}）；请用 license-sync plan JOB 生成',
  },
  'run.plan_changed': {
    en: '{what} changed since plan {plan} was made; nothing was sent. Make a new plan with: license-sync plan JOB',
    zh: '{what} 自计划 {plan} 生成后发生了变化；未发送任何内容。请重新生成计划：license-sync plan JOB',
  },
  'run.plan_file_unread': {
    en: '{file}, from which plan {plan} was made, cannot be read now ({reason}), so nobody can tell whether it changed; nothing was sent',
    zh: '生成计划 {plan} 所用的文件 {file} 目前无法读取（{reason}），因此无法判断其是否已更改；未发送任何内容',
  },
  'run.plan_too_old': {
    en: 'plan {plan} is {hours} hours old, more than --max-age allows; nothing was sent. Make a new plan with: license-sync plan JOB',
    zh: '计划 {plan} 已生成 {hours} 小时，超过 --max-age 的限制；未发送任何内容。请重新生成计划：license-sync plan JOB',
  },
  'run.canary_failed': {
    en: 'of the canary, {good} of {settled} items went through; the other {left} were not sent. Look at the result; to go on all the same: license-sync resume {run} --yes',
    zh: '试发的 {settled} 项中有 {good} 项成功；其余 {left} 项未发送。请检查结果；如仍要继续：license-sync resume {run} --yes',
  },
  'run.canary_waits': {
    en: 'the canary is through ({good} of {settled} items); the other {left} wait for a yes: license-sync resume {run} --yes',
    zh: '试发已完成（{settled} 项中成功 {good} 项）；其余 {left} 项等待确认：license-sync resume {run} --yes',
  },
  'run.output_is_input': {
    en: 'the result would replace {file}, which the run reads; name another file with --output',
    zh: '结果会覆盖本次运行要读取的 {file}；请用 --output 指定其他文件',
  },
  'run.result_so_far': {
    en: 'what run {run} has sent and received so far is in {output}',
    zh: '运行 {run} 到目前为止的发送和结果见 {output}',
  },
  'run.report_failed': {
    en: 'the result could not be written: {why} The outcomes are in the ledger; write the result with: license-sync resume {run} --output FILE.xlsx',
    zh: '无法写出结果：{why} 所有结果都在账本中；请用以下命令写出：license-sync resume {run} --output 文件.xlsx',
  },
  'run.carried_report_failed': {
    en: 'the result could not be written: {why} The outcomes are in the ledger; write the result with: license-sync wait {run} --output FILE.xlsx',
    zh: '无法写出结果：{why} 所有结果都在账本中；请用以下命令写出：license-sync wait {run} --output 文件.xlsx',
  },
  'run.too_many_failures': {
    en: '{count} batches in a row failed or are unknown (run.stopAfterFailures), the last of them: {why}; the run stopped. Go on with: license-sync resume {run}',
    zh: '连续 {count} 个批次失败或状态未知（run.stopAfterFailures），最后一个：{why}；运行已停止。继续执行：license-sync resume {run}',
  },
  'run.same_refusal': {
    en: 'three batches in a row were refused alike ({what}); the run stopped before sending more of the same. Correct the cause, then: license-sync resume {run}',
    zh: '连续三个批次被以相同方式拒绝（{what}）；运行已停止，以免继续发送同样的内容。排除原因后：license-sync resume {run}',
  },
  'run.patience_over': {
    en: '{why}; the run stopped. When the platform answers again, go on with: license-sync resume {run}',
    zh: '{why}；运行已停止。待平台恢复后继续执行：license-sync resume {run}',
  },
  'run.then_resume': {
    en: '{why}. Then go on with: license-sync resume {run}',
    zh: '{why}。然后继续执行：license-sync resume {run}',
  },
  'run.interrupted': {
    en: 'interrupted; go on with: license-sync resume {run}',
    zh: '已中断；继续执行：license-sync resume {run}',
  },
  'run.unsent_later': {
    en: 'an earlier attempt was sent and got no good answer; a later one did not get as far ({detail})',
    zh: '之前的一次尝试已发出，但没有得到有效答复；之后的尝试未能发出（{detail}）',
  },
  'run.doubted': {
    en: 'an earlier attempt may have been carried out, and a later one got no answer',
    zh: '之前的一次尝试可能已被执行，而之后的尝试没有得到答复',
  },
  'run.kept_resumable': {
    en: 'run {run} was kept: it can still be gone on with (license-sync resume), or one that can needs to know its rows',
    zh: '运行 {run} 已保留：它仍可继续（license-sync resume），或者某个可继续的运行需要其行数据',
  },
  'run.kept_unknown': {
    en: 'run {run} was kept: it has rows that are unknown, which could not be settled any more; settle them first: license-sync resolve {run} --verify',
    zh: '运行 {run} 已保留：其中有状态为 unknown 的行，清理后将无法再处理；请先处理：license-sync resolve {run} --verify',
  },
  'run.not_planned': {
    en: 'run {run} has no result: it ended, or was cut off, before its rows were planned',
    zh: '运行 {run} 没有结果：它在各行计划完成之前已结束或被中断',
  },
  'run.pruned': {
    en: 'run {run} was pruned: its rows and requests are no longer in the ledger',
    zh: '运行 {run} 已被清理：其行数据和请求已不在账本中',
  },
  'run.answered_undone': {
    en: 'the platform answered with licence order {order}, which run {other} (row {row}) took back: it seems to know the order by its number, and to have made nothing new. Look at the platform; where it has none, settle the row as failed and order under another channelOrderId',
    zh: '平台返回的授权订单 {order} 已由运行 {other}（第 {row} 行）撤销：平台似乎按订单号识别了该订单，并未新建任何内容。请在平台上查看；如确无新订单，请将该行处理为 failed，并使用新的 channelOrderId 下单',
  },
  'run.died': {
    en: 'the run ended before the outcome of this was known; it may have been carried out',
    zh: '运行在得知该项结果之前已结束；该项可能已被执行',
  },
  'run.doubted_refusal': {
    en: 'an earlier attempt may have been carried out; a later one was refused: {text}',
    zh: '之前的一次尝试可能已被执行；之后的尝试被拒绝：{text}',
  },
  'run.other_host': {
    en: 'run {run} was made for connection {connection} at {before}, but the settings of its job lead to {now} now, which knows nothing of it; nothing was sent. Set the address of {connection} back to {before} to go on, or start a new run there.',
    zh: '运行 {run} 是为位于 {before} 的连接 {connection} 创建的，而其任务的设置现在指向 {now}，该平台对此运行一无所知；未发送任何内容。若要继续，请将 {connection} 的地址改回 {before}，或在新地址上开始新的运行。',
  },
  'run.other_connection': {
    en: 'run {run} belongs to connection {own} and goes on there, not on {asked}; leave out --connection, or start a new run',
    zh: '运行 {run} 属于连接 {own}，只能在该连接上继续，不能改用 {asked}；请去掉 --connection，或开始新的运行',
  },
  'run.none_to_resume': {
    en: 'this ledger has no run to go on with: {location}',
    zh: '此账本中没有可继续的运行：{location}',
  },
  'run.no_such_run': {
    en: 'the ledger {location} has no run {run}; list them with: license-sync runs',
    zh: '账本 {location} 中没有运行 {run}；查看列表：license-sync runs',
  },
  'run.nothing_to_resume': {
    en: 'run {run} is finished ({state}); there is nothing to go on with',
    zh: '运行 {run} 已结束（{state}）；没有可继续的内容',
  },
  'run.another_to_resume': {
    en: 'run {run}, the last one, is finished ({state}), but run {other} of job {job} came to no end ({standing}); go on with it: license-sync resume {other}',
    zh: '最近一次运行 {run} 已结束（{state}），但任务 {job} 的运行 {other} 尚未结束（{standing}）；请继续该运行：license-sync resume {other}',
  },
  'run.result_renamed': {
    en: 'the result could not be written to {wanted} (is it open in another program?); it is in {written}',
    zh: '结果无法写入 {wanted}（是否在其他程序中打开？）；已写入 {written}',
  },
  'run.unfit_files': {
    en: 'the file is {file}, the job {job}',
    zh: '文件：{file}；任务：{job}',
  },
  'run.cut_off_unknown': {
    en: 'run {run} of this job, over {input}, was cut off and left {rows} rows unknown: they may have been carried out. Go on with it: license-sync resume {run}. Then settle them: license-sync resolve {run}. Until then runs of this job end with exit code 6',
    zh: '此任务的运行 {run}（输入 {input}）中途被切断，有 {rows} 行状态未知：它们可能已经执行。请先继续该运行：license-sync resume {run}，再处理这些行：license-sync resolve {run}。在此之前，此任务的运行均以退出码 6 结束',
  },
  'run.cut_off_unsent': {
    en: 'run {run} of this job, over {input}, was cut off before its end: {rows} of its rows were not sent. If they are still wanted: license-sync resume {run}',
    zh: '此任务的运行 {run}（输入 {input}）在结束前被切断：其中 {rows} 行未发送。如仍需要：license-sync resume {run}',
  },
  'run.abandoned': {
    en: 'whoever asked for run {run} is gone: nothing more of it is sent. It goes on with license-sync resume {run}',
    zh: '请求运行 {run} 的一方已不在：不再发送其任何内容。可用 license-sync resume {run} 继续',
  },
  'run.lock_lost': {
    en: 'another process has taken run {run} over while its ledger could not be reached from here: nothing more of it is sent from here. How it ends: license-sync runs show {run}',
    zh: '在此处无法访问账本期间，另一个进程已接手运行 {run}：此处不再发送其任何内容。其结局请用 license-sync runs show {run} 查看',
  },
  'run.cut_off_resume': {
    en: 'run {run} was cut off: its process is gone. Go on with it: license-sync resume {run}',
    zh: '运行 {run} 已被切断：其进程已不存在。请继续：license-sync resume {run}',
  },
  'run.cut_off_compare': {
    en: 'comparison {run} was cut off: its process is gone. Make it again: license-sync reconcile {jobFile}',
    zh: '比对 {run} 已被切断：其进程已不存在。请重新比对：license-sync reconcile {jobFile}',
  },
} as const;
