import type { OperationName } from '../model/operation.js';
import { OPERATION_WORDS } from '../platform/operations/words.js';
import { readBoolean } from '../util/boolean-words.js';
import { meaningOf } from './header-meaning.js';
import type { Profile } from './profile.js';
import type { Fit } from './propose.js';
import { operationIn, operationsOf, revokedIn, tasksIn } from './purpose.js';

/** Signs of a spreadsheet's purpose, the most reliable first. */
interface Evidence {
  /** Operation names in the guide of a template. */
  readonly marks: readonly string[];
  /** Names of the file and the sheet, and the titles above the headers. */
  readonly names: readonly string[];
  readonly columns: readonly Profile[];
}

type OperationDecision =
  | { readonly kind: 'found'; readonly operation: OperationName; readonly word: string }
  /** The operations that fit (none if nothing does), with the words that name several of them. */
  | {
      readonly kind: 'open';
      readonly candidates: readonly OperationName[];
      readonly words: readonly string[];
    };

interface TaskFound {
  readonly operation: OperationName;
  readonly word: string;
}

/**
 * The operation of a spreadsheet, if it can be found. Names of file, sheet and title count, and cells that say what is to be
 * done; headers count only without these. Columns alone decide only if they fit exactly one operation: an operation that
 * creates, buys or revokes is never chosen for lack of a better one.
 */
export function decide(evidence: Evidence, fits: readonly Fit[]): OperationDecision {
  const possible = fits.filter(isPossible);
  const may = (it: OperationName): boolean => possible.some((fit) => fit.operation === it);
  const mark = evidence.marks.map(operationIn).find((it) => it !== undefined);
  if (mark !== undefined && may(mark)) return { kind: 'found', operation: mark, word: mark };
  const named = evidence.names.map(operationIn).find((it) => it !== undefined);
  if (named !== undefined && may(named)) return { kind: 'found', operation: named, word: named };
  const byNames = tasksFoundIn(evidence.names, fits, may, evidence.names);
  const byCells = tasksFoundIn(actionTexts(evidence.columns), fits, may);
  const found = byCells.length > 0 && byNames.length > 0 ? both(byNames, byCells) : [...byNames, ...byCells];
  const plain = found.length > 0 ? found : tasksOfHeaders(evidence.columns, fits, may);
  const [first] = plain;
  const operations = [...new Set(plain.map((it) => it.operation))];
  const fitted = fits.filter((it) => operations.includes(it.operation));
  const complete = possible.find(
    (it) =>
      it.matched === it.required &&
      isOwn(it, evidence.columns) &&
      fitted.every((other) => other.matches.length <= it.matches.length),
  );
  // Words that name several operations, or a creation for which columns are missing, give way to columns that are all
  // those of another operation: a sheet of new customers may be one to bind.
  if (complete && first && !lacksNothing(operations, fits))
    return { kind: 'found', operation: complete.operation, word: '' };
  if (first && operations.length === 1)
    return { kind: 'found', operation: first.operation, word: first.word };
  if (operations.length > 1) {
    return { kind: 'open', candidates: operations, words: [...new Set(plain.map((it) => it.word))] };
  }
  const [only] = possible.filter((it) => isOwn(it, evidence.columns));
  if (only) return { kind: 'found', operation: only.operation, word: '' };
  return { kind: 'open', candidates: worthOffering(possible).map((it) => it.operation), words: [] };
}

/** Names and cells must not contradict each other. */
function both(one: readonly TaskFound[], other: readonly TaskFound[]): readonly TaskFound[] {
  const shared = other.filter((it) => one.some((found) => found.operation === it.operation));
  return shared.length > 0 ? shared : [...one, ...other];
}

function tasksFoundIn(
  texts: readonly string[],
  fits: readonly Fit[],
  may: (it: OperationName) => boolean,
  /** Other texts that may say what is revoked. */
  others: readonly string[] = [],
): readonly TaskFound[] {
  const found: TaskFound[] = [];
  for (const text of texts) {
    for (const [task, word] of tasksIn(text)) {
      for (const operation of operationsFor(task, [text, ...others], fits)) {
        if (may(operation)) found.push({ operation, word });
      }
    }
  }
  return found;
}

function operationsFor(
  task: string,
  texts: readonly string[],
  fits: readonly Fit[],
): readonly OperationName[] {
  if (task !== 'revoke') return operationsOf(task);
  const fed = fits.find((it) => it.operation === 'order.delete_product');
  const ofProducts = fed !== undefined && has(fed, 'productUri', 'crmProductId');
  const said = texts.map(revokedIn).find((it) => it !== undefined);
  // Nothing but whole assets can be revoked where no column names a product.
  if (!ofProducts) return said === 'order.delete_product' ? [] : ['order.delete_asset'];
  return [said ?? 'order.delete_product'];
}

/** Headers under which people write what is to be done with a row. */
const ACTION =
  /^(?:order ?types?|types? of (?:order|request)|kind of (?:order|request)|actions?|operations?|requests?|request(?:ed)? (?:types?|actions?)|tasks?|what to do|to ?do|订单类型|订单类别|单据类型|业务类型|申请类型|处理方式|操作|操作类型|动作|申请事项|办理事项|事项|业务|要求|处理|处理要求|申请内容)$/iu;
const CHOICES = 10;

