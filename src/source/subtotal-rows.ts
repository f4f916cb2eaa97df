import type { Cell } from '../model/cell.js';
import { fold } from '../util/fold.js';

/** A formula of Data > Subtotal. */
export const SUBTOTAL = /(?:^|[^\p{L}\d_])(?:SUBTOTAL|AGGREGATE)\s*\(/iu;

const ZH =
  '(?:总计|總計|总|總)?(?:汇总|匯總|彙總|小计|小計|合计|合計|总计|總計|计数|計數|平均值?|最大值?|最小值?|求和|加總)';
const EN = '(?:grand )?(?:total|sub[ -]?total|count|average|max|min|sum)';
/** The label of a total, as the whole text of a key. */
const KEY = new RegExp(`^(?:${ZH}|${EN})$`, 'u');
/** The same after the key of the rows above: programs have more functions than are likely keys by themselves. */
const AFTER_KEY = new RegExp(
  `^(.+?)(?:\\s*(?:${ZH}|总数|數目|乘积|乘積|标准偏差|總體?標準差|方差|结果|結果)|\\s+(?:${EN}|product|stddevp?|varp?|result|count nums))$`,
  'u',
);
/** A quick check before folding, which is slow: the letters and signs that such labels end with. */
const LAST = /[总總计計汇匯彙数數均值大小和加积積差果ltexnmsvpLTEXNMSVP\s]$/u;
/** `1,003 Total` belongs to the key 1003. */
const FILLERS = /[\s,]/gu;

/** Whether a key is a label that Data > Subtotal and the like write for a total: 总计, Grand Count. */
export function isSubtotalKey(text: string): boolean {
  return LAST.test(text) && KEY.test(fold(text));
}

/** Whether a text is the label of the subtotal of this cell's value: `R-1 汇总` below R-1. */
export function isSubtotalOf(text: string, above: Cell | undefined): boolean {
  if (above === undefined || !LAST.test(text)) return false;
  const key = AFTER_KEY.exec(fold(text))?.[1]?.replace(FILLERS, '');
  if (key === undefined) return false;
  const names = [above.text, above.shown, above.seen, above.raw];
  return names.some((it) => it !== undefined && fold(it).replace(FILLERS, '') === key);
}
