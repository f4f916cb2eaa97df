import type { AnyJob } from '../../model/job.js';
import type { Scalar } from '../../model/map.js';
import { isPattern } from '../job-checks.js';
import { type LoadJobOptions, loadEffective } from '../load.js';
import { SHOWN } from '../notify.js';
import { variablesIn, withVariableNames } from '../parts/parameters.js';
import { CONDITIONAL_SECTIONS, DEFAULTED_SECTIONS } from '../schema/job.js';
import { type MappingNode, type Node, positionOf, type ScalarNode } from '../yaml/node.js';
import { scalarText } from '../yaml/scalar.js';

/** The origin of a value of a job. Lines and columns are 1-based. */
export interface ValueOrigin {
  readonly from: 'job' | 'license-sync.yaml' | '--set' | 'environment' | 'default';
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  /** Position at which the containing fragment is used: `jobs/orders.yaml:9:5`. */
  readonly usedAt?: string;
  /** The environment variables in the value. */
  readonly variables?: readonly string[];
}

const BY_DEFAULT: ValueOrigin = { from: 'default' };

/** @param node part of a tree that was read with masked variables */
function originOf(node: Node): ValueOrigin {
  const { place } = node;
  const file = place.text.name;
  const names = textsOf(node).flatMap(variablesIn);
  const variables = names.length > 0 ? { variables: [...new Set(names)] } : {};
  if (file === '--set') return { from: '--set' };
  const { line, column, usedAt } = positionOf(place);
  const from = names.length > 0 ? 'environment' : place.text.shared ? 'license-sync.yaml' : 'job';
  return { from, file, line, column, ...(usedAt === undefined ? {} : { usedAt }), ...variables };
}

function textsOf(node: Node): readonly string[] {
  if (node.kind === 'scalar') return [node.written];
  return node.kind === 'list' ? node.items.flatMap(textsOf) : [];
}

/** The effective job, value by value. Variables are shown by name, because their values may be secret. */
export interface ShownJobFile {
  readonly name: string;
  /** As shown to users. */
  readonly file: string;
  /** Absolute path of `license-sync.yaml`, if the job uses parts of it. */
  readonly configFile?: string;
  readonly entries: readonly ShownEntry[];
  /** Origin of `notify`, if it is not shown because its addresses or arguments may be secret. */
  readonly withheld?: ValueOrigin;
}

export interface ShownEntry {
  readonly key: string;
  readonly value: ShownValue;
}

export type ShownValue =
  | {
      readonly kind: 'scalar';
      readonly yaml: string;
      readonly value: Scalar | null;
      readonly origin: ValueOrigin;
    }
  | {
      readonly kind: 'scalars';
      readonly items: readonly (ShownValue & { kind: 'scalar' })[];
      readonly origin: ValueOrigin;
    }
  | { readonly kind: 'list'; readonly items: readonly ShownValue[]; readonly origin: ValueOrigin }
  | { readonly kind: 'mapping'; readonly entries: readonly ShownEntry[] };

/**
 * Reads a job, checks it as `loadJobFile` does, and returns each value with its origin: the job file, `license-sync.yaml`,
 * `--set`, an environment variable, or the program's default.
 */
export async function shownJob(file: string, options: LoadJobOptions): Promise<ShownJobFile> {
  const { job, name, root, parts, defaultConnection } = await loadEffective(file, options);
  const entries = new Map<string, ShownValue>();
  for (const [key, entry] of root.entries) entries.set(key, shownOf(entry.value));
  for (const [key, schema] of Object.entries(DEFAULTED_SECTIONS)) complete(entries, key, schema.parse({}));
  for (const [key, { schema, example }] of Object.entries(CONDITIONAL_SECTIONS))
    if (entries.has(key)) complete(entries, key, schema.parse(example), Object.keys(example));
  completeKind(entries, job, options);
  placeFiles(entries, job, root);
  if (!entries.has('connection')) {
    const connection = connectionOf(defaultConnection, options.env);
    if (connection) entries.set('connection', connection);
  }
  const notify = root.entries.get('notify')?.value;
  const withheld = notify && hasSecrets(notify) ? originOf(notify) : undefined;
  if (withheld) entries.delete('notify');
  return {
    name: job.name,
    file: name,
    ...(parts ? { configFile: parts.file } : {}),
    entries: ordered(entries),
    ...(withheld ? { withheld } : {}),
  };
}

const ORDER = [
  'version',
  'name',
  'description',
  'operation',
  'reconcile',
  'connection',
  'source',
  'map',
  'batch',
  'key',
  'expect',
  'extra',
  'actions',
  'unmatched',
  'steps',
  'run',
  'safety',
  'output',
  'schedule',
  'notify',
];

function ordered(entries: ReadonlyMap<string, ShownValue>): readonly ShownEntry[] {
  const keys = [...ORDER, ...[...entries.keys()].filter((key) => !ORDER.includes(key))];
  return keys.flatMap((key) => {
    const value = entries.get(key);
    return value ? [{ key, value }] : [];
  });
}

function shownOf(node: Node): ShownValue {
  switch (node.kind) {
    case 'scalar':
      return shownScalar(node);
    case 'mapping':
      return {
        kind: 'mapping',
        entries: [...node.entries.values()].map(({ key, value }) => ({ key, value: shownOf(value) })),
      };
    case 'list': {
      const items = node.items.map(shownOf);
      const origin = originOf(node);
      const scalars = items.flatMap((it) => (it.kind === 'scalar' ? [it] : []));
      return scalars.length === items.length
        ? { kind: 'scalars', items: scalars, origin }
        : { kind: 'list', items, origin };
    }
  }
}

