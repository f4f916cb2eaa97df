import type { Cell } from '../model/cell.js';
import type { Row } from '../model/row.js';
import { fold } from '../util/fold.js';
import { isFilledCell } from './row-shape.js';

const LONGEST_LABEL = 48;

const FORM_ZH =
  '(?:(?:制表|制單|制单|製表|填表|填报|填報|审核|審核|复核|複核|核对|核對|审批|審批|批准|经办|經辦|负责|負責|主管|领导|領導|会计|會計|出纳|出納|录入|錄入|提交|申请|申請|联系|聯繫)(?:人|员|員|者|部门|部門|单位|單位)?|签字|簽字|签名|簽名|签章|簽章|盖章|蓋章|日期)(?:签字|簽字|签名|簽名|签章|簽章|盖章|蓋章|意见|意見|日期)?';
const FORM_EN =
  '(?:authori[sz]ed )?(?:signatures?|signed)(?: by)?|(?:prepared|checked|approved|reviewed|verified|submitted) by|date';
/** A label, alone or before what was filled in. */
const FORM = new RegExp(`^(?:(?:${FORM_ZH}|${FORM_EN})(?:\\([^)]*\\))?(?: ?:.*)?|(?:${FORM_ZH})_+.*)$`, 'u');

/** Whether a text is a label of a form, perhaps with what was filled in: 制表人：张三, Prepared by. */
function isFormLabel(text: string): boolean {
  return text.length <= LONGEST_LABEL && FORM.test(fold(text));
}

/**
 * The label of a form in a row whose columns of identifiers are empty or have labels, too.
 * @param identifiers those columns
 */
export function formLabel(row: Row, identifiers: readonly number[]): string | undefined {
  const label = row.cells().find(({ kind, text }) => kind === 'text' && isFormLabel(text));
  const isIdentifier = (cell: Cell | undefined): boolean =>
    isFilledCell(cell) && cell!.kind !== 'date' && /\d/.test(cell!.text) && !isFormLabel(cell!.text);
  if (!label || identifiers.some((column) => isIdentifier(row.cell(column)))) return undefined;
  return label.text.trim();
}
