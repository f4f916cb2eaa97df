import { createHash } from 'node:crypto';
import { dirname, resolve } from 'node:path';
import { readTextFile } from '../file.js';
import { findConfig } from '../find-config.js';
import { applyOverrides } from '../overrides.js';
import { fail, type Problem, problemAt } from '../problem.js';
import type { MapEntry, MappingNode, Node } from '../yaml/node.js';
import { parseYaml } from '../yaml/parse.js';
import type { SourceText } from '../yaml/text.js';
import { type DefaultedOperation, Defaults } from './defaults.js';
import { Fragments } from './fragments.js';
import { MASKED_VARIABLES } from './masked-variables.js';

/** A text file with what is known of it. */
type FileText = Awaited<ReturnType<typeof readTextFile>>;

/** `license-sync.yaml` as far as it holds parts of jobs. */
interface SharedFile {
  readonly file: FileText;
  readonly root: MappingNode;
}

/** What of `license-sync.yaml` counts in a job. */
export interface CountedParts {
  /** Absolute path of the file. */
  readonly file: string;
  /** Of the whole job as it counts with them, hex; variables count by their names. */
  readonly sha256: string;
}

export interface EffectiveJob {
  readonly root: MappingNode;
  /** Undefined where nothing of `license-sync.yaml` counts. */
  readonly parts?: CountedParts;
  /** The key of `license-sync.yaml`. */
  readonly defaultConnection?: Node;
}

export interface EffectiveOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  readonly operations: readonly DefaultedOperation[];
}

/**
 * A job as it counts (contract section 9): `--set` over the job, fragments of `maps:` where its maps use them, `defaults:`
 * below all.
 * @param own the job file's tree
 */
export async function effectiveJob(
  { path, text, own }: { readonly path: string; readonly text: SourceText; readonly own: MappingNode },
  set: readonly string[],
  options: EffectiveOptions,
  problems: Problem[],
): Promise<EffectiveJob> {
  const shared = await readShared(path, options, problems);
  const [first, last] = divided(set);
  const merged = merge(applyOverrides(own, first, problems), shared, options, problems);
  const root = applyOverrides(merged.root, last, problems);
  if (!shared) return { root };
  const defaultConnection = shared.root.entries.get('defaultConnection')?.value;
  if (!merged.counts) return { root, defaultConnection };
  problems.push(...lacking(root, shared.root));
  const { path: file } = shared.file;
  return { root, defaultConnection, parts: { file, sha256: digest(text, shared, options) } };
}

/** What of `license-sync.yaml` would count in a job file now; rejects where one of them can't be read. */
export async function countedParts(
  jobFile: string,
  operations: readonly DefaultedOperation[],
): Promise<CountedParts | undefined> {
  const cwd = dirname(jobFile);
  const options = { env: MASKED_VARIABLES, cwd, operations };
  const { path, name, text: whole } = await readTextFile(jobFile, cwd);
  const text: SourceText = { name, text: whole, confidential: true };
  const problems: Problem[] = [];
  const own =
    parseYaml(text, options.env).root ?? fail([problemAt({ text, offset: 0 }, 'job.not_a_mapping', {})]);
  return (await effectiveJob({ path, text, own }, [], options, problems)).parts;
}

/** What is said of the kind of job, or of how it uses fragments, before these are put in; the rest goes over all. */
function divided(set: readonly string[]): readonly [readonly string[], readonly string[]] {
  const early = (argument: string) => {
    const keys = argument.slice(0, Math.max(argument.indexOf('='), 0)).split('.');
    return keys.includes('use') || keys.includes('with') || keys.join() === 'operation';
  };
  return [set.filter(early), set.filter((it) => !early(it))];
}

function merge(
  own: MappingNode,
  shared: SharedFile | undefined,
  { operations }: EffectiveOptions,
  problems: Problem[],
): { readonly root: MappingNode; readonly counts: boolean } {
  const maps = shared?.root.entries.get('maps');
  const named = new Map<string, MapEntry>();
  if (maps?.value.kind === 'mapping') for (const it of maps.value.entries.values()) named.set(it.key, it);
  else if (maps) problems.push(problemAt(maps.keyPlace, 'job.maps_no_mapping', {}));
  const fragments = new Fragments(named, shared?.file.name, problems);
  const expanded = expandMaps(own, fragments);
  fragments.checkAll();
  const defaults = new Defaults(shared?.root.entries.get('defaults'), operations, problems);
  const root = defaults.apply(expanded);
  return { root, counts: fragments.used || defaults.used };
}

