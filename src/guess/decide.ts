import { isNeeded } from '../model/field.js';
import { OPERATION_NAMES, type OperationName } from '../model/operation.js';
import { operationNamed } from '../platform/operations/catalogue.js';
import { OPERATION_WORDS } from '../platform/operations/operation-words.js';
import { readBoolean } from '../util/text.js';
import { operationIn, operationsOf, revokedIn, tasksIn } from './cell-words.js';
import { meaningOf } from './header-meaning.js';
import { type Match, matchSheet } from './match.js';
import type { Profile } from './profile.js';
import { type TargetField, targetsOf } from './targets.js';

/** How well an operation matches a spreadsheet. */
export interface Fit {
  readonly operation: OperationName;
  /** 0 to 1. */
  readonly score: number;
  /** Number of required fields with a column, number of required fields, and number of used columns. */
  readonly matched: number;
  readonly required: number;
  readonly used: number;
  readonly columns: number;
  /** Columns that some operation knows. */
  readonly known: number;
  readonly matches: readonly Match[];
}

/**
 * The operations by how well the columns match them, the most likely first: many required fields should have a column, and few
 * known columns should be unused. `decide` chooses among them.
 */
export function proposals(columns: readonly Profile[]): readonly Fit[] {
  const candidates = OPERATION_NAMES.map((operation) => {
    const targets = targetsOf(operationNamed(operation));
    const matches = matchSheet(columns, targets).filter((it) => it.by === 'name' || it.score > 0.55);
    return { operation, targets, matches };
  });
  const known = new Set(candidates.flatMap(({ matches }) => matches.map((it) => it.column)));
  return candidates
    .map(({ operation, targets, matches }) => rate(operation, targets, matches, known.size, columns))
    .sort((a, b) => b.score - a.score);
}

function rate(
  operation: OperationName,
  targets: readonly TargetField[],
  matches: readonly Match[],
  known: number,
  columns: readonly Profile[],
): Fit {
  const needed = targets.filter((it) => isNeeded(it.field) && isUsual(it));
  const given = matches.filter(({ target }) => needed.includes(target)).length;
  const weight = matches.reduce((total, it) => total + it.score, 0);
  const coverage = needed.length === 0 ? 0 : given / needed.length;
  // Most columns should match a field of some operation.
  const usage = known === 0 ? 0 : weight / Math.max(known, columns.length * 0.35);
  const base = coverage + usage === 0 ? 0 : (2 * coverage * usage) / (coverage + usage);
  return {
    operation,
    score: Math.min(1, base),
    matched: given,
    required: needed.length,
    used: matches.length,
    columns: columns.length,
    known,
    matches,
  };
}

/** False for tables that few spreadsheets fill: their missing columns don't count against an operation. */
function isUsual({ path }: TargetField): boolean {
  return !path.some((it) => it === 'merchandises' || it === 'productFeatures' || it === 'assetExtendList');
}

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
  /** The operations that match, possibly none, with the words that name several of them. */
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
 * The operation of a spreadsheet, if it can be determined. The names of file, sheet and title are evidence, and cells that name a
 * task; headers are used only without these. Columns alone decide only if they match exactly one operation: an operation that
 * creates, buys or revokes is never chosen as a fallback.
 */
