import { type Message, message } from '../../errors/message.js';
import type { Ledger } from '../../ledger/contract/ledger.js';
import type { RowStory } from '../../ledger/contract/report.js';
import type { Run } from '../../ledger/contract/runs.js';
import { GIVEN, shownGiven } from '../../mapping/given-value.js';
import { isObject, type Json, type JsonObject, member } from '../../model/json.js';
import type { Operation } from '../../model/operation.js';
import { rowsText } from '../../util/text.js';
import { operationOf } from '../run-checks.js';
import { unpackSettings } from '../settings.js';
import { hasSteps, stepRunsOf } from '../step-runs.js';
import { type EarlierItem, earlierItems, subjectOf } from './earlier-items.js';
import { subjectRecords } from './explained-lookups.js';
import { commonMessage, messageKey } from './result-message.js';

/** The change on the platform. */
type Change = 'new' | 'changed' | 'revoked' | 'asked';

/** A line of the changes that a plan or dry run would make. */
export interface DifferenceLine {
  readonly kind: Change | 'skipped' | 'step';
  /** 0: a heading; 1: a line below a heading. */
  readonly depth: 0 | 1;
  readonly text: Message;
}

/** Items shown of each kind, unless all are requested. */
const ITEMS_SHOWN = 10;
/** Items whose earlier state is looked up together. */
const AT_ONCE = 2000;
const NUMBERS_SHOWN = 3;
const VALUES_SHOWN = 3;
/** Limit of distinct reasons, because texts of the platform or of a user may differ in every row. */
const REASONS = 100;

/**
 * The changes that a plan or a dry run would make, by operation, as a list of differences. Read from the ledger with
 * limited memory. Excludes invalid rows, which are listed by kind (`ProblemKinds`).
 * @param all lists every item instead of the first few of each kind
 */
export async function* differenceOf(ledger: Ledger, run: Run, all: boolean): AsyncGenerator<DifferenceLine> {
  if (!hasSteps(run)) {
    yield* ofOperation(ledger, run, all);
    return;
  }
  for (const { step, run: stepRun } of await stepRunsOf(ledger, run)) {
    if (!stepRun) continue;
    yield { kind: 'step', depth: 0, text: message('difference.step', { step: step.name }) };
    yield* ofOperation(ledger, stepRun, all);
  }
}

async function* ofOperation(ledger: Ledger, run: Run, all: boolean): AsyncGenerator<DifferenceLine> {
  const operation = operationOf(run);
  const kind = changeBy(operation);
  const { undoes } = unpackSettings(run.settings).job;
  const skipped = new Map<string, { count: number; reason: Message | string; readonly rows: number[] }>();
  const counts = await ledger.runs.counts(run.id);
  const limit = all ? Number.POSITIVE_INFINITY : ITEMS_SHOWN;
  let shown = 0;
  let lastItem = 0;
  const waiting: ItemView[] = [];
  const shownLines = async function* (): AsyncGenerator<DifferenceLine> {
    const texts = await itemTexts(ledger, run, operation, waiting, undoes !== undefined);
    for (const [index, { row }] of waiting.entries())
      yield { kind, depth: 1, text: message('difference.row', { row, text: texts[index]! }) };
    waiting.length = 0;
  };
  if (run.items > 0) {
    const params = { count: run.items, operation: operation.name };
    yield { kind, depth: 0, text: message(`difference.${kind}`, params) };
  }
  for await (const page of ledger.report.rows(run.id, 'valid')) {
    for (const { row, status, messages } of page) {
      if (status === 'skipped') addSkipped(skipped, row, messages[0]?.text ?? status);
      if (shown >= limit || (status !== 'valid' && status !== 'not_sent')) continue;
      const story = await ledger.report.row(run.id, row);
      for (const item of story?.items ?? []) {
        // Items are numbered by their first rows. An item with several rows is listed once.
        if (item.item <= lastItem || shown >= limit) continue;
        lastItem = item.item;
        shown += 1;
        waiting.push({ row, item });
      }
      if (waiting.length < AT_ONCE && shown < limit) continue;
      yield* shownLines();
    }
    if (shown >= Math.min(limit, run.items) && !counts.skipped) break;
  }
  yield* shownLines();
  const left = run.items - shown;
  if (left > 0) yield { kind, depth: 1, text: message('difference.more', { count: left }) };
  const sum = [...skipped.values()].reduce((all, entry) => all + entry.count, 0);
  if (sum > 0) yield { kind: 'skipped', depth: 0, text: message('difference.skipped', { count: sum }) };
  for (const { count, reason, rows } of skipped.values()) {
    const params = { count, reason, rows: `${rowsText(rows)}${rows.length < count ? ', …' : ''}` };
    yield { kind: 'skipped', depth: 1, text: message('difference.why', params) };
  }
}

