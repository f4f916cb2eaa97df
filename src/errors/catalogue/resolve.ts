/** Texts of settling unknown rows. `zh` carries the same {names} as `en`. */
export const RESOLVE = {
  'resolve.what': {
    en: 'name what is to be resolved: --row N --as succeeded|failed (also --row 3-59, or several --row) for what you found out yourself, --from F.xlsx for many rows, or --verify to ask the platform',
    zh: '请说明如何核实：自行查明的用 --row N --as succeeded|failed（也可写 --row 3-59，或多次使用 --row）；多行可用 --from F.xlsx；由程序向平台查询用 --verify',
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
    en: 'rows {rows} of run {run} are {count} orders, so one licence order {id} cannot be theirs; leave it out, or give each order its own id (--from F.xlsx, column licenseOrderId)',
    zh: '运行 {run} 的第 {rows} 行是 {count} 个订单，授权订单号 {id} 不能同属它们；请去掉，或用 --from F.xlsx 的 licenseOrderId 列分别填写',
  },
  'resolve.from_alone': {
    en: '--from takes rows and outcomes from a file; use it without --row, --as and --verify',
    zh: '--from 从文件中读取行和结果；请不要与 --row、--as、--verify 一起使用',
  },
  'resolve.none_in_range': {
    en: 'rows {first}-{last} of run {run} include no unknown row; to correct an earlier resolution, name its row: --row {first}',
    zh: '运行 {run} 的第 {first}-{last} 行中没有结果未知的行；如要更正此前的核实结果，请写明该行：--row {first}',
  },
  'resolve.contradiction': {
    en: 'rows {row} and {other} of run {run} belong to one order, but are resolved differently; give both the same outcome',
    zh: '运行 {run} 的第 {row} 行和第 {other} 行属于同一张订单，但核实结果不同；请改为一致',
  },
  'resolve.file_headers': {
    en: '{file}: the columns row and status are required; found: {found}. A result of the run has them: license-sync runs export {run} --output F.xlsx',
    zh: '{file}：缺少 row 和 status 列；现有的列：{found}。运行的结果文件有这些列：license-sync runs export {run} --output F.xlsx',
  },
  'resolve.file_row': {
    en: '{file}, row {line}: "{text}" is not a row number; write the number of the row in the sheet that was sent, such as 7',
    zh: '{file} 第 {line} 行：“{text}”不是行号；请填写已发送的工作表中的行号，例如 7',
  },
  'resolve.file_run': {
    en: '{file}, row {line}: the row is of run {other}, not of run {run}; resolve it there: license-sync resolve {other} --from F.xlsx',
    zh: '{file} 第 {line} 行：该行属于运行 {other}，而非运行 {run}；请在该运行中核实：license-sync resolve {other} --from F.xlsx',
  },
  'resolve.file_id_number': {
    en: '{file}, row {line}: the licenseOrderId {text} is a number that may have lost digits; format the cell as text and enter it again',
    zh: '{file} 第 {line} 行：licenseOrderId {text} 是数字，可能已丢失位数；请将单元格设为文本后重新填写',
  },
  'resolve.file_id_failed': {
    en: '{file}, row {line}: row {row} is failed and has a licenseOrderId; only a succeeded order has one',
    zh: '{file} 第 {line} 行：第 {row} 行为 failed，却填写了 licenseOrderId；只有 succeeded 的订单才有',
  },
  'resolve.file_no_row': {
    en: '{file}, row {line}: run {run} has no row {row}',
    zh: '{file} 第 {line} 行：运行 {run} 没有第 {row} 行',
  },
  'resolve.file_not_unknown': {
    en: '{file}, row {line}: row {row} of run {run} is {status}, not unknown, so it cannot become {as} by a file; to correct an earlier resolution: license-sync resolve {run} --row {row} --as {as}',
    zh: '{file} 第 {line} 行：运行 {run} 的第 {row} 行为 {status}，并非 unknown，不能通过文件改为 {as}；如要更正此前的核实结果：license-sync resolve {run} --row {row} --as {as}',
  },
  'resolve.file_nothing': {
    en: '{file}: no unknown row of run {run} has the status succeeded or failed there; write one of them into the column status',
    zh: '{file}：运行 {run} 中结果未知的行在此文件中都没有 succeeded 或 failed；请在 status 列填写其一',
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
  'resolve.assets_made': {
    en: 'the platform was asked on {time}: all its asset numbers ({count}) are there, made between {first} and {last}, while it was under way, and nothing else in this ledger names them',
    zh: '已于 {time} 向平台查询：其全部资产编号（{count} 个）均存在，创建于 {first} 至 {last}，正值该请求进行期间，且账本中没有其他项涉及它们',
  },
  'resolve.assets_named_too': {
    en: 'the platform was asked on {time}: its asset numbers ({count}) are all there, but row {row} of run {run}, which is {status}, names {asset} too; it cannot be told which of them made it',
    zh: '已于 {time} 向平台查询：其资产编号（{count} 个）均存在，但运行 {run} 的第 {row} 行（状态 {status}）也涉及 {asset}，无法判断是哪一个创建的',
  },
  'resolve.assets_there_before': {
    en: 'the platform was asked on {time}: its asset numbers ({count}) are all there, but {asset} was there before it was sent: run {run} listed it on {seen}',
    zh: '已于 {time} 向平台查询：其资产编号（{count} 个）均存在，但 {asset} 在发送之前就已存在：运行 {run} 于 {seen} 已列出它',
  },
  'resolve.assets_time_untold': {
    en: 'the platform was asked on {time}: its asset numbers ({count}) are all there, but the platform does not say when {asset} was made (createTime), so it may have been there before',
    zh: '已于 {time} 向平台查询：其资产编号（{count} 个）均存在，但平台未说明 {asset} 的创建时间（createTime），可能原本就有',
  },
  'resolve.assets_other_unit': {
    en: 'the platform was asked on {time}: its asset numbers ({count}) are all there, but the time at which {asset} was made, {value}, is none in {unit}, the unit of the connection; correct its timestamps in license-sync.yaml and ask again',
    zh: '已于 {time} 向平台查询：其资产编号（{count} 个）均存在，但 {asset} 的创建时间 {value} 按该连接的单位（{unit}）不成立；请在 license-sync.yaml 中更正该连接的 timestamps 后再查',
  },
  'resolve.assets_made_elsewhen': {
    en: 'the platform was asked on {time}: its asset numbers ({count}) are all there, but {asset} was made on {made}, and it was under way from {from} to {to} (clocks may differ by five minutes)',
    zh: '已于 {time} 向平台查询：其资产编号（{count} 个）均存在，但 {asset} 创建于 {made}，而该请求进行于 {from} 至 {to}（时钟误差以五分钟计）',
  },
  'resolve.assets_absent': {
    en: 'the platform was asked on {time}: enterprise {enterprise} has none of its asset numbers ({count}). That does not prove that it was not, or will not be, carried out',
    zh: '已于 {time} 向平台查询：企业 {enterprise} 没有其任何资产编号（共 {count} 个）。这并不能证明它没有执行，或之后不会执行',
  },
  'resolve.assets_partly': {
    en: 'the platform was asked on {time}: only {found} of its {count} asset numbers are there, so it cannot be told whether it was carried out',
    zh: '已于 {time} 向平台查询：其 {count} 个资产编号中只有 {found} 个存在，无法判断是否已执行',
  },
  'resolve.assets_of_revocation': {
    en: 'the platform was asked on {time}: {found} of its {count} asset numbers are there at enterprise {enterprise}. What is gone may have been revoked otherwise, so that does not tell whether this revocation was carried out',
    zh: '已于 {time} 向平台查询：其 {count} 个资产编号中有 {found} 个仍在企业 {enterprise} 名下。已不存在的资产也可能由其他操作撤销，因此无法判断本次撤销是否已执行',
  },
  'resolve.customer_made': {
    en: 'the platform was asked on {time}: it has the customer {customer} of channel {channel} ({ids}), made on {made}, while this was under way, and nothing else in this ledger names it',
    zh: '已于 {time} 向平台查询：渠道 {channel} 的客户 {customer}（{ids}）已存在，创建于 {made}，正值该请求进行期间，且账本中没有其他项涉及它',
  },
  'resolve.customer_appeared': {
    en: 'the platform was asked on {time}: it has the customer {customer} of channel {channel} ({ids}), which was not there before this was sent (run {run} asked on {before}), and nothing else in this ledger names it',
    zh: '已于 {time} 向平台查询：渠道 {channel} 的客户 {customer}（{ids}）已存在，而发送之前还没有（运行 {run} 于 {before} 查询过），且账本中没有其他项涉及它',
  },
  'resolve.customer_named_too': {
    en: 'the platform was asked on {time}: it has the customer {customer} of channel {channel} ({ids}), but row {row} of run {run}, which is {status}, names it too; it cannot be told which of them made it',
    zh: '已于 {time} 向平台查询：渠道 {channel} 的客户 {customer}（{ids}）已存在，但运行 {run} 的第 {row} 行（状态 {status}）也涉及它，无法判断是哪一个创建的',
  },
  'resolve.customer_there_before': {
    en: 'the platform was asked on {time}: it has the customer {customer} of channel {channel} ({ids}), but it was there before this was sent: run {run} found it on {seen}',
    zh: '已于 {time} 向平台查询：渠道 {channel} 的客户 {customer}（{ids}）已存在，但在发送之前就已存在：运行 {run} 于 {seen} 已查到它',
  },
  'resolve.customer_bound': {
    en: 'the platform was asked on {time}: it has the customer {customer} of channel {channel} ({ids}), bound to {enterprise} as this row wants; it does not say since when, but nothing in this ledger knew of it before, and nothing else in it names it',
    zh: '已于 {time} 向平台查询：渠道 {channel} 的客户 {customer}（{ids}）已存在，并已按本行要求绑定到 {enterprise}；平台未说明从何时起，但此前账本中并无它的记录，也没有其他项涉及它',
  },
  'resolve.customer_time_untold': {
    en: 'the platform was asked on {time}: it has the customer {customer} of channel {channel} ({ids}), but says neither since when nor which main account it is bound to, and no query in this ledger shows that it was not there before',
    zh: '已于 {time} 向平台查询：渠道 {channel} 的客户 {customer}（{ids}）已存在，但平台既未说明从何时起，也未说明绑定到哪个企业主账号，账本中也没有查询能表明它此前不存在',
  },
  'resolve.customer_other_unit': {
    en: 'the platform was asked on {time}: it has the customer {customer} of channel {channel} ({ids}), but the time at which it was made, {value}, is none in {unit}, the unit of the connection; correct its timestamps in license-sync.yaml and ask again',
    zh: '已于 {time} 向平台查询：渠道 {channel} 的客户 {customer}（{ids}）已存在，但其创建时间 {value} 按该连接的单位（{unit}）不成立；请在 license-sync.yaml 中更正该连接的 timestamps 后再查',
  },
  'resolve.customer_made_elsewhen': {
    en: 'the platform was asked on {time}: it has the customer {customer} of channel {channel} ({ids}), but it was made on {made}, and this was under way from {from} to {to} (clocks may differ by five minutes)',
    zh: '已于 {time} 向平台查询：渠道 {channel} 的客户 {customer}（{ids}）已存在，但创建于 {made}，而该请求进行于 {from} 至 {to}（时钟误差以五分钟计）',
  },
  'resolve.customer_absent': {
    en: 'the platform was asked on {time}: it has no customer {customer} of channel {channel}. That does not prove that it was not, or will not be, bound',
    zh: '已于 {time} 向平台查询：渠道 {channel} 没有客户 {customer}。这并不能证明它没有绑定，或之后不会绑定',
  },
  'resolve.already': {
    en: 'row {row} of run {run} is {status}, not unknown: it was settled so before. To correct that, say otherwise, or add --license-order-id or --note',
    zh: '运行 {run} 的第 {row} 行状态为 {status}，并非 unknown：此前已如此处理。如需更正，请给出不同的结论，或添加 --license-order-id 或 --note',
  },
  'resolve.corrects': {
    en: 'corrects an earlier resolution ({from})',
    zh: '更正此前的处理结果（{from}）',
  },
  'resolve.nothing_returned': {
    en: 'later steps take {fields} of step {step}, which nobody has told: where the row needs them, it cannot go on. If nothing is lost by doing the step again, settle it as failed instead',
    zh: '后面的步骤要取步骤 {step} 的 {fields}，但没有其值：需要它的行无法继续。若重做该步骤没有损失，请改为 failed',
  },
  'resolve.through_elsewhere': {
    en: 'row {rows} was sent again since: row {row} of run {other} is {status}. If both were carried out, the platform did it twice; undo one of them there. See: license-sync explain {other} {row}',
    zh: '第 {rows} 行此后已再次发送：运行 {other} 的第 {row} 行状态为 {status}。若两次都已执行，平台就重复执行了；请在平台上撤销其中一次。查看：license-sync explain {other} {row}',
  },
  'resolve.customer_elsewhere': {
    en: 'the platform has the customer {customer} of channel {channel}, but bound to {enterprises}, not to the main account of this row: it cannot be told whether the binding was carried out',
    zh: '平台上渠道 {channel} 的客户 {customer} 已存在，但绑定的是 {enterprises}，而非本行的企业主账号：无法判断本次绑定是否已执行',
  },
  'resolve.other_address': {
    en: 'connection {connection} led to {before} when this was sent and leads to {now} today, so asking there proves nothing',
    zh: '发送时连接 {connection} 指向 {before}，而现在指向 {now}，在那里查询无法证明任何结果',
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
  'resolve.row_summary': {
    en: 'run {run}: {settled} items settled; rows of the run that are still unknown: {unknown}',
    zh: '运行 {run}：已处理 {settled} 项；该运行中仍未知的行数：{unknown}',
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
