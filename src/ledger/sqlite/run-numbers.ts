import { message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import type { Database } from './database.js';

/** How the tables know a run. */
export interface RunNumber {
  readonly number: number;
  /** Id of the scope under which its keys are looked up. */
  readonly scope: number;
}

/**
 * Scopes whose keys may be of the same platform (`scopeOf`): for a scope with a host the one of its name whose host isn't
 * known, which is all that 0.1 had; for that one all of its name.
 */
const KINDRED = `
SELECT others.id FROM runs JOIN scopes AS own ON own.id = runs.scope
JOIN scopes AS others ON others.id <> own.id AND (others.name = runs.connection
  OR (own.name = runs.connection AND substr(others.name, 1, length(own.name) + 1) = own.name || ' '))
WHERE runs.id = ? ORDER BY others.id`;

/** From a run's id to its number in the tables; neither ever changes, so they are remembered. */
export class RunNumbers {
  readonly #db: Database;
  readonly #known = new Map<string, RunNumber>();
  readonly #names = new Map<number, string>();

  constructor(db: Database) {
    this.#db = db;
  }

  /** @throws ProductError internal when the ledger has no such run. */
  of(run: string): RunNumber {
    const known = this.#known.get(run);
    if (known) return known;
    const found = this.#db.get<RunNumber>('SELECT id AS number, scope FROM runs WHERE name = ?', run);
    if (!found) {
      throw new ProductError('internal', message('ledger.no_such_run', { location: this.#db.location, run }));
    }
    this.#known.set(run, found);
    return found;
  }

  /** Scopes beside the run's own whose keys hold for it too. Another process may make one at any time. */
  kindredScopes({ number }: RunNumber): readonly number[] {
    return this.#db.all<{ id: number }>(KINDRED, number).map((it) => it.id);
  }

  /** The id of the run with a number. Runs are never removed. */
  name(number: number): string {
    const known = this.#names.get(number);
    if (known !== undefined) return known;
    const found = this.#db.get<{ name: string }>('SELECT name FROM runs WHERE id = ?', number);
    const name = found?.name ?? String(number);
    this.#names.set(number, name);
    return name;
  }
}
