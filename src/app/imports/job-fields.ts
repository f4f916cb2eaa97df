import type { SheetView } from '../../guess/find-tables.js';
import { type TargetField, targetsOf } from '../../guess/targets.js';
import type { NodePath } from '../../job/yaml/node.js';
import { BindingProblems } from '../../mapping/bound-entry.js';
import { mapFromHeaders } from '../../mapping/map-from-headers.js';
import { isNeeded } from '../../model/field.js';
import type { Job, SendingJob } from '../../model/job.js';
import { columnsReadBy, type MapBranch, type MapLeaf, type MapNode } from '../../model/map.js';
import type { Operation } from '../../model/operation.js';
import { operationNamed } from '../../platform/operations/catalogue.js';
import { compileCel } from '../../util/cel.js';

/** The map of a job, or of one of its steps. */
interface JobMap {
  /** The step's name. */
  readonly name?: string;
  readonly operation: Operation;
  readonly map: MapBranch;
  /** Where the file contains it. */
  readonly at: NodePath;
  /** The items' array, which the file may omit. */
  readonly items?: string;
  /** The job has no map: it follows from the headers. `plain`: as the file would contain it. */
  readonly isFromHeaders: boolean;
  readonly plain: unknown;
  /** Paths of arrays without `each`. */
  readonly ungrouped: readonly NodePath[];
}

/** A field that a job fills or may fill. */
export interface JobField {
  /** The path as users write it, after the step's name if there are several. */
  readonly id: string;
  readonly map: JobMap;
  readonly target: TargetField;
  readonly leaf?: MapLeaf;
  /** The sheet that the field is read from, if it is not that of the job. */
  readonly sheet?: string;
  /** Neither optional nor in a part of the request that the job omits. */
  readonly isRequired: boolean;
}

/** The maps of a job, in the order of its steps. */
export function mapsOf(job: SendingJob, { sheet, columns }: SheetView): readonly JobMap[] {
  const works: readonly (Pick<Job, 'operation' | 'map'> & { readonly name?: string })[] =
    'steps' in job ? job.steps : [{ operation: job.operation, map: job.map }];
  return works.map(({ name, operation: operationName, map: own }, index) => {
    const operation = operationNamed(operationName);
    const headers = columns.map((it) => it.header);
    const map = own ?? mapFromHeaders(operation, sheet.name, headers, new BindingProblems()).map;
    const { place } = operation;
    return {
      ...(name === undefined ? {} : { name }),
      operation,
      map,
      at: 'steps' in job ? ['steps', index, 'map'] : ['map'],
      ...(place.kind === 'array' ? { items: place.field } : {}),
      isFromHeaders: own === undefined,
      plain: own ? undefined : plainMap(map),
      ungrouped: [...ungroupedIn(map, [])],
    };
  });
}

function plainMap(node: MapNode): unknown {
  if (node.kind === 'branch')
    return Object.fromEntries([...node.fields].map(([name, inner]) => [name, plainMap(inner)]));
  if (node.kind !== 'column') throw new Error(node.kind);
  return node.end ? { column: node.column, end: node.end } : node.column;
}

function* ungroupedIn(branch: MapBranch, path: readonly string[]): Generator<NodePath> {
  for (const [name, node] of branch.fields) {
    if (node.kind !== 'branch' || node.each?.kind === 'sheet') continue;
    if (!node.each) yield [...path, name];
    yield* ungroupedIn(node, [...path, name]);
  }
}

/** All fields of the maps, in the order of the operations' fields. */
export function fieldsOf(maps: readonly JobMap[]): readonly JobField[] {
  return maps.flatMap((map) =>
    targetsOf(map.operation).map((target) => {
      const id = map.name === undefined ? target.shown : `${map.name}.${target.shown}`;
      const { node, sheet, isOpen } = find(map, target.path);
      const leaf = node?.kind === 'branch' ? undefined : node;
      return {
        id,
        map,
        target,
        ...(leaf ? { leaf } : {}),
        ...(sheet === undefined ? {} : { sheet }),
        isRequired: isOpen && isNeeded(target.field),
      };
    }),
  );
}

/** The node at a path. `isOpen`: the request contains the part that the field is in. */
function find({ map, operation }: JobMap, path: readonly string[]) {
  let node: MapNode | undefined = map;
  let fields = operation.shape;
  let sheet: string | undefined;
  let isOpen = true;
  for (const [index, name] of path.entries()) {
    const field = fields.find((it) => it.name === name);
    node = node?.kind === 'branch' ? node.fields.get(name) : undefined;
    if (index < path.length - 1 && !node && !(field && isNeeded(field))) isOpen = false;
    if (node?.kind === 'branch' && node.each?.kind === 'sheet') sheet = node.each.sheet;
    fields = field?.fields ?? [];
  }
  return { node, sheet, isOpen };
}

/** All columns of the job's sheet that the job reads, by their names in the job. */
export function namesRead(job: SendingJob, maps: readonly JobMap[]): ReadonlySet<string> {
  const conditions = [job.source.where, job.source.until];
  if ('steps' in job) conditions.push(...job.steps.map((it) => it.when));
  const names = new Set(job.source.fillDown);
  for (const condition of conditions) {
    const compiled = condition && compileCel(condition.source, { variables: { row: 'row', step: 'record' } });
    if (compiled?.ok) for (const name of compiled.columns) names.add(name);
  }
  for (const { map } of maps) addNames(map, names);
  return names;
}

function addNames(node: MapNode, names: Set<string>): void {
  if (node.kind !== 'branch') for (const name of columnsReadBy(node)) names.add(name);
  else {
    const { each, fields } = node;
    for (const name of each?.kind === 'columns' ? each.columns : (each?.on ?? [])) names.add(name);
    // The fields below are read from another sheet.
    if (each?.kind !== 'sheet') for (const inner of fields.values()) addNames(inner, names);
  }
}
