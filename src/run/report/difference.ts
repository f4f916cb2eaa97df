import { type Message, message } from '../../errors/message.js';
import type { Ledger } from '../../ledger/contract/ledger.js';
import type { RowStory } from '../../ledger/contract/report.js';
import type { Run } from '../../ledger/contract/run.js';
import { GIVEN, shownGiven } from '../../mapping/given-value.js';
import { isObject, type Json, type JsonObject, member } from '../../model/json.js';
import type { Operation } from '../../model/operation.js';
import { rowsText } from '../../util/rows-text.js';
import { operationOf } from '../run-checks.js';
import { unpackSettings } from '../settings.js';
import { hasSteps, stepRunsOf } from '../step-runs.js';
import { type EarlierItem, earlierItems, subjectOf } from './earlier-items.js';
import { subjectRecords } from './explained-lookups.js';
import { commonMessage, messageKey } from './row-messages.js';

/** What becomes of things on the platform. */
type Change = 'new' | 'changed' | 'revoked' | 'asked';

/** A line of what a run that was only planned would change. */
export interface DifferenceLine {
  readonly kind: Change | 'skipped' | 'step';
  /** 0: a heading; 1: something below one. */
  readonly depth: 0 | 1;
  readonly text: Message;
}

/** So many of each kind are told, where not all are asked for. */
const TOLD = 10;
/** What was there before is looked for, for so many items together. */
const AT_ONCE = 2000;
const NUMBERS_TOLD = 3;
const VALUES_TOLD = 3;
/** A platform's or a person's texts may differ in every row. */
const REASONS = 100;

/**
 * What a plan or a dry run would change, by operation, as a list of differences: told from the ledger, in bounded memory.
 * Invalid rows aren't among them: they are told by kind (`ProblemKinds`).
 * @param all tells every item, not the first few of each kind
 */
export async function* differenceOf(ledger: Ledger, run: Run, all: boolean): AsyncGenerator<DifferenceLine> {
  if (!hasSteps(run)) {
    yield* ofOperation(ledger, run, all);
    return;
  }
  for (const { step, run: of } of await stepRunsOf(ledger, run)) {
    if (!of) continue;
    yield { kind: 'step', depth: 0, text: message('difference.step', { step: step.name }) };
    yield* ofOperation(ledger, of, all);
  }
}

