/** Texts of people, roles and the audit. `zh` carries the same {names} as `en`. */
export const PEOPLE = {
  'people.token_unknown': {
    en: 'the API token in LICENSE_SYNC_USER_TOKEN is not known to this ledger (any more): nothing was done. Ask an admin for a new one: license-sync people token NAME',
    zh: '账本中没有（或已不再有）LICENSE_SYNC_USER_TOKEN 中的 API 令牌：未执行任何操作。请让管理员签发新令牌：license-sync people token NAME',
  },
  'people.token_expired': {
    en: 'the API token in LICENSE_SYNC_USER_TOKEN has expired: nothing was done. Ask an admin for a new one: license-sync people token NAME',
    zh: 'LICENSE_SYNC_USER_TOKEN 中的 API 令牌已过期：未执行任何操作。请让管理员签发新令牌：license-sync people token NAME',
  },
  'people.person_gone': {
    en: '{who} is not (or no longer) among the people of this ledger: nothing was done',
    zh: '{who} 不在（或已不在）此账本的人员之中：未执行任何操作',
  },
  'people.token_wanted': {
    en: 'this ledger has people, so {act} wants the API token of one with the role {wanted} in LICENSE_SYNC_USER_TOKEN; without one it can only be read. An admin gives tokens: license-sync people token NAME',
    zh: '此账本设有人员，{act} 需要在 LICENSE_SYNC_USER_TOKEN 中提供具有角色 {wanted} 者的 API 令牌；没有令牌只能读取。令牌由管理员签发：license-sync people token NAME',
  },
  'people.not_allowed': {
    en: '{who} has the role {roles}, and {act} wants the role {wanted}: nothing was done',
    zh: '{who} 的角色为 {roles}，而 {act} 需要角色 {wanted}：未执行任何操作',
  },
} as const;
