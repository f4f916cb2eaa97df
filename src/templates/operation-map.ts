import { endOption, type Field, isNested, tableName } from '../model/field.js';
import type { MapBranch, MapNode } from '../model/map.js';
import { type Operation, shownPath } from '../model/operation.js';

/** Position of a map that no job file contains. */
const NOWHERE = { line: 0, column: 0 } as const;

type Shaped = Pick<Operation, 'shape' | 'place'>;

/**
 * The map that an operation's field names amount to: every field that a person fills in, under its path as header
 * (without the items' array), so that the sheet needs no map. Left out are what the operation itself decides
 * (`sequence`, `orderType`) and packages inside packages.
 */
export function operationMap(operation: Shaped): MapBranch {
  return tableMap(operation.shape, [], [], operation);
}

/** Whether users fill in the field. */
export function isFilledIn(field: Field, path: string, { place }: Shaped): boolean {
  if (place.kind === 'array' && path === `${place.field}.sequence`) return false;
  return !(field.default !== undefined && field.values?.length === 1);
}

export function columnLeaf(field: Field, column: string): MapNode {
  return { kind: 'column', column, ...endOption(field), at: NOWHERE };
}

export function branchOf(fields: ReadonlyMap<string, MapNode>, each?: MapBranch['each']): MapBranch {
  return { kind: 'branch', fields, ...(each ? { each } : {}), at: NOWHERE };
}

export function eachSheet(sheet: string, on: readonly string[]): NonNullable<MapBranch['each']> {
  return { kind: 'sheet', sheet, on, at: NOWHERE };
}

export function eachColumns(columns: readonly string[]): NonNullable<MapBranch['each']> {
  return { kind: 'columns', columns, at: NOWHERE };
}

function tableMap(
  fields: readonly Field[],
  path: readonly string[],
  above: readonly string[],
  operation: Shaped,
): MapBranch {
  const tables = [...above, tableName(fields)];
  const nodes = new Map<string, MapNode>();
  for (const field of fields) {
    const steps = [...path, field.name];
    const at = steps.join('.');
    if (!isNested(field)) {
      if (isFilledIn(field, at, operation))
        nodes.set(field.name, columnLeaf(field, shownPath(at, operation)));
    } else if (field.fields && !tables.includes(tableName(field.fields))) {
      nodes.set(field.name, tableMap(field.fields, steps, tables, operation));
    }
  }
  return branchOf(nodes);
}
