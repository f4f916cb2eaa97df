/** Texts of schedules. `zh` carries the same {names} as `en`. */
export const SCHEDULE = {
  'schedule.path_missing': {
    en: '{path} cannot be read ({reason}); name job files, or folders that hold some',
    zh: '无法读取 {path}（{reason}）；请指定任务文件或存放任务文件的文件夹',
  },
  'schedule.broken_jobs': {
    en: '{count} job files are at fault, so nothing was scheduled. Mend them, or name only the jobs that are wanted:',
    zh: '{count} 个任务文件有误，因此未安排任何任务。请修正它们，或只指定需要的任务：',
  },
  'schedule.same_names': {
    en: '{count} names stand in several job files, so nothing was scheduled; what the ledger remembers of them could not be told apart:',
    zh: '有 {count} 个名称出现在多个任务文件中，因此未安排任何任务；否则账本无法区分它们的记录：',
  },
  'schedule.same_name': {
    en: 'job {name} stands in {files}; give each a name of its own',
    zh: '任务 {name} 出现在 {files} 中；请分别命名',
  },
  'schedule.no_jobs': {
    en: 'no job with a schedule was found in {where}; give a job one, such as schedule: {example}',
    zh: '在 {where} 中未找到带有 schedule 的任务；请在任务中添加，例如 schedule: {example}',
  },
  'schedule.two_ledgers': {
    en: 'the jobs {first} and {second} keep different ledgers ({firstLedger} and {secondLedger}), and a scheduler works with one: start a scheduler for each',
    zh: '任务 {first} 与 {second} 使用不同的账本（{firstLedger} 与 {secondLedger}），而一个调度器只使用一个账本：请分别启动调度器',
  },
  'schedule.unreadable': {
    en: 'the schedule of job {job} cannot be worked out ({cron}, {timezone}); please report this',
    zh: '无法计算任务 {job} 的日程（{cron}，{timezone}）；请报告此问题',
  },
  'schedule.another_scheduler': {
    en: 'another scheduler works with the ledger {location} already (process {process} on {host}), and two would run every job twice; stop that one, or add --wait to stand by and take over from it',
    zh: '另一个调度器已在使用账本 {location}（主机 {host} 上的进程 {process}），两个调度器会使每个任务运行两次；请停止它，或添加 --wait 以待命并在其退出后接管',
  },
  'schedule.another_scheduler_unnamed': {
    en: 'another scheduler works with the ledger {location} already, and two would run every job twice; stop that one, or add --wait to stand by and take over from it',
    zh: '另一个调度器已在使用账本 {location}，两个调度器会使每个任务运行两次；请停止它，或添加 --wait 以待命并在其退出后接管',
  },
  'schedule.standing_by': {
    en: 'standing by until it is gone (Ctrl-C leaves)',
    zh: '待命中，直到其退出（按 Ctrl-C 离开）',
  },
  'schedule.taking_over': {
    en: 'taking over',
    zh: '开始接管',
  },
  'schedule.no_schedule': {
    en: '{count} job files have no schedule and are not run: {files}',
    zh: '{count} 个任务文件没有 schedule，不会运行：{files}',
  },
  'schedule.next': {
    en: '{job}: next at {next} ({timezone})',
    zh: '{job}：下次运行时间为 {next}（{timezone}）',
  },
  'schedule.stopping': {
    en: 'stopping: nothing new is started; runs that still end what is in flight: {count} (press Ctrl-C again to make them leave at once; either way they can be resumed)',
    zh: '正在停止：不再启动新的运行，{count} 个运行将完成正在发送的请求（再按一次 Ctrl-C 立即离开；两种情况下都可以恢复）',
  },
  'schedule.stopping_idle': {
    en: 'stopping',
    zh: '正在停止',
  },
  'schedule.overlap_skipped': {
    en: '{job}: the time {due} is left out, as the run before has not ended (onOverlap: skip)',
    zh: '{job}：因上一次运行尚未结束，跳过 {due}（onOverlap: skip）',
  },
  'schedule.paused': {
    en: '{job}: the time {due} is left out, as {who} has paused the job',
    zh: '{job}：{who} 已暂停此任务，跳过 {due}',
  },
  'schedule.overlap_queued': {
    en: '{job}: the time {due} waits for the end of the run before (onOverlap: queue)',
    zh: '{job}：{due} 的运行将等待上一次运行结束（onOverlap: queue）',
  },
  'schedule.overtaken': {
    en: '{job}: the time {before}, which was waiting, is overtaken: {due} takes its place, and one run stands for both (onOverlap: queue)',
    zh: '{job}：等待中的 {before} 已被 {due} 取代，以一次运行代表两者（onOverlap: queue）',
  },
  'schedule.locked_skipped': {
    en: '{job}: the time {due} is left out (onOverlap: skip): {why}',
    zh: '{job}：跳过 {due}（onOverlap: skip）：{why}',
  },
  'schedule.locked_waiting': {
    en: '{job}: the time {due} waits: {why}',
    zh: '{job}：{due} 的运行等待中：{why}',
  },
  'schedule.missed_run': {
    en: '{job}: {count} times were missed, from {oldest} to {newest}; one run makes up for them (onMissed: run)',
    zh: '{job}：错过了 {count} 个时间点（{oldest} 至 {newest}）；以一次运行补上（onMissed: run）',
  },
  'schedule.missed_skipped': {
    en: '{job}: {count} times were missed, from {oldest} to {newest}, and are left out (onMissed: skip)',
    zh: '{job}：错过了 {count} 个时间点（{oldest} 至 {newest}），不再补运行（onMissed: skip）',
  },
  'schedule.missed_covered': {
    en: '{job}: {count} earlier times were missed; the run of {due} makes up for them',
    zh: '{job}：错过了更早的 {count} 个时间点；由 {due} 的运行一并补上',
  },
  'schedule.cut_off_resumed': {
    en: '{job}: run {run} of {due} was cut off; going on with it',
    zh: '{job}：{due} 的运行 {run} 曾被中断；现在继续',
  },
  'schedule.cut_off_again': {
    en: '{job}: the time {due} was taken up, but no run came of it that could go on; it is run now',
    zh: '{job}：{due} 已被领取，但没有可继续的运行；现在运行',
  },
  'schedule.cut_off_files': {
    en: '{job}: the time {due} was cut off; the files that are left are taken up now',
    zh: '{job}：{due} 的运行曾被中断；现在处理剩余的文件',
  },
  'schedule.cut_off_overtaken': {
    en: '{job}: run {run} of {due} was cut off and is left so, as run {newer} was made since; to go on with it all the same: license-sync resume {run}',
    zh: '{job}：{due} 的运行 {run} 曾被中断，但此后已有运行 {newer}，因此保持原状；如仍需继续：license-sync resume {run}',
  },
  'schedule.cut_off_left': {
    en: '{job}: run {run} of {due} was cut off and is left so (onMissed: skip); to go on with it: license-sync resume {run}',
    zh: '{job}：{due} 的运行 {run} 曾被中断，保持原状（onMissed: skip）；如需继续：license-sync resume {run}',
  },
  'schedule.cut_off_skipped': {
    en: '{job}: the time {due} was taken up, but no run came of it; it is left out (onMissed: skip)',
    zh: '{job}：{due} 已被领取但未产生运行；不再补运行（onMissed: skip）',
  },
  'schedule.ended_by_itself': {
    en: '{job}: run {run} of {due} has ended by itself with exit code {exitCode}',
    zh: '{job}：{due} 的运行 {run} 已自行结束，退出码为 {exitCode}',
  },
  'schedule.replaced': {
    en: '{job}: the plan of {due} takes the place of {plans}, which nobody had approved',
    zh: '{job}：{due} 的计划取代了尚未获批准的 {plans}',
  },
  'schedule.taken_up': {
    en: '{job}: the time {due} was taken up before, so it is not run again',
    zh: '{job}：{due} 此前已被领取，因此不再运行',
  },
  'schedule.no_such_job': {
    en: 'no job named {job} with a schedule lies in {folder}. There are: {known}.',
    zh: '{folder} 中没有名为 {job} 且带有 schedule 的任务。现有：{known}。',
  },
  'schedule.clock_back': {
    en: 'the clock was set back by {seconds} s; times that were run are not run again',
    zh: '系统时钟被调回 {seconds} 秒；已运行过的时间点不会再次运行',
  },
  'schedule.ledger_trouble': {
    en: '{why} (trying again in {seconds} s)',
    zh: '{why}（{seconds} 秒后重试）',
  },
  'schedule.killed': {
    en: '{job}: the run of {due} was ended by {signal}; see license-sync runs, and go on with it by license-sync resume',
    zh: '{job}：{due} 的运行被 {signal} 终止；请查看 license-sync runs，并用 license-sync resume 继续',
  },
  'schedule.no_answer': {
    en: '{job}: the run of {due} ended with exit code {exitCode} and said nothing of what it did; see license-sync runs',
    zh: '{job}：{due} 的运行以退出码 {exitCode} 结束，且未说明结果；请查看 license-sync runs',
  },
  'schedule.fault': {
    en: '{job}: something went wrong in the scheduler itself, which goes on: {why}; please report this',
    zh: '{job}：调度器自身出现问题，但继续运行：{why}；请报告此问题',
  },
  'schedule.export_refused': {
    en: '{count} schedules cannot be written as {format}, so nothing was written. License-sync schedule can run them, or change them:',
    zh: '{count} 个日程无法写成 {format} 格式，因此未写入任何文件。可以用 license-sync schedule 运行它们，或修改它们：',
  },
  'schedule.export_field': {
    en: '{job}: {format} has nothing for {value} in the field {field} of {cron}',
    zh: '{job}：{format} 无法表示 {cron} 中 {field} 字段的 {value}',
  },
  'schedule.export_outside': {
    en: '{job}: {file} lies outside of {folder}, and that folder is all that the volume holds; move it there',
    zh: '{job}：{file} 位于 {folder} 之外，而卷中只有该文件夹；请将其移入',
  },
  'schedule.export_line_break': {
    en: '{job}: {text} holds a line break or another control character, which {format} has no way to write',
    zh: '{job}：{text} 含有换行符或其他控制字符，{format} 无法表示',
  },
  'schedule.export_no_jitter': {
    en: '{job}: {format} has nothing for jitter, so it was left out',
    zh: '{job}：{format} 不支持 jitter，已忽略',
  },
  'schedule.export_no_queue': {
    en: '{job}: {format} has nothing for onOverlap: queue; a time at which the run before is still going is left out',
    zh: '{job}：{format} 不支持 onOverlap: queue；若上一次运行仍未结束，则跳过该时间点',
  },
  'schedule.export_no_missed': {
    en: '{job}: {format} does not make up for missed times (onMissed: run); systemd and license-sync schedule do',
    zh: '{job}：{format} 不会补运行错过的时间点（onMissed: run）；systemd 与 license-sync schedule 可以',
  },
} as const;
