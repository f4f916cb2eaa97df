import { type Message, message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import { execute, type Store } from '../store/statement.js';
import type { Database } from './database.js';
import { executeStore } from './execute-store.js';
import type { Session } from './session.js';

/**
 * A server with the ledger's database. A promoted standby has another timeline, another server another identifier, and
 * recreated tables have other object ids. `VACUUM FULL` changes none of them.
 */
interface ServerIdentity {
  /** Absent if this user may not read it. */
  readonly system?: string;
  readonly timeline?: number;
  /** Of the database, the schema and some tables. */
  readonly objects?: string;
}

interface IdentityRow {
  readonly system_identifier: string;
  readonly timeline: number;
  readonly objects: string | null;
}

interface IdentityLine {
  readonly system?: string;
  readonly log?: string;
  readonly objects?: string | null;
}

const SYSTEM = 'SELECT system_identifier::text FROM pg_control_system()';
/** The name of the current log begins with the timeline. The timeline of the last checkpoint may be minutes old. */
const LOG = 'SELECT pg_walfile_name(pg_current_wal_lsn())';
const OBJECTS = `SELECT (SELECT oid FROM pg_database WHERE datname = current_database()) || ' '
  || (SELECT oid FROM pg_namespace WHERE nspname = current_schema()) || ' '
  || to_regclass('runs')::oid || ' ' || to_regclass('attempts')::oid || ' ' || to_regclass('item_keys')::oid`;

const KEPT = 'SELECT system_identifier, timeline, objects FROM server_identity';
const KEEP = `INSERT INTO server_identity (one, system_identifier, timeline, objects) VALUES (1, $1, $2, $3)
  ON CONFLICT (one) DO UPDATE SET objects = coalesce(server_identity.objects, excluded.objects)
  RETURNING system_identifier, timeline, objects`;
const ACCEPT = `INSERT INTO server_identity (one, system_identifier, timeline, objects) VALUES (1, $1, $2, $3)
  ON CONFLICT (one) DO UPDATE SET system_identifier = $1, timeline = $2, objects = $3`;

type Difference = 'system' | 'objects' | 'timeline';

/**
 * Compares the database with the one at the start of sending. Danger: a database that replaced it may lack its last records,
 * and their items would be sent again.
 */
export class ServerWatch {
  readonly #db: Database;
  /** The server at the start of sending, once known. */
  #known: ServerIdentity | undefined;
  #latest: ServerIdentity = {};

  constructor(db: Database) {
    this.#db = db;
    db.watchSessions((session) => this.#look(session));
  }

  /**
   * The change since sending began for the first time, which the first call records.
   * @param marksHold whether the ledger has all records that this user has seen; if so, a new timeline is accepted
   * @param how `look`: records nothing
   */
  async changed(marksHold: () => Promise<boolean>, how: 'record' | 'look'): Promise<Message | undefined> {
    // Sessions opened before the tables were created have not seen their ids.
    if (this.#latest.objects === undefined) await this.#lookAgain();
    const { system = '', timeline = 0, objects = null } = this.#latest;
    const row = (await this.#db.get<IdentityRow>(KEPT)) ?? undefined;
    const kept =
      how === 'look' || (row && row.objects !== null)
        ? row
        : (await this.#db.transaction((tx) => tx.all<IdentityRow>(KEEP, [system, timeline, objects])))[0];
    const known: ServerIdentity = {
      ...(kept?.system_identifier ? { system: kept.system_identifier } : {}),
      ...(kept?.timeline ? { timeline: kept.timeline } : {}),
      ...(kept?.objects ? { objects: kept.objects } : {}),
    };
    const what = differs(known, this.#latest);
    if (what === 'timeline' && (await marksHold())) {
      if (how === 'record') {
        await this.#db.transaction((tx) => executeStore(tx, this.accept()));
        this.#known = this.#latest;
      }
      return undefined;
    }
    if (what === undefined) {
      if (how === 'record') this.#known = known;
      return undefined;
    }
    return this.#message(what, known);
  }

  accept(): Store<number> {
    const { system = '', timeline = 0, objects = null } = this.#latest;
    return execute(ACCEPT, system, timeline, objects);
  }

  /**
   * Must be called before each request.
   * @throws ProductError safety when the server has changed since sending was begun
   */
  async refuseChanged(marksHold: () => Promise<boolean>): Promise<void> {
    if (this.#known && differs(this.#known, this.#latest) === undefined) return;
    // The change may have been accepted since.
    const change = await this.changed(marksHold, 'record');
    if (change) throw new ProductError('safety', change);
  }

  #message(what: Difference, known: ServerIdentity): Message {
    const { location } = this.#db;
    const { system = '', timeline = 0 } = this.#latest;
    switch (what) {
      case 'system':
        return message('ledger.server_other', { location, was: known.system ?? '', is: system });
      case 'objects':
        return message('ledger.server_objects', { location });
      case 'timeline':
        return message('ledger.server_promoted', { location, was: known.timeline ?? 0, is: timeline });
    }
  }

  async #lookAgain(): Promise<void> {
    const found = (await this.#db.get<{ objects: string | null }>(`SELECT (${OBJECTS}) AS objects`))?.objects;
    if (typeof found === 'string') this.#latest = { ...this.#latest, objects: found };
  }

  /** Checks every new session, because the server behind an address may have changed. */
  async #look(session: Session): Promise<void> {
    const all = `SELECT (${SYSTEM}) AS system, (${LOG}) AS log, (${OBJECTS}) AS objects`;
    const read = async (what: string, name: string) =>
      (await rowsIfAllowed<IdentityLine>(session, `SELECT (${what}) AS ${name}`))?.[0];
    const [found] = (await rowsIfAllowed<IdentityLine>(session, all)) ?? [
      // This user may be allowed to read only some of them.
      { ...(await read(SYSTEM, 'system')), ...(await read(LOG, 'log')), ...(await read(OBJECTS, 'objects')) },
    ];
    const { system, log, objects } = found ?? {};
    this.#latest = {
      ...(system === undefined ? {} : { system }),
      ...(log === undefined ? {} : { timeline: Number.parseInt(log.slice(0, 8), 16) }),
      ...(typeof objects === 'string' ? { objects } : {}),
    };
  }
}

/** undefined if this user lacks the permission. */
async function rowsIfAllowed<T>(session: Session, sql: string): Promise<readonly T[] | undefined> {
  try {
    return await session.rows<T>(sql);
  } catch (error) {
    if (session.isBroken) throw error;
    return undefined;
  }
}

function differs(a: ServerIdentity, b: ServerIdentity): Difference | undefined {
  for (const part of ['system', 'objects', 'timeline'] as const) {
    if (a[part] !== undefined && b[part] !== undefined && a[part] !== b[part]) return part;
  }
  return undefined;
}
