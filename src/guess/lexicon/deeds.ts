/** Words for what is to be done, by what it is done with. In a header they only say what the sheet is for. */
export const DEEDS: Readonly<Record<string, string>> = {
  return: `
    return, returned, revoke, revoked, revocation, cancel, cancelled, canceled, cancellation, cancelation, refund,
    refunded, remove, removed, removal, delete, deleted, deletion, withdraw, withdrawn, withdrawal, terminate,
    terminated, termination, retire, retired, uninstall, decommission, 退, 退回, 退货, 退锁, 退订, 退单, 撤销, 撤回, 注销, 取消, 删除, 回收, 作废,
    退还, 退掉, 销户, 退订单, 撤单, 收回`,
  disable: `
    disable, disabled, disabling, block, blocked, suspend, suspended, suspension, freeze, frozen, deactivate,
    deactivated, deactivation, locking, lock out, to lock, to be locked, 停用, 禁用, 冻结, 锁定, 封锁, 挂失, 停机, 停止使用, 停权`,
  enable: `
    enable, enabled, enabling, unlock, unlocked, unlocking, reactivate, re-activate, reactivated, reactivation, unblock,
    unfreeze, restore, restored, resume, reinstate, reinstated, re-enable, reenable, 启用, 解锁, 恢复, 解冻, 解禁, 解封, 复机, 恢复使用,
    重新启用, 复用`,
  buy: `
    purchase, purchased, purchasing, buy, bought, ordered, acquire, procurement, subscribe, new purchase, new buy, 购买, 采购, 新购,
    订购, 新开, 开通, 下单, 增购, 加购, 选购, 续购`,
  apply:
    'apply, applied, request, wanted, needed now, allocate, allocated, allocation, issue, obtain, 申请, 领取, 分配, 领用, 需要, 需求, 待',
  bind: 'bind, bound, binding, 绑定, 关联',
};
