import type { Cell, Row } from '../model/row.js';
import { fold, isBlank } from '../util/text.js';

const NUMBER_SIGN = 0x23;
/** White space beyond ASCII at the start or end of a text. */
const WIDE_BLANKS: ReadonlySet<number> = new Set([0xa0, 0x3000, 0xfeff]);
/**
 * Error values of Excel, LibreOffice and Google Sheets in any language: `#REF!`, `#WERT!`, `#¡VALOR!`, `#¿NOMBRE?`,
 * `#ССЫЛКА!`; those without a mark at the end; and `########`, a column that is too narrow.
 */
const ERROR_VALUE =
  /^#(?:#+|[¡¿]?\p{Lu}[\p{Lu}\p{M}\d_/.]*[!?]|N\/[ADBV]|I\/T|E\/E|Н\/Д|Δ\/Υ|NV|YOK|HIÁNYZIK|NEDOSTUPNÝ|NENÍ[_ ]K[_ ]DISPOZICI|GETTING_DATA|DATEN_ABRUFEN|OBTENIENDO_DATOS|CHARGEMENT_DONNEES)$/u;
const TYPED_ERROR = /^#n\/a$/;
/** LibreOffice's errors without a name: `Err:502`, in other languages `错误:502`, `Fehler:502`. */
const NUMBERED =
  /^(?:Err|Erro|Errore|Fehler|Erreur|Fout|Fel|Feil|Fejl|Chyba|Błąd|Virhe|Hiba|Hata|Ошибка|错误|錯誤|エラー|오류)[:：] ?\d{3}$/u;
/** Shown by Google Sheets while it calculates. */
const LOADING =
  /^(?:Loading|Wird geladen|Chargement|Chargement en cours|Cargando|Caricamento(?: in corso)?|Carregando|A carregar|Laden|Bezig met laden|Wczytywanie|Ładowanie|Загрузка|Yükleniyor|正在加载|加载中|正在載入|載入中|読み込んでいます|読み込み中|로드 중|로딩 중) ?(?:\.{3}|…)$/iu;
const LONGEST_LOADING = 32;

/** Whether a cell's whole text is an error value that was saved as text, or a column that was too narrow. */
export function isErrorText(text: string): boolean {
  const first = text.charCodeAt(0);
  // Called for every text: nearly all are recognised by their first and last characters.
  if (first <= NUMBER_SIGN || WIDE_BLANKS.has(first)) return isErrorValue(text.trim());
  const last = text.charCodeAt(text.length - 1);
  const isDigit = last >= 0x30 && last <= 0x39;
  if (isDigit) return isColon(text.charCodeAt(text.length - 4)) && NUMBERED.test(text);
  const mayLoad = last === 0x2e || last === 0x2026;
  if (mayLoad) return text.length <= LONGEST_LOADING && LOADING.test(text);
  return (last <= 0x20 || WIDE_BLANKS.has(last)) && isErrorValue(text.trim());
}

function isErrorValue(text: string): boolean {
  return ERROR_VALUE.test(text) || TYPED_ERROR.test(text) || NUMBERED.test(text) || LOADING.test(text);
}

function isColon(code: number): boolean {
  return code === 0x3a || code === 0xff1a || code === 0x20;
}

/** A longer text is a sentence; `Total amount of the orders (CNY): 1,234.50` is shorter. */
const LONGEST = 48;

const SUBJECT_ZH =
  '(?:数量|金额|客户|订单|产品|用户|节点|点数|锁|數量|金額|客戶|訂單|產品|用戶|節點|點數|鎖)?';
const WORD_ZH =
  '(?:合计|总计|小计|总数|共计|累计|总和|总合计|汇总|总额|总共|总数量|合計|總計|小計|總數|共計|累計|總和|匯總|彙總|總額|總共|總數量)';
const KIND_ZH = '(?:金额|数量|点数|节点数?|用户数|人数|台数|行数|单数|订单数?|锁数|数)?';
const UNIT_ZH = '(?:个|台|套|条|单|笔|份|元|元整|万元|行|把|点|户|项|家|人|名|件|只|支|张|次|位)?';
const NUMBER = '[-¥$€]*[\\d,.]*%?';
const TOTAL_ZH = new RegExp(
  `^(?:(?:本|全)?(?:页|表|单|月|年|部门|公司)|各项)?${SUBJECT_ZH}${WORD_ZH}${KIND_ZH}(?:\\([^)]*\\))?[:=]?${NUMBER}${UNIT_ZH}$|^共\\d+${UNIT_ZH.slice(0, -1)}(?:记录|数据|订单)?$`,
  'u',
);
const TOTAL_EN =
  /^(?:(?:grand|sub|page|sheet|overall|running|net|gross)[ -]?)?(?:sum total|totals?|sums?)(?: (?:number )?(?:of )?(?:qty|quantity|amount|count|price|number|orders?|rows?|records?|lines?|items?|nodes?|users?|customers?|locks?|licen[cs]es?))?(?: ?\([^)]*\))?(?: ?[:=])?(?: ?[-¥$€]*\d[\d,.]*%?(?: ?[a-z]{1,12})?)?$/;
