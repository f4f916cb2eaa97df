import { z } from 'zod';
import { OPERATION_NAMES, type OperationName } from '../../model/operation.js';
import { checkNode } from '../check.js';
import { type Problem, problemAt } from '../problem.js';
import { batchSchema, runSchema, safetySchema } from '../schema/run.js';
import { sourceSchema } from '../schema/source.js';
import { type MapEntry, type MappingNode, type Node, nodeAt, shown } from '../yaml/node.js';
import { overlaid } from './merge.js';

/** A job names its own file. */
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

/** `defaults:` of `license-sync.yaml`: for all jobs, and by operation, which wins over what is for all. */
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

/** Lays a job over the defaults (contract section 9). They are checked whole, and left out where they are at fault. */
export class Defaults {
  readonly #entry: MapEntry | undefined;
  readonly #sound: boolean;
  readonly #operations: readonly DefaultedOperation[];
  /** At least one of them counts. */
  used = false;

  constructor(entry: MapEntry | undefined, operations: readonly DefaultedOperation[], problems: Problem[]) {
    this.#entry = entry;
    this.#operations = operations;
    const found = entry ? problemsOf(entry, operations) : [];
    problems.push(...found);
    this.#sound = found.length === 0;
  }

  apply(root: MappingNode): MappingNode {
    if (!this.#entry || !this.#sound) return root;
    const operation = this.#operationOf(root);
    const several = root.entries.has('steps') || root.entries.has('reconcile');
    let job = root;
    for (const section of SECTIONS) {
      if (section === 'batch' && several) continue;
      job = this.#over(job, section, operation);
    }
    for (const list of ['steps', 'actions']) job = this.#eachBatch(job, list);
    return job;
  }

  /** Steps and actions have their own batches; all else of a job is one, whatever operations it carries out. */
  #eachBatch(root: MappingNode, key: string): MappingNode {
    const entry = root.entries.get(key);
    if (entry?.value.kind !== 'list') return root;
    const items = entry.value.items.map((item) =>
      item.kind === 'mapping' ? this.#over(item, 'batch', this.#operationOf(item)) : item,
    );
    const value: Node = { ...entry.value, items };
    return { ...root, entries: new Map(root.entries).set(key, { ...entry, value }) };
  }

  #over(owner: MappingNode, section: Section, operation: DefaultedOperation | undefined): MappingNode {
    const own = owner.entries.get(section);
    // What is no mapping is told by the check of the job.
    if (own && own.value.kind !== 'mapping') return owner;
    // A source without a file is the job's fault, to be told as it stands there.
    if (section === 'source' && !own) return owner;
    // Some operations take one item a request; what is meant for all jobs leaves these as they are.
    const general = section === 'batch' && operation?.batch.fixed ? undefined : this.#section([section]);
    const special = operation && this.#section([operation.name, section]);
    const below = special && general ? overlaid(special, general, (mine) => mine) : (special ?? general);
    if (!below) return owner;
    this.used = true;
    const place = own?.value.place ?? below.place;
    const value = own ? overlaid(own.value as MappingNode, below, (mine) => mine) : { ...below, place };
    const entry: MapEntry = { key: section, keyPlace: own?.keyPlace ?? below.place, value };
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
  const unfit = operations.flatMap(({ name, batch }): readonly Problem[] => {
    const size = nodeAt(value, [name, 'batch', 'size'])?.node;
    if (!batch.fixed || size?.kind !== 'scalar' || size.value === batch.size) return [];
    const params = { operation: name, size: batch.size, value: shown(size) };
    return [problemAt(size.place, 'job.batch_fixed', params)];
  });
  return [...problems, ...unfit];
}
