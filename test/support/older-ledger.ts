import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { MIGRATIONS as POSTGRES } from '../../src/ledger/postgres/migrations/index.js';
import { MIGRATIONS as SQLITE } from '../../src/ledger/sqlite/migrations/index.js';
import type { Migration } from '../../src/ledger/store/platform-scopes.js';
import { postgresPlace } from './postgres/shared-server.js';

/** A ledger without runs whose schema is older than the program's, as a program before the last migrations made it. */
export interface OlderLedger {
  readonly address: string;
  readonly version: number;
  /** The newest version. */
  readonly known: number;
  versionNow(): Promise<number>;
  remove(): Promise<void>;
}

/** @param folder that of the ledger, if it is a file */
export async function olderLedger(kind: 'SQLite' | 'PostgreSQL', folder: string): Promise<OlderLedger> {
  const steps = plainSteps(kind === 'SQLite' ? SQLITE : POSTGRES);
  const version = steps.length;
  if (kind === 'SQLite') {
    const address = path.join(folder, '.license-sync', 'ledger.db');
    mkdirSync(path.dirname(address), { recursive: true, mode: 0o700 });
    const use = <T>(work: (db: InstanceType<typeof DatabaseSync>) => T): T => {
      const db = new DatabaseSync(address);
      try {
        return work(db);
      } finally {
        db.close();
      }
    };
    use((db) =>
      db.exec(`${steps.join(';')}; PRAGMA application_id = 1280530755; PRAGMA user_version = ${version}`),
    );
    const versionNow = async () =>
      use((db) => (db.prepare('PRAGMA user_version').get() as { user_version: number }).user_version);
    return { address, version, known: SQLITE.length, versionNow, remove: async () => {} };
  }
  const { url: address, schema, ask, remove } = await postgresPlace();
  await ask(`CREATE SCHEMA ${schema}; SET search_path TO ${schema}; ${steps.join(';')};
    CREATE TABLE schema_version (version integer NOT NULL); INSERT INTO schema_version VALUES (${version})`);
  const versionNow = async () =>
    (await ask<{ version: number }>('SELECT version FROM schema_version'))[0]?.version ?? 0;
  return { address, version, known: POSTGRES.length, versionNow, remove };
}

/** Those before the first that needs the program. */
function plainSteps(migrations: readonly Migration[]): readonly string[] {
  const first = migrations.findIndex((it) => typeof it !== 'string');
  const before = migrations.slice(0, first === -1 ? -1 : first);
  return before.filter((it) => typeof it === 'string');
}

const SEALED_TABLES = ['items', 'bodies', 'envelopes', 'item_rows', 'batches', 'batch_items'];

/** Takes a ledger of either kind back to before it had an index of things. */
const WITHOUT_THINGS: readonly string[] = [
  'DROP TABLE things',
  'DROP TABLE kept_things',
  'DROP INDEX runs_without_things',
  'ALTER TABLE runs DROP COLUMN things_indexed',
  'ALTER TABLE items DROP COLUMN things',
];

/** What takes a ledger back to before it kept who made a plan, by the name of its maker. */
export const BACK_BEFORE_PLAN_MAKERS: Readonly<Record<string, readonly string[]>> = {
  SQLite: [
    ...['approvals_follow', 'plan_applications_follow', 'runs_applied'].map((it) => `DROP TRIGGER ${it}`),
    'DROP TABLE step_seals',
    'DROP TABLE step_shapes',
    ...WITHOUT_THINGS,
    'DROP TABLE plan_makers',
    'DROP INDEX audit_of_people',
    'ALTER TABLE ledger_identity DROP COLUMN closed_to',
  ],
  PostgreSQL: [
    'DROP TABLE step_seals',
    'DROP TABLE step_shapes',
    ...WITHOUT_THINGS,
    'DROP TABLE plan_makers',
    'DROP INDEX audit_of_people',
    'ALTER TABLE ledger_identity DROP COLUMN closed_to',
  ],
};

/**
 * Returns a SQLite ledger to version 4, as 0.1 and what followed it had it: no tables to append to, one line for each
 * attempt. A migration adds here what undoes it.
 */
export const BACK_TO_VERSION_4 = `
${BACK_BEFORE_PLAN_MAKERS.SQLite!.join('; ')};
DROP TABLE ledger_identity; DROP TABLE epochs;
DROP TABLE given_ids;
DROP TRIGGER sums_of_changed_run; DROP TRIGGER sums_of_settled_run; ALTER TABLE runs DROP COLUMN sums_json;
DROP TABLE host_policies; DROP TRIGGER batch_items_added; DROP TRIGGER runs_approved_settings;
${['items', 'item_rows', 'batches', 'batch_items'].map((it) => `DROP TRIGGER ${it}_approved;`).join('\n')}
DROP TABLE schedule_pauses;
DROP TABLE console_sessions;
DROP TABLE imports; DROP TABLE uploads;
DROP TABLE approvals; DROP TABLE plan_applications;
DROP TRIGGER runs_sealed; DROP TRIGGER runs_sealed_settings;
${SEALED_TABLES.map((it) => `DROP TRIGGER ${it}_sealed; DROP TRIGGER ${it}_stay;`).join('\n')}
DROP TRIGGER batch_items_full; DROP TRIGGER bodies_approved; DROP TRIGGER envelopes_approved;
ALTER TABLE runs DROP COLUMN plan_hash; ALTER TABLE runs DROP COLUMN needs_approval;
DROP TABLE audit; DROP TABLE audit_head; DROP TABLE people;
ALTER TABLE runs DROP COLUMN made_by; ALTER TABLE runs DROP COLUMN made_by_subject;
DROP TABLE undoings; DROP TABLE correction_acts; DROP TABLE correction_cells;
ALTER TABLE runs DROP COLUMN step;
DROP TABLE lookups;
DROP TABLE contested_batches;
DROP TRIGGER attempts_only_folded; DROP TABLE attempts_set_aside; DROP TABLE attempts_begun;
DROP TABLE attempts_ended; DROP TABLE claims_ahead;
PRAGMA user_version = 4`;
