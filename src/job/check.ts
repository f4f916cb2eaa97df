import { z } from 'zod';
import { isCode } from '../errors/message.js';
import type { Scalar } from '../model/map.js';
import { nearestName } from '../util/name-match.js';
import { type Problem, problemAt } from './problem.js';
import { type Node, type NodePath, nodeAt, type Place, placeOfOwner, shown, toPlain } from './yaml/node.js';

type Issue = z.core.$ZodIssue;

interface Shown {
  readonly hide?: readonly string[];
  readonly show?: readonly string[];
}

interface Checked<T> {
  /** Undefined when there are problems. */
  readonly value: T | undefined;
  readonly problems: readonly Problem[];
}

/**
 * Checks a tree against a schema and fills in defaults. Every issue becomes a problem at its key or value. A text field accepts
 * a number or boolean without quotes as the text in the file.
 * `hide`: keys whose values, nested ones included, are never repeated in a message; `show`: exceptions.
 */
export function checkNode<S extends z.ZodType>(
  schema: S,
  node: Node,
  options: Shown = {},
): Checked<z.output<S>> {
  const replaced = new Map<Node, Scalar>();
  for (;;) {
    const parsed = schema.safeParse(toPlain(node, replaced));
    if (parsed.success) return { value: parsed.data, problems: [] };
    const known = replaced.size;
    for (const issue of parsed.error.issues) {
      asText(node, issue, replaced);
      asVariableType(node, issue, replaced);
    }
    if (replaced.size > known) continue;
    const problems = parsed.error.issues.flatMap((issue) => problemsOf(schema, node, issue, options));
    return { value: undefined, problems: firstAtEachPlace(problems) };
  }
}

/** Keeps the first problem of each place: a value that fails one check often fails the next for the same reason. */
function firstAtEachPlace(problems: readonly Problem[]): readonly Problem[] {
  const seen = new Set<string>();
  return problems.filter((problem) => {
    const key = `${problem.file}:${problem.line}:${problem.column}:${problem.code === 'job.missing_key' ? problem.message.params.key : ''}`;
    return seen.has(key) ? false : seen.add(key);
  });
}

function asText(root: Node, issue: Issue, replaced: Map<Node, Scalar>): void {
  if (issue.code !== 'invalid_type' || issue.expected !== 'string') return;
  const found = nodeAt(root, issue.path as NodePath)?.node;
  if (found?.kind === 'scalar' && found.plain && found.value !== null && !replaced.has(found))
    replaced.set(found, found.written);
}

/** `"${RETRIES}"`: YAML requires the quotes, so they do not make the variable's value a text. */
function asVariableType(root: Node, issue: Issue, replaced: Map<Node, Scalar>): void {
  if (issue.code !== 'invalid_type') return;
  const found = nodeAt(root, issue.path as NodePath)?.node;
  if (found?.kind !== 'scalar' || found.plain || !found.substituted || replaced.has(found)) return;
  const { written } = found;
  if (issue.expected === 'number' && /^-?\d{1,15}(?:\.\d{1,15})?$/.test(written)) {
    replaced.set(found, Number(written));
  } else if (issue.expected === 'boolean' && /^(?:true|false)$/.test(written)) {
    replaced.set(found, written === 'true');
  }
}

function problemsOf(
  schema: z.ZodType,
  root: Node,
  issue: Issue,
  { hide = [], show = [] }: Shown,
): readonly Problem[] {
  const path = issue.path as NodePath;
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => unknownKey(schema, root, path, key));
  const key = String(path.at(-1) ?? '');
  const found = nodeAt(root, path);
  if (!found) return [problemAt(placeOfOwner(root, path.slice(0, -1)), 'job.missing_key', { key })];
  const { node } = found;
  const place = node.place;
  const hidden = hide.some((name) => path.includes(name)) && !show.includes(key);
  const value = hidden ? '…' : shown(node);
  if (node.kind === 'scalar' && node.value === null)
    return [problemAt(found.entry?.keyPlace ?? place, 'job.empty_value', { key })];
  if (isOwnCode(issue.message)) return [problemAt(place, issue.message, { key, value })];
  switch (issue.code) {
    case 'invalid_type':
      return [problemAt(place, EXPECTED[issue.expected] ?? 'job.expected_text', { key, value })];
    case 'invalid_value':
      return [unknownValue(place, key, value, issue.values.map(String))];
    case 'too_small': {
      const limit = Number(issue.minimum);
      return [problemAt(place, issue.inclusive ? 'job.too_small' : 'job.not_above', { key, value, limit })];
    }
    case 'too_big':
      return [problemAt(place, 'job.too_large', { key, value, limit: Number(issue.maximum) })];
    default:
      return [problemAt(place, 'job.bad_value', { key, value })];
  }
}

const EXPECTED: Readonly<
  Record<
    string,
    | 'job.expected_text'
    | 'job.expected_mapping'
    | 'job.expected_list'
    | 'job.expected_number'
    | 'job.expected_whole_number'
    | 'job.expected_boolean'
  >
> = {
  string: 'job.expected_text',
  number: 'job.expected_number',
  int: 'job.expected_whole_number',
  boolean: 'job.expected_boolean',
  object: 'job.expected_mapping',
  array: 'job.expected_list',
};

/** Codes with the parameters `{key}` and `{value}` only, which schemas name themselves. */
type OwnCode = 'job.bad_value';

function isOwnCode(text: string): text is OwnCode {
  return text.startsWith('job.') && isCode(text);
}

function unknownKey(schema: z.ZodType, root: Node, path: NodePath, key: string): Problem {
  const owner = nodeAt(root, path)?.node;
  const place = owner?.kind === 'mapping' ? owner.entries.get(key)?.keyPlace : undefined;
  return unknownKeyProblem(place ?? root.place, key, keysAt(schema, path));
}

export function unknownKeyProblem(place: Place, key: string, known: readonly string[]): Problem {
  const near = nearestName(key, known);
  const params = { key, known: known.join(', ') };
  const problem =
    near === undefined
      ? problemAt(place, 'job.unknown_key_far', params)
      : problemAt(place, 'job.unknown_key', { ...params, near });
  return { ...problem, unknownKey: { meant: near } };
}

export function unknownValue(place: Place, key: string, value: string, allowed: readonly string[]): Problem {
  // For a number no value is nearer than another.
  const near = /^\d*$/.test(value) ? undefined : nearestName(value, allowed);
  const list = allowed.join(', ');
  if (near !== undefined) return problemAt(place, 'job.unknown_value', { key, value, near, allowed: list });
  return problemAt(place, 'job.unknown_value_far', { key, value, allowed: list });
}

function keysAt(schema: z.ZodType, path: NodePath): readonly string[] {
  let at: z.ZodType | undefined = schema;
  for (const step of path) {
    const inner = unwrap(at);
    at =
      inner instanceof z.ZodObject
        ? inner.shape[step]
        : inner instanceof z.ZodArray
          ? (inner.element as z.ZodType)
          : undefined;
  }
  const inner = unwrap(at);
  return inner instanceof z.ZodObject ? Object.keys(inner.shape) : [];
}

function unwrap(schema: z.ZodType | undefined): z.ZodType | undefined {
  let at = schema;
  while (at instanceof z.ZodOptional || at instanceof z.ZodDefault || at instanceof z.ZodPrefault)
    at = at.unwrap() as z.ZodType;
  return at;
}
