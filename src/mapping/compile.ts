import { type Message, message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import type { Comparison } from '../model/comparison.js';
import type { Connection } from '../model/connection.js';
import type { Field } from '../model/field.js';
import type { JsonObject } from '../model/json.js';
import type { ColumnUse, MapBranch } from '../model/map.js';
import { shownPath } from '../model/operation.js';
import type { Row } from '../model/row.js';
import { zone } from '../util/zoned-time.js';
import {
  BindingProblems,
  type BoundBranch,
  type BoundEntry,
  type BoundLeaf,
  membersOf,
} from './bound-entry.js';
import { faultOfDitto } from './convert/text-errors.js';
import { groupingKey, isFilled } from './group-key.js';
import { type BoundItems, mapRows } from './items.js';
import { type LookupAnswers, NO_ANSWERS, ReadMembers } from './lookup/records.js';
import { MapBinder } from './map-binder.js';
import { mapFromHeaders } from './map-from-headers.js';
import type { ColumnMeaning, JoinLookup, JoinSpec, MappedGroup, Mapping, MappingInput } from './mapping.js';
import { EarlierResults, isSheetColumn } from './steps/step-columns.js';
import { bindWhen } from './steps/when.js';
import { TableColumns } from './table-columns.js';

/**
 * The columns that the entries read from one sheet: the job's own, or a joined one.
 * @param key columns of an item's key; if it is empty, the required identifiers are used instead
 */
function columnUse(
  entries: readonly BoundEntry[],
  columns: readonly number[],
  key: readonly number[],
  join?: JoinSpec,
): ColumnUse {
  const found = {
    identifiers: new Set(key),
    digits: new Set<number>(),
    texts: new Set<number>(),
    needed: new Map<number, Field>(),
  };
  for (const bound of entries) collectColumns(bound, undefined, join, found);
  const identifiers = [...found.identifiers].filter((column) => columns.includes(column));
  const textUse = { digits: [...found.digits], texts: [...found.texts] };
  if (key.length > 0) return { columns, key, identifiers, ...textUse };
  // The user who locks an asset is a required field, but does not identify an item.
  const naming = [...found.needed.values()].filter((it) => it.freeText !== true);
  const keyIsLocks =
    naming.length > 0 && naming.every((it) => it.type === 'String array' && it.unbroken === true);
  return {
    columns,
    key: [...found.needed.keys()],
    identifiers,
    ...textUse,
    ...(keyIsLocks ? { keyIsLocks } : {}),
  };
}

interface CollectedColumns {
  readonly identifiers: Set<number>;
  readonly digits: Set<number>;
  readonly texts: Set<number>;
  readonly needed: Map<number, Field>;
}

/** @param within the join whose sheet the entry reads; undefined for the job's own sheet */
function collectColumns(
  bound: BoundEntry,
  within: JoinSpec | undefined,
  sheet: JoinSpec | undefined,
  found: CollectedColumns,
): void {
  if (bound.kind === 'leaf') {
    if (within !== sheet) return;
    if (bound.takes) {
      const target = bound.takes === 'digits' ? found.digits : found.texts;
      for (const column of bound.columns.filter(isSheetColumn)) target.add(column);
    }
    if (bound.field.identifier) add(bound, found);
    return;
  }
  const { source } = bound;
  if (source.kind !== 'rows' && within === sheet) {
    for (const column of source.columns) found.identifiers.add(column);
  }
  const inner = source.kind === 'sheet' ? source.join : within;
  for (const member of bound.members.entries) collectColumns(member, inner, sheet, found);
}

function add({ columns, field }: BoundLeaf, { identifiers, needed }: CollectedColumns): void {
  for (const column of columns.filter(isSheetColumn)) {
    identifiers.add(column);
    if (field.required) needed.set(column, field);
  }
}

/**
 * Binds a map to an operation and to the headers of the sheets (contract section 4). All problems are reported together: the
 * first as the error itself, the others in `others`.
 * @throws ProductError usage if the map doesn't fit the operation, input if the sheets don't fit the map
 */
export function compileMapping(input: MappingInput): Mapping {
  const zoned = zone(input.timezone);
  if (!zoned) throw new ProductError('usage', message('mapping.zone_unknown', { zone: input.timezone }));
  const problems = new BindingProblems();
  const table = new TableColumns(input.sheet, input.headers, problems);
  const { map, warnings: mapWarnings } = input.map
    ? { map: input.map, warnings: [] }
    : mapFromHeaders(input.operation, input.sheet, input.headers, problems);
  const ends = new Set<string>();
  const lookups = new ReadMembers();
  const { operationOf } = input;
  const warnings = [...mapWarnings];
  const steps = input.step && new EarlierResults(input.step.earlier, operationOf);
  const collected = { problems, ends, warnings, lookups, operationOf, steps };
  const setting = { zone: zoned, unit: input.timestamps, ...collected };
  const binder = new MapBinder(input, setting);
  const members = binder.bind(map, table);
  const mapped = table.read;
  const when = input.step && steps && bindWhen(input.step, table, steps, problems);
  if (binder.missing.length > 0) reportMissingHeaders(input, binder.missing, problems);
  problems.throwIfAny();
  const bound = itemsPlan(input, members, [...mapped, ...(steps?.read ?? [])]);
  const { operation } = input;
  const key = keyColumns(bound);
  const use = columnUse(members, mapped, key);
  const joinedUse = new Map(
    [...binder.joins].map(([join, joined]) => [join, columnUse(members, joined.read, join.keyColumns, join)]),
  );
  return {
    groupKey: groupKey(bound.items),
    joins: [...joinedUse.keys()],
    columns: bound.columns,
    use,
    continues: (row) =>
      use.key.some((column) => row.cell(column)?.kind === 'merged') ||
      (operation.key === 'order' && key.length > 0 && (!isFilled([row], key) || key.some(isDitto(row)))),
    joinedUse: (join) =>
      joinedUse.get(join) ?? { columns: [], key: [], identifiers: [], digits: [], texts: [] },
    keyColumns: key,
    columnsOf: (field) => columnsOf(bound, field),
    meanings: meaningsOf(members),
    warnings,
    notes: ends.size === 0 ? [] : [endsNote(input, ends)],
    lookups,
    ...(steps && when
      ? {
          steps: {
            ...when,
            naming: namingColumns(bound, mapped),
            withResults: (row, results, identities) => steps.withResults(row, results, identities),
          },
        }
      : {}),
    map: (rows: readonly Row[], lookup: JoinLookup, answers: LookupAnswers = NO_ANSWERS) =>
      mapRows(bound, rows, lookup, answers) as MappedGroup,
  };
}

/** The meanings of the columns of the job's own sheet. */
function meaningsOf(entries: readonly BoundEntry[]): readonly ColumnMeaning[] {
  return entries.flatMap((it): readonly ColumnMeaning[] => {
    if (it.kind === 'leaf') return it.meaning ? [it.meaning] : [];
    return it.source.kind === 'sheet' ? [] : meaningsOf(it.members.entries);
  });
}

function isDitto(row: Row): (column: number) => boolean {
  return (column) => faultOfDitto(row.cell(column)?.text.trim() ?? '') !== undefined;
}

function itemsPlan(
  input: MappingInput,
  members: readonly BoundEntry[],
  columns: readonly number[],
): BoundItems {
  const { operation, rules } = input;
  const { place } = operation;
  const items = place.kind === 'array' ? members.find((it) => it.name === place.field) : undefined;
  const plan = {
    operation,
    rules,
    columns,
    inSteps: input.step !== undefined,
    takenAsOne: input.step?.takenAsOne,
  };
  if (!items || items.kind === 'leaf') return { ...plan, members: membersOf(members), items: undefined };
  return { ...plan, members: membersOf(members.filter((it) => it !== items)), items };
}

function keyColumns(bound: BoundItems): readonly number[] {
  const { operation, items } = bound;
  if (operation.key === 'order' && items?.source.kind === 'columns') return items.source.columns;
  const names = operation.key === 'order' ? ['channelOrderId'] : (operation.key ?? []);
  return names.flatMap((name) => columnsOf(bound, name));
}

/** See `StepMapping.naming`. */
function namingColumns(bound: BoundItems, mapped: readonly number[]): readonly number[] {
  const { operation, items, members } = bound;
  if (operation.key === undefined) return mapped;
  const fields = operation.key === 'order' ? ['channelOrderId'] : operation.key;
  const found = new Set(operation.key === 'order' ? keyColumns(bound) : []);
  for (const name of fields) {
    const leaf = members.entries.find((it) => it.name === name);
    // An unmapped field and the result of a step identify nothing in the sheet; a constant is the same for all rows.
    if (leaf?.kind !== 'leaf' || !leaf.columns.every(isSheetColumn)) return mapped;
    for (const column of leaf.columns) found.add(column);
  }
  // Without `each` every row is an order with its own elements.
  const ofElements = operation.key === 'order' && items?.source.kind === 'sheet';
  return found.size === 0 || ofElements ? mapped : [...found];
}

function columnsOf({ members, items }: BoundItems, field: string): readonly number[] {
  const columnsIn = (entries: readonly BoundEntry[]): readonly number[] =>
    entries.flatMap((it) => {
      if (it.kind === 'leaf') return it.path === field ? it.columns.filter(isSheetColumn) : [];
      // The columns of another sheet are not those of the job's sheet.
      const isOther = it.kind === 'array' && it.source.kind === 'sheet';
      return !isOther && field.startsWith(`${it.path}.`) ? columnsIn(it.members.entries) : [];
    });
  return columnsIn(items ? [...members.entries, items] : members.entries);
}

/** Defined if the items' `each` groups rows, which must then be collected before they are mapped. */
function groupKey(items: BoundBranch | undefined): Mapping['groupKey'] {
  if (items?.source.kind !== 'columns') return undefined;
  const { columns, isIdentifier } = items.source;
  return (row) => groupingKey(row, columns, isIdentifier);
}

function reportMissingHeaders(
  input: MappingInput,
  missing: readonly string[],
  problems: BindingProblems,
): void {
  const fields = withoutItems(input, missing);
  problems.add('sheet', message('mapping.headers_lacking', { sheet: input.sheet, fields }));
}

function endsNote(input: MappingInput, ends: ReadonlySet<string>): Message {
  const last = input.timestamps === 'seconds' ? '23:59:59' : '23:59:59.999';
  const fields = withoutItems(input, [...ends]);
  return message('mapping.ends_of_days', { last, zone: input.timezone, fields });
}

function withoutItems({ operation }: MappingInput, paths: readonly string[]): string {
  return paths.map((it) => shownPath(it, operation)).join(', ');
}

interface KeysInput extends Pick<MappingInput, 'sheet' | 'headers' | 'operationOf'> {
  readonly comparison: Comparison;
  /** The fields that may be mapped: those of the key, and more. */
  readonly shape: readonly Field[];
  readonly map: MapBranch;
  readonly connection: Pick<Connection, 'timestamps' | 'timezone'>;
}

/**
 * Binds a map of a comparison's keys, so that cells are converted as for requests. The request built from a key must meet the
 * rules of the inquiry that reads its records.
 * @throws ProductError usage or input as `compileMapping`
 */
export function compileKeys({ comparison, shape, connection, ...input }: KeysInput): Mapping {
  const inquiry = input.operationOf(comparison.inquiry);
  return compileMapping({
    ...input,
    operation: {
      ...inquiry,
      shape,
      place: { kind: 'single' },
      envelope: [],
      key: undefined,
      subject: undefined,
      rules: ({ envelope, body }, settings) =>
        inquiry.rules({ envelope, body: comparison.request(body as JsonObject) }, settings),
    },
    joined: new Map(),
    timestamps: connection.timestamps,
    timezone: connection.timezone,
    rules: { allowDeleteFromAllOrders: false },
  });
}