/** Texts that need no quotes outside of brackets. */
const BARE = /^[\p{L}\p{N}$_+.-][\p{L}\p{N}$_+./{} -]*$/u;

function shownScalar(node: ScalarNode): ShownValue & { kind: 'scalar' } {
  const { plain, value, written } = node;
  const origin = originOf(node);
  const text = withVariableNames(written);
  if (value === null) return { kind: 'scalar', yaml: 'null', value, origin };
  const masked = variablesIn(written).length > 0;
  // Without quotes a number stays a number, `007` keeps its zeros, and a variable is typed by its value.
  if (plain && (masked || typeof value !== 'string') && BARE.test(text))
    return { kind: 'scalar', yaml: text, value: masked ? text : value, origin };
  return {
    kind: 'scalar',
    yaml: typeof value === 'string' ? withMarksNamed(scalarText(written)) : JSON.stringify(text),
    value: typeof value === 'string' ? text : value,
    origin,
  };
}

/** `scalarText` has already escaped `${`. */
function withMarksNamed(yaml: string): string {
  return withVariableNames(yaml.replaceAll('$${', () => '${'));
}

/** Adds the defaults of the schema. */
function complete(
  entries: Map<string, ShownValue>,
  key: string,
  filled: unknown,
  except: readonly string[] = [],
): void {
  const section = entries.get(key);
  if (section && section.kind !== 'mapping') return;
  const existing = section?.entries ?? [];
  const missing = Object.entries(filled as Record<string, unknown>).filter(
    ([name, value]) =>
      value !== undefined && !except.includes(name) && !existing.some((it) => it.key === name),
  );
  if (existing.length + missing.length === 0) return;
  const added = missing.map(([name, value]) => ({ key: name, value: byDefault(value as Scalar) }));
  entries.set(key, { kind: 'mapping', entries: [...existing, ...added] });
}

function byDefault(value: Scalar): ShownValue {
  return { kind: 'scalar', yaml: scalarText(value), value, origin: BY_DEFAULT };
}

/** Adds defaults that depend on the kind of job: batch size, `extra`, `unmatched` and `onPartial`. */
function completeKind(entries: Map<string, ShownValue>, job: AnyJob, { operations }: LoadJobOptions): void {
  const batchOf = (owner: Map<string, ShownValue>) => {
    const operation = owner.get('operation');
    const named = operation?.kind === 'scalar' && operations.find(({ name }) => name === operation.value);
    if (named) complete(owner, 'batch', { size: named.batch.size });
  };
  if ('reconcile' in job) {
    if (!entries.has('extra')) entries.set('extra', byDefault(job.extra));
  } else batchOf(entries);
  if ('steps' in job && !entries.has('unmatched')) entries.set('unmatched', byDefault('invalid'));
  for (const key of ['steps', 'actions']) {
    const list = entries.get(key);
    if (list?.kind !== 'list') continue;
    const items = list.items.map((item): ShownValue => {
      if (item.kind !== 'mapping') return item;
      const owner = new Map(item.entries.map((it) => [it.key, it.value]));
      batchOf(owner);
      if (key === 'steps' && !owner.has('onPartial')) owner.set('onPartial', byDefault('continue'));
      return { kind: 'mapping', entries: [...owner].map(([name, value]) => ({ key: name, value })) };
    });
    entries.set(key, { ...list, items });
  }
}

/** Replaces file paths by absolute ones; a path with a variable stays unchanged. */
function placeFiles(entries: Map<string, ShownValue>, job: AnyJob, root: MappingNode): void {
  placeFile(entries, 'source', job.source.file);
  // The default results of an inbox are next to its input files.
  const { defaulted, file } = job.output;
  const source = root.entries.get('source')?.value;
  const input = source?.kind === 'mapping' ? source.entries.get('file')?.value : undefined;
  const inbox = input?.kind === 'scalar' && isPattern(input.written);
  if (defaulted && inbox) entries.delete('output');
  else placeFile(entries, 'output', file);
}

function placeFile(entries: Map<string, ShownValue>, key: string, file: string): void {
  const section = entries.get(key);
  if (section?.kind !== 'mapping') return;
  const placed = section.entries.map((entry): ShownEntry => {
    const { value } = entry;
    if (entry.key !== 'file' || value.kind !== 'scalar' || value.origin.variables) return entry;
    return { ...entry, value: { ...value, yaml: scalarText(file), value: file } };
  });
  entries.set(key, { kind: 'mapping', entries: placed });
}

function connectionOf(byFile: Node | undefined, env: NodeJS.ProcessEnv): ShownValue | undefined {
  if (byFile?.kind === 'scalar' && byFile.value !== null) return shownScalar(byFile);
  const variable = 'LICENSE_SYNC_BASE_URL';
  if (!env[variable]) return undefined;
  const origin: ValueOrigin = { from: 'environment', variables: [variable] };
  return { kind: 'scalar', yaml: 'env', value: 'env', origin };
}

/** Whether `notify` contains values other than variables. */
function hasSecrets(node: Node): boolean {
  if (node.kind === 'scalar') return node.written.replaceAll(/\uFDD2[^\uFDD3]*\uFDD3/g, '') !== '';
  if (node.kind === 'list') return node.items.some(hasSecrets);
  return [...node.entries.values()].some(
    ({ key, value }) => !SHOWN.includes(key) && key !== 'secret' && hasSecrets(value),
  );
}
