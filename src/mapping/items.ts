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
  /** The same as earlier versions of the program had them. */
  readonly formerEach?: readonly (readonly string[])[];
  /** The content as version 0.1 read the same cells, if it is another one. */
  readonly former?: ItemContent;
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

/** The drafts with what version 0.1 made of the same cells. An upgrade must recognise what that version sent. */
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
  const marked = (digest: string) => (given.size > 0 ? givenContent(digest, givenNew) : digest);
  const own = new ContentDigests(operation, draft.content, draft.joined === true, marked);
  const { bodyJson } = own;
  const content = marked(own.either);
  const envelopeJson = exactStringify(envelope);
  const { each, formerEach = [] } = draft;
  const ownKey = own.key(each);
  const identities = ownKey === undefined ? rowIdentities(draft.rows[0]!) : undefined;
  const keyOfRow = (it: string) => identities && rowKeyDigest(operation, identities[0]!, it);
  const key = ownKey ?? keyOfRow(content);
  const former = new Set<string>();
  const earlier = draft.former && new ContentDigests(operation, draft.former, draft.joined === true, marked);
  const eaches = [each, ...formerEach.filter((it) => it.some((text, index) => text !== each[index]))];
  if (eaches.length > 1 || earlier || !own.isInOrder) {
    for (const it of earlier ? [own, earlier] : [own])
      for (const texts of eaches) for (const one of it.keys(texts)) former.add(one);
    const ofRow = earlier && keyOfRow(marked(earlier.either));
    if (ownKey === undefined && ofRow !== undefined) former.add(ofRow);
    if (key !== undefined) former.delete(key);
  }
  const subject = subjectDigest(operation, body);
  // Rows that name one thing with its own key, as lines of orders name their customer, share it within a step; so do copies.
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
    ...(former.size > 0 ? { formerKeys: [...former] } : {}),
    ...(earlier && key !== undefined ? { formerContent: earlier.either } : {}),
  };
}

/** The digests of a content: as its rows are in the sheet, and with its lists in a fixed order. */
class ContentDigests {
  readonly bodyJson: string;
  readonly either: string;
  /** Both are the same. */
  readonly isInOrder: boolean;
  readonly #keyBy: (json: string, digest: string, each: readonly string[]) => string | undefined;
  readonly #asItStands: string;
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
    this.#asItStands = digestOf(this.bodyJson);
    // Only orders have lists: sorted, they are the same whichever way the sheet was sorted.
    const ordered = operation.key === 'order' ? inFixedOrder(body) : body;
    this.isInOrder = ordered === body;
    this.#orderedJson = this.isInOrder ? this.bodyJson : exactStringify(ordered);
    this.#inOrder = this.isInOrder ? this.#asItStands : digestOf(this.#orderedJson);
    this.either = eitherDigest(this.#asItStands, this.#inOrder);
    this.#keyBy = (json, digest, each) =>
      keyDigest(operation, envelope, body, isJoined ? [json] : each, marked(digest));
  }

  key(each: readonly string[]): string | undefined {
    return this.#keyBy(this.#orderedJson, this.#inOrder, each);
  }

  /** The key, and the one by the order of the rows, which versions before 0.1 had. */
  keys(each: readonly string[]): readonly string[] {
    const keys = [this.key(each), this.#keyBy(this.bodyJson, this.#asItStands, each)];
    return keys.filter((it) => it !== undefined);
  }
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
