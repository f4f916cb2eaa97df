import { resolve } from 'node:path';
import { message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import type { JobBase, JobRun } from '../model/job.js';
import { type Problem, problemAt } from './problem.js';
import type { MapEntry, MappingNode, Node, Place, ScalarNode, SourceText } from './yaml/node.js';
import { typeScalar } from './yaml/scalar.js';

/** Values from a command's flags or a call's options that replace those of the job file. Paths are from `cwd`. */
export interface JobChanges {
  readonly input?: string;
  readonly output?: string;
  readonly concurrency?: number;
  readonly onInvalid?: JobRun['onInvalid'];
  readonly maxItems?: number;
  readonly maxDeletes?: number;
}

/**
 * @throws ProductError usage unless the number is a whole number of at least `least`: any other value would not limit
 * anything
 */
export function requireWholeNumber(name: string, value: number | undefined, least: number): void {
  if (value === undefined || (Number.isSafeInteger(value) && value >= least)) return;
  throw new ProductError('usage', message('job.unfit_number', { name, value: String(value), least }));
}

const ON_INVALID: readonly JobRun['onInvalid'][] = ['abort', 'skip'];

/** An unknown value would let invalid rows through. */
function checkOnInvalid(value: string | undefined): void {
  if (value === undefined || ON_INVALID.some((allowed) => allowed === value)) return;
  const params = { name: 'onInvalid', value, allowed: ON_INVALID.join(', ') };
  throw new ProductError('usage', message('run.unfit_option', params));
}

/** The job with the changes applied. A named input is one file, even if the job's own is a pattern. */
export function applyChanges<J extends JobBase>(job: J, changes: JobChanges, cwd = process.cwd()): J {
  const { pattern: _, ...source } = job.source;
  const { input, output, concurrency, onInvalid, maxItems, maxDeletes } = changes;
  checkOnInvalid(onInvalid);
  requireWholeNumber('concurrency', concurrency, 1);
  requireWholeNumber('maxItems', maxItems, 0);
  requireWholeNumber('maxDeletes', maxDeletes, 0);
  return {
    ...job,
    source: input === undefined ? job.source : { ...source, file: resolve(cwd, input) },
    run: {
      ...job.run,
      concurrency: concurrency ?? job.run.concurrency,
      onInvalid: onInvalid ?? job.run.onInvalid,
    },
    safety: {
      ...job.safety,
      maxItems: maxItems ?? job.safety.maxItems,
      maxDeletes: maxDeletes ?? job.safety.maxDeletes,
    },
    output: output === undefined ? job.output : { file: resolve(cwd, output) },
  };
}

/**
 * Puts `--set key=value` arguments into a job's tree: keys have dots, missing mappings are created, values are typed as YAML
 * scalars. `${NAME}` is not replaced here, because the shell has replaced its variables already.
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
  const existing = node.entries.get(step.key);
  let next: Node = value;
  if (rest.length > 0) {
    const inner = existing?.value;
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
