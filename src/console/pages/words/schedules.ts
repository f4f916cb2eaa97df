import type { PageWord } from './language.js';

/** Schedules. */
export const SCHEDULES = {
  about: {
    en: 'Jobs that run by themselves at their times, as long as “license-sync schedule” is up somewhere over this ledger.',
    zh: '按时自动运行的任务；前提是某处有一个基于此账本的“license-sync schedule”正在运行。',
  },
  job: { en: 'Job', zh: '任务' },
  times: { en: 'Times', zh: '时间' },
  next: { en: 'Next times', zh: '下次时间' },
  last: { en: 'Last time', zh: '上次时间' },
  last_run: { en: 'Last run', zh: '上次运行' },
  never: { en: 'not yet', zh: '尚未' },
  acts: { en: 'Acts', zh: '操作' },
  run_now: { en: 'Run now', zh: '立即运行' },
  run_now_of: { en: 'Run now: {job}', zh: '立即运行：{job}' },
  run_now_told: {
    en: '{job} reads its source as it is now and sends what is ready to {connection}, beside its times. What it has sent before is skipped.',
    zh: '{job} 将读取当前的源文件，并在既定时间之外将就绪的内容发送到 {connection}。之前发送过的会跳过。',
  },
  compare_told: {
    en: '{job} compares its source with {connection} as both are now. Nothing is changed.',
    zh: '{job} 将源文件与 {connection} 的当前内容进行比较，不做任何更改。',
  },
  pause: { en: 'Pause', zh: '暂停' },
  pause_of: { en: 'Pause {job}', zh: '暂停 {job}' },
  go_on: { en: 'Continue', zh: '继续' },
  go_on_of: { en: 'Continue {job}', zh: '继续 {job}' },
  paused: { en: 'paused by {who}', zh: '已由 {who} 暂停' },
  paused_said: { en: '{job} is paused', zh: '{job} 已暂停' },
  going_said: { en: '{job} goes on', zh: '{job} 已继续' },
  faulty: {
    en: 'Job files at fault: their schedules do not count',
    zh: '有错误的任务文件：其定时设置不生效',
  },
  empty: { en: 'No job has a schedule', zh: '没有任务设置了定时' },
  empty_told: {
    en: 'A job gets its times by “schedule:” in its file in the folder jobs.',
    zh: '在文件夹 jobs 的任务文件中用“schedule:”设置时间。',
  },
} as const satisfies Record<string, PageWord>;