/** Maps stand in a job, in its steps and actions; what a comparison names and expects has the same form. */
function expandMaps(root: MappingNode, fragments: Fragments): MappingNode {
  const within = (owner: MappingNode, keys: readonly string[]): MappingNode => {
    const entries = new Map(owner.entries);
    for (const key of keys) {
      const entry = entries.get(key);
      if (entry) entries.set(key, { ...entry, value: fragments.expand(entry.value) });
    }
    return { ...owner, entries };
  };
  const job = within(root, ['map', 'key', 'expect']);
  const entries = new Map(job.entries);
  for (const key of ['steps', 'actions']) {
    const entry = entries.get(key);
    if (entry?.value.kind !== 'list') continue;
    const items = entry.value.items.map((it) => (it.kind === 'mapping' ? within(it, ['map']) : it));
    entries.set(key, { ...entry, value: { ...entry.value, items } });
  }
  return { ...job, entries };
}

async function readShared(
  jobFile: string,
  { env, cwd }: EffectiveOptions,
  problems: Problem[],
): Promise<SharedFile | undefined> {
  const found = await findConfig(dirname(jobFile));
  if (found === undefined) return undefined;
  const file = await readTextFile(resolve(found), cwd);
  const root = readRoot(file, env, problems);
  return root && { file, root };
}

/** Lines are shown of the two keys only: elsewhere there may be secrets. */
function readRoot(file: FileText, env: NodeJS.ProcessEnv, problems: Problem[]): MappingNode | undefined {
  const shownLines = linesOf(file.text);
  const text: SourceText = {
    name: file.name,
    text: file.text,
    confidential: (line) => !shownLines(line),
    shared: true,
  };
  const parsed = parseYaml(text, env);
  problems.push(...parsed.problems);
  return parsed.root;
}

/** Whether a line of the file belongs to `maps:` or `defaults:`. */
function linesOf(text: string): (line: number) => boolean {
  const within = new Set<number>();
  let inside = false;
  for (const [index, line] of text.split('\n').entries()) {
    if (/^[^\s#]/.test(line)) inside = /^["']?(?:maps|defaults)["']?\s*:/.test(line);
    if (inside) within.add(index + 1);
  }
  return (line) => within.has(line);
}

/** Missing variables of the shared parts that this job uses; those of others are none of its business. */
function lacking(root: Node, shared: Node): readonly Problem[] {
  const ofFile = shared.place.text;
  const found: Problem[] = [];
  const walk = (node: Node): void => {
    if (node.kind === 'list') node.items.forEach(walk);
    else if (node.kind === 'mapping') for (const { value } of node.entries.values()) walk(value);
    else if (node.place.text === ofFile)
      for (const { name, place } of node.lacking ?? [])
        found.push(problemAt({ ...place, usedAt: node.place.usedAt }, 'job.missing_variable', { name }));
  };
  walk(root);
  return found;
}

/** Of the job as it counts, with variables by their names: what they hold may be secret, and needn't be set here. */
function digest(text: SourceText, shared: SharedFile, options: EffectiveOptions): string {
  const unheard: Problem[] = [];
  const own = parseYaml({ ...text }, MASKED_VARIABLES).root;
  const root = readRoot(shared.file, MASKED_VARIABLES, unheard);
  if (!own || !root) return '';
  const counted = merge(own, { ...shared, root }, options, unheard).root;
  return createHash('sha256')
    .update(JSON.stringify(sorted(counted)))
    .digest('hex');
}

/** As plain data with keys in order, and texts as they are written (`007` is not `7`). */
function sorted(node: Node): unknown {
  if (node.kind === 'list') return node.items.map(sorted);
  if (node.kind === 'scalar') return node.value === null ? null : [node.plain, node.written];
  return [...node.entries.values()]
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ key, value }) => [key, sorted(value)]);
}
