import { type Message, message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import type { Database } from './database.js';
import type { Session } from './session.js';
import type { Queryable } from './transaction.js';

/** A server with its data. A copy that took its place has another timeline, another database another identifier. */
interface ServerIdentity {
  /** Absent where this user may not read it. */
  readonly system?: string;
  readonly timeline?: number;
}

interface IdentityRow {
  readonly system_identifier: string;
  readonly timeline: number;
}

interface IdentityLine {
  readonly system?: string;
  readonly log?: string;
}

const SYSTEM = 'SELECT system_identifier::text FROM pg_control_system()';
/** The name of the log that is written now begins with the timeline; the last checkpoint's word for it may be minutes old. */
const LOG = 'SELECT pg_walfile_name(pg_current_wal_lsn())';

const KEPT = 'SELECT system_identifier, timeline FROM server_identity';
const KEEP = `INSERT INTO server_identity (one, system_identifier, timeline) VALUES (1, $1, $2)
  ON CONFLICT (one) DO NOTHING`;
const GO_ON = 'UPDATE server_identity SET system_identifier = $1, timeline = $2';

/**
 * Sees to it that sending goes on against the server that it was begun against. One that took its place may lack the last
 * of what the other had promised to keep: sent again, these orders would be there twice.
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
   * Whether this process may send, asked before it begins. The first one ever writes down which server it is.
   * @param goOn a person knows of a change, and says go on
   * @returns the change that stands against it
   */
  async beginSending(goOn: boolean): Promise<Message | undefined> {
    return this.#db.transaction(async (tx) => {
      const change = await this.#change(tx);
      if (!change || !goOn) return change;
      await tx.run(GO_ON, [this.#latest.system ?? '', this.#latest.timeline ?? 0]);
      this.#known = this.#latest;
      return undefined;
    });
  }

  /**
   * To be called before each request.
   * @throws ProductError safety when the server has changed since sending was begun
   */
  async refuseChanged(): Promise<void> {
    if (this.#known && differs(this.#known, this.#latest) === undefined) return;
    // Somebody may have said go on since.
    const change = await this.#db.transaction((tx) => this.#change(tx));
    if (change) throw new ProductError('safety', change);
  }

  async #change(tx: Queryable): Promise<Message | undefined> {
    const { system = '', timeline = 0 } = this.#latest;
    await tx.run(KEEP, [system, timeline]);
    const row = await tx.get<IdentityRow>(KEPT);
    const known: ServerIdentity = {
      ...(row?.system_identifier ? { system: row.system_identifier } : {}),
      ...(row?.timeline ? { timeline: row.timeline } : {}),
    };
    const what = differs(known, this.#latest);
    if (what === undefined) {
      this.#known = known;
      return undefined;
    }
    const { location } = this.#db;
    return what === 'system'
      ? message('ledger.server_other', { location, was: known.system ?? '', is: system })
      : message('ledger.server_promoted', { location, was: known.timeline ?? 0, is: timeline });
  }

  /** Of every session that is made: the server behind an address may be another one since the last. */
  async #look(session: Session): Promise<void> {
    const both = `SELECT (${SYSTEM}) AS system, (${LOG}) AS log`;
    const [found] = (await asked<IdentityLine>(session, both)) ?? [
      {
        // One of them may be had where the other may not.
        system: (await asked<IdentityLine>(session, `SELECT (${SYSTEM}) AS system`))?.[0]?.system,
        log: (await asked<IdentityLine>(session, `SELECT (${LOG}) AS log`))?.[0]?.log,
      },
    ];
    const { system, log } = found ?? {};
    this.#latest = {
      ...(system === undefined ? {} : { system }),
      ...(log === undefined ? {} : { timeline: Number.parseInt(log.slice(0, 8), 16) }),
    };
  }
}

/** Nothing where this user lacks the right. */
async function asked<T>(session: Session, sql: string): Promise<readonly T[] | undefined> {
  try {
    return await session.rows<T>(sql);
  } catch (error) {
    if (session.isBroken) throw error;
    return undefined;
  }
}

function differs(one: ServerIdentity, other: ServerIdentity): 'system' | 'timeline' | undefined {
  if (one.system !== undefined && other.system !== undefined && one.system !== other.system) return 'system';
  if (one.timeline !== undefined && other.timeline !== undefined && one.timeline !== other.timeline) {
    return 'timeline';
  }
  return undefined;
}
