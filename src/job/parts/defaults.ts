import { z } from 'zod';
import { OPERATION_NAMES, type OperationName } from '../../model/operation.js';
import { checkNode } from '../check.js';
import { LEAF_KEYS } from '../map/leaf.js';
import { type Problem, problemAt } from '../problem.js';
import { batchSchema, runSchema, safetySchema, sourceSchema } from '../schema/sections.js';
import { type MapEntry, type MappingNode, type Node, nodeAt, shown } from '../yaml/node.js';

/** Keys whose values are not merged: the texts of a column, and the elements of an array. */
const WHOLE: ReadonlySet<string> = new Set(['values', 'each']);

/**
 * Merges two parts of a map. `upper` has precedence. Branches are merged key by key; a leaf replaces a leaf with all its
 * options.
 */
export function mergeMaps(upper: Node, lower: Node): Node {
  if (upper.kind !== 'mapping' || lower.kind !== 'mapping') return upper;
  if (LEAF_KEYS.some((key) => upper.entries.has(key))) return upper;
  return overlaid(upper, lower, (a, b, key) => (WHOLE.has(key) ? a : mergeMaps(a, b)));
}

/** Merges two mappings; `both` returns the value of a key that both have. */
function overlaid(
  upper: MappingNode,
  lower: MappingNode,
  both: (upper: Node, lower: Node, key: string) => Node,
): MappingNode {
  const entries = new Map<string, MapEntry>();
  for (const [key, entry] of upper.entries) {
    const lowerEntry = lower.entries.get(key);
    entries.set(key, lowerEntry ? { ...entry, value: both(entry.value, lowerEntry.value, key) } : entry);
  }
  for (const [key, entry] of lower.entries) if (!entries.has(key)) entries.set(key, entry);
  return { ...upper, entries };
}

/** The sections that may have defaults. `source.file` has none, because each job names its own file. */
const sections = {
  run: runSchema,
  safety: safetySchema,
  batch: batchSchema,
  source: sourceSchema
    .omit({ file: true })
    .optional()
    .describe('How spreadsheets are read; a job names its file itself.'),
};

type Section = keyof typeof sections;
const SECTIONS = Object.keys(sections) as readonly Section[];

/** `defaults:` of `license-sync.yaml`: for all jobs, and by operation, which has precedence. */
export const defaultsSchema = z
  .strictObject({
    ...sections,
    ...(Object.fromEntries(
      OPERATION_NAMES.map((name) => [
        name,
        z.strictObject(sections).optional().describe(`For jobs and steps of ${name} only.`),
      ]),
    ) as Record<OperationName, z.ZodOptional<z.ZodObject<typeof sections>>>),
  })
  .describe("What counts where a job says nothing; over the program's own defaults.");

export interface DefaultedOperation {
  readonly name: string;
  readonly batch: { readonly size: number; readonly fixed: boolean };
}

/** Merges a job with the defaults (contract section 9). Defaults with problems are not used. */
export class Defaults {
  readonly #entry: MapEntry | undefined;
  readonly #isValid: boolean;
  readonly #operations: readonly DefaultedOperation[];
  /** True if a default was applied. */
  used = false;

  constructor(entry: MapEntry | undefined, operations: readonly DefaultedOperation[], problems: Problem[]) {
    this.#entry = entry;
    this.#operations = operations;
    const found = entry ? problemsOf(entry, operations) : [];
    problems.push(...found);
    this.#isValid = found.length === 0;
  }

  apply(root: MappingNode): MappingNode {
    if (!this.#entry || !this.#isValid) return root;
    const operation = this.#operationOf(root);
    const several = root.entries.has('steps') || root.entries.has('reconcile');
    let job = root;
    for (const section of SECTIONS) {
      if (section === 'batch' && several) continue;
      job = this.#withSection(job, section, operation);
    }
    for (const list of ['steps', 'actions']) job = this.#eachBatch(job, list);
    return job;
  }

  /** Steps and actions have their own `batch`; the other sections apply to the whole job. */
  #eachBatch(root: MappingNode, key: string): MappingNode {
    const entry = root.entries.get(key);
    if (entry?.value.kind !== 'list') return root;
    const items = entry.value.items.map((item) =>
      item.kind === 'mapping' ? this.#withSection(item, 'batch', this.#operationOf(item)) : item,
    );
    const value: Node = { ...entry.value, items };
    return { ...root, entries: new Map(root.entries).set(key, { ...entry, value }) };
  }

  #withSection(owner: MappingNode, section: Section, operation: DefaultedOperation | undefined): MappingNode {
    const existing = owner.entries.get(section);
    // The job's check reports a section that is not a mapping.
    if (existing && existing.value.kind !== 'mapping') return owner;
    // A source without a file is an error of the job, which its check reports.
    if (section === 'source' && !existing) return owner;
    // The general default of `batch` does not apply to operations with a fixed batch size.
    const general = section === 'batch' && operation?.batch.fixed ? undefined : this.#section([section]);
    const special = operation && this.#section([operation.name, section]);
    const defaults = special && general ? overlaid(special, general, (value) => value) : (special ?? general);
    if (!defaults) return owner;
    this.used = true;
    const place = existing?.value.place ?? defaults.place;
    const value = existing
      ? overlaid(existing.value as MappingNode, defaults, (own) => own)
      : { ...defaults, place };
    const entry: MapEntry = { key: section, keyPlace: existing?.keyPlace ?? defaults.place, value };
    return { ...owner, entries: new Map(owner.entries).set(section, entry) };
  }

  #section(path: readonly string[]): MappingNode | undefined {
    const node = nodeAt(this.#entry!.value, path)?.node;
    return node?.kind === 'mapping' && node.entries.size > 0 ? node : undefined;
  }

  #operationOf(owner: MappingNode): DefaultedOperation | undefined {
    const node = owner.entries.get('operation')?.value;
    return node?.kind === 'scalar' ? this.#operations.find(({ name }) => name === node.value) : undefined;
  }
}

function problemsOf(entry: MapEntry, operations: readonly DefaultedOperation[]): readonly Problem[] {
  const { key, keyPlace, value } = entry;
  if (value.kind === 'scalar' && value.value === null)
    return [problemAt(keyPlace, 'job.empty_value', { key })];
  if (value.kind !== 'mapping')
    return [problemAt(value.place, 'job.expected_mapping', { key, value: shown(value) })];
  const { problems } = checkNode(defaultsSchema, value);
  const wrongSizes = operations.flatMap(({ name, batch }): readonly Problem[] => {
    const size = nodeAt(value, [name, 'batch', 'size'])?.node;
    if (!batch.fixed || size?.kind !== 'scalar' || size.value === batch.size) return [];
    const params = { operation: name, size: batch.size, value: shown(size) };
    return [problemAt(size.place, 'job.batch_fixed', params)];
  });
  return [...problems, ...wrongSizes];
}
