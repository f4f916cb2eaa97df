import { type Problem, problemAt } from './problem.js';
import type { MapEntry, MappingNode, Node, ScalarNode } from './yaml/node.js';
import { typeScalar } from './yaml/scalar.js';
import type { Place, SourceText } from './yaml/text.js';

/**
 * Puts `--set key=value` arguments into a job's tree: dotted keys, mappings made on the way, values typed as YAML
 * scalars. The shell has had its turn, so `${NAME}` is not replaced here.
 */
export function applyOverrides(root: MappingNode, set: readonly string[], problems: Problem[]): MappingNode {
  return set.reduce((tree, argument) => applyOne(tree, argument, problems), root);
}

function applyOne(root: MappingNode, argument: string, problems: Problem[]): MappingNode {
  const text: SourceText = { name: '--set', text: argument, confidential: false };
  const equals = argument.indexOf('=');
  const keys = argument.slice(0, Math.max(equals, 0)).split('.');
  if (equals < 1 || keys.some((key) => key.trim() === '')) {
    problems.push(problemAt({ text, offset: 0 }, 'job.bad_set', { argument }));
    return root;
  }
  const value = scalarAt({ text, offset: equals + 1 }, argument.slice(equals + 1));
  let offset = 0;
  const steps = keys.map((key) => {
    const place = { text, offset };
    offset += key.length + 1;
    return { key: key.trim(), place };
  });
  return put(root, steps, value, problems);
}

function scalarAt(place: Place, source: string): ScalarNode {
  const trimmed = source.trim();
  const quoted = /^"(.*)"$|^'(.*)'$/s.exec(trimmed);
  const written = quoted ? (quoted[1] ?? quoted[2] ?? '') : trimmed;
  const value = quoted ? written : typeScalar(written);
  return { kind: 'scalar', place, value, written, plain: !quoted, substituted: false, placeAt: () => place };
}

function put(
  node: MappingNode,
  [step, ...rest]: readonly { readonly key: string; readonly place: Place }[],
  value: ScalarNode,
  problems: Problem[],
): MappingNode {
  if (!step) return node;
  const old = node.entries.get(step.key);
  let next: Node = value;
  if (rest.length > 0) {
    const inner = old?.value;
    if (inner && inner.kind !== 'mapping' && !(inner.kind === 'scalar' && inner.value === null)) {
      problems.push(problemAt(step.place, 'job.set_into_value', { key: step.key }));
      return node;
    }
    const empty: MappingNode = { kind: 'mapping', place: step.place, entries: new Map() };
    next = put(inner?.kind === 'mapping' ? inner : empty, rest, value, problems);
  }
  const entry: MapEntry = { key: step.key, keyPlace: step.place, value: next };
  return { ...node, entries: new Map(node.entries).set(step.key, entry) };
}
