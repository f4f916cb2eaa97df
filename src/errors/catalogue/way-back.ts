/** What undoes an operation, and why nothing does. `zh` carries the same {names} as `en`. */
export const WAY_BACK = {
  'way_back.reads': {
    en: 'it only reads',
    zh: '只读操作，无需撤销',
  },
  'way_back.no_endpoint': {
    en: 'the platform has no endpoint that takes it back',
    zh: '平台没有提供撤销此操作的接口',
  },
  'way_back.values_untold': {
    en: 'the platform does not tell the name, branch and address that were there before',
    zh: '平台不返回修改前的名称、分支和地址',
  },
  'way_back.revoked': {
    en: 'what was revoked can only be ordered anew, with all that the platform does not tell of it',
    zh: '已撤销的内容只能重新下单，而平台不返回其完整内容',
  },
  'way_back.lock': {
    en: 'a lock that was in that state before counts as done too, and changes nevertheless when it is taken back',
    zh: '原本已处于该状态的锁同样视为成功，撤销时也会被改变',
  },
  'way_back.purchase': {
    en: 'what came with the order is revoked, and its assets with it unless they hold something of other orders; customers that it brought stay',
    zh: '撤销随该订单而来的内容；资产若不含其他订单的内容则一并撤销；订单带来的客户保留',
  },
  'way_back.not_done': {
    en: 'nothing is known to have been carried out',
    zh: '没有可确认的执行结果',
  },
  'way_back.no_order_id': {
    en: 'without its licence order number the products of other orders would be revoked too',
    zh: '缺少授权订单号，撤销会波及其他订单的产品',
  },
  'way_back.moved': {
    en: 'it moved an asset or a product over, which no order moves back',
    zh: '该订单转移了资产或产品，无法通过订单移回',
  },
  'way_back.no_assets': {
    en: 'the order names no asset that could be revoked',
    zh: '订单中没有可撤销的资产',
  },
} as const;
