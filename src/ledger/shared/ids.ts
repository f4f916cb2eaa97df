/**
 * Rows, items and batches are numbered from 1 within their run. In the tables each has one integer id that begins
 * with the run's number: a run's rows lie together, and every lookup is by a single integer key. Postgres' bigint
 * holds the same.
 */
const PER_RUN = 2 ** 32;

/** How the tables know a run. */
export interface RunNumber {
  readonly number: number;
  /** Id of the scope under which its keys are looked up. */
  readonly scope: number;
  /** Of a step run: the run that it belongs to, whose lock it is carried under. */
  readonly whole?: string | null;
}

export function packId(run: number, number: number): number {
  return run * PER_RUN + number;
}

/** The number within its run. */
export function unpackId(id: number): number {
  return id % PER_RUN;
}

/** Row numbers of ids that SQL gathered as JSON, ascending. */
export function unpackRows(json: string): number[] {
  return (JSON.parse(json) as number[]).map(unpackId).sort((a, b) => a - b);
}

/** Below and above all ids of a run: `id > first AND id < end`. */
export function idRange(run: number): { readonly first: number; readonly end: number } {
  return { first: run * PER_RUN, end: (run + 1) * PER_RUN };
}

/** The number of the run that an id belongs to. */
export function runOf(id: number): number {
  return Math.floor(id / PER_RUN);
}
