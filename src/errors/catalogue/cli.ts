/** Texts of the command line. `zh` carries the same {names} as `en`. */
export const CLI = {
  'cli.file_missing': {
    en: 'The file {file} does not exist; check the path.',
    zh: '文件 {file} 不存在；请检查路径。',
  },
  'cli.unknown_operation': {
    en: 'There is no operation "{name}"; did you mean {nearest}? `license-sync operations` lists them.',
    zh: '没有名为“{name}”的操作；您是否想用 {nearest}？`license-sync operations` 可列出全部。',
  },
  'cli.bad_age': {
    en: 'An age is a number and a unit, such as 90d, 12h or 30m, not "{text}".',
    zh: '时长由数字加单位组成，例如 90d、12h 或 30m，而不是“{text}”。',
  },
  'cli.schema_outdated': {
    en: '{file} is out of date; make it again with: license-sync schema > {file}',
    zh: '{file} 已过期；请重新生成：license-sync schema > {file}',
  },
} as const;