function actionTexts(columns: readonly Profile[]): readonly string[] {
  return columns
    .filter((it) => ACTION.test(it.header.text.replace(/[\s_*:：]+/g, ' ').trim()) || isOrderType(it))
    .filter((it) => !it.open && it.texts.size <= CHOICES)
    .flatMap((it) => [...it.texts.keys()]);
}

function isOrderType(column: Profile): boolean {
  return meaningOf(column.header.text).key === 'order type';
}

/** Headers that say what was done, when, why or whether, or that it is not to be done. */
const NO_TASK =
  /\b(?:date|time|on|at|status|state|by|since|reasons?|cause|why|whether|is|was|has|not?|no longer|never|don'?t|flag|remarks?|notes?|comments?)\b|日期|时间|状态|人$|金额|款$|是否|能否|可否|有无|与否|否$|[吗?？]$|原因|理由|事由|说明|备注|情况|标志|标记/iu;

/**
 * The tasks that headers name. Only a header of a column that the operation reads counts (`停用锁号`): any other says something
 * about the row (`停用原因`, `锁定客户`). A column of yes and no is a state.
 */
function tasksOfHeaders(
  columns: readonly Profile[],
  fits: readonly Fit[],
  may: (it: OperationName) => boolean,
): readonly TaskFound[] {
  const reads = (operation: OperationName, column: Profile): boolean =>
    fits.some((fit) => fit.operation === operation && fit.matches.some((it) => it.column === column));
  return columns
    .filter((it) => !NO_TASK.test(it.header.text) && !holdsYesAndNo(it))
    .flatMap((column) =>
      tasksFoundIn([column.header.text], fits, may).filter(
        // Headers speak of a purchase or a new customer in passing.
        ({ operation }) => OPERATION_WORDS[operation].onlyWhenNamed !== true && reads(operation, column),
      ),
    );
}

function holdsYesAndNo({ filled, yesNo }: Profile): boolean {
  return filled > 0 && yesNo === filled;
}

/** A column that says of each row, by yes and no, whether the operation is to be done: `是否停用`. */
export interface WhetherColumn {
  readonly column: Profile;
  /** As the cells have them. */
  readonly yes: readonly string[];
  readonly no: readonly string[];
}

export function whetherColumn(
  columns: readonly Profile[],
  operation: OperationName,
): WhetherColumn | undefined {
  for (const column of columns) {
    const { text } = column.header;
    if (!holdsYesAndNo(column) || /^已|\b(?:is|was|has)\b|(?:ed|en)$/iu.test(text)) continue;
    if (![...tasksIn(text).keys()].includes(OPERATION_WORDS[operation].task)) continue;
    const texts = [...column.texts.keys()];
    const yes = texts.filter((it) => readBoolean(it) === true || /^[√✓]$/u.test(it));
    const no = texts.filter((it) => !yes.includes(it));
    if (yes.length > 0 && no.length > 0) return { column, yes, no };
  }
  return undefined;
}

function lacksNothing(operations: readonly OperationName[], fits: readonly Fit[]): boolean {
  const [only, second] = operations;
  if (only === undefined || second !== undefined) return false;
  const fit = fits.find((it) => it.operation === only);
  return OPERATION_WORDS[only].onlyWhenNamed !== true || fit?.matched === fit?.required;
}

function has({ matches }: Fit, ...fields: readonly string[]): boolean {
  return matches.some((it) => it.score >= 0.7 && fields.includes(it.target.field.name));
}

function isPossible(fit: Fit): boolean {
  const { essential } = OPERATION_WORDS[fit.operation];
  const content = fit.matches.some((it) => it.by === 'content' && essential.includes(it.target.field.name));
  return content || has(fit, ...essential);
}

/** Whether the columns are those of the operation and of no other: its own fields, and nearly all that it needs. */
function isOwn(fit: Fit, columns: readonly Profile[]): boolean {
  const { own } = OPERATION_WORDS[fit.operation];
  if (!own) return false;
  const named = (...fields: readonly string[]): number =>
    fit.matches.filter((it) => it.by === 'name' && it.score >= 0.7 && fields.includes(it.target.field.name))
      .length;
  const { all = [], some, share = 0, columns: most = columns.length } = own;
  return (
    all.every((it) => named(it) === 1) &&
    (some === undefined || named(...some.of) >= some.least) &&
    (fit.required === 0 ? 0 : fit.matched / fit.required) >= share &&
    (!own.nothingElse || fit.matches.length === fit.known) &&
    columns.length <= most &&
    (!own.oldAndNew || isOldAndNew(columns))
  );
}

/** What was once beside what is to be: a change. */
function isOldAndNew(columns: readonly Profile[]): boolean {
  const says = (pattern: RegExp): boolean => columns.some((it) => pattern.test(it.header.text));
  return (
    says(/\b(?:old|former|previous|prior)\b|旧|^原(?!始|订)|曾用|[变修更调].{1,2}前/iu) ||
    says(/\bnew (?:\w+ )?(?:name|address)|新.{0,4}(?:名|地址)|[变修更调].{1,2}后/iu)
  );
}

/**
 * Worth offering where nothing tells: operations that find most of what they need, and any that reads more of the sheet's
 * columns than all of these. An operation that needs a single field finds it in nearly every sheet.
 */
function worthOffering(possible: readonly Fit[]): readonly Fit[] {
  const likely = possible.filter((it) => it.score >= 0.35 || it.matched === it.required);
  const read = Math.max(0, ...likely.map((it) => it.matches.length));
  return possible.filter((it) => likely.includes(it) || it.matches.length > read);
}
