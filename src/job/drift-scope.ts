import type { ComparisonShape } from '../model/comparison.js';
import type { Field } from '../model/field.js';
import type { ReconcileAction } from '../model/job.js';
import type { MapBranch } from '../model/map.js';
import { fold } from '../util/fold.js';
import { nearestName } from '../util/nearest.js';
import { comparableFields, type ReadComparison } from './comparison.js';
import type { DriftRecord, MapScope } from './map/scope.js';
import { type Problem, problemAt } from './problem.js';
import type { Place } from './yaml/text.js';

const RECORDS: readonly DriftRecord[] = ['expected', 'actual'];

/** What an action can read when nothing is known of what is compared. */
export const UNKNOWN_DRIFT: MapScope = { each: 'columns', records: RECORDS };

/**
 * What an action's map and condition read: the source's columns, and the fields of `expected` (those that `key` and
 * `expect` map) and `actual` (the record's, and the key's, as a list of assets does not say whose they are).
 */
export function driftScope(
  on: ReconcileAction['on'] | undefined,
  shape: ComparisonShape,
  { key, expect }: ReadComparison,
): MapScope {
  const record = pathsOf(comparableFields(shape.record));
  const keys = pathsOf(shape.key);
  const known = [...new Set([...keys, ...record])];
  const mapped = key && expect && new Set([...mappedPaths(key), ...mappedPaths(expect)]);
  const inBoth = keys.findLast((path) => record.includes(path)) ?? record[0];
  const examples = { expected: `expected.${mapped ? [...mapped][0] : keys[0]}`, actual: `actual.${inBoth}` };

  /** `path`: of one of `known`, or of an object that holds some. */
  const missed = (name: DriftRecord, path: string, place: Place): Problem | undefined => {
    const field = `${name}.${path}`;
    if (name === 'expected' && on === 'extra') return noRow(field, place);
    if (name === 'actual' && on === 'missing')
      return problemAt(place, 'job.missing_has_no_record', { column: field, example: examples.expected });
    if (name === 'actual' || !mapped || holds([...mapped], path)) return undefined;
    return problemAt(place, 'job.field_not_expected', { field, actual: `actual.${path}` });
  };
  const noRow = (column: string, place: Place): Problem =>
    problemAt(place, 'job.extra_has_no_row', { column, example: examples.actual });
  const unknown = (name: DriftRecord, path: string, place: Place): Problem => {
    const near = nearestName(path, known);
    const field = `${name}.${path}`;
    const list = known.join(', ');
    return near === undefined
      ? problemAt(place, 'job.unknown_field_far', { field, known: list })
      : problemAt(place, 'job.unknown_field', { field, near: `${name}.${near}`, known: list });
  };
  const column = (name: string, place: Place, problems: Problem[]): void => {
    const read = RECORDS.find((it) => fold(name).startsWith(`${it}.`));
    if (!read) {
      if (on === 'extra') problems.push(noRow(name, place));
      return;
    }
    // As headers are matched: case and width don't count.
    const written = name
      .trim()
      .slice(read.length + 1)
      .trim();
    const path = known.find((it) => fold(it) === fold(written));
    const problem = path === undefined ? unknown(read, written, place) : missed(read, path, place);
    if (problem) problems.push(problem);
  };
  return {
    ...UNKNOWN_DRIFT,
    column,
    expression({ mentions, fields }, placeAt, problems) {
      for (const it of mentions) column(it.column, placeAt(it.offset), problems);
      for (const it of fields) {
        const name = it.record as DriftRecord;
        const path = it.path.join('.');
        const place = placeAt(it.offset);
        // A list of a record can be looked into, though it can't be compared.
        const there = holds(known, path) || isWithin([...shape.key, ...shape.record], it.path);
        const problem = there ? missed(name, path, place) : unknown(name, path, place);
        if (problem) problems.push(problem);
      }
    },
  };
}

/** Whether a path is one of these, or stands above some. */
function holds(paths: readonly string[], path: string): boolean {
  return paths.some((it) => it === path || it.startsWith(`${path}.`));
}

function isWithin(fields: readonly Field[], [first, ...rest]: readonly string[]): boolean {
  const field = fields.find((it) => it.name === first);
  if (!field) return false;
  if (rest.length === 0 || field.type === 'object array') return true;
  return field.type === 'object' && isWithin(field.fields ?? [], rest);
}

function pathsOf(fields: readonly Field[]): readonly string[] {
  return fields.flatMap((field) =>
    field.type === 'object' ? pathsOf(field.fields ?? []).map((it) => `${field.name}.${it}`) : [field.name],
  );
}

function mappedPaths(branch: MapBranch): readonly string[] {
  return [...branch.fields].flatMap(([name, node]) =>
    node.kind === 'branch' ? mappedPaths(node).map((it) => `${name}.${it}`) : [name],
  );
}
