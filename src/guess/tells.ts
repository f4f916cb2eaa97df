import { OPERATION_NAMES, type OperationName } from '../model/operation.js';

/** What a word asks for; a revocation is of whole assets or of products, as the columns have it. */
export type Deed =
  | 'bind'
  | 'create'
  | 'query'
  | 'update'
  | 'buy'
  | 'revoke'
  | 'lock'
  | 'unlock'
  | 'list'
  | 'numbers'
  | 'participate';

export const OPERATIONS_OF: Readonly<Record<Deed, readonly OperationName[]>> = {
  bind: ['enterprise.bind'],
  create: ['enterprise.create'],
  query: ['enterprise.query'],
  update: ['enterprise.update'],
  buy: ['order.new_buy'],
  revoke: ['order.delete_asset', 'order.delete_product'],
  lock: ['asset.lock'],
  unlock: ['asset.unlock'],
  list: ['asset.list'],
  numbers: ['asset.numbers'],
  participate: ['activity.participate'],
};

/** A state that something is in already asks for nothing: `已停用`, `not cancelled`. */
const NOT = '(?<![已未不曾非勿])';

/**
 * Words that tell what a sheet is for. `lock` alone is a thing, and `locked` a state. The first ones are taken out of
 * the text before the next are looked for, as `解除锁定` holds `锁定`.
 */
const TELLS: readonly (readonly [Deed, RegExp])[] = [
  [
    'unlock',
    new RegExp(
      `\\b(?:unlock(?:s|ing)?|to be unlocked|(?:re-?)?enabl(?:e|es|ing)|to be (?:re-?)?enabled|re-?activat(?:e|ing|ions?)|` +
        `to be re-?activated|un-?block(?:ing)?|un-?freez(?:e|ing)|restor(?:e|ing|ation)|reinstat(?:e|ing|ement)|` +
        `lift(?:ing)? (?:the )?(?:block|lock|suspension)|back in use|release locks?)\\b|` +
        `${NOT}(?:解锁|启用|恢复|解冻|解禁|解封|复机|复用|解除(?:锁定|停用|禁用|冻结|封锁))(?!日期|时间)`,
      'giu',
    ),
  ],
  [
    'lock',
    new RegExp(
      `\\b(?:(?:to|please|must|asset|and) lock|(?:to|must) be locked|lock(?:ing)? (?:requests?|orders?|these|them|following)|locking|` +
        `lock ?(?:out|down)s?|disabl(?:e|es|ing)|to be disabled|block(?:ing)?|to be blocked|suspend(?:ing)?|suspensions?|` +
        `to be suspended|freez(?:e|ing)|to be frozen|deactivat(?:e|ing|ions?)|to be deactivated|switch(?:ing)? off|shut(?:ting)? (?:off|down))\\b|` +
        `\\block (?:and|or|&) (?=¤)|${NOT}(?:停用|禁用|冻结|锁定|封锁|停机|挂失|停权|封停|加锁|锁机|上锁|停止使用)(?!日期|时间|状态)`,
      'giu',
    ),
  ],
  [
    'revoke',
    new RegExp(
      `\\b(?:revo(?:ke[sd]?|cations?|king)|return(?:s|ed|ing)?|cancel(?:l?(?:ed|ing|ations?)|s)?|refund(?:s|ed|ing)?|` +
        `withdraw(?:n|als?|ing)?|delet(?:e[sd]?|ions?|ing)|remov(?:e[sd]?|als?|ing)|terminat(?:e[sd]?|ions?|ing)|` +
        `tak(?:e|en|ing) back|giv(?:e|en|ing) back|hand(?:ed|ing)? (?:back|in))\\b|` +
        `${NOT}(?<!可)(?:撤销|撤回|撤单|注销|取消|删除|回收|作废|收回|退锁|退货|退回|退订|退单|退还|退款|退产品|退模块|退软件|退资产|退狗)(?!日期|时间)`,
      'giu',
    ),
  ],
  [
    'update',
    new RegExp(
      `\\b(?:updat(?:e|es|ing)|chang(?:e|es|ing)|modif(?:y|ied|ications?)|amend(?:ed|ments?)?|correct(?:ed|ions?)?|` +
        `renam(?:e|es|ed|ing)|relocat(?:e|ed|ions?)|moved|removals of office|new (?:name|address)e?s?)\\b|` +
        `${NOT}(?:变更|修改|更新|更名|改名|迁址|搬迁|调整|更正|勘误|订正|新名称|新地址)(?!日期|时间|人)`,
      'giu',
    ),
  ],
  [
    'numbers',
    new RegExp(
      `\\ballocat(?:e|es|ing|ions?)\\b|\\b(?:asset|lock|dongle|key)? ?numbers? (?:wanted|needed|required|requests?|requested|to allocate)\\b|` +
        `\\b(?:request|obtain|reserve|apply for|need|new)(?:ing)? (?:asset |lock |dongle |key )?numbers\\b|` +
        `号段|领号|取号|发号|要号|(?:申请|分配|领取|预留|申领).{0,6}(?:号|编号|号码)(?!日期)|(?:锁|资产|编)号(?:申请|分配|领取|申领)`,
      'giu',
    ),
  ],
  [
    'create',
    new RegExp(
      `\\b(?:creat(?:e|es|ing|ion)|to be created|new (?:customers?|clients?|enterprises?|accounts?|companies|company)|` +
        `onboard(?:ing)?|open(?:ing)? (?:of )?accounts?|account openings?|registrations?)\\b|` +
        `${NOT}(?:新建|开户|建档|新增|创建|入驻|建户|注册|新客户|新企业)(?!日期|时间|地址|名称|人)`,
      'giu',
    ),
  ],
  [
    'buy',
    new RegExp(
      `\\b(?:new ?buys?|purchas(?:e|es|ed|ing)|buy(?:s|ing)?|bought|new (?:orders?|licen[cs]es?|subscriptions?|sales?)|` +
        `procur(?:e|ed|ement)|sales orders?|to order)\\b|` +
        `${NOT}(?:新购|采购|购买|订购|新订单|新开|开通|增购|加购|下单|新增授权|新授权|销售订单)(?!人|方|者|单位|日期|时间)`,
      'giu',
    ),
  ],
  [
    'bind',
    new RegExp(
      `\\b(?:bind(?:s|ing|ings)?|to be bound|link(?:ed|ing)? to (?:their )?main)\\b|${NOT}绑定`,
      'giu',
    ),
  ],
  [
    'list',
    /\b(?:list(?:ing)? (?:of )?(?:the |all )?(?:cloud |their )?assets?|assets? (?:list(?:ing)?|quer(?:y|ies)|inquir(?:y|ies)|overview)|to list|assets of)\b|资产.{0,2}(?:查询|清单|列表|明细|盘点)|(?:查询|查|列出|核对|盘点).{0,6}资产/giu,
  ],
  [
    'query',
    /\b(?:quer(?:y|ies)|look ?(?:ups?|ing up)|inquir(?:y|ies|e)|enquir(?:y|ies|e)|to check|find)\b|查询|核对|核查|查找|检索|查(?:一下)?.{0,2}(?:企业|客户|账号|主账号)/giu,
  ],
  [
    'participate',
    /\b(?:activit(?:y|ies)|campaigns?|promotions?|promo|events?|participa(?:te|tion|nts?|ting)|claims?)\b|活动|促销|权益|报名|参与/giu,
  ],
];