function changeBy({ revokes, subject, lists }: Operation): Change {
  if (revokes) return 'revoked';
  if (lists !== undefined) return 'asked';
  return subject === undefined ? 'new' : 'changed';
}

/** Groups rows whose reasons differ only in their values. */
function addSkipped(
  skipped: Map<string, { count: number; reason: Message | string; readonly rows: number[] }>,
  row: number,
  reason: Message | string,
): void {
  const kind = messageKey(reason);
  const key = skipped.has(kind) || skipped.size < REASONS ? kind : [...skipped.keys()][0]!;
  const before = skipped.get(key);
  if (!before) {
    skipped.set(key, { count: 1, reason, rows: [row] });
    return;
  }
  before.count += 1;
  before.reason = key === kind ? commonMessage(before.reason, reason) : before.reason;
  if (before.rows.length < ITEMS_SHOWN) before.rows.push(row);
}

type Item = RowStory['items'][number];

interface ItemView {
  readonly row: number;
  readonly item: Item;
}

/** The texts of items, with the earlier state if a lookup or an earlier run knows it. */
async function itemTexts(
  ledger: Ledger,
  run: Run,
  operation: Operation,
  views: readonly ItemView[],
  reverted: boolean,
): Promise<readonly (Message | string)[]> {
  const subjects = views.map(({ item }) => subjectOf(operation, item));
  const isKnown = !reverted && changeBy(operation) === 'changed';
  const records = isKnown
    ? await subjectRecords(ledger, run, operation, new Set(views.map((view) => view.row)))
    : undefined;
  const earlier = isKnown
    ? await earlierItems(ledger, run, new Set(subjects.filter((subject) => subject !== undefined)))
    : undefined;
  return views.map(({ row, item }, index) => {
    const state = stateOf(operation.name, item);
    const record = records?.get(row);
    if (record && namesAny(record, state, operation.subject)) {
      const changes = changesOf(record, state).join(', ');
      const text = itemText(operation, item);
      return changes === '' ? text : message('difference.was_looked_up', { text, changes });
    }
    const before = earlier?.get(subjects[index] ?? '');
    if (before) return sinceEarlier(itemText(operation, item), before, state);
    return itemText(operation, item, reverted ? 'undone' : 'unknown');
  });
}

function namesAny(record: JsonObject, state: JsonObject, subject: string | undefined): boolean {
  return Object.keys(state).some((name) => name !== subject && isScalar(member(record, name)));
}

function isScalar(value: Json | undefined): boolean {
  return value !== undefined && value !== null && typeof value !== 'object';
}

function sinceEarlier(text: string, before: EarlierItem, state: JsonObject): Message {
  const { run, row } = before;
  const changes = changesOf(stateOf(before.operation, before), state).join(', ');
  return changes === ''
    ? message('difference.same_sent', { text, run, row })
    : message('difference.was_sent', { text, changes, run, row });
}

