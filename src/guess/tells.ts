import { OPERATION_NAMES, type OperationName } from '../model/operation.js';
import { OPERATION_WORDS } from '../platform/operations/words.js';

/** The operations that a deed may be meant as; those of a revocation are told apart by the columns. */
export function operationsOf(deed: string): readonly OperationName[] {
  return OPERATION_NAMES.filter((it) => OPERATION_WORDS[it].deed === deed);
}

/** By deed, in the order of their ranks. */
const TELLS: readonly (readonly [deed: string, pattern: RegExp])[] = [
  ...new Map(
    Object.values(OPERATION_WORDS)
      .sort((a, b) => a.tells.rank - b.tells.rank)
      .map(({ deed, tells }) => [deed, tells.pattern]),
  ),
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
export function deedsIn(text: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
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
