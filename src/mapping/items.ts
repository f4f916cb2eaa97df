import { message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import { eitherDigest, inFixedOrder } from '../model/content.js';
import type { MappedItem } from '../model/item.js';
import type { TakenAsOne } from '../model/job.js';
import type { Json } from '../model/json.js';
import { shownPlace } from '../model/map.js';
import type { ItemContent, Operation, RuleSettings } from '../model/operation.js';
import type { Row } from '../model/row.js';
import { exactStringify } from '../util/exact-json.js';
import type { BoundBranch, Members } from './bound-entry.js';
import { buildElements, buildObject, reportEmptyArray } from './build.js';
import type { JoinLookup, MappedGroup, UnansweredGroup } from './contract.js';
import { contentDigest, givenContent, keyDigest, rowKeyDigest, subjectDigest } from './digest.js';
import { filledColumn, reportKeyFaults } from './elements.js';
import { distinctRows } from './equal-rows.js';
import { formerKeyTexts, groupingKey, keyTexts } from './group-key.js';
import { locate, type PathStep, pathSteps } from './locate.js';
import type { LookupAnswers } from './lookup/contract.js';
import { reportEmptyKey, reportLostCells } from './lost-cells.js';
import { MappingPass } from './mapping-pass.js';
import { rowFaults } from './row-faults.js';
import { isSheetColumn, rowIdentities } from './steps/step-columns.js';

/** A bound map, for turning rows into items. */
export interface BoundItems {
  /** The job is a step of several. */
  readonly inSteps: boolean;
  readonly takenAsOne?: TakenAsOne | undefined;
  readonly operation: Operation;
  readonly rules: RuleSettings;
  /** Members of the request's top level, without the array of the items. */
  readonly members: Members;
  /** The array that the items are elements of, where the operation has one. */
  readonly items: BoundBranch | undefined;
  /** All columns of the job's sheet that the map reads. */
  readonly columns: readonly number[];
}

/** An item before its check, with the rows that its values come from. */
interface Draft {
  readonly content: ItemContent;
  readonly rows: readonly Row[];
  /** Texts of the columns that its `each` groups by. */
  readonly each: readonly string[];
  /** The same as they stand in ledgers of earlier versions. */
  readonly formerEach?: readonly string[];
  /** Rows of another sheet make it, so that only what it holds distinguishes it from its neighbours. */
  readonly joined?: boolean;
}

/** Turns one row, or all rows of a group, into checked items. */
export function mapRows(
  bound: BoundItems,
  rows: readonly Row[],
  lookup: JoinLookup,
  answers: LookupAnswers,
): MappedGroup | UnansweredGroup {
  const pass = new MappingPass(lookup, answers);
  const drafts = checkedDrafts(bound, rows, pass);
  if (pass.unanswered.length > 0) return { kind: 'unanswered', requests: pass.unanswered };
  const numbers = rows.map((it) => it.number).sort((a, b) => a - b);
  const shifted = rows.flatMap(rowFaults);
  if (shifted.length > 0) return { kind: 'invalid', rows: numbers, faults: shifted };
  if (pass.faults.length === 0) {
    return {
      kind: 'items',
      items: drafts.map((it) => toItem(bound, it, numbers, pass)),
      warnings: pass.warnings,
      ...(pass.given.size > 0 ? { given: pass.given } : {}),
    };
  }
  const all = new MappingPass(lookup, answers, false);
  if (pass.merged) checkedDrafts(bound, rows, all);
  return { kind: 'invalid', rows: numbers, faults: all.faults.length > 0 ? all.faults : pass.faults };
}

function checkedDrafts(bound: BoundItems, rows: readonly Row[], pass: MappingPass): readonly Draft[] {
  const distinct = distinctRows(rows, bound.columns, pass);
  const drafts = bound.items
    ? arrayDrafts(bound, bound.items, distinct, pass)
    : requestDrafts(bound, distinct, pass);
  if (pass.rowsWithoutKey.size > 0)
    reportLostCells([...bound.members.entries, ...(bound.items ? [bound.items] : [])], pass);
  // Without the answers values are missing, and rules would speak of that.
  if (pass.unanswered.length > 0) return [];
  for (const draft of drafts) checkRules(bound, draft, distinct, pass);
  return drafts;
}

/** Items that stand in an object array: one per element (`orderList`). */
function arrayDrafts(
  bound: BoundItems,
  items: BoundBranch,
  rows: readonly Row[],
  pass: MappingPass,
): readonly Draft[] {
  const envelope = buildObject(bound.members, rows, pass);
  if (items.source.kind === 'columns') {
    const { columns } = items.source;
    const first = rows[0]!;
    const each = keyTexts(first, columns);
    if (groupingKey(first, columns) === undefined && !reportKeyFaults(first, columns, items, pass)) {
      const others = bound.columns.filter((column) => isSheetColumn(column) && !columns.includes(column));
      reportEmptyKey(first, items, filledColumn([first], others), pass);
    }
    // The rows were grouped by this key, so they make one element.
    const formerEach = formerKeyTexts(first, columns);
    return [{ content: { envelope, body: buildObject(items.members, rows, pass) }, rows, each, formerEach }];
  }
  const before = pass.faults.length;
  const elements = buildElements(items, rows, pass);
  if (elements.length === 0 && pass.faults.length === before) reportEmptyArray(items, rows, pass);
  return elements.map(({ element, rows: from }) => {
    // Orders that one row joins from another sheet have the same key cells, so their content has to distinguish them.
    const joined = items.source.kind === 'sheet';
    return { content: { envelope, body: element }, rows: from, each: [], joined };
  });
}

/** Items that are strings (lock numbers), or the whole request. */
function requestDrafts(
  { operation, members }: BoundItems,
  rows: readonly Row[],
  pass: MappingPass,
): readonly Draft[] {
  const request = buildObject(members, rows, pass);
  if (operation.place.kind !== 'strings') {
    return [{ content: { envelope: {}, body: request }, rows, each: [] }];
  }
  const { field } = operation.place;
  const { [field]: texts, ...envelope } = request;
  return asTexts(texts).map((body) => ({ content: { envelope, body }, rows, each: [] }));
}

/**
 * Checks the rules of the interface, also on faulty items, so that all faults are reported together. A rule about a field
 * that is faulty itself isn't reported, as the value is missing; nor one that may depend on a stand-in.
 */
function checkRules(bound: BoundItems, draft: Draft, rows: readonly Row[], pass: MappingPass): void {
  if (pass.givenDecides) return;
  const all = bound.operation.rules(draft.content, bound.rules);
  if (all.length === 0) return;
  const faulty = [...pass.faults.map((it) => it.field), ...pass.given];
  for (const broken of all) {
    if (faulty.some((field) => field !== undefined && concerns(field, broken.field))) continue;
    const { row, column } = originOf(bound, draft, rows, pathSteps(broken.path), pass);
    pass.fault(row, broken.field, { column, message: broken.message });
  }
}

function originOf(
  bound: BoundItems,
  draft: Draft,
  rows: readonly Row[],
  steps: readonly PathStep[],
  pass: MappingPass,
) {
  const { items, operation } = bound;
  // A rule is checked on a request with this item alone, as element 0.
  if (items && steps[0]?.name === items.name)
    return locate(items.members.entries, draft.rows, steps.slice(1), pass);
  if (operation.place.kind === 'strings' && steps[0]?.name === operation.place.field) {
    return locate(bound.members.entries, rows, [{ name: operation.place.field }], pass);
  }
  return locate(bound.members.entries, rows, steps, pass);
}

/** Whether the wire paths are equal, or one lies within the other. */
function concerns(one: string, other: string): boolean {
  return one === other || one.startsWith(`${other}.`) || other.startsWith(`${one}.`);
}

function toItem(
  { operation, inSteps, takenAsOne }: BoundItems,
  draft: Draft,
  rows: readonly number[],
  { given, givenNew }: Pick<MappingPass, 'given' | 'givenNew'>,
): MappedItem {
  const { envelope, body } = draft.content;
  if (takenAsOne) refuseSeveral(operation, body, takenAsOne, rows[0]!);
  const bodyJson = exactStringify(body);
  const marked = (digest: string) => (given.size > 0 ? givenContent(digest, givenNew) : digest);
  const digestOf = (json: string) => contentDigest(operation, envelope, json);
  const keyBy = (json: string, digest: string, each: readonly string[]) =>
    keyDigest(operation, envelope, body, draft.joined ? [json] : each, marked(digest));
  const asItStands = digestOf(bodyJson);
  // Only orders have lists: sorted, they are the same whichever way the sheet was sorted.
  const ordered = operation.key === 'order' ? inFixedOrder(body) : body;
  const orderedJson = ordered === body ? bodyJson : exactStringify(ordered);
  const inOrder = ordered === body ? asItStands : digestOf(orderedJson);
  const content = marked(eitherDigest(asItStands, inOrder));
  const envelopeJson = exactStringify(envelope);
  const { each, formerEach = each } = draft;
  const own = keyBy(orderedJson, inOrder, each);
  const isSeen = ordered === body && formerEach.every((it, index) => it === each[index]);
  const formerKey = isSeen ? undefined : keyBy(bodyJson, asItStands, formerEach);
  const identities = own === undefined ? rowIdentities(draft.rows[0]!) : undefined;
  const key = own ?? (identities && rowKeyDigest(operation, identities[0]!, content));
  const subject = subjectDigest(operation, body);
  // Rows that name one thing with its own key, as lines of orders name their customer, share it within a step; so do copies.
  const shared = inSteps && operation.key !== 'order' ? key : undefined;
  const more = { subject: subject ?? shared, identities, ...(formerKey === key ? {} : { formerKey }) };
  return { rows, envelope, body, envelopeJson, bodyJson, content, key, ...more };
}

/** The job would ask for what it can't use; known before anything is sent, as all steps are checked first. */
function refuseSeveral(operation: Operation, body: Json, { at, ...taken }: TakenAsOne, row: number): void {
  const count = operation.recordsExpected?.(body) ?? 1;
  if (count === 1) return;
  throw new ProductError('usage', message('mapping.from_count', { ...shownPlace(at), ...taken, row, count }));
}

function asTexts(texts: Json | undefined): readonly string[] {
  return Array.isArray(texts) ? (texts as readonly string[]) : [];
}