async function* ofOperation(ledger: Ledger, run: Run, all: boolean): AsyncGenerator<DifferenceLine> {
  const operation = operationOf(run);
  const kind = changeBy(operation);
  const { undoes } = unpackSettings(run.settings).job;
  const skipped = new Map<string, { count: number; reason: Message | string; readonly rows: number[] }>();
  const counts = await ledger.runs.counts(run.id);
  const wanted = all ? Number.POSITIVE_INFINITY : TOLD;
  let told = 0;
  let last = 0;
  const waiting: ToldItem[] = [];
  const tell = async function* (): AsyncGenerator<DifferenceLine> {
    const texts = await itemTexts(ledger, run, operation, waiting, undoes !== undefined);
    for (const [at, { row }] of waiting.entries()) {
      yield { kind, depth: 1, text: message('difference.row', { row, text: texts[at]! }) };
    }
    waiting.length = 0;
  };
  if (run.items > 0) {
    const params = { count: run.items, operation: operation.name };
    yield { kind, depth: 0, text: message(`difference.${kind}`, params) };
  }
  for await (const page of ledger.report.rows(run.id, 'valid')) {
    for (const { row, status, messages } of page) {
      if (status === 'skipped') addSkipped(skipped, row, messages[0]?.text ?? status);
      if (told >= wanted || (status !== 'valid' && status !== 'not_sent')) continue;
      const story = await ledger.report.row(run.id, row);
      for (const item of story?.items ?? []) {
        // Items are numbered by their first rows: one that was told stands in several.
        if (item.item <= last || told >= wanted) continue;
        last = item.item;
        told += 1;
        waiting.push({ row, item });
      }
      if (waiting.length < AT_ONCE && told < wanted) continue;
      yield* tell();
    }
    if (told >= Math.min(wanted, run.items) && !counts.skipped) break;
  }
  yield* tell();
  const left = run.items - told;
  if (left > 0) yield { kind, depth: 1, text: message('difference.more', { count: left }) };
  const sum = [...skipped.values()].reduce((all, it) => all + it.count, 0);
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

/** Rows with the same reason, but for the values in it, are told together. */
function addSkipped(
  skipped: Map<string, { count: number; reason: Message | string; readonly rows: number[] }>,
  row: number,
  reason: Message | string,
): void {
  const wanted = messageKey(reason);
  const key = skipped.has(wanted) || skipped.size < REASONS ? wanted : [...skipped.keys()][0]!;
  const before = skipped.get(key);
  if (!before) {
    skipped.set(key, { count: 1, reason, rows: [row] });
    return;
  }
  before.count += 1;
  before.reason = key === wanted ? commonMessage(before.reason, reason) : before.reason;
  if (before.rows.length < TOLD) before.rows.push(row);
}

type Item = RowStory['items'][number];

interface ToldItem {
  readonly row: number;
  readonly item: Item;
}

/** What is told of items; with what was there before, where a look-up or an earlier run knows it. */
async function itemTexts(
  ledger: Ledger,
  run: Run,
  operation: Operation,
  told: readonly ToldItem[],
  undone: boolean,
): Promise<readonly (Message | string)[]> {
  const subjects = told.map(({ item }) => subjectOf(operation, item));
  const isKnown = !undone && changeBy(operation) === 'changed';
  const records = isKnown
    ? await subjectRecords(ledger, run, operation, new Set(told.map((it) => it.row)))
    : undefined;
  const earlier = isKnown
    ? await earlierItems(ledger, run, new Set(subjects.filter((it) => it !== undefined)))
    : undefined;
  return told.map(({ row, item }, at) => {
    const state = stateOf(operation.name, item);
    const record = records?.get(row);
    if (record && namesAny(record, state, operation.subject)) {
      const changes = changesOf(record, state).join(', ');
      const text = itemText(operation, item);
      return changes === '' ? text : message('difference.was_looked_up', { text, changes });
    }
    const before = earlier?.get(subjects[at] ?? '');
    if (before) return sinceEarlier(itemText(operation, item), before, state);
    return itemText(operation, item, undone ? 'undone' : 'unknown');
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

/** What an item says of its subject. */
function stateOf(operation: Operation['name'], { body }: Pick<Item, 'body'>): JsonObject {
  const state = LOCK_STATES[operation];
  if (state !== undefined) return { locked: state === 'TRUE' };
  const shown = shownGiven(body);
  if (!isObject(shown)) return {};
  return Object.fromEntries(Object.entries(shown).filter(([, value]) => value !== GIVEN));
}

/** Fields that both name, and whose values differ: `customerName Ann -> Anne`. Nothing is said of others. */
function changesOf(old: JsonObject, now: JsonObject): readonly string[] {
  return Object.entries(now).flatMap(([name, value]) => {
    const before = member(old, name);
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
 * What tells an item from others, `channelOrderId SO-1, customerName Ann, 2 assets (0071, 0072)`; with what becomes of a
 * lock, unless what it was is told beside it.
 */
export function itemText(
  operation: Operation,
  item: Pick<Item, 'body' | 'envelope'>,
  old?: 'undone' | 'unknown',
): string {
  // What an earlier step will return has a stand-in while all steps are checked.
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
  const numbers = assets.slice(0, NUMBERS_TOLD).join(', ') + (assets.length > NUMBERS_TOLD ? ', …' : '');
  const count = assets.includes(GIVEN) ? '' : ` (${assets.length})`;
  return [...found, ...(assets.length > 0 ? [`assetNos ${numbers}${count}`] : [])].join(', ');
}

/** What a lock is after it. What it was before is known where that is taken back. */
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
    .slice(0, VALUES_TOLD)
    .map(([name, value]) => `${name} ${String(value)}`);
}

function assetsOf(body: Json): readonly string[] {
  const assets = isObject(body) ? member(body, 'assets') : undefined;
  if (!Array.isArray(assets)) return [];
  return assets.flatMap((it: Json) => {
    const numbers = member(it, 'assetNos');
    return Array.isArray(numbers) ? numbers.map(String) : [];
  });
}
