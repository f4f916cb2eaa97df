import type { Row } from '../model/row.js';
import type { BoundEntry, BoundLeaf } from './bound-entry.js';
import { buildElements } from './build.js';
import type { MappingPass } from './mapping-pass.js';

/** The source of a value of a request. */
interface ValueOrigin {
  readonly row: Row;
  /** 1-based; absent if the value comes from no cell. */
  readonly column?: number;
}

/**
 * Finds the cell of a wire path with indexes. Needed only for a broken rule, so that the elements are built again here instead of
 * being stored for every item.
 * @param members entries of the object that `steps` start from
 * @param rows the rows of that object
 */
export function locate(
  members: readonly BoundEntry[],
  rows: readonly Row[],
  steps: readonly PathStep[],
  pass: MappingPass,
): ValueOrigin {
  const row = rows[0]!;
  const [step, ...rest] = steps;
  const bound = step && members.find((it) => it.name === step.name);
  if (!bound) return { row };
  if (bound.kind === 'leaf') return leafOrigin(bound, rows, step.index, pass);
  if (bound.kind === 'object') return locate(bound.members.entries, rows, rest, pass);
  const element = step.index === undefined ? undefined : buildElements(bound, rows, pass.again())[step.index];
  if (element) {
    return rest.length > 0
      ? locate(bound.members.entries, element.rows, rest, pass)
      : { row: element.rows[0]!, column: bound.columns[0] };
  }
  // For an empty or missing array: the cell that should fill it.
  return { row, column: bound.source.kind === 'rows' ? bound.columns[0] : bound.source.columns[0] };
}

export interface PathStep {
  readonly name: string;
  readonly index?: number;
}

/** The steps of a path such as `assets[1].products`. */
export function pathSteps(path: string): readonly PathStep[] {
  return path.split('.').map((part) => {
    const match = /^(.*)\[(\d+)\]$/.exec(part);
    return match ? { name: match[1]!, index: Number(match[2]) } : { name: part };
  });
}

function leafOrigin(
  bound: BoundLeaf,
  rows: readonly Row[],
  index: number | undefined,
  pass: MappingPass,
): ValueOrigin {
  if (index === undefined || rows.length === 1) return { row: rows[0]!, column: bound.columns[0] };
  // An array of strings comes from all rows: the first row with the value is reported.
  const seen = new Set<unknown>();
  for (const row of rows) {
    const reading = bound.read(row, pass.answers);
    if (reading.kind !== 'value' || !Array.isArray(reading.value)) continue;
    for (const text of reading.value) seen.add(text);
    if (seen.size > index) return { row, column: bound.columns[0] };
  }
  return { row: rows[0]!, column: bound.columns[0] };
}
