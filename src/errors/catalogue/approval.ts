/** Texts of plans that want a second person's word. `zh` carries the same {names} as `en`. */
export const APPROVAL = {
  // What the database refuses
  'approval.own_plan': {
    en: 'Nobody approves what they made, whatever their roles: plan {run} needs the word of somebody else.',
    zh: '任何人都不能批准自己制作的计划，无论具有何种角色：计划 {run} 需要由他人批准。',
  },
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
} as const;
