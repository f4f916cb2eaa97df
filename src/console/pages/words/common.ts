import type { PageWord } from './language.js';

/** Words of the frame and of the parts that several pages use. A page's own stand in the file with its name. */
export const COMMON = {
  comma: { en: ', ', zh: '、' },
  product: { en: 'license-sync', zh: 'license-sync' },
  title: { en: '{page} · license-sync', zh: '{page} · license-sync' },
  skip: { en: 'Skip to the content', zh: '跳到正文' },
  pages: { en: 'Pages', zh: '页面' },
  language: { en: 'Language', zh: '语言' },
  appearance: { en: 'Theme', zh: '外观' },
  as_system: { en: 'System', zh: '跟随系统' },
  light: { en: 'Light', zh: '浅色' },
  dark: { en: 'Dark', zh: '深色' },
  sign_out: { en: 'Sign out', zh: '退出登录' },
  zone: { en: 'Times are in {zone}.', zh: '时间均为 {zone}。' },
  sandbox: { en: 'SANDBOX', zh: '沙箱 SANDBOX' },
  roles: { en: 'Roles: {roles}', zh: '角色：{roles}' },

  row: { en: 'Row', zh: '行号' },
  message: { en: 'Message', zh: '说明' },
  more_warnings: { en: 'Further remarks: {count}', zh: '其他提示：{count}' },

  runs: { en: 'Runs', zh: '运行' },
  new_import: { en: 'New import', zh: '新建导入' },
  reconcile: { en: 'Reconcile', zh: '核对' },
  schedules: { en: 'Schedules', zh: '定时任务' },
  connections: { en: 'Connections', zh: '连接' },
  templates: { en: 'Templates', zh: '模板' },
  audit: { en: 'Audit', zh: '审计' },
  people: { en: 'People', zh: '人员' },

  loading: { en: 'Loading …', zh: '正在加载……' },
  try_again: { en: 'Try again', zh: '重试' },
  cancel: { en: 'Cancel', zh: '取消' },
  close: { en: 'Close', zh: '关闭' },
  working: { en: 'Working …', zh: '处理中……' },
  next_page: { en: 'Next page', zh: '下一页' },
  first_page: { en: 'First page', zh: '第一页' },
  filter: { en: 'Filter', zh: '筛选' },
  all: { en: 'All', zh: '全部' },
  details: { en: 'Details', zh: '详情' },

  offline: { en: 'The console can’t be reached', zh: '无法连接到控制台' },
  offline_detail: {
    en: 'The network is gone, or the console has ended. What it was carrying out is kept in the ledger.',
    zh: '网络已断开，或控制台已结束。正在执行的内容都保存在账本中。',
  },
  unreadable: { en: 'The answer can’t be read', zh: '无法读取答复' },
  unreadable_detail: {
    en: 'Something between this page and the console answered in its place (status {status}).',
    zh: '本页面与控制台之间的其他程序代为答复（状态 {status}）。',
  },
  outdated: {
    en: 'The console was updated; this page is of the version before.',
    zh: '控制台已更新；本页面属于之前的版本。',
  },
  mend_rows: { en: 'Mend the rows', zh: '修正这些行' },
  in_import: { en: 'in the import of {name}', zh: '在 {name} 的导入中' },
  load_anew: { en: 'Load the page anew', zh: '重新加载页面' },

  choose_file: { en: 'Choose a file, or drop it here', zh: '选择文件，或拖放到此处' },
  drop_here: { en: 'Drop it here', zh: '拖放到此处' },

  step_of: { en: '{done} of {total}', zh: '{done} / {total}' },
  progress: { en: 'Progress', zh: '进度' },
  chart: { en: 'Over time', zh: '时间进程' },
  chart_said: {
    en: 'After {time}: {counts}, of {total}.',
    zh: '{time}后：{counts}，共 {total}。',
  },
} as const satisfies Record<string, PageWord>;
