import type { AnyJob } from '../../model/job.js';
import type { Scalar } from '../../model/map.js';
import { isPattern } from '../input-file.js';
import { type LoadJobOptions, loadEffective } from '../load.js';
import { SHOWN } from '../notify.js';
import { variablesIn, withVariableNames } from '../parts/masked-variables.js';
import { CONDITIONAL_SECTIONS, DEFAULTED_SECTIONS } from '../schema/job.js';
import type { MappingNode, Node, ScalarNode } from '../yaml/node.js';
import { scalarText } from '../yaml/write-scalar.js';
import { BY_DEFAULT, originOf, type ValueOrigin } from './origin.js';

/** A job as it counts, value by value. Variables stand by their names, so that nothing secret is shown. */
export interface CountingJob {
  readonly name: string;
  /** As shown to people. */
  readonly file: string;
  /** `license-sync.yaml`, absolute, where something of it counts. */
  readonly configFile?: string;
  readonly entries: readonly ShownEntry[];
  /** Where whom to tell stands, if it holds addresses or arguments that may be secret and so is left out. */
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
 * Reads a job, checks it as `loadJobFile` does, and tells each of its values with where it comes from: the job file,
 * `license-sync.yaml`, `--set`, an environment variable, or the program's default.
 */
export async function shownJob(file: string, options: LoadJobOptions): Promise<CountingJob> {
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

/** What is safe without quotes where it isn't within brackets. */
const BARE = /^[\p{L}\p{N}$_+.-][\p{L}\p{N}$_+./{} -]*$/u;

function shownScalar(node: ScalarNode): ShownValue & { kind: 'scalar' } {
  const { plain, value, written } = node;
  const origin = originOf(node);
  const text = withVariableNames(written);
  if (value === null) return { kind: 'scalar', yaml: 'null', value, origin };
  const masked = variablesIn(written).length > 0;
  // Without quotes a number stays one, `007` keeps its zeros, and a variable is typed by what it holds.
  if (plain && (masked || typeof value !== 'string') && BARE.test(text))
    return { kind: 'scalar', yaml: text, value: masked ? text : value, origin };
  return {
    kind: 'scalar',
    yaml: typeof value === 'string' ? withMarksNamed(scalarText(written)) : JSON.stringify(text),
    value: typeof value === 'string' ? text : value,
    origin,
  };
}

/** `scalarText` has doubled the dollar signs already. */
function withMarksNamed(yaml: string): string {
  return withVariableNames(yaml.replaceAll('$${', () => '${'));
}

/** Adds what the schema fills in. */
function complete(
  entries: Map<string, ShownValue>,
  key: string,
  filled: unknown,
  except: readonly string[] = [],
): void {
  const there = entries.get(key);
  if (there && there.kind !== 'mapping') return;
  const own = there?.entries ?? [];
  const more = Object.entries(filled as Record<string, unknown>).filter(
    ([name, value]) => value !== undefined && !except.includes(name) && !own.some((it) => it.key === name),
  );
  if (own.length + more.length === 0) return;
  const added = more.map(([name, value]) => ({ key: name, value: byDefault(value as Scalar) }));
  entries.set(key, { kind: 'mapping', entries: [...own, ...added] });
}

function byDefault(value: Scalar): ShownValue {
  return { kind: 'scalar', yaml: scalarText(value), value, origin: BY_DEFAULT };
}

/** What depends on the kind of job: the items that share a request, and words with a default. */
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

/** Files as they count, from wherever the job file lies; one that a variable names stays as it is written. */
function placeFiles(entries: Map<string, ShownValue>, job: AnyJob, root: MappingNode): void {
  placeFile(entries, 'source', job.source.file);
  // What an inbox leaves open lies beside each of its files.
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
  const placed = section.entries.map((it): ShownEntry => {
    if (it.key !== 'file' || it.value.kind !== 'scalar' || it.value.origin.variables) return it;
    return { ...it, value: { ...it.value, yaml: scalarText(file), value: file } };
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

/** Whether whom to tell is written out, rather than by variables alone. */
function hasSecrets(node: Node): boolean {
  if (node.kind === 'scalar') return node.written.replaceAll(/\uFDD2[^\uFDD3]*\uFDD3/g, '') !== '';
  if (node.kind === 'list') return node.items.some(hasSecrets);
  return [...node.entries.values()].some(
    ({ key, value }) => !SHOWN.includes(key) && key !== 'secret' && hasSecrets(value),
  );
}
