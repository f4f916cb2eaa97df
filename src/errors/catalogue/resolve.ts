/** Texts of settling unknown rows. `zh` carries the same {names} as `en`. */
export const RESOLVE = {
  'resolve.what': {
    en: 'say what is to be settled: --row N --as succeeded|failed for what you found out yourself, or --verify to ask the platform',
    zh: '请说明如何处理：自行查明的用 --row N --as succeeded|failed；由程序向平台查询用 --verify',
  },
  'resolve.not_both': {
    en: '--verify asks the platform, --as says what you know; use one of them',
    zh: '--verify 是向平台查询，--as 是由您给出结论；请只用其中一个',
  },
  'resolve.order_id_unfit': {
    en: '--license-order-id goes with --as succeeded only',
    zh: '--license-order-id 只能与 --as succeeded 一起使用',
  },
  'resolve.not_unknown': {
    en: 'row {row} of run {run} is {status}, not unknown; there is nothing to settle',
    zh: '运行 {run} 的第 {row} 行状态为 {status}，并非 unknown；无需处理',
  },
  'resolve.several_items': {
    en: 'row {row} of run {run} stands for {count} orders that are unknown, so one --license-order-id cannot be theirs; leave it out',
    zh: '运行 {run} 的第 {row} 行对应 {count} 个状态未知的订单，一个 --license-order-id 无法同时属于它们；请去掉该参数',
  },
  'resolve.none': {
    en: 'run {run} has no unknown row; there is nothing to settle',
    zh: '运行 {run} 中没有状态为 unknown 的行；无需处理',
  },
  'resolve.by_operator': {
    en: 'settled by {who} on {time}: {note}',
    zh: '由 {who} 于 {time} 处理：{note}',
  },
  'resolve.by_operator_bare': {
    en: 'settled by {who} on {time}',
    zh: '由 {who} 于 {time} 处理',
  },
  'resolve.assets_there': {
    en: 'the platform was asked on {time}: all its asset numbers ({count}) are there, changed last on {changed}',
    zh: '已于 {time} 向平台查询：其全部资产编号（{count} 个）均存在，最近变更于 {changed}',
  },
  'resolve.assets_absent': {
    en: 'the platform was asked on {time}: enterprise {enterprise} has none of its asset numbers ({count}), so it was not carried out',
    zh: '已于 {time} 向平台查询：企业 {enterprise} 没有其任何资产编号（共 {count} 个），因此未执行',
  },
  'resolve.assets_gone': {
    en: 'the platform was asked on {time}: none of its asset numbers ({count}) is left, so they were revoked',
    zh: '已于 {time} 向平台查询：其资产编号（共 {count} 个）均已不存在，因此已撤销',
  },
  'resolve.assets_stay': {
    en: 'the platform was asked on {time}: all its asset numbers ({count}) are still there and unchanged, so it was not carried out',
    zh: '已于 {time} 向平台查询：其全部资产编号（{count} 个）仍然存在且未变更，因此未执行',
  },
  'resolve.customer_there': {
    en: 'the platform was asked on {time}: it has the customer {customer} of channel {channel}',
    zh: '已于 {time} 向平台查询：渠道 {channel} 的客户 {customer} 已存在',
  },
  'resolve.customer_absent': {
    en: 'the platform was asked on {time}: it has no customer {customer} of channel {channel}, so it was not bound',
    zh: '已于 {time} 向平台查询：渠道 {channel} 没有客户 {customer}，因此未绑定',
  },
  'resolve.customer_elsewhere': {
    en: 'the platform has the customer {customer} of channel {channel}, but bound to {enterprises}, not to the main account of this row: it cannot be told whether the binding was carried out',
    zh: '平台上渠道 {channel} 的客户 {customer} 已存在，但绑定的是 {enterprises}，而非本行的企业主账号：无法判断本次绑定是否已执行',
  },
  'resolve.async_absent': {
    en: 'the platform shows no sign of it, but it was sent with syncMode async and may still be carried out, however late; look for the order itself on the platform',
    zh: '平台上尚无其痕迹，但它以 syncMode async 方式发送，仍可能在之后执行；请在平台上查找该订单本身',
  },
  'resolve.other_address': {
    en: 'connection {connection} led to {before} when this was sent and leads to {now} today, so asking there proves nothing',
    zh: '发送时连接 {connection} 指向 {before}，而现在指向 {now}，在那里查询无法证明任何结果',
  },
  'resolve.too_recent': {
    en: 'the platform shows no sign of it, but the last attempt is less than {minutes} minutes old and may still be carried out; ask again later',
    zh: '平台上尚无其痕迹，但最后一次尝试距今不足 {minutes} 分钟，仍可能被执行；请稍后再查',
  },
  'resolve.assets_partly': {
    en: 'only {found} of its {count} asset numbers are there, so it cannot be told whether it was carried out',
    zh: '其 {count} 个资产编号中只有 {found} 个存在，无法判断是否已执行',
  },
  'resolve.assets_untouched': {
    en: 'its asset numbers ({count}) are all there, but none was created or changed since it was sent: they may have been there before',
    zh: '其全部资产编号（{count} 个）均存在，但自发送以来没有新建或变更：可能原本就有',
  },
  'resolve.assets_touched': {
    en: 'its asset numbers ({count}) are all there, but some were changed since it was sent: it may have been carried out in part',
    zh: '其全部资产编号（{count} 个）均存在，但自发送以来有变更：可能已部分执行',
  },
  'resolve.assets_shared': {
    en: 'its asset numbers ({count}) are all there, but other orders of the run name them too, so it cannot be told which of the orders changed them',
    zh: '其全部资产编号（{count} 个）均存在，但本次运行的其他订单也涉及它们，无法判断由哪个订单变更',
  },
  'resolve.no_lookup': {
    en: 'the platform offers no way to look up {operation}',
    zh: '平台没有提供查询 {operation} 结果的途径',
  },
  'resolve.no_lookup_for_type': {
    en: 'the platform lists assets of cloud licence types only, not of {type}',
    zh: '平台只能列出云授权类型的资产，不包括 {type}',
  },
  'resolve.nothing_to_look_up': {
    en: 'the order names no enterprise or no asset number to look for',
    zh: '订单中没有可供查询的企业或资产编号',
  },
  'resolve.sandbox_gone': {
    en: 'the sandbox that ran inside the program is gone, and what was carried out there with it',
    zh: '在程序内运行的沙盒已结束，其中执行的内容也随之消失',
  },
  'resolve.no_answer': {
    en: 'the platform was asked and gave no usable answer',
    zh: '已向平台查询，但未得到可用的答复',
  },
  'resolve.summary': {
    en: 'run {run}: {settled} items settled, {left} left unknown',
    zh: '运行 {run}：已处理 {settled} 项，仍有 {left} 项未知',
  },
  'resolve.rows': {
    en: 'row {rows}',
    zh: '第 {rows} 行',
  },
  'resolve.left_unknown': {
    en: 'left unknown',
    zh: '仍为 unknown',
  },
  'resolve.by_hand': {
    en: 'once you know: {command}',
    zh: '查明后执行：{command}',
  },
} as const;
