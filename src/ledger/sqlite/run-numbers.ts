import { message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import { sharesKeys } from '../rules/scopes.js';
import type { Database } from './database.js';

/** How the tables know a run. */
export interface RunNumber {
  readonly number: number;
  /** Id of the scope under which its keys are looked up. */
  readonly scope: number;
}

/** Scopes are few: one for each connection and host that the ledger has seen. */
const SCOPES = `
SELECT scopes.id, scopes.name, runs.connection FROM runs CROSS JOIN scopes WHERE runs.id = ? ORDER BY scopes.id`;

interface ScopeLine {
  readonly id: number;
  readonly name: string;
  readonly connection: string;
}

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
    const all = this.#db.all<ScopeLine>(SCOPES, number);
    const own = all.find((it) => it.id === scope);
    if (!own) return [];
    return all
      .filter((it) => it.id !== scope && sharesKeys(own.name, it.name, own.connection))
      .map((it) => it.id);
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
