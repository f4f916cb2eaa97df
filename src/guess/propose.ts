import { isNeeded } from '../model/field.js';
import { OPERATION_NAMES, type OperationName } from '../model/operation.js';
import { operationNamed } from '../platform/operations/index.js';
import type { Match } from './match.js';
import { matchSheet } from './match-sheet.js';
import type { Profile } from './profile.js';
import { type TargetField, targetsOf } from './targets.js';

/** How well an operation fits a spreadsheet. */
export interface Fit {
  readonly operation: OperationName;
  /** 0 to 1. */
  readonly score: number;
  /** Required fields that have a column, of how many; and columns that are used. */
  readonly matched: number;
  readonly required: number;
  readonly used: number;
  readonly columns: number;
  /** Columns that some operation knows. */
  readonly known: number;
  readonly matches: readonly Match[];
}

/**
 * The operations by how well the columns fit them, the most likely first: many required fields should have a column, and
 * few known columns should be left over. `decide` chooses among them.
 */
export function proposals(columns: readonly Profile[]): readonly Fit[] {
  const tried = OPERATION_NAMES.map((operation) => {
    const targets = targetsOf(operationNamed(operation));
    const matches = matchSheet(columns, targets).filter((it) => it.by === 'name' || it.score > 0.55);
    return { operation, targets, matches };
  });
  const known = new Set(tried.flatMap(({ matches }) => matches.map((it) => it.column)));
  return tried
    .map(({ operation, targets, matches }) => rate(operation, targets, matches, known.size, columns))
    .sort((a, b) => b.score - a.score);
}

function rate(
  operation: OperationName,
  targets: readonly TargetField[],
  matches: readonly Match[],
  known: number,
  columns: readonly Profile[],
): Fit {
  const needed = targets.filter((it) => isNeeded(it.field) && isUsual(it));
  const given = matches.filter(({ target }) => needed.includes(target)).length;
  const weight = matches.reduce((total, it) => total + it.score, 0);
  const coverage = needed.length === 0 ? 0 : given / needed.length;
  // Most columns should mean something to some operation.
  const usage = known === 0 ? 0 : weight / Math.max(known, columns.length * 0.35);
  const base = coverage + usage === 0 ? 0 : (2 * coverage * usage) / (coverage + usage);
  return {
    operation,
    score: Math.min(1, base),
    matched: given,
    required: needed.length,
    used: matches.length,
    columns: columns.length,
    known,
    matches,
  };
}

/** Tables that hardly any spreadsheet fills don't speak against an operation. */
function isUsual({ path }: TargetField): boolean {
  return !path.some((it) => it === 'merchandises' || it === 'productFeatures' || it === 'assetExtendList');
}
