import type { PageWord } from './language.js';

/** What became of rows, as the counts read: `12 ready`. */
export const STATUS_WORDS = {
  valid: { en: 'ready', zh: '就绪' },
  invalid: { en: 'invalid', zh: '无效' },
  skipped: { en: 'skipped', zh: '跳过' },
  succeeded: { en: 'succeeded', zh: '成功' },
  accepted: { en: 'accepted', zh: '已受理' },
  rejected: { en: 'rejected', zh: '被拒绝' },
  failed: { en: 'failed', zh: '失败' },
  unknown: { en: 'unknown', zh: '未知' },
  under_way: { en: 'under way or unknown', zh: '进行中或未知' },
  not_sent: { en: 'not sent', zh: '未发送' },
  in_sync: { en: 'in sync', zh: '一致' },
  different: { en: 'different', zh: '不一致' },
  missing: { en: 'missing', zh: '平台缺少' },
  extra: { en: 'extra', zh: '平台多出' },
  error: { en: 'error', zh: '错误' },
} as const satisfies Record<string, PageWord>;

export const STATUS_MEANINGS: { readonly [S in keyof typeof STATUS_WORDS]: PageWord } = {
  valid: { en: 'passed the checks; would be sent', zh: '通过检查，将会发送' },
  invalid: { en: 'failed the checks; not sent', zh: '未通过检查，未发送' },
  skipped: { en: 'left out, or done by an earlier run', zh: '被排除，或已由之前的运行完成' },
  succeeded: { en: 'the platform confirmed it', zh: '平台已确认' },
  accepted: { en: 'taken; its final outcome is not known yet', zh: '平台已受理，最终结果未知' },
  rejected: { en: 'the platform refused it; no effect', zh: '平台拒绝，未产生效果' },
  failed: { en: 'no effect, or a harmless one; safe to send again', zh: '未产生效果或无害，可安全重发' },
  unknown: { en: 'may have been carried out; must be settled', zh: '可能已执行，需要查明' },
  under_way: {
    en: 'its request is under way, or nobody knows yet what became of it',
    zh: '请求正在进行，或尚不知结果',
  },
  not_sent: { en: 'planned, but not sent', zh: '已计划，但未发送' },
  in_sync: { en: 'as the platform has it', zh: '与平台一致' },
  different: { en: 'the platform has it otherwise', zh: '与平台不一致' },
  missing: { en: 'the platform does not have it', zh: '平台上没有' },
  extra: { en: 'on the platform alone', zh: '仅平台上有' },
  error: { en: 'could not be compared', zh: '无法核对' },
};

/** How a run stands. */
export const STATE_WORDS = {
  planning: { en: 'planning', zh: '计划中' },
  planned: { en: 'planned', zh: '已计划' },
  queued: { en: 'queued', zh: '排队中' },
  executing: { en: 'running', zh: '运行中' },
  executed: { en: 'writing the result', zh: '正在写结果' },
  completed: { en: 'completed', zh: '已完成' },
  stopped: { en: 'stopped', zh: '已停止' },
  interrupted: { en: 'stopped', zh: '已停止' },
  invalid: { en: 'invalid', zh: '无效' },
  'cut off': { en: 'cut off', zh: '被切断' },
} as const satisfies Record<string, PageWord>;

export const KIND_WORDS = {
  run: { en: 'Run', zh: '运行' },
  plan: { en: 'Plan', zh: '计划' },
  dry_run: { en: 'Check', zh: '检查' },
  reconcile: { en: 'Comparison', zh: '核对' },
} as const satisfies Record<string, PageWord>;
