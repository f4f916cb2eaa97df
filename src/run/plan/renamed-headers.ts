import type { Code } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import type { JobStep, StepsJob } from '../../model/job.js';
import { columnsReadBy, type MapNode } from '../../model/map.js';
import type { Header } from '../../model/row.js';
import { fold } from '../../util/text.js';
import type { NamingColumns } from '../input/input-reading.js';

/** Up to this number of free columns, each is tried for a earlier name. Beyond it, only the maps are used. */
const TRIED_AT_MOST = 3;
const READINGS_AT_MOST = 64;

const LACKING: ReadonlySet<string> = new Set<Code>([
  'mapping.column_missing',
  'mapping.column_missing_nearest',
  'run.when_unknown_column',
]);

/** Finds the columns of a sheet that a earlier version of a job may have read under other names. */
export class RenamedHeaders {
  readonly #headers: readonly Header[];
  /** Columns that the present map reads and the earlier one does not. */
  readonly #free: readonly Header[];
  /** By earlier column, the columns that the same leaf reads now. */
  readonly #currentByEarlier: ReadonlyMap<string, ReadonlySet<string>>;
  /** Columns that the earlier version read and the sheet lacks. */
  readonly lacking: readonly string[];

  constructor(headers: readonly Header[], current: StepsJob, earlier: StepsJob) {
    const [now, before] = [current, earlier].map((it) => new Set(it.steps.flatMap(columnsOfStep).map(fold)));
    this.#headers = headers;
    this.#free = headers.filter(({ folded }) => now!.has(folded) && !before!.has(folded));
    this.#currentByEarlier = currentByEarlier(current, earlier);
    const present = new Set(headers.map(({ folded }) => folded));
    const read = new Map(earlier.steps.flatMap(columnsOfStep).map((column) => [fold(column), column]));
    this.lacking = [...read].filter(([folded]) => !present.has(folded)).map(([, name]) => name);
  }

  /**
   * The possible naming columns of that version. A row's identity contains its cells in the order of their headers, so
   * a renamed column is placed by its earlier name. Empty if the sheet lacks columns that the version read; rows may
   * then be known by the present naming columns.
   */
  async earlierNamings(
    namingOf: (headers: readonly Header[]) => Promise<NamingColumns>,
  ): Promise<readonly NamingColumns[]> {
    let readings = 0;
    const found: NamingColumns[] = [];
    const tryHeaders = async (headers: readonly Header[], free: readonly Header[]): Promise<void> => {
      readings += 1;
      if (readings > READINGS_AT_MOST) return;
      try {
        found.push(await namingOf(headers));
        return;
      } catch (error) {
        if (!(error instanceof ProductError) || error.kind === 'internal') throw error;
        const { code, params } = error.detail;
        if (!LACKING.has(code)) return;
        const text = String(params.name);
        for (const renamedHeader of this.#candidates(text, free)) {
          const withEarlierName = { ...renamedHeader, text, folded: fold(text) };
          await tryHeaders(
            headers.map((header) => (header === renamedHeader ? withEarlierName : header)),
            free.filter((header) => header !== renamedHeader),
          );
        }
      }
    };
    await tryHeaders(this.#headers, this.#free);
    return found;
  }

  #candidates(name: string, free: readonly Header[]): readonly Header[] {
    if (this.#free.length <= TRIED_AT_MOST) return free;
    const current = this.#currentByEarlier.get(fold(name));
    return current ? free.filter(({ folded }) => current.has(folded)) : [];
  }
}

/** By earlier column, the present columns that fill the same field of the same step. */
function currentByEarlier(current: StepsJob, earlier: StepsJob): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  const add = (before: readonly string[], after: readonly string[]): void => {
    if (before.length !== after.length) return;
    for (const [index, column] of before.entries()) {
      const known = found.get(fold(column)) ?? new Set();
      found.set(fold(column), known.add(fold(after[index]!)));
    }
  };
  const walk = (before: MapNode | undefined, after: MapNode | undefined): void => {
    if (!before || !after) return;
    if (before.kind !== 'branch' || after.kind !== 'branch') {
      if (before.kind === after.kind) add(columnsOfNode(before), columnsOfNode(after));
      return;
    }
    add(groupedBy(before), groupedBy(after));
    for (const [name, node] of before.fields) walk(node, after.fields.get(name));
  };
  for (const [index, step] of earlier.steps.entries()) {
    const currentStep = current.steps[index];
    if (currentStep?.operation !== step.operation) continue;
    add(columnsOfWhen(step), columnsOfWhen(currentStep));
    walk(step.map, currentStep.map);
  }
  return found;
}

function columnsOfStep(step: JobStep): readonly string[] {
  return [...columnsOfWhen(step), ...(step.map ? columnsOfNode(step.map) : [])];
}

function columnsOfWhen({ when }: JobStep): readonly string[] {
  return [...(when?.source ?? '').matchAll(/row\[(["'])(.+?)\1\]/g)].map((match) => match[2]!);
}

function columnsOfNode(node: MapNode): readonly string[] {
  if (node.kind !== 'branch') return columnsReadBy(node);
  return [...groupedBy(node), ...[...node.fields.values()].flatMap(columnsOfNode)];
}

function groupedBy(node: MapNode): readonly string[] {
  return node.kind === 'branch' && node.each?.kind === 'columns' ? node.each.columns : [];
}