export function decide(evidence: Evidence, fits: readonly Fit[]): OperationDecision {
  const possible = fits.filter(isPossible);
  const isPossibleOperation = (name: OperationName): boolean =>
    possible.some(({ operation }) => operation === name);
  const mark = evidence.marks.map(operationIn).find((it) => it !== undefined);
  if (mark !== undefined && isPossibleOperation(mark)) return { kind: 'found', operation: mark, word: mark };
  const named = evidence.names.map(operationIn).find((it) => it !== undefined);
  if (named !== undefined && isPossibleOperation(named))
    return { kind: 'found', operation: named, word: named };
  const byNames = tasksFoundIn(evidence.names, fits, isPossibleOperation, evidence.names);
  const byCells = tasksFoundIn(actionTexts(evidence.columns), fits, isPossibleOperation);
  const found = byCells.length > 0 && byNames.length > 0 ? both(byNames, byCells) : [...byNames, ...byCells];
  const plain = found.length > 0 ? found : tasksOfHeaders(evidence.columns, fits, isPossibleOperation);
  const [first] = plain;
  const operations = [...new Set(plain.map((it) => it.operation))];
  const fitted = fits.filter((it) => operations.includes(it.operation));
  const complete = possible.find(
    (it) =>
      it.matched === it.required &&
      isOwn(it, evidence.columns) &&
      fitted.every(({ matches }) => matches.length <= it.matches.length),
  );
  // Columns that match another operation completely have precedence over words that name several operations, or a creation for
  // which columns are missing: a sheet of new customers may be for binding them.
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

/** The tasks of both names and cells; all of them if they conflict. */
function both(byNames: readonly TaskFound[], byCells: readonly TaskFound[]): readonly TaskFound[] {
  const shared = byCells.filter((it) => byNames.some(({ operation }) => operation === it.operation));
  return shared.length > 0 ? shared : [...byNames, ...byCells];
}

function tasksFoundIn(
  texts: readonly string[],
  fits: readonly Fit[],
  isPossibleOperation: (it: OperationName) => boolean,
  /** Other texts that may name what is revoked. */
  others: readonly string[] = [],
): readonly TaskFound[] {
  const found: TaskFound[] = [];
  for (const text of texts) {
    for (const [task, word] of tasksIn(text)) {
      for (const operation of operationsFor(task, [text, ...others], fits)) {
        if (isPossibleOperation(operation)) found.push({ operation, word });
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
  const named = texts.map(revokedIn).find((it) => it !== undefined);
  // Without a column for a product only whole assets can be revoked.
  if (!ofProducts) return named === 'order.delete_product' ? [] : ['order.delete_asset'];
  return [named ?? 'order.delete_product'];
}

/** Headers of columns with the task of a row. */
const ACTION =
  /^(?:order ?types?|types? of (?:order|request)|kind of (?:order|request)|actions?|operations?|requests?|request(?:ed)? (?:types?|actions?)|tasks?|what to do|to ?do|订单类型|订单类别|单据类型|业务类型|申请类型|处理方式|操作|操作类型|动作|申请事项|办理事项|事项|业务|要求|处理|处理要求|申请内容)$/iu;
const CHOICES = 10;

function actionTexts(columns: readonly Profile[]): readonly string[] {
  return columns
    .filter(
      (it) =>
        ACTION.test(it.header.text.replace(/[\s_*:：]+/g, ' ').trim()) ||
        meaningOf(it.header.text).key === 'order type',
    )
    .filter((it) => !it.open && it.texts.size <= CHOICES)
    .flatMap((it) => [...it.texts.keys()]);
}

/** Headers about the date, reason, state or negation of a task. */
const NO_TASK =
  /\b(?:date|time|on|at|status|state|by|since|reasons?|cause|why|whether|is|was|has|not?|no longer|never|don'?t|flag|remarks?|notes?|comments?)\b|日期|时间|状态|人$|金额|款$|是否|能否|可否|有无|与否|否$|[吗?？]$|原因|理由|事由|说明|备注|情况|标志|标记/iu;

/**
 * The tasks that headers name. Only headers of columns that the operation reads are used (`停用锁号`): others describe the row
 * (`停用原因`, `锁定客户`). A column of yes and no is a state.
 */
function tasksOfHeaders(
  columns: readonly Profile[],
  fits: readonly Fit[],
  isPossibleOperation: (it: OperationName) => boolean,
): readonly TaskFound[] {
  const reads = (operation: OperationName, column: Profile): boolean =>
    fits.some((fit) => fit.operation === operation && fit.matches.some((it) => it.column === column));
  return columns
    .filter((it) => !NO_TASK.test(it.header.text) && !holdsYesAndNo(it))
    .flatMap((column) =>
      tasksFoundIn([column.header.text], fits, isPossibleOperation).filter(
        // Headers often mention a purchase or a new customer.
        ({ operation }) => OPERATION_WORDS[operation].onlyWhenNamed !== true && reads(operation, column),
      ),
    );
}

function holdsYesAndNo({ filled, yesNo }: Profile): boolean {
  return filled > 0 && yesNo === filled;
}

/** A column with yes or no for each row, whether to apply the operation: `是否停用`. */
export interface YesNoColumn {
  readonly column: Profile;
  /** Texts of the cells. */
  readonly yes: readonly string[];
  readonly no: readonly string[];
}

export function yesNoColumn(columns: readonly Profile[], operation: OperationName): YesNoColumn | undefined {
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

/** True if the columns match only this operation: fields that only it has, and nearly all required ones. */
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

/** True for columns with former and new values, which indicate a change. */
function isOldAndNew(columns: readonly Profile[]): boolean {
  const hasHeader = (pattern: RegExp): boolean => columns.some((it) => pattern.test(it.header.text));
  return (
    hasHeader(/\b(?:old|former|previous|prior)\b|旧|^原(?!始|订)|曾用|[变修更调].{1,2}前/iu) ||
    hasHeader(/\bnew (?:\w+ )?(?:name|address)|新.{0,4}(?:名|地址)|[变修更调].{1,2}后/iu)
  );
}

/**
 * The operations to offer if nothing decides: those with most of their required fields, and any that reads more of the sheet's
 * columns than all of these. An operation with a single required field matches nearly every sheet.
 */
function worthOffering(possible: readonly Fit[]): readonly Fit[] {
  const likely = possible.filter((it) => it.score >= 0.35 || it.matched === it.required);
  const read = Math.max(0, ...likely.map((it) => it.matches.length));
  return possible.filter((it) => likely.includes(it) || it.matches.length > read);
}
