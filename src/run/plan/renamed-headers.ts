import type { Code } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import type { JobStep, StepsJob } from '../../model/job.js';
import { columnsReadBy } from '../../model/leaf-columns.js';
import type { MapNode } from '../../model/map.js';
import type { Header } from '../../model/row.js';
import { fold } from '../../util/fold.js';
import type { NamingColumns } from '../input/input-reading.js';

/** So many columns may bear any name of before: all of it is tried, for each row. More of them are told by the maps alone. */
const TRIED_AT_MOST = 3;
const READINGS_AT_MOST = 64;

const LACKING: ReadonlySet<string> = new Set<Code>([
  'mapping.column_missing',
  'mapping.column_missing_nearest',
  'run.when_unknown_column',
]);

/** The columns of a sheet that a former version of a job may have read under other names. */
export class RenamedHeaders {
  readonly #headers: readonly Header[];
  /** Those that the map of now reads and the former one doesn't. */
  readonly #free: readonly Header[];
  /** What the same leaf reads now, by what it read then. */
  readonly #now: ReadonlyMap<string, ReadonlySet<string>>;
  /** What the former version read and the sheet lacks. */
  readonly lacking: readonly string[];

  constructor(headers: readonly Header[], now: StepsJob, former: StepsJob) {
    const [own, before] = [now, former].map((it) => new Set(it.steps.flatMap(columnsOfStep).map(fold)));
    this.#headers = headers;
    this.#free = headers.filter(({ folded }) => own!.has(folded) && !before!.has(folded));
    this.#now = readNow(now, former);
    const there = new Set(headers.map(({ folded }) => folded));
    const read = new Map(former.steps.flatMap(columnsOfStep).map((it) => [fold(it), it]));
    this.lacking = [...read].filter(([folded]) => !there.has(folded)).map(([, name]) => name);
  }

  /**
   * What may have named rows for that version. Rows are named by cells in the order of their headers: where one was renamed
   * in sheet and map, by the name that it had. None where the sheet lacks what that version read: then its rows may be known
   * by what names them now.
   */
  async namingsThen(
    namingOf: (headers: readonly Header[]) => Promise<NamingColumns>,
  ): Promise<readonly NamingColumns[]> {
    let readings = 0;
    const found: NamingColumns[] = [];
    const look = async (headers: readonly Header[], free: readonly Header[]): Promise<void> => {
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
        for (const it of this.#mayHaveBeen(text, free)) {
          const renamed = { ...it, text, folded: fold(text) };
          await look(
            headers.map((header) => (header === it ? renamed : header)),
            free.filter((header) => header !== it),
          );
        }
      }
    };
    await look(this.#headers, this.#free);
    return found;
  }

  #mayHaveBeen(name: string, free: readonly Header[]): readonly Header[] {
    if (this.#free.length <= TRIED_AT_MOST) return free;
    const now = this.#now.get(fold(name));
    return now ? free.filter(({ folded }) => now.has(folded)) : [];
  }
}

/** Leaves of both maps that fill the same field of the same step tell which columns may be the same. */
function readNow(now: StepsJob, former: StepsJob): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  const add = (then: readonly string[], own: readonly string[]): void => {
    if (then.length !== own.length) return;
    for (const [at, column] of then.entries()) {
      const known = found.get(fold(column)) ?? new Set();
      found.set(fold(column), known.add(fold(own[at]!)));
    }
  };
  const walk = (then: MapNode | undefined, own: MapNode | undefined): void => {
    if (!then || !own) return;
    if (then.kind !== 'branch' || own.kind !== 'branch') {
      if (then.kind === own.kind) add(columnsOfNode(then), columnsOfNode(own));
      return;
    }
    add(groupedBy(then), groupedBy(own));
    for (const [name, it] of then.fields) walk(it, own.fields.get(name));
  };
  for (const [at, step] of former.steps.entries()) {
    const own = now.steps[at];
    if (own?.operation !== step.operation) continue;
    add(columnsOfWhen(step), columnsOfWhen(own));
    walk(step.map, own.map);
  }
  return found;
}

function columnsOfStep(step: JobStep): readonly string[] {
  return [...columnsOfWhen(step), ...(step.map ? columnsOfNode(step.map) : [])];
}

function columnsOfWhen({ when }: JobStep): readonly string[] {
  return [...(when?.source ?? '').matchAll(/row\[(["'])(.+?)\1\]/g)].map((it) => it[2]!);
}

function columnsOfNode(node: MapNode): readonly string[] {
  if (node.kind !== 'branch') return columnsReadBy(node);
  return [...groupedBy(node), ...[...node.fields.values()].flatMap(columnsOfNode)];
}

function groupedBy(node: MapNode): readonly string[] {
  return node.kind === 'branch' && node.each?.kind === 'columns' ? node.each.columns : [];
}
