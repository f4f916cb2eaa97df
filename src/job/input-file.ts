import { sep } from 'node:path';
import { type Problem, problemAt } from './problem.js';
import { type MappingNode, nodeAt, shown } from './yaml/node.js';

const WILD = /[*?]/;

/** Whether a path's last part is a pattern. Brackets and braces are none: files have them in their names. */
export function isPattern(file: string): boolean {
  return WILD.test(file);
}

/** `source.file` with wildcards where they are not understood. */
export function inputFileProblems(root: MappingNode): readonly Problem[] {
  const node = nodeAt(root, ['source', 'file'])?.node;
  if (node?.kind !== 'scalar') return [];
  const parts = node.written.split(sep === '/' ? '/' : /[/\\]/);
  const folders = parts.slice(0, -1);
  const name = parts.at(-1) ?? '';
  if (!folders.some((part) => WILD.test(part)) && !name.includes('**')) return [];
  return [problemAt(node.place, 'job.bad_wildcard', { value: shown(node) })];
}
