import type { Cell } from '../model/cell.js';
import type { Row } from '../model/row.js';
import { fold } from '../util/fold.js';

/** A longer text is a sentence; `Total amount of the orders (CNY): 1,234.50` is shorter. */
const LONGEST = 48;

const SUBJECT_ZH =
  '(?:数量|金额|客户|订单|产品|用户|节点|点数|锁|數量|金額|客戶|訂單|產品|用戶|節點|點數|鎖)?';
const WORD_ZH =
  '(?:合计|总计|小计|总数|共计|累计|总和|总合计|汇总|总额|合計|總計|小計|總數|共計|累計|總和|匯總|彙總|總額)';
const KIND_ZH = '(?:金额|数量|点数|节点数?|用户数|人数|台数|行数|单数|订单数?|锁数|数)?';
const UNIT_ZH = '(?:个|台|套|条|单|笔|份|元|元整|万元|行|把|点|户|项|家|人|名|件|只|支|张|次|位)?';
const NUMBER = '[-¥$€]*[\\d,.]*%?';
const ZH = new RegExp(
  `^(?:(?:本|全)?(?:页|表|单|月|年|部门|公司)|各项)?${SUBJECT_ZH}${WORD_ZH}${KIND_ZH}(?:\\([^)]*\\))?[:=]?${NUMBER}${UNIT_ZH}$|^共\\d+${UNIT_ZH.slice(0, -1)}(?:记录|数据|订单)?$`,
  'u',
);
const EN =
  /^(?:(?:grand|sub|page|sheet|overall|running|net|gross)[ -]?)?(?:sum total|totals?|sums?)(?: (?:number )?(?:of )?(?:qty|quantity|amount|count|price|number|orders?|rows?|records?|lines?|items?|nodes?|users?|customers?|locks?|licen[cs]es?))?(?: ?\([^)]*\))?(?: ?[:=])?(?: ?[-¥$€]*\d[\d,.]*%?(?: ?[a-z]{1,12})?)?$/;
const NUMBER_LIKE = /^[-+¥$€]*\s*\d[\d,.\s]*\s*%?\s*\p{L}{0,3}$/u;

/** Whether a text is a word for a total, perhaps with its number and unit: 合计, 小计：3, Grand total. */
export function isTotalWord(text: string): boolean {
  if (text.length > LONGEST || !/[计数和共汇额計數總匯額tTsSｔＴｓＳ]/u.test(text)) return false;
  const folded = fold(text);
  return ZH.test(folded.replaceAll(' ', '')) || EN.test(folded);
}

/** The first cell with a word for a total. */
export function totalCell(row: Row): Cell | undefined {
  return row.cells().find(({ kind, text }) => kind === 'text' && isTotalWord(text));
}

/** Whether a text is a number, perhaps with a currency or unit. */
export function isNumberLike(text: string): boolean {
  return NUMBER_LIKE.test(fold(text));
}
