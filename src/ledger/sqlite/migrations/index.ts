import {
  CUSTOMER_DATA_SQL,
  consoleSessionsSql,
  correctionsSql,
  importsSql,
  lookupsSql,
  reversalsSql,
  SQLITE_TYPES,
  STEPS_SQL,
  thingsSql,
} from '../../store/migrations.js';
import type { Migration } from '../../store/platform-scopes.js';
import { SQL as FIRST } from './0001-first.js';
import { APPENDED_ATTEMPTS, CONTESTED_BATCHES, RESOLUTIONS, SCHEDULE, SKIPPED_ROWS } from './0002-to-0006.js';
import { SQL as PEOPLE } from './0010-people.js';
import { SQL as APPROVALS } from './0014-approvals.js';
import { SQL as CONSOLE_READS } from './0015-console-reads.js';
import { SQL as HOST_POLICIES } from './0016-host-policies.js';
import { SQL as GIVEN_IDS } from './0017-given-ids.js';
import { SQL as RESTORED } from './0018-restored.js';
import { PLATFORMS } from './0019-platforms.js';
import { SQL as PLAN_MAKERS } from './0020-plan-makers.js';
import { SQL as STEP_SEALS } from './0024-step-seals.js';

const CORRECTIONS = correctionsSql(SQLITE_TYPES, {
  before: '',
  trigger: "BEGIN SELECT RAISE(ABORT, 'corrections are never changed'); END;",
});

/** The location that a ledger was copied to. Nothing more is written to it until it is reopened. */
const CLOSED = 'ALTER TABLE ledger_identity ADD COLUMN closed_to TEXT';

/** In order; a ledger's `user_version` is the number of applied migrations. */
export const MIGRATIONS: readonly Migration[] = [
  FIRST,
  RESOLUTIONS,
  SCHEDULE,
  SKIPPED_ROWS,
  APPENDED_ATTEMPTS,
  CONTESTED_BATCHES,
  lookupsSql(SQLITE_TYPES),
  STEPS_SQL,
  reversalsSql(SQLITE_TYPES),
  PEOPLE,
  consoleSessionsSql(SQLITE_TYPES),
  importsSql(SQLITE_TYPES),
  CORRECTIONS,
  APPROVALS,
  CONSOLE_READS,
  HOST_POLICIES,
  GIVEN_IDS,
  RESTORED,
  PLATFORMS,
  PLAN_MAKERS,
  CLOSED,
  thingsSql(SQLITE_TYPES),
  CUSTOMER_DATA_SQL,
  STEP_SEALS,
];
