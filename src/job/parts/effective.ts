import { createHash } from 'node:crypto';
import { dirname, resolve } from 'node:path';
import { readTextFile } from '../file.js';
import { findConfig } from '../find-config.js';
import { applyOverrides } from '../job-changes.js';
import { fail, type Problem, problemAt } from '../problem.js';
import type { MapEntry, MappingNode, Node, SourceText } from '../yaml/node.js';
import { parseYaml } from '../yaml/parse.js';
import { type DefaultedOperation, Defaults } from './defaults.js';
import { Fragments } from './fragments.js';
import { MASKED_VARIABLES } from './parameters.js';

type FileText = Awaited<ReturnType<typeof readTextFile>>;

/** A `license-sync.yaml`, whose keys `maps` and `defaults` contain parts of jobs. */
interface SharedFile {
  readonly file: FileText;
  readonly root: MappingNode;
}

/** The parts of `license-sync.yaml` that a job uses. */
export interface SharedParts {
  /** Absolute path of the file. */
  readonly file: string;
  /** Digest of the whole effective job, hex; variables are included by name. */
  readonly sha256: string;
}

export interface EffectiveJob {
  readonly root: MappingNode;
  /** Undefined if the job uses no part of `license-sync.yaml`. */
  readonly parts?: SharedParts;
  /** The value of this key in `license-sync.yaml`. */
  readonly defaultConnection?: Node;
}

export interface EffectiveOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  readonly operations: readonly DefaultedOperation[];
}

/**
 * The effective job (contract section 9): the job with `--set` applied, the fragments of `maps:` inserted in its maps, and
 * `defaults:` for everything that it omits.
 * @param jobRoot the job file's tree
 */
export async function effectiveJob(
  {
    path,
    text,
    jobRoot,
  }: { readonly path: string; readonly text: SourceText; readonly jobRoot: MappingNode },
  set: readonly string[],
  options: EffectiveOptions,
  problems: Problem[],
): Promise<EffectiveJob> {
  const shared = await readShared(path, options, problems);
  const [first, last] = splitOverrides(set);
  const merged = merge(applyOverrides(jobRoot, first, problems), shared, options, problems);
  const root = applyOverrides(merged.root, last, problems);
  if (!shared) return { root };
  const defaultConnection = shared.root.entries.get('defaultConnection')?.value;
  if (!merged.isUsed) return { root, defaultConnection };
  problems.push(...missingVariables(root, shared.root));
  const { path: file } = shared.file;
  return { root, defaultConnection, parts: { file, sha256: digest(text, shared, options) } };
}

/** The parts of `license-sync.yaml` that a job file uses now. Rejects if one of the two files can't be read. */
export async function sharedPartsOf(
  jobFile: string,
  operations: readonly DefaultedOperation[],
): Promise<SharedParts | undefined> {
  const cwd = dirname(jobFile);
  const options = { env: MASKED_VARIABLES, cwd, operations };
  const { path, name, text: content } = await readTextFile(jobFile, cwd);
  const text: SourceText = { name, text: content, confidential: true };
  const problems: Problem[] = [];
  const jobRoot =
    parseYaml(text, options.env).root ?? fail([problemAt({ text, offset: 0 }, 'job.not_a_mapping', {})]);
  return (await effectiveJob({ path, text, jobRoot }, [], options, problems)).parts;
}

/**
 * Overrides of the operation and of fragment uses apply before fragments are inserted; the others apply last, to the
 * result.
 */
function splitOverrides(set: readonly string[]): readonly [readonly string[], readonly string[]] {
  const early = (argument: string) => {
    const keys = argument.slice(0, Math.max(argument.indexOf('='), 0)).split('.');
    return keys.includes('use') || keys.includes('with') || keys.join() === 'operation';
  };
  return [set.filter(early), set.filter((it) => !early(it))];
}

