import { type Message, message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import type { Clock } from '../../util/clock.js';
import type { MigrationObserver } from '../contract/upkeep.js';
import type { Migration } from '../store/platform-scopes.js';
import type { Database } from './database.js';
import { LostCommit } from './failures.js';
import { MIGRATIONS } from './migrations/index.js';
import { lockKey } from './run-lock.js';
import type { Queryable } from './transaction.js';

const MIGRATOR_LOOKS_MS = 50;
/** The table of proofs may not exist yet, so a COMMIT without a reply is handled by a retry. */
const MIGRATING = { lostCommit: 'thrown', patienceMs: 0 } as const;
const MIGRATION_TRIES = 5;
const TRY_AGAIN_MS = 500;

/**
 * - refuse: the command exits with 2
 * - wait: another command migrates it within `patienceMs`, or this one exits with 5
 * - migrate: this command migrates it
 */
export type OlderSchema = 'refuse' | 'wait' | 'migrate';

export interface TableOptions {
  /** Maximum wait time while the server is unreachable, at the start or later, and for a migration by another command. */
  readonly patienceMs: number;
  /** Called once when the server is not reachable yet, or its tables are not migrated yet. */
  readonly waits?: (note: Message) => unknown;
  /** Create the ledger if there is none. */
  readonly make: boolean;
  readonly made?: () => void;
  /** What happens to a schema older than the program's. */
  readonly older: OlderSchema;
  readonly migrated?: MigrationObserver;
}

/**
 * Creates or migrates the tables of a schema if necessary, or waits for another command that migrates them.
 * @returns whether there is a ledger
 * @throws ProductError usage for an older schema; internal after waiting for its migration
 */
export async function prepareTables(
  db: Database,
  schema: string,
  clock: Clock,
  options: TableOptions,
): Promise<boolean> {
  const version = await versionOf(db, schema, db.location);
  if (version === undefined && !options.make) return false;
  if (version === undefined) {
    await migrate(db, schema, clock);
    options.made?.();
  } else if (version < MIGRATIONS.length && options.older === 'migrate') {
    const from = await migrate(db, schema, clock);
    if (from < MIGRATIONS.length) options.migrated?.({ from, to: MIGRATIONS.length });
  } else if (version < MIGRATIONS.length) await migratedByAnother(db, schema, clock, options);
  return true;
}

export function olderSchema(location: string, found: number): Message {
  return message('ledger.older', { location, found, known: MIGRATIONS.length });
}

async function migratedByAnother(
  db: Database,
  schema: string,
  clock: Clock,
  { older, patienceMs, waits }: TableOptions,
): Promise<void> {
  const { location } = db;
  const until = clock.monotonic() + patienceMs;
  for (let isReported = false; ; isReported = true) {
    const found = (await versionOf(db, schema, location)) ?? 0;
    if (found === MIGRATIONS.length) return;
    const left = until - clock.monotonic();
    const why = olderSchema(location, found);
    if (older !== 'wait' || left <= 0) throw new ProductError(older === 'wait' ? 'internal' : 'usage', why);
    if (!isReported) waits?.(message('ledger.waits_for_server', { why, seconds: Math.ceil(left / 1000) }));
    await clock.sleep(Math.min(TRY_AGAIN_MS, left));
  }
}

/** @returns undefined if the schema has no ledger yet */
export async function versionOf(
  db: Queryable,
  schema: string,
  location: string,
): Promise<number | undefined> {
  const there = await db.get<{ version: boolean; others: number }>(
    `SELECT EXISTS (SELECT FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE n.nspname = $1 AND c.relname = 'schema_version') AS version,
      (SELECT count(*) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE n.nspname = $1 AND c.relkind IN ('r', 'p', 'v', 'm', 'f')) AS others`,
    [schema],
  );
  if (!there?.version) {
    if ((there?.others ?? 0) === 0) return undefined;
    throw new ProductError('usage', message('ledger.schema_taken', { location, schema }));
  }
  const found = (await db.get<{ version: number }>('SELECT version FROM schema_version'))?.version ?? 0;
  if (found > MIGRATIONS.length) {
    const params = { location, found: String(found), known: String(MIGRATIONS.length) };
    throw new ProductError('usage', message('ledger.server_newer', params));
  }
  return found;
}

async function migrateOnce(tx: Queryable, step: Migration): Promise<void> {
  if (typeof step === 'string') {
    await tx.run(step);
    return;
  }
  await tx.run(step.before);
  await tx.run(step.fill, [step.parameter(await tx.all<never>(step.read))]);
  await tx.run(step.after);
}

/**
 * Migrates the tables in one transaction. If several programs try, one does it and the others wait.
 * @returns the version before the migration
 */
async function migrate(db: Database, schema: string, clock: Clock): Promise<number> {
  const key = lockKey(['migration', schema]);
  let lost = 0;
  for (;;) {
    const migrating = db.transaction(async (tx) => {
      const [lock] = await tx.all<{ had: boolean }>('SELECT pg_try_advisory_xact_lock($1) AS had', [key]);
      if (!lock?.had) return undefined;
      // Checked first, because CREATE SCHEMA IF NOT EXISTS requires a permission even if the schema exists.
      const [has] = await tx.all('SELECT 1 FROM pg_namespace WHERE nspname = $1', [schema]);
      if (!has) await tx.run(`CREATE SCHEMA ${schema}`);
      const from = (await versionOf(tx, schema, db.location)) ?? 0;
      for (const step of MIGRATIONS.slice(from)) await migrateOnce(tx, step);
      if (from === 0) {
        await tx.run('CREATE TABLE schema_version (version integer NOT NULL)');
        await tx.run('CREATE UNIQUE INDEX one_version ON schema_version ((true))');
        await tx.run('INSERT INTO schema_version VALUES (0)');
      }
      await tx.run(`UPDATE schema_version SET version = ${MIGRATIONS.length}`);
      return from;
    }, MIGRATING);
    const found = await migrating.catch(async (error: unknown) => {
      lost += 1;
      if (!(error instanceof LostCommit) || lost === MIGRATION_TRIES) throw error;
      await db.resolveLostCommit(error);
      return undefined;
    });
    if (found !== undefined) return found;
    await clock.sleep(MIGRATOR_LOOKS_MS);
  }
}
