import { OPERATION_NAMES, type OperationName } from '../model/operation.js';
import { OPERATION_WORDS } from '../platform/operations/words.js';

/** The operations that a task may mean; revocations of assets and of products are distinguished by the columns. */
export function operationsOf(task: string): readonly OperationName[] {
  return OPERATION_NAMES.filter((it) => OPERATION_WORDS[it].task === task);
}

/** The clues of each task, in the order of their ranks. */
const CLUES: readonly (readonly [task: string, pattern: RegExp])[] = [
  ...new Map(
    Object.values(OPERATION_WORDS)
      .sort((a, b) => a.clues.rank - b.clues.rank)
      .map(({ task, clues }) => [task, clues.pattern]),
  ),
];

/** Only the beginning of a long title is searched. */
const LONGEST = 300;

/** Replaces a word that was found, so that `lock and unlock` gives both tasks. */
const DONE = '¤';

/** Splits names such as `locksToDisable_2026.csv` into words. */
function asWords(text: string): string {
  return text
    .slice(0, LONGEST)
    .normalize('NFKC')
    .replace(/(\p{Ll})(?=\p{Lu})/gu, '$1 ')
    .replace(/[\s_\-.,;:!?()[\]/\\]+|(?<=\p{L})(?=\d)|(?<=\d)(?=\p{L})/gu, ' ')
    .toLowerCase();
}

/** The tasks that a text names, each with its word. */
export function tasksIn(text: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  let rest = asWords(text);
  for (const [task, pattern] of CLUES) {
    rest = rest.replace(pattern, (word) => {
      if (!found.has(task)) found.set(task, word.trim());
      return DONE;
    });
  }
  return found;
}

/** The operation that a text names by its own name, `asset.lock`; undefined if it names several. */
export function operationIn(text: string): OperationName | undefined {
  const named = OPERATION_NAMES.filter((it) =>
    new RegExp(`(?<![a-z])${it.replace(/[._]/g, '[._ -]')}(?![a-z])`, 'i').test(text),
  );
  return named.length === 1 ? named[0] : undefined;
}

/** Whether a text speaks of revoking whole assets or single products; undefined if it doesn't say. */
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