/** The fields that an item sets on its subject. */
function stateOf(operation: Operation['name'], { body }: Pick<Item, 'body'>): JsonObject {
  const state = LOCK_STATES[operation];
  if (state !== undefined) return { locked: state === 'TRUE' };
  const shown = shownGiven(body);
  if (!isObject(shown)) return {};
  return Object.fromEntries(Object.entries(shown).filter(([, value]) => value !== GIVEN));
}

/** Fields of both states whose values differ: `customerName Ann -> Anne`. Other fields are omitted. */
function changesOf(earlier: JsonObject, later: JsonObject): readonly string[] {
  return Object.entries(later).flatMap(([name, value]) => {
    const before = member(earlier, name);
    if (before === undefined || before === null || value === null || value === GIVEN) return [];
    if (typeof before === 'object' || typeof value === 'object' || String(before) === String(value))
      return [];
    return [`${name} ${quoted(before)} -> ${quoted(value)}`];
  });
}

function quoted(value: Json): string {
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE';
  return value === '' ? '""' : String(value);
}

/**
 * The fields that identify an item: `channelOrderId SO-1, customerName Ann, 2 assets (0071, 0072)`. For a lock also the
 * change of its state.
 * @param old the earlier state of a lock; absent if the caller shows it
 */
export function itemText(
  operation: Operation,
  item: Pick<Item, 'body' | 'envelope'>,
  old?: 'undone' | 'unknown',
): string {
  // During a check of all steps, results of earlier steps are placeholders.
  const body = shownGiven(item.body);
  const envelope = shownGiven(item.envelope) as JsonObject;
  const { place } = operation;
  const state = LOCK_STATES[operation.name];
  if (place.kind === 'strings') {
    const change =
      state === undefined || old === undefined
        ? ''
        : ` locked: ${old === 'undone' ? `${state === 'TRUE' ? 'FALSE' : 'TRUE'} ` : ''}-> ${state}`;
    return `${place.field} ${String(body)}${change}`;
  }
  const names = Array.isArray(operation.key) ? operation.key : NAMING;
  const values = named(names, envelope, body);
  const found = values.length > 0 ? values : scalars(body);
  const assets = assetsOf(body);
  const numbers = assets.slice(0, NUMBERS_SHOWN).join(', ') + (assets.length > NUMBERS_SHOWN ? ', …' : '');
  const count = assets.includes(GIVEN) ? '' : ` (${assets.length})`;
  return [...found, ...(assets.length > 0 ? [`assetNos ${numbers}${count}`] : [])].join(', ');
}

/** The state of a lock after the operation. The state before it is known only if the operation reverts one. */
const LOCK_STATES: Readonly<Partial<Record<Operation['name'], 'TRUE' | 'FALSE'>>> = {
  'asset.lock': 'TRUE',
  'asset.unlock': 'FALSE',
};

const NAMING = ['channelOrderId', 'srcLicenseOrderId', 'customerName', 'crmCustomerId', 'enterpriseGlobalId'];

function named(names: readonly string[], envelope: JsonObject, body: Json): readonly string[] {
  return names.flatMap((name) => {
    const value = (isObject(body) ? member(body, name) : undefined) ?? member(envelope, name);
    return value === undefined || value === '' || typeof value === 'object'
      ? []
      : [`${name} ${String(value)}`];
  });
}

function scalars(body: Json): readonly string[] {
  if (!isObject(body)) return [];
  return Object.entries(body)
    .filter(([, value]) => value !== null && typeof value !== 'object')
    .slice(0, VALUES_SHOWN)
    .map(([name, value]) => `${name} ${String(value)}`);
}

function assetsOf(body: Json): readonly string[] {
  const assets = isObject(body) ? member(body, 'assets') : undefined;
  if (!Array.isArray(assets)) return [];
  return assets.flatMap((asset: Json) => {
    const numbers = member(asset, 'assetNos');
    return Array.isArray(numbers) ? numbers.map(String) : [];
  });
}
