import { message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import { relatedScopesOf, type ScopeLine } from '../rules/scopes.js';
import { query, queryOne, type Store } from './statement.js';

/**
 * Rows, items and batches are numbered from 1 within their run. In the tables each has one integer id (bigint) that begins with
 * the run's number, so that a run's rows are adjacent and every lookup uses a single integer key.
 */
const PER_RUN = 2 ** 32;

/** A run's numbers in the tables. */
export interface RunNumber {
  readonly number: number;
  /** Id of the scope of its keys. */
  readonly scope: number;
  /** Of a step run: its whole run, whose lock protects it. */
  readonly whole?: string | null;
}

export function packId(run: number, number: number): number {
  return run * PER_RUN + number;
}

/** The number within its run. */
export function unpackId(id: number): number {
  return id % PER_RUN;
}

/** Row numbers of a JSON list of ids, ascending. */
export function unpackRows(json: string): number[] {
  return (JSON.parse(json) as number[]).map(unpackId).sort((a, b) => a - b);
}

/** Bounds of all ids of a run: `id > first AND id < end`. */
export function idRange(run: number): { readonly first: number; readonly end: number } {
  return { first: run * PER_RUN, end: (run + 1) * PER_RUN };
}

export function runOf(id: number): number {
  return Math.floor(id / PER_RUN);
}

const NUMBER = `
SELECT id AS number, scope, CASE WHEN step IS NOT NULL THEN parent END AS whole FROM runs WHERE name = $1`;

/** There are few scopes: one for each connection and host. */
const SCOPES = `
SELECT scopes.id, scopes.name, runs.connection FROM runs CROSS JOIN scopes WHERE runs.id = $1 ORDER BY scopes.id`;

/** Maps a run's id to its number in the tables and back. Both are constant, so they are cached. */
export class KnownRuns {
  readonly #location: string;
  readonly #numbers = new Map<string, RunNumber>();
  readonly #names = new Map<number, string>();

  /** @param location of the ledger, for users */
  constructor(location: string) {
    this.#location = location;
  }

  /** @throws ProductError internal when the ledger has no such run. */
  *of(run: string): Store<RunNumber> {
    const known = this.#numbers.get(run);
    if (known) return known;
    const found = yield* queryOne<RunNumber>(NUMBER, run);
    if (!found)
      throw new ProductError('internal', message('ledger.no_such_run', { location: this.#location, run }));
    this.#numbers.set(run, found);
    return found;
  }

  /** Other scopes whose keys apply to the run. Another process may add one at any time. */
  *relatedScopes({ number, scope }: RunNumber): Store<readonly number[]> {
    return relatedScopesOf(scope, yield* query<ScopeLine>(SCOPES, number));
  }

  /** All scopes whose keys apply to the run, starting with the run's scope. */
  *scopes(run: string): Store<readonly number[]> {
    const known = yield* this.of(run);
    return [known.scope, ...(yield* this.relatedScopes(known))];
  }

  /** The id of the run with a number. Runs are never removed. */
  *name(number: number): Store<string> {
    const known = this.#names.get(number);
    if (known !== undefined) return known;
    const found = yield* queryOne<{ name: string }>('SELECT name FROM runs WHERE id = $1', number);
    const name = found?.name ?? String(number);
    this.#names.set(number, name);
    return name;
  }
}
