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
  if (run.items > 0) {
    const params = { count: run.items, operation: operation.name };
    yield { kind, depth: 0, text: message(`difference.${kind}`, params) };
  }
  for await (const page of ledger.report.rows(run.id, 'valid')) {
    for (const { row, status, messages } of page) {
      if (status === 'skipped') addSkipped(skipped, row, messages[0]?.text ?? status);
      if (told >= wanted || (status !== 'valid' && status !== 'not_sent')) continue;
      const story = await ledger.report.row(run.id, row);
      for (const it of story?.items ?? []) {
        // Items are numbered by their first rows: one that was told stands in several.
        if (it.item <= last || told >= wanted) continue;
        last = it.item;
        told += 1;
        const text = message('difference.row', { row, text: itemText(operation, it, undoes !== undefined) });
        yield { kind, depth: 1, text };
      }
    }
    if (told >= Math.min(wanted, run.items) && !counts.skipped) break;
  }
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

/** What tells an item from others, `channelOrderId SO-1, customerName Ann, 2 assets (0071, 0072)`; and its change. */
function itemText(operation: Operation, item: Item, undone: boolean): string {
  // What an earlier step will return has a stand-in while all steps are checked.
  const body = shownGiven(item.body);
  const envelope = shownGiven(item.envelope) as JsonObject;
  const { place } = operation;
  const state = LOCK_STATES[operation.name];
  if (place.kind === 'strings') {
    const change =
      state === undefined
        ? ''
        : ` locked: ${undone ? `${state === 'TRUE' ? 'FALSE' : 'TRUE'} ` : ''}-> ${state}`;
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
