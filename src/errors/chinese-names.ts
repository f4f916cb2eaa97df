/** Chinese names of codes. A text shows the code after the name: 成功（succeeded）. */
const STATUSES: Readonly<Record<string, string>> = {
  succeeded: '成功',
  accepted: '已受理',
  rejected: '平台拒绝',
  failed: '失败',
  unknown: '结果未知',
  invalid: '无效',
  skipped: '已跳过',
  not_sent: '未发送',
  valid: '就绪',
  in_sync: '一致',
  different: '不一致',
  missing: '平台缺少',
  extra: '平台多出',
  error: '错误',
};

const STATES: Readonly<Record<string, string>> = {
  planning: '正在生成计划',
  planned: '已生成计划',
  queued: '排队中',
  running: '运行中',
  executing: '运行中',
  executed: '正在写结果',
  completed: '已完成',
  stopped: '已停止',
  interrupted: '已中断',
  invalid: '无效',
  'cut off': '异常中断',
};

export const OPERATION_NAMES_ZH: Readonly<Record<string, string>> = {
  'enterprise.bind': '绑定客户',
  'enterprise.create': '创建企业主账号',
  'enterprise.query': '查询客户',
  'enterprise.update': '修改客户',
  'order.new_buy': '新购下单',
  'order.delete_asset': '撤销资产',
  'order.delete_product': '撤销产品',
  'asset.lock': '停用加密锁',
  'asset.unlock': '启用加密锁',
  'asset.list': '查询资产',
  'asset.numbers': '申请锁号',
  'activity.participate': '参与活动',
};

/** The names for a value, by the name of the message's parameter. */
const NAMES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  status: { ...STATES, ...STATUSES },
  statuses: STATUSES,
  counts: STATUSES,
  from: { ...STATES, ...STATUSES },
  to: { ...STATES, ...STATUSES },
  state: STATES,
  standing: STATES,
  operation: OPERATION_NAMES_ZH,
};

const LISTS: ReadonlySet<string> = new Set(
  'allowed arrays candidates counts fields files headers keys known locks members names near paths places plans roles rows statuses'.split(
    ' ',
  ),
);

/** Text before a value that is part of a command or a setting and therefore stays unchanged. */
const CODE_BEFORE = /(?:--[\w-]+ |license-sync [a-z]+ |[a-zA-Z]: )$/;

/** A value in a Chinese text: codes with their names, lists with 、. @param before the text before the value */
export function chineseValue(name: string, value: string, before: string): string {
  const names = NAMES[name];
  if (!names && !LISTS.has(name)) return value;
  if (CODE_BEFORE.test(before)) return value;
  return (LISTS.has(name) ? value.split(', ') : [value])
    .map((item) => {
      const code = /^(.*?)( \d+)?$/.exec(item);
      const chinese = names?.[code?.[1] ?? item];
      return chinese === undefined ? item : `${chinese}（${code?.[1]}）${code?.[2] ?? ''}`;
    })
    .join('、');
}
