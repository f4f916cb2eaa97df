import { message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import { kindredOf, type ScopeLine } from '../rules/scopes.js';
import type { RunNumber } from '../shared/ids.js';
import type { Database } from './database.js';

/** Scopes are few: one for each connection and host that the ledger has seen. */
const SCOPES = `
SELECT scopes.id, scopes.name, runs.connection FROM runs CROSS JOIN scopes WHERE runs.id = ? ORDER BY scopes.id`;

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
  kindredScopes({ number, scope }: RunNumber): readonly number[] {
    return kindredOf(scope, this.#db.all<ScopeLine>(SCOPES, number));
  }

  /** All scopes whose keys hold for the run, its own first. */
  scopes(run: string): readonly number[] {
    const own = this.of(run);
    return [own.scope, ...this.kindredScopes(own)];
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