function merge(
  jobRoot: MappingNode,
  shared: SharedFile | undefined,
  { operations }: EffectiveOptions,
  problems: Problem[],
): { readonly root: MappingNode; readonly isUsed: boolean } {
  const maps = shared?.root.entries.get('maps');
  const named = new Map<string, MapEntry>();
  if (maps?.value.kind === 'mapping')
    for (const entry of maps.value.entries.values()) named.set(entry.key, entry);
  else if (maps) problems.push(problemAt(maps.keyPlace, 'job.maps_no_mapping', {}));
  const fragments = new Fragments(named, shared?.file.name, problems);
  const expanded = expandMaps(jobRoot, fragments);
  fragments.checkAll();
  const defaults = new Defaults(shared?.root.entries.get('defaults'), operations, problems);
  const root = defaults.apply(expanded);
  return { root, isUsed: fragments.used || defaults.used };
}

/** Inserts fragments in the maps of a job, of its steps and of its actions, and in `key` and `expect` of a comparison. */
function expandMaps(root: MappingNode, fragments: Fragments): MappingNode {
  const withExpanded = (owner: MappingNode, keys: readonly string[]): MappingNode => {
    const entries = new Map(owner.entries);
    for (const key of keys) {
      const entry = entries.get(key);
      if (entry) entries.set(key, { ...entry, value: fragments.expand(entry.value) });
    }
    return { ...owner, entries };
  };
  const job = withExpanded(root, ['map', 'key', 'expect']);
  const entries = new Map(job.entries);
  for (const key of ['steps', 'actions']) {
    const entry = entries.get(key);
    if (entry?.value.kind !== 'list') continue;
    const items = entry.value.items.map((item) =>
      item.kind === 'mapping' ? withExpanded(item, ['map']) : item,
    );
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

/** Problems show lines of `maps` and `defaults` only, because the other keys may contain secrets. */
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

/** True for a line (1-based) of `maps:` or `defaults:`. */
function linesOf(text: string): (line: number) => boolean {
  const lines = new Set<number>();
  let inside = false;
  for (const [index, line] of text.split('\n').entries()) {
    if (/^[^\s#]/.test(line)) inside = /^["']?(?:maps|defaults)["']?\s*:/.test(line);
    if (inside) lines.add(index + 1);
  }
  return (line) => lines.has(line);
}

/** Unset variables of those shared parts that this job uses. */
function missingVariables(root: Node, shared: Node): readonly Problem[] {
  const ofFile = shared.place.text;
  const found: Problem[] = [];
  const walk = (node: Node): void => {
    if (node.kind === 'list') node.items.forEach(walk);
    else if (node.kind === 'mapping') for (const { value } of node.entries.values()) walk(value);
    else if (node.place.text === ofFile)
      for (const { name, place } of node.unset ?? [])
        found.push(problemAt({ ...place, usedAt: node.place.usedAt }, 'job.missing_variable', { name }));
  };
  walk(root);
  return found;
}

/** Digest of the effective job. Variables are included by name, because their values may be secret or unset here. */
function digest(text: SourceText, shared: SharedFile, options: EffectiveOptions): string {
  const ignored: Problem[] = [];
  const jobRoot = parseYaml({ ...text }, MASKED_VARIABLES).root;
  const root = readRoot(shared.file, MASKED_VARIABLES, ignored);
  if (!jobRoot || !root) return '';
  const merged = merge(jobRoot, { ...shared, root }, options, ignored).root;
  return createHash('sha256')
    .update(JSON.stringify(sorted(merged)))
    .digest('hex');
}

/** Plain data with sorted keys, and texts as in the file (`007` is not `7`). */
function sorted(node: Node): unknown {
  if (node.kind === 'list') return node.items.map(sorted);
  if (node.kind === 'scalar') return node.value === null ? null : [node.plain, node.written];
  return [...node.entries.values()]
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ key, value }) => [key, sorted(value)]);
}
