import { message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import { eitherDigest, inFixedOrder, type MappedItem } from '../model/item.js';
import type { SingleRecordUse } from '../model/job.js';
import type { Json } from '../model/json.js';
import { shownPlace } from '../model/map.js';
import type { ItemContent, Operation, RuleSettings } from '../model/operation.js';
import type { Row } from '../model/row.js';
import { exactStringify } from '../util/exact-json.js';
import { type BoundBranch, type Members, rowFaults } from './bound-entry.js';
import { buildElements, buildObject, reportEmptyArray } from './build.js';
import { contentDigest, givenContent, keyDigest, rowKeyDigest, subjectDigest } from './digest.js';
import {
  distinctRows,
  filledColumn,
  formerKeyTexts,
  groupingKey,
  keyTexts,
  reportKeyFaults,
} from './group-key.js';
import { locate, type PathStep, pathSteps } from './locate.js';
import type { LookupAnswers } from './lookup/records.js';
import { reportEmptyKey, reportLostCells } from './lost-cells.js';
import type { JoinLookup, MappedGroup, UnansweredGroup } from './mapping.js';
import { MappingPass } from './mapping-pass.js';
import { isSheetColumn, rowIdentities } from './steps/step-columns.js';

/** A bound map, for turning rows into items. */
export interface BoundItems {
  /** The job is a step of several. */
  readonly inSteps: boolean;
  readonly takenAsOne?: SingleRecordUse | undefined;
  readonly operation: Operation;
  readonly rules: RuleSettings;
  /** Members of the request's top level, without the array of the items. */
  readonly members: Members;
  /** The array whose elements are the items, if the operation has one. */
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
  /** The same texts as earlier versions of the program had them. */
  readonly formerEach?: readonly (readonly string[])[];
  /** The content as version 0.1 read the same cells, if it is different. */
  readonly former?: ItemContent;
  /** The item consists of rows of another sheet, so that only its content distinguishes it from other items of the row. */
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
  let drafts = checkedDrafts(bound, rows, pass);
  if (pass.unanswered.length > 0) return { kind: 'unanswered', requests: pass.unanswered };
  const numbers = rows.map((it) => it.number).sort((a, b) => a - b);
  const shifted = rows.flatMap(rowFaults);
  if (shifted.length > 0) return { kind: 'invalid', rows: numbers, faults: shifted };
  if (pass.faults.length === 0) {
    if (pass.hasFormer) drafts = withFormer(bound, rows, drafts, pass);
    return {
      kind: 'items',
      items: drafts.map((it) => toItem(bound, it, numbers, pass)),
      warnings: pass.warnings,
      ...(pass.given.size > 0 ? { given: pass.given } : {}),
    };
  }
  const all = new MappingPass(lookup, answers, { mergesRows: false });
  if (pass.merged) checkedDrafts(bound, rows, all);
  return { kind: 'invalid', rows: numbers, faults: all.faults.length > 0 ? all.faults : pass.faults };
}

/** The drafts with the content that version 0.1 read from the same cells, so that its items are still recognised. */
function withFormer(
  bound: BoundItems,
  rows: readonly Row[],
  drafts: readonly Draft[],
  { lookup, answers }: MappingPass,
): readonly Draft[] {
  const pass = new MappingPass(lookup, { find: (request) => answers.find(request) }, { former: true });
  const former = draftsOf(bound, distinctRows(rows, bound.columns, pass), pass);
  if (pass.faults.length > 0 || former.length !== drafts.length) return drafts;
  return drafts.map((it, index) => ({ ...it, former: former[index]!.content }));
}

function draftsOf(bound: BoundItems, distinct: readonly Row[], pass: MappingPass): readonly Draft[] {
  return bound.items ? arrayDrafts(bound, bound.items, distinct, pass) : requestDrafts(bound, distinct, pass);
}

function checkedDrafts(bound: BoundItems, rows: readonly Row[], pass: MappingPass): readonly Draft[] {
  const distinct = distinctRows(rows, bound.columns, pass);
  const drafts = draftsOf(bound, distinct, pass);
  if (pass.rowsWithoutKey.size > 0)
    reportLostCells([...bound.members.entries, ...(bound.items ? [bound.items] : [])], pass);
  // Until the replies are available values are missing, and rules would report these.
  if (pass.unanswered.length > 0) return [];
  for (const draft of drafts) checkRules(bound, draft, distinct, pass);
  return drafts;
}

/** Items of an object array: one per element (`orderList`). */
function arrayDrafts(
  bound: BoundItems,
  items: BoundBranch,
  rows: readonly Row[],
  pass: MappingPass,
): readonly Draft[] {
  const envelope = buildObject(bound.members, rows, pass);
  if (items.source.kind === 'columns') {
    const { columns, isIdentifier } = items.source;
    const first = rows[0]!;
    const each = keyTexts(first, columns);
    const hasKey = groupingKey(first, columns, isIdentifier) !== undefined;
    if (!hasKey && !reportKeyFaults(first, columns, isIdentifier, items, pass)) {
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
    // Orders that one row joins from another sheet have the same key cells, so that only their content distinguishes them.
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
  return (Array.isArray(texts) ? (texts as readonly string[]) : []).map((body) => ({
    content: { envelope, body },
    rows,
    each: [],
  }));
}

/**
 * Checks the rules of the interface, also on invalid items, so that all errors are reported together. A rule is not reported if
 * its field is invalid itself, because the value is missing, or if it may depend on a placeholder.
 */
function checkRules(bound: BoundItems, draft: Draft, rows: readonly Row[], pass: MappingPass): void {
  if (pass.givenDecides) return;
  const all = bound.operation.rules(draft.content, bound.rules);
  if (all.length === 0) return;
  const excluded = [...pass.faults.map((it) => it.field), ...pass.given];
  for (const rule of all) {
    if (excluded.some((field) => field !== undefined && concerns(field, rule.field))) continue;
    const { row, column } = originOf(bound, draft, rows, pathSteps(rule.path), pass);
    pass.fault(row, rule.field, { column, message: rule.message });
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

/** True if the wire paths are equal, or one is within the other. */
function concerns(a: string, b: string): boolean {
  return a === b || a.startsWith(`${b}.`) || b.startsWith(`${a}.`);
}

function toItem(
  { operation, inSteps, takenAsOne }: BoundItems,
  draft: Draft,
  rows: readonly number[],
  { given, givenNew }: Pick<MappingPass, 'given' | 'givenNew'>,
): MappedItem {
  const { envelope, body } = draft.content;
  if (takenAsOne) refuseSeveral(operation, body, takenAsOne, rows[0]!);
  const marked = (digest: string) => (given.size > 0 ? givenContent(digest, givenNew) : digest);
  const digests = new ContentDigests(operation, draft.content, draft.joined === true, marked);
  const { bodyJson } = digests;
  const content = marked(digests.either);
  const envelopeJson = exactStringify(envelope);
  const { each, formerEach = [] } = draft;
  const operationKey = digests.key(each);
  const identities = operationKey === undefined ? rowIdentities(draft.rows[0]!) : undefined;
  const keyOfRow = (digest: string) => identities && rowKeyDigest(operation, identities[0]!, digest);
  const key = operationKey ?? keyOfRow(content);
  const former = new Set<string>();
  const earlier = draft.former && new ContentDigests(operation, draft.former, draft.joined === true, marked);
  const versions = [each, ...formerEach.filter((it) => it.some((text, index) => text !== each[index]))];
  if (versions.length > 1 || earlier || !digests.isInOrder) {
    for (const source of earlier ? [digests, earlier] : [digests])
      for (const texts of versions) for (const formerKey of source.keys(texts)) former.add(formerKey);
    const ofRow = earlier && keyOfRow(marked(earlier.either));
    if (operationKey === undefined && ofRow !== undefined) former.add(ofRow);
    if (key !== undefined) former.delete(key);
  }
  const subject = subjectDigest(operation, body);
  // Within a step rows with the same key, such as order lines of one customer, share one item; so do copies of a row.
  const shared = inSteps && operation.key !== 'order' ? key : undefined;
  return {
    rows,
    envelope,
    body,
    envelopeJson,
    bodyJson,
    content,
    key,
    subject: subject ?? shared,
    identities,
    ...(former.size > 0 ? { earlierKeys: [...former] } : {}),
    ...(earlier && key !== undefined ? { earlierContent: earlier.either } : {}),
  };
}

/** The digests of a content: as its rows are in the sheet, and with its lists in a fixed order. */
class ContentDigests {
  readonly bodyJson: string;
  readonly either: string;
  /** True if both digests are the same. */
  readonly isInOrder: boolean;
  readonly #keyBy: (json: string, digest: string, each: readonly string[]) => string | undefined;
  readonly #inRowOrder: string;
  readonly #inOrder: string;
  readonly #orderedJson: string;

  constructor(
    operation: Operation,
    { envelope, body }: ItemContent,
    isJoined: boolean,
    marked: (digest: string) => string,
  ) {
    const digestOf = (json: string) => contentDigest(operation, envelope, json);
    this.bodyJson = exactStringify(body);
    this.#inRowOrder = digestOf(this.bodyJson);
    // Only orders have lists. Sorting them makes the digest independent of the order of the rows.
    const ordered = operation.key === 'order' ? inFixedOrder(body) : body;
    this.isInOrder = ordered === body;
    this.#orderedJson = this.isInOrder ? this.bodyJson : exactStringify(ordered);
    this.#inOrder = this.isInOrder ? this.#inRowOrder : digestOf(this.#orderedJson);
    this.either = eitherDigest(this.#inRowOrder, this.#inOrder);
    this.#keyBy = (json, digest, each) =>
      keyDigest(operation, envelope, body, isJoined ? [json] : each, marked(digest));
  }

  key(each: readonly string[]): string | undefined {
    return this.#keyBy(this.#orderedJson, this.#inOrder, each);
  }

  /** The key, and the key by the order of the rows, which versions before 0.1 had. */
  keys(each: readonly string[]): readonly string[] {
    const keys = [this.key(each), this.#keyBy(this.bodyJson, this.#inRowOrder, each)];
    return keys.filter((it) => it !== undefined);
  }
}

/** @throws ProductError usage if a request asks for more records than a later step can use; nothing has been sent yet */
function refuseSeveral(operation: Operation, body: Json, { at, ...use }: SingleRecordUse, row: number): void {
  const count = operation.recordsExpected?.(body) ?? 1;
  if (count === 1) return;
  throw new ProductError('usage', message('mapping.from_count', { ...shownPlace(at), ...use, row, count }));
}
