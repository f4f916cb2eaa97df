import {
  CUSTOMER_DATA_SQL,
  consoleSessionsSql,
  correctionsSql,
  importsSql,
  lookupsSql,
  POSTGRES_TYPES,
  reversalsSql,
  STEPS_SQL,
  thingsSql,
} from '../../store/migrations.js';
import type { Migration } from '../../store/platform-scopes.js';
import { SQL as FIRST } from './0001-first.js';
import { SQL as PEOPLE } from './0005-people.js';
import { SQL as APPROVALS } from './0009-approvals.js';
import { SQL as CONSOLE_READS } from './0010-console-reads.js';
import { SQL as HOST_POLICIES } from './0011-host-policies.js';
import { SQL as GIVEN_IDS } from './0012-given-ids.js';
import { SQL as RESTORED } from './0013-restored.js';
import { PLATFORMS } from './0014-platforms.js';
import { SQL as PLAN_MAKERS } from './0015-plan-makers.js';
import { SQL as STEP_SEALS } from './0019-step-seals.js';

const CORRECTIONS = correctionsSql(POSTGRES_TYPES, {
  before: `CREATE FUNCTION corrections_stay() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN RAISE EXCEPTION 'corrections are never changed'; END $$;`,
  trigger: '  FOR EACH STATEMENT EXECUTE FUNCTION corrections_stay();',
});

/** The location that a ledger was copied to. Nothing more is written to it until it is reopened. */
const CLOSED = 'ALTER TABLE ledger_identity ADD COLUMN closed_to text COLLATE "C"';

/** In order; a ledger's `schema_version` is the number of applied migrations. */
export const MIGRATIONS: readonly Migration[] = [
  FIRST,
  lookupsSql(POSTGRES_TYPES),
  STEPS_SQL,
  reversalsSql(POSTGRES_TYPES),
  PEOPLE,
  consoleSessionsSql(POSTGRES_TYPES),
  importsSql(POSTGRES_TYPES),
  CORRECTIONS,
  APPROVALS,
  CONSOLE_READS,
  HOST_POLICIES,
  GIVEN_IDS,
  RESTORED,
  PLATFORMS,
  PLAN_MAKERS,
  CLOSED,
  thingsSql(POSTGRES_TYPES),
  CUSTOMER_DATA_SQL,
  STEP_SEALS,
];
