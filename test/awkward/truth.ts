import { pointOfTime } from './days.js';
import { isList, isMoment } from './lay-out.js';
import type { Column, Draft, Line, Page, Value } from './sheet.js';

/** What the platform must be asked for once, if it is asked at all: an order, a lock, a customer. */
export interface Expected {
  readonly content: string;
  /** How often lines ask for it; only asset numbers may be asked for in the same words twice. */
  readonly times: number;
  readonly lines: readonly Line[];
  /**
   * - certain: every line of it is plain data
   * - possible: some lines may be read or refused
   * - impossible: some line must be refused, and the rest is not to be sent without it
   */
  readonly hope: 'certain' | 'possible' | 'impossible';
}

type Content = Record<string, unknown>;

const ENVELOPE = new Set(['channelCode', 'channelOrderId', 'syncMode']);

/** What a careful person would have the platform do, from the records alone. */
export function expectedOf(draft: Draft): readonly Expected[] {
  const { operation } = draft.scenario;
  const lines = draft.page.lines.filter((it) => it.record.size > 0 && it.verdict !== 'filtered');
  if (operation.startsWith('order.')) return orders(draft, lines);
  if (operation === 'asset.lock' || operation === 'asset.unlock') return locks(draft, lines);
  return singles(draft, lines);
}

/** The parts of a line's record that are sent, each as on the wire; for the row's own check. */
export function sentValues(line: Line, draft: Draft): readonly unknown[] {
  const found: unknown[] = [];
  for (const [column, value] of line.record) {
    if (column.field === undefined) continue;
    const wire = onWire(value, column, draft);
    found.push(...(Array.isArray(wire) ? wire : [wire]));
  }
  return found;
}

function hopeOf(lines: readonly Line[]): Expected['hope'] {
  if (lines.some((it) => it.verdict === 'fault')) return 'impossible';
  return lines.some((it) => it.verdict === 'maybe') ? 'possible' : 'certain';
}

function orders(draft: Draft, lines: readonly Line[]): readonly Expected[] {
  return grouped(lines, keysOf(draft.page, 'order')).map((group) => {
    const joined = joinedLines(draft, group);
    const content = tree(draft, draft.page, group, 'order', '');
    for (const [path, value] of constants(draft, '')) content[path] = value;
    content.assets = assets(draft, group, joined);
    return { content: canonical(content), times: 1, lines: group, hope: hopeOf([...group, ...joined]) };
  });
}

function assets(draft: Draft, lines: readonly Line[], joined: readonly Line[]): Content[] {
  const { page, scenario } = draft;
  // Without a key each row is an asset of its own.
  const groups = scenario.each.assets ? grouped(lines, keysOf(page, 'asset')) : distinct(lines);
  return groups.map((group) => {
    const content = tree(draft, page, group, 'asset', 'assets.');
    if (scenario.operation === 'order.delete_asset') return content;
    const from = draft.joined && draft.joined.lines.length > 0 ? joined : undefined;
    content.products = products(draft, from ?? group, from ? draft.joined! : page);
    return content;
  });
}

/** Rows that agree in every mapped column count once. */
function distinct(lines: readonly Line[]): Line[][] {
  const byRecord = new Map<string, Line>();
  for (const line of lines) {
    const mapped = [...line.record].filter(([column]) => column.field !== undefined);
    const record = JSON.stringify(mapped.map(([, value]) => value));
    if (!byRecord.has(record)) byRecord.set(record, line);
  }
  return [...byRecord.values()].map((it) => [it]);
}

function products(draft: Draft, lines: readonly Line[], page: Page): Content[] {
  const each = draft.scenario.each['assets.products'];
  // Rows that agree in all that is sent count once in a group; without a key each row is a product.
  const groups = Array.isArray(each) ? grouped(lines, keysOf(page, 'product')) : lines.map((it) => [it]);
  const found = groups.map((group) => {
    const content = tree(draft, page, group, 'product', 'assets.products.');
    for (const [name, value] of constants(draft, 'assets.products.')) content[name] = value;
    for (const [field, headers] of Object.entries(draft.scenario.templates ?? {})) {
      const columns = headers.map((header) => page.columns.find((it) => it.header === header)!);
      const name = field.slice('assets.products.'.length);
      content[name] = columns.map((it) => text(group[0]!.record.get(it))).join('-');
    }
    return content;
  });
  const seen = new Set<string>();
  return found.filter((it) => {
    const text = canonical(it);
    return !seen.has(text) && seen.add(text);
  });
}