/** A title says what it is about at its beginning. */
const LONGEST = 300;

/** Stands for a word that was taken out: `lock and unlock` asks for both. */
const DONE = '¤';

/** Signs and letter case of names, so that `locksToDisable_2026.csv` reads as words. */
function asWords(text: string): string {
  return text
    .slice(0, LONGEST)
    .normalize('NFKC')
    .replace(/(\p{Ll})(?=\p{Lu})/gu, '$1 ')
    .replace(/[\s_\-.,;:!?()[\]/\\]+|(?<=\p{L})(?=\d)|(?<=\d)(?=\p{L})/gu, ' ')
    .toLowerCase();
}

/** What a text asks for, with the word that says so. */
export function deedsIn(text: string): ReadonlyMap<Deed, string> {
  const found = new Map<Deed, string>();
  let rest = asWords(text);
  for (const [deed, pattern] of TELLS) {
    rest = rest.replace(pattern, (word) => {
      if (!found.has(deed)) found.set(deed, word.trim());
      return DONE;
    });
  }
  return found;
}

/** The operation that a text names as the program does, `asset.lock`; other operations' names are no part of it. */
export function operationIn(text: string): OperationName | undefined {
  const named = OPERATION_NAMES.filter((it) =>
    new RegExp(`(?<![a-z])${it.replace(/[._]/g, '[._ -]')}(?![a-z])`, 'i').test(text),
  );
  return named.length === 1 ? named[0] : undefined;
}

/** Revocations of whole assets, or of single products, where a word says which. */
export function revokedIn(text: string): OperationName | undefined {
  const words = asWords(text);
  const asset =
    /\b(?:assets?|locks?|dongles?|keys?)\b|退锁|退狗|退资产|(?:撤销|注销|退回|回收|删除|取消|作废).{0,2}(?:资产|锁|加密锁|加密狗)|(?:资产|锁|加密锁|加密狗).{0,1}(?:撤销|注销|退回|回收|删除|作废)/u;
  const product =
    /\b(?:products?|modules?|software|applications?)\b|退产品|退模块|退软件|(?:撤销|注销|退订|删除|取消|退).{0,2}(?:产品|模块|软件)|(?:产品|模块|软件).{0,1}(?:撤销|注销|退订|退货|删除|取消|退)/u;
  const [ofAsset, ofProduct] = [asset.test(words), product.test(words)];
  if (ofAsset === ofProduct) return undefined;
  return ofAsset ? 'order.delete_asset' : 'order.delete_product';
}
