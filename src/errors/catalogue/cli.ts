/** Texts of the command line. `zh` carries the same {names} as `en`. */
export const CLI = {
  'cli.file_missing': {
    en: 'The file {file} does not exist; check the path.',
    zh: '文件 {file} 不存在；请检查路径。',
  },
  'cli.unknown_operation_far': {
    en: 'There is no operation "{name}". There are: {known}. `license-sync operations` tells what they do.',
    zh: '没有名为“{name}”的操作。可用的操作：{known}。`license-sync operations` 可查看各自的用途。',
  },
  'cli.unknown_operation': {
    en: 'There is no operation "{name}"; did you mean {nearest}? `license-sync operations` lists them.',
    zh: '没有名为“{name}”的操作；您是否想用 {nearest}？`license-sync operations` 可列出全部。',
  },
  'cli.bad_age': {
    en: 'An age is a number and a unit, such as 90d, 12h, 30m or 45s, not "{text}".',
    zh: '时长由数字加单位组成，例如 90d、12h、30m 或 45s，而不是“{text}”。',
  },
  'cli.schema_outdated': {
    en: '{file} is out of date; make it again with: license-sync schema > {file}',
    zh: '{file} 已过期；请重新生成：license-sync schema > {file}',
  },
  'cli.log_unwritable': {
    en: 'The log file {file} cannot be written ({reason}); choose another place for --log-file.',
    zh: '无法写入日志文件 {file}（{reason}）；请为 --log-file 指定其他位置。',
  },
  'cli.log_not_a_log': {
    en: '{file} exists and is not a log of this program, so nothing was added to it; choose another file for --log-file.',
    zh: '{file} 已存在且不是本程序的日志，因此未写入任何内容；请为 --log-file 指定其他文件。',
  },
  'cli.log_broken': {
    en: 'The log file {file} can no longer be written ({reason}); the work goes on without it.',
    zh: '日志文件 {file} 已无法写入（{reason}）；工作继续进行，但不再记录日志。',
  },
  'cli.output_lost': {
    en: 'What should be printed could not be written to standard output ({reason}). The run itself is whole: see license-sync runs.',
    zh: '无法将内容写到标准输出（{reason}）。运行本身不受影响：请查看 license-sync runs。',
  },
  'cli.program_replaced': {
    en: 'The program was replaced by another version, or removed, while it was at work: {file} is gone. Start it again; license-sync resume goes on with a run.',
    zh: '程序在运行期间被其他版本替换或已被删除：找不到 {file}。请重新启动；运行可用 license-sync resume 继续。',
  },
} as const;