function joinedLines(draft: Draft, group: readonly Line[]): readonly Line[] {
  if (!draft.joined) return [];
  const [key] = keysOf(draft.page, 'order');
  const other = draft.joined.columns.find((it) => it.key && it.level === 'order')!;
  const wanted = text(group[0]!.record.get(key!));
  return draft.joined.lines.filter((it) => it.record.size > 0 && text(it.record.get(other)) === wanted);
}

function locks(draft: Draft, lines: readonly Line[]): readonly Expected[] {
  const { columns } = draft.page;
  const locked = columns.find((it) => it.field === 'assetNums')!;
  const operator = columns.find((it) => it.field === 'operatorIdentity')!;
  const byContent = new Map<string, Line[]>();
  for (const line of lines) {
    for (const assetNum of (line.record.get(locked) ?? []) as readonly string[]) {
      const content = canonical({ assetNum, operatorIdentity: line.record.get(operator) });
      byContent.set(content, [...(byContent.get(content) ?? []), line]);
    }
  }
  return [...byContent].map(([content, asking]) => {
    // A lock that one row may not ask for may still be asked for by another.
    const able = asking.filter((it) => it.verdict !== 'fault');
    return { content, times: 1, lines: able.length > 0 ? able : asking, hope: best(asking) };
  });
}

function best(lines: readonly Line[]): Expected['hope'] {
  if (lines.some((it) => it.verdict === 'data')) return 'certain';
  return lines.some((it) => it.verdict === 'maybe') ? 'possible' : 'impossible';
}

function singles(draft: Draft, lines: readonly Line[]): readonly Expected[] {
  const byContent = new Map<string, Line[]>();
  for (const line of lines) {
    const content = canonical(tree(draft, draft.page, [line], 'order', ''));
    byContent.set(content, [...(byContent.get(content) ?? []), line]);
  }
  const once = draft.scenario.operation !== 'asset.numbers';
  return [...byContent].map(([content, asking]) => {
    const able = asking.filter((it) => it.verdict !== 'fault');
    const lines = once || able.length === 0 ? asking : able;
    const hope = once ? hopeOf(asking) : best(asking);
    return { content, times: once ? 1 : able.length, lines, hope };
  });
}

/** The members that one level of a record gives, by their names below that level. */
function tree(
  draft: Draft,
  page: Page,
  lines: readonly Line[],
  level: Column['level'],
  path: string,
): Content {
  const content: Content = {};
  for (const column of page.columns) {
    if (column.field === undefined || column.level !== level) continue;
    const value = lines.map((it) => it.record.get(column)).find((it) => it !== undefined);
    if (value !== undefined) content[column.field.slice(path.length)] = onWire(value, column, draft);
  }
  return content;
}

function onWire(value: Value, column: Column, draft: Draft): unknown {
  if (isList(value)) return [...new Set(value)];
  if (isMoment(value)) return pointOfTime(value, draft.settings.unit, column.type === 'end');
  return value;
}

/** Constants and what is implied, directly below a path. */
function constants({ scenario }: Draft, path: string): [string, unknown][] {
  return Object.entries({ ...scenario.constants, ...scenario.implied })
    .filter(([name]) => name.startsWith(path) && !name.slice(path.length).includes('.'))
    .map(([name, value]) => [name.slice(path.length), value]);
}

function keysOf(page: Page, level: Column['level']): readonly Column[] {
  return page.columns.filter((it) => it.key && it.level === level);
}

function grouped(lines: readonly Line[], keys: readonly Column[]): Line[][] {
  const groups = new Map<string, Line[]>();
  for (const line of lines) {
    const key = keys.map((it) => text(line.record.get(it))).join('\u0000');
    groups.set(key, [...(groups.get(key) ?? []), line]);
  }
  return [...groups.values()];
}

const text = (value: Value | undefined): string => String(value);

/** One request's content as text: names sorted, arrays in order, the envelope next to the order's own members. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_, it: unknown) =>
    typeof it === 'object' && it !== null && !Array.isArray(it)
      ? Object.fromEntries(Object.entries(it).sort(([a], [b]) => (a < b ? -1 : 1)))
      : it,
  );
}

/** A request as the platform received it, taken apart into what `expectedOf` lists. */
export function itemsOf(path: string, body: Content): readonly string[] {
  if (path.endsWith('/batchOrder')) {
    const envelope = Object.fromEntries(Object.entries(body).filter(([name]) => ENVELOPE.has(name)));
    const list = body.orderList as Content[];
    return list.map(({ sequence: _, ...order }) => canonical({ ...envelope, ...order }));
  }
  if (path.endsWith('/asset/lock') || path.endsWith('/asset/unlock')) {
    const { assetNums, operatorIdentity } = body as { assetNums: string[]; operatorIdentity: string };
    return assetNums.map((assetNum) => canonical({ assetNum, operatorIdentity }));
  }
  return [canonical(body)];
}
