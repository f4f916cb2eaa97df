import { type Message, message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import type { PlainStatement } from '../shared/plain-statements.js';
import type { Database } from './database.js';
import type { Session } from './session.js';

/**
 * A server with the ledger's database. A copy that took its place has another timeline, another database another identifier;
 * what was dropped and created again has other object ids. `VACUUM FULL` changes none of them.
 */
interface ServerIdentity {
  /** Absent where this user may not read it. */
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
/** The name of the log that is written now begins with the timeline; the last checkpoint's word for it may be minutes old. */
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
 * Compares the database with the one that sending was begun against. One that took its place may lack its last records: what
 * they are about would be sent again.
 */
export class ServerWatch {
  readonly #db: Database;
  /** What sending was begun against, once that is known. */
  #known: ServerIdentity | undefined;
  #latest: ServerIdentity = {};

  constructor(db: Database) {
    this.#db = db;
    db.watchSessions((session) => this.#look(session));
  }

  /**
   * The change since sending was begun for the first time, which the first call records.
   * @param marksHold whether all that this user has seen is in the ledger: then a new timeline is accepted
   * @param how `look`: nothing is recorded
   */
  async changed(marksHold: () => Promise<boolean>, how: 'record' | 'look'): Promise<Message | undefined> {
    // Sessions that were made before tables were created have seen none.
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
        await this.#db.run(...this.acceptance());
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

  acceptance(): PlainStatement {
    const { system = '', timeline = 0, objects = null } = this.#latest;
    return [ACCEPT, [system, timeline, objects]];
  }

  /**
   * To be called before each request.
   * @throws ProductError safety when the server has changed since sending was begun
   */
  async refuseChanged(marksHold: () => Promise<boolean>): Promise<void> {
    if (this.#known && differs(this.#known, this.#latest) === undefined) return;
    // It may have been accepted since.
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

  /** Of every session that is made: the server behind an address may be another one since the last. */
  async #look(session: Session): Promise<void> {
    const all = `SELECT (${SYSTEM}) AS system, (${LOG}) AS log, (${OBJECTS}) AS objects`;
    const one = async (what: string, name: string) =>
      (await rowsIfAllowed<IdentityLine>(session, `SELECT (${what}) AS ${name}`))?.[0];
    const [found] = (await rowsIfAllowed<IdentityLine>(session, all)) ?? [
      // Some of them can be read where others cannot.
      { ...(await one(SYSTEM, 'system')), ...(await one(LOG, 'log')), ...(await one(OBJECTS, 'objects')) },
    ];
    const { system, log, objects } = found ?? {};
    this.#latest = {
      ...(system === undefined ? {} : { system }),
      ...(log === undefined ? {} : { timeline: Number.parseInt(log.slice(0, 8), 16) }),
      ...(typeof objects === 'string' ? { objects } : {}),
    };
  }
}

/** Nothing where this user lacks the permission. */
async function rowsIfAllowed<T>(session: Session, sql: string): Promise<readonly T[] | undefined> {
  try {
    return await session.rows<T>(sql);
  } catch (error) {
    if (session.isBroken) throw error;
    return undefined;
  }
}

function differs(one: ServerIdentity, other: ServerIdentity): Difference | undefined {
  for (const it of ['system', 'objects', 'timeline'] as const) {
    if (one[it] !== undefined && other[it] !== undefined && one[it] !== other[it]) return it;
  }
  return undefined;
}
