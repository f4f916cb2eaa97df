import type { PageWord } from './language.js';

/** People of the ledger. */
export const PEOPLE = {
  about: {
    en: 'Whom this ledger knows, and what each may do. Nobody approves what they made, whatever their roles.',
    zh: '此账本认识的人员及其权限。无论角色如何，任何人都不能批准自己创建的内容。',
  },
  name: { en: 'Name', zh: '姓名' },
  roles: { en: 'Roles', zh: '角色' },
  viewer: { en: 'viewer', zh: '查看者' },
  maker: { en: 'maker', zh: '制单人' },
  checker: { en: 'checker', zh: '审核人' },
  admin: { en: 'admin', zh: '管理员' },
  viewer_may: { en: 'reads', zh: '查看' },
  maker_may: { en: 'checks, plans, asks for approval, sends', zh: '检查、计划、请求批准、发送' },
  checker_may: { en: 'approves and rejects what others made', zh: '批准或拒绝他人创建的内容' },
  admin_may: { en: 'all of this, and manages people', zh: '以上全部，并管理人员' },
  subject: { en: 'OpenID subject', zh: 'OpenID 主体' },
  subject_hint: {
    en: 'Only where people sign in by an OpenID provider: the “sub” that it gives.',
    zh: '仅在通过 OpenID 提供方登录时需要：其给出的“sub”。',
  },
  added: { en: 'Added', zh: '添加时间' },
  token: { en: 'API token', zh: 'API 令牌' },
  token_forever: { en: 'without an end', zh: '无期限' },
  expires: { en: 'Token ends after', zh: '令牌有效期' },
  expires_hint: { en: 'Days as 90d; left empty, it doesn’t end.', zh: '天数，例如 90d；留空则不过期。' },
  add: { en: 'Add a person', zh: '添加人员' },
  add_yes: { en: 'Add', zh: '添加' },
  remove: { en: 'Remove', zh: '移除' },
  remove_of: { en: 'Remove {name}', zh: '移除 {name}' },
  remove_told: {
    en: '{name} can’t sign in any more, at once, and the API token ends. What {name} did stays told in the audit.',
    zh: '{name} 将立即无法登录，其 API 令牌失效。{name} 做过的操作仍保留在审计中。',
  },
  renew: { en: 'New token', zh: '新令牌' },
  renew_of: { en: 'New token for {name}', zh: '为 {name} 生成新令牌' },
  renew_told: { en: 'The token that {name} has now ends at once.', zh: '{name} 现有的令牌将立即失效。' },
  told_once: {
    en: 'This is the API token of {name}. It is shown this once: hand it over now, by a way that only {name} reads.',
    zh: '这是 {name} 的 API 令牌，仅显示这一次：请立即通过只有 {name} 能看到的方式交付。',
  },
  copy: { en: 'Copy', zh: '复制' },
  copied: { en: 'Copied', zh: '已复制' },
  nobody: { en: 'Nobody yet', zh: '尚无人员' },
  nobody_told: {
    en: 'As long as nobody is here, whoever reaches the ledger may do all. Begin with an admin.',
    zh: '在没有人员之前，任何能访问账本的人都拥有全部权限。请先添加一名管理员。',
  },
  acts: { en: 'Acts', zh: '操作' },
  admins_only: {
    en: 'Only an admin may add, change or remove people.',
    zh: '只有管理员可以添加、更改或移除人员。',
  },
} as const satisfies Record<string, PageWord>;
