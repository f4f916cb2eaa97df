/** Texts of people, roles and the audit. `zh` carries the same {names} as `en`. */
export const PEOPLE = {
  'people.token_unknown': {
    en: 'the API token (LICENSE_SYNC_USER_TOKEN) is not known to this ledger (any more): nothing was done. Ask an admin for a new one: license-sync people token NAME',
    zh: '账本中没有（或已不再有）该 API 令牌（LICENSE_SYNC_USER_TOKEN）：未执行任何操作。请让管理员签发新令牌：license-sync people token NAME',
  },
  'people.token_expired': {
    en: 'the API token (LICENSE_SYNC_USER_TOKEN) has expired: nothing was done. Ask an admin for a new one: license-sync people token NAME',
    zh: 'API 令牌（LICENSE_SYNC_USER_TOKEN）已过期：未执行任何操作。请让管理员签发新令牌：license-sync people token NAME',
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
  'people.unknown_role': {
    en: 'there is no role "{word}"; there are: {known}',
    zh: '没有名为“{word}”的角色；可用的角色：{known}',
  },
  'people.unknown_role_near': {
    en: 'there is no role "{word}"; did you mean {near}? There are: {known}',
    zh: '没有名为“{word}”的角色；是否指 {near}？可用的角色：{known}',
  },
  'people.name_unfit': {
    en: '"{name}" can\'t be the name of a person: a name has 1 to {longest} characters, none of them invisible, no blanks at its ends, and does not begin with os: (that names users of a machine)',
    zh: '“{name}”不能作为人员的名称：名称为 1 到 {longest} 个字符，不含不可见字符，首尾没有空格，且不以 os: 开头（那表示某台机器的用户）',
  },
  'people.empty_subject': {
    en: '--subject is empty; it is the `sub` by which the OpenID provider names the person',
    zh: '--subject 为空；它是 OpenID 提供方用来标识该人员的 `sub`',
  },
  'people.name_taken': {
    en: 'there is a person {name} already; choose another name, or give them a new token: license-sync people token {name}',
    zh: '已有名为 {name} 的人员；请换一个名称，或签发新令牌：license-sync people token {name}',
  },
  'people.subject_taken': {
    en: 'somebody else has the subject {subject} already: a subject is one person',
    zh: '已有他人使用 subject {subject}：一个 subject 只对应一个人',
  },
  'people.no_such_person': {
    en: 'there is no person {name} in this ledger; license-sync people list shows who there is',
    zh: '此账本中没有名为 {name} 的人员；license-sync people list 可列出所有人员',
  },
  'people.last_admin': {
    en: '{name} is the last admin, and others remain, whom nobody could manage any more: add another admin first, or remove the others before',
    zh: '{name} 是最后一名管理员，而仍有其他人员，移除后将无人能管理：请先添加另一名管理员，或先移除其他人员',
  },
  'people.bad_since': {
    en: '--since is a date or time such as 2026-11-23 or 2026-11-23T08:00:00Z, or an age such as 7d, 12h, 30m or 45s, not "{text}"',
    zh: '--since 为日期或时间，例如 2026-11-23 或 2026-11-23T08:00:00Z，或时长，例如 7d、12h、30m 或 45s，而不是“{text}”',
  },
  'people.token_once': {
    en: 'the API token of {name} stands above and is not shown again: only its SHA-256 is kept. {name} sets it as LICENSE_SYNC_USER_TOKEN.',
    zh: '以上是 {name} 的 API 令牌，之后不再显示：账本只保存其 SHA-256。{name} 将其设为 LICENSE_SYNC_USER_TOKEN。',
  },
  'people.token_until': {
    en: 'the API token of {name} stands above and is not shown again: only its SHA-256 is kept. It holds until {until}. {name} sets it as LICENSE_SYNC_USER_TOKEN.',
    zh: '以上是 {name} 的 API 令牌，之后不再显示：账本只保存其 SHA-256。有效期至 {until}。{name} 将其设为 LICENSE_SYNC_USER_TOKEN。',
  },
  'people.confirmed': { en: '{name} was confirmed by {by}', zh: '已由 {by} 确认 {name}' },
  'people.confirm_self': {
    en: 'you cannot confirm yourself: another admin must confirm {name}',
    zh: '任何人都不能确认自己：须由另一位管理员确认 {name}',
  },
  'people.removed': { en: '{name} was removed', zh: '已移除 {name}' },
  'people.none_there': {
    en: 'no people in {location}: whoever can reach it may do everything in it',
    zh: '{location} 中没有人员：任何能访问它的人都可以执行所有操作',
  },
  'people.name': { en: 'name', zh: '名称' },
  'people.roles': { en: 'roles', zh: '角色' },
  'people.subject': { en: 'subject', zh: '主体 (subject)' },
  'people.added': { en: 'added', zh: '添加时间' },
  'people.tokenExpires': { en: 'token until', zh: '令牌有效期至' },
  'people.audit_at': { en: 'time', zh: '时间' },
  'people.audit_who': { en: 'who', zh: '操作人' },
  'people.audit_act': { en: 'act', zh: '操作' },
  'people.audit_run': { en: 'run', zh: '运行' },
  'people.audit_detail': { en: 'detail', zh: '详情' },
  'people.audit_empty': { en: 'the audit has no such lines', zh: '审计记录中没有这样的记录' },
  'people.audit_sound': {
    en: 'the audit is whole: {lines} lines, each as it was written and following the one before',
    zh: '审计记录完整：共 {lines} 条，每条均与写入时一致并接续前一条',
  },
  'people.audit_altered': {
    en: 'line {n} of the audit ({at}, {who}, {act}, run {run}) does not fit: it was altered, put in, or the one before it was',
    zh: '审计记录第 {n} 条（{at}，{who}，{act}，运行 {run}）不符：该条或其前一条被更改或插入',
  },
  'people.audit_missing': {
    en: 'line {n} of the audit is gone',
    zh: '审计记录第 {n} 条已丢失',
  },
} as const;
