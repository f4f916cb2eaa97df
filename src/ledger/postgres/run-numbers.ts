import { message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import { TurnPassed } from '../rules/run-states.js';
import { kindredOf, type ScopeLine } from '../rules/scopes.js';
import type { RunNumber } from '../shared/ids.js';
import type { Database } from './database.js';
import type { Queryable } from './transaction.js';

/** Scopes are few: one for each connection and host that the ledger has seen. */
const SCOPES = `
SELECT scopes.id, scopes.name, runs.connection FROM runs CROSS JOIN scopes WHERE runs.id = $1 ORDER BY scopes.id`;

/** From a run's id to its number in the tables; neither ever changes, so they are remembered. */
export class RunNumbers {
  readonly #db: Database;
  readonly #known = new Map<string, RunNumber>();
  readonly #names = new Map<number, string>();

  constructor(db: Database) {
    this.#db = db;
  }

  /** @throws ProductError internal when the ledger has no such run. */
  async of(run: string): Promise<RunNumber> {
    const known = this.#known.get(run);
    if (known) return known;
    const sql =
      'SELECT id AS number, scope, CASE WHEN step IS NOT NULL THEN parent END AS whole FROM runs WHERE name = $1';
    const found = await this.#db.get<RunNumber>(sql, [run]);
    if (!found) {
      throw new ProductError('internal', message('ledger.no_such_run', { location: this.#db.location, run }));
    }
    this.#known.set(run, found);
    return found;
  }

  /** Scopes beside the run's own whose keys hold for it too. Another process may make one at any time. */
  async kindredScopes({ number, scope }: RunNumber): Promise<readonly number[]> {
    return kindredOf(scope, await this.#db.all<ScopeLine>(SCOPES, [number]));
  }

  /** All scopes whose keys hold for the run, its own first. */
  async scopes(run: string): Promise<readonly number[]> {
    const own = await this.of(run);
    return [own.scope, ...(await this.kindredScopes(own))];
  }

  /** The id of the run with a number. Runs are never removed. */
  async name(number: number): Promise<string> {
    const known = this.#names.get(number);
    if (known !== undefined) return known;
    const found = await this.#db.get<{ name: string }>('SELECT name FROM runs WHERE id = $1', [number]);
    const name = found?.name ?? String(number);
    this.#names.set(number, name);
    return name;
  }
}

/** A run of several steps is in the queue with one of them, for the same turn throughout. */
const IN_QUEUE = `
SELECT 1 FROM queued_runs WHERE n = $2 AND (run = $1 OR run IN (
  SELECT step.id FROM runs AS step JOIN runs AS whole ON whole.name = step.parent
  WHERE whole.id = $1 AND step.step IS NOT NULL)) FOR KEY SHARE`;

/**
 * The run stays in the queue for the turn until the transaction ends.
 * @throws TurnPassed where it isn't
 */
export async function requireTurn(tx: Queryable, run: number, turn: number): Promise<void> {
  const found = await tx.get(IN_QUEUE, [run, turn]);
  if (!found) throw new TurnPassed();
}
