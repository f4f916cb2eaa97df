import type { Each } from '../../model/map.js';
import { fold } from '../../util/fold.js';
import { unknownKeyProblem } from '../check.js';
import { type Problem, problemAt, refuse } from '../problem.js';
import { type MapEntry, type Node, shown } from '../yaml/node.js';
import { positionOf } from '../yaml/text.js';

/** `[columns]`, or `{ sheet: S, on: [columns] }`; undefined when there are problems. */
export function readEach(entry: MapEntry, problems: Problem[]): Each | undefined {
  const node = entry.value;
  const at = positionOf(node.place);
  if (node.kind === 'list') {
    const columns = readColumns(entry, problems);
    return columns && { kind: 'columns', columns, at };
  }
  if (node.kind !== 'mapping') {
    return refuse(problems, node.place, 'job.bad_each', { value: shown(node) });
  }
  const before = problems.length;
  for (const { key, keyPlace } of node.entries.values())
    if (key !== 'sheet' && key !== 'on') problems.push(unknownKeyProblem(keyPlace, key, ['sheet', 'on']));
  const sheet = node.entries.get('sheet');
  const on = node.entries.get('on');
  for (const [key, found] of [
    ['sheet', sheet],
    ['on', on],
  ] as const)
    if (!found) problems.push(problemAt(entry.keyPlace, 'job.missing_key', { key }));
  const name = sheet && nameOf(sheet.value);
  if (sheet && name === undefined)
    problems.push(
      problemAt(sheet.value.place, 'job.expected_text', { key: 'sheet', value: shown(sheet.value) }),
    );
  const columns = on && readColumns(on, problems);
  if (problems.length > before || name === undefined || columns === undefined) return undefined;
  return { kind: 'sheet', sheet: name, on: columns, at };
}

function readColumns(entry: MapEntry, problems: Problem[]): readonly string[] | undefined {
  const node = entry.value;
  if (node.kind !== 'list' || node.items.length === 0) {
    return refuse(problems, node.place, 'job.bad_each', { value: shown(node) });
  }
  const columns: string[] = [];
  const seen = new Set<string>();
  let sound = true;
  for (const item of node.items) {
    const name = nameOf(item);
    if (name === undefined) {
      problems.push(problemAt(item.place, 'job.expected_text', { key: entry.key, value: shown(item) }));
      sound = false;
    } else if (seen.has(fold(name))) {
      problems.push(problemAt(item.place, 'job.each_repeats', { column: name }));
      sound = false;
    } else {
      seen.add(fold(name));
      columns.push(name);
    }
  }
  return sound ? columns : undefined;
}

function nameOf(node: Node): string | undefined {
  if (node.kind !== 'scalar' || node.value === null) return undefined;
  const name = node.written.trim();
  return name === '' ? undefined : name;
}
