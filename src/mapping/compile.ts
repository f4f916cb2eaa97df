import { type Message, message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import { shownPath } from '../model/operation.js';
import type { Row } from '../model/row.js';
import { zone } from '../util/zoned-time.js';
import { BindingProblems } from './binding-problems.js';
import { type BoundBranch, type BoundEntry, membersOf } from './bound-entry.js';
import { columnUse } from './column-use.js';
import type { ColumnMeaning, JoinLookup, MappedGroup, Mapping, MappingInput } from './contract.js';
import { faultOfDitto } from './convert/mangled-text.js';
import { isFilled } from './elements.js';
import { groupingKey } from './group-key.js';
import { type BoundItems, mapRows } from './items.js';
import { type LookupAnswers, NO_ANSWERS } from './lookup/contract.js';
import { ReadMembers } from './lookup/read-members.js';
import { MapBinder } from './map-binder.js';
import { mapFromHeaders } from './map-from-headers.js';
import { EarlierResults, isSheetColumn } from './steps/step-columns.js';
import { bindWhen } from './steps/when.js';
import { TableColumns } from './table-columns.js';

/**
 * Binds a map to an operation and to the headers of the sheets (contract section 4). Everything that doesn't fit is
 * reported at once: the first problem as the error itself, the others in `others`.
 * @throws ProductError usage when the map doesn't fit the operation, input when the sheets don't fit the map
 */
export function compileMapping(input: MappingInput): Mapping {
  const zoned = zone(input.timezone);
  if (!zoned) throw new ProductError('usage', message('mapping.zone_unknown', { zone: input.timezone }));
  const problems = new BindingProblems();
  const table = new TableColumns(input.sheet, input.headers, problems);
  const given = input.map
    ? { map: input.map, warnings: [] }
    : mapFromHeaders(input.operation, input.sheet, input.headers, problems);
  const ends = new Set<string>();
  const lookups = new ReadMembers();
  const { operationOf } = input;
  const warnings = [...given.warnings];
  const steps = input.step && new EarlierResults(input.step.earlier, operationOf);
  const own = { problems, ends, warnings, lookups, operationOf, steps };
  const setting = { zone: zoned, unit: input.timestamps, ...own };
  const binder = new MapBinder(input, setting);
  const members = binder.bind(given.map, table);
  const mapped = table.read;
  const when = input.step && steps && bindWhen(input.step, table, steps, problems);
  if (binder.missing.length > 0) reportMissingHeaders(input, binder.missing, problems);
  problems.throwIfAny();
  const bound = itemsPlan(input, members, [...mapped, ...(steps?.read ?? [])]);
  const { operation } = input;
  const key = keyColumns(bound);
  const use = columnUse(members, mapped, key);
  const joinedUse = new Map(
    [...binder.joins].map(([join, other]) => [join, columnUse(members, other.read, join.keyColumns, join)]),
  );
  return {
    groupKey: groupKey(bound.items),
    joins: [...joinedUse.keys()],
    columns: bound.columns,
    use,
    continues: (row) =>
      use.key.some((column) => row.cell(column)?.kind === 'merged') ||
      (operation.key === 'order' && key.length > 0 && (!isFilled([row], key) || key.some(isDitto(row)))),
    joinedUse: (join) => joinedUse.get(join) ?? { columns: [], key: [], identifiers: [] },
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

/** Of the job's own sheet. */
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
  const own = {
    operation,
    rules,
    columns,
    inSteps: input.step !== undefined,
    takenAsOne: input.step?.takenAsOne,
  };
  if (!items || items.kind === 'leaf') return { ...own, members: membersOf(members), items: undefined };
  return { ...own, members: membersOf(members.filter((it) => it !== items)), items };
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
    // What isn't mapped, or comes from another step, names nothing; a constant is the same for all rows.
    if (leaf?.kind !== 'leaf' || !leaf.columns.every(isSheetColumn)) return mapped;
    for (const column of leaf.columns) found.add(column);
  }
  // Without `each` a row is an order: each has elements of its own.
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

/** Defined if the items' array groups rows, which then have to be collected first. */
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