const NUMBER_LIKE = /^[-+¥$€]*\s*\d[\d,.\s]*\s*%?\s*\p{L}{0,3}$/u;

/** Whether a text is a word for a total, optionally with its number and unit: 合计, 小计：3, Grand total. */
export function isTotalWord(text: string): boolean {
  if (text.length > LONGEST || !/[计数和共汇额計數總匯額tTsSｔＴｓＳ]/u.test(text)) return false;
  const folded = fold(text);
  return TOTAL_ZH.test(folded.replaceAll(' ', '')) || TOTAL_EN.test(folded);
}

export function totalCell(row: Row): Cell | undefined {
  return row.cells().find(({ kind, text }) => kind === 'text' && isTotalWord(text));
}

/** Whether a text is a number, optionally with a currency or unit. */
export function isNumberLike(text: string): boolean {
  return NUMBER_LIKE.test(fold(text));
}

/** A formula of Data > Subtotal. */
export const SUBTOTAL = /(?:^|[^\p{L}\d_])(?:SUBTOTAL|AGGREGATE)\s*\(/iu;

const SUBTOTAL_ZH =
  '(?:总计|總計|总|總)?(?:汇总|匯總|彙總|小计|小計|合计|合計|总计|總計|计数|計數|平均值?|最大值?|最小值?|求和|加總)';
const SUBTOTAL_EN = '(?:grand )?(?:total|sub[ -]?total|count|average|max|min|sum)';
/** The label of a total, as the whole text of a key. */
const KEY = new RegExp(`^(?:${SUBTOTAL_ZH}|${SUBTOTAL_EN})$`, 'u');
/** The same after the key of the rows above: there are more names of functions than are likely as whole keys. */
const AFTER_KEY = new RegExp(
  `^(.+?)(?:\\s*(?:${SUBTOTAL_ZH}|总数|數目|乘积|乘積|标准偏差|總體?標準差|方差|结果|結果)|\\s+(?:${SUBTOTAL_EN}|product|stddevp?|varp?|result|count nums))$`,
  'u',
);
/** A quick check before folding, which is slow: the letters and signs at the end of such labels. */
const LAST = /[总總计計汇匯彙数數均值大小和加积積差果ltexnmsvpLTEXNMSVP\s]$/u;
/** `1,003 Total` belongs to the key 1003. */
const FILLERS = /[\s,]/gu;

/** Whether a key is a label that Data > Subtotal and similar functions write for a total: 总计, Grand Count. */
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

export function isFilledCell(cell: Cell | undefined): boolean {
  return cell !== undefined && (cell.kind === 'no_result' || !isBlank(cell.text));
}

const LONGEST_LABEL = 48;

const FORM_ZH =
  '(?:(?:制表|制單|制单|製表|填表|填报|填報|审核|審核|复核|複核|核对|核對|审批|審批|批准|经办|經辦|负责|負責|主管|领导|領導|会计|會計|出纳|出納|录入|錄入|提交|申请|申請|联系|聯繫)(?:人|员|員|者|部门|部門|单位|單位)?|签字|簽字|签名|簽名|签章|簽章|盖章|蓋章|日期)(?:签字|簽字|签名|簽名|签章|簽章|盖章|蓋章|意见|意見|日期)?';
const FORM_EN =
  '(?:authori[sz]ed )?(?:signatures?|signed)(?: by)?|(?:prepared|checked|approved|reviewed|verified|submitted) by|date';
/** A label, alone or followed by a value. */
const FORM = new RegExp(`^(?:(?:${FORM_ZH}|${FORM_EN})(?:\\([^)]*\\))?(?: ?:.*)?|(?:${FORM_ZH})_+.*)$`, 'u');

/** Whether a text is a label of a form, optionally with a value: 制表人：张三, Prepared by. */
function isFormLabel(text: string): boolean {
  return text.length <= LONGEST_LABEL && FORM.test(fold(text));
}

/**
 * The label of a form in a row whose identifier columns are empty or also have labels.
 * @param identifiers those columns
 */
export function formLabel(row: Row, identifiers: readonly number[]): string | undefined {
  const label = row.cells().find(({ kind, text }) => kind === 'text' && isFormLabel(text));
  const isIdentifier = (cell: Cell | undefined): boolean =>
    isFilledCell(cell) && cell!.kind !== 'date' && /\d/.test(cell!.text) && !isFormLabel(cell!.text);
  if (!label || identifiers.some((column) => isIdentifier(row.cell(column)))) return undefined;
  return label.text.trim();
}
