import type { Migration } from '../../shared/platform-scopes.js';
import { SQL as FIRST } from './0001-first.js';
import { SQL as LOOKUPS } from './0002-lookups.js';
import { SQL as STEPS } from './0003-steps.js';
import { SQL as UNDOINGS } from './0004-undoings.js';
import { SQL as PEOPLE } from './0005-people.js';
import { SQL as CONSOLE_SESSIONS } from './0006-console-sessions.js';
import { SQL as IMPORTS } from './0007-imports.js';
import { SQL as CORRECTIONS } from './0008-corrections.js';
import { SQL as APPROVALS } from './0009-approvals.js';
import { SQL as CONSOLE_READS } from './0010-console-reads.js';
import { SQL as HOST_POLICIES } from './0011-host-policies.js';
import { SQL as GIVEN_IDS } from './0012-given-ids.js';
import { SQL as RESTORED } from './0013-restored.js';
import { PLATFORMS } from './0014-platforms.js';
import { SQL as PLAN_MAKERS } from './0015-plan-makers.js';
import { SQL as CLOSED } from './0016-closed.js';
import { SQL as THINGS } from './0017-things.js';

/** In order; a ledger's `schema_version` is how many of them it has been through. */
export const MIGRATIONS: readonly Migration[] = [
  FIRST,
  LOOKUPS,
  STEPS,
  UNDOINGS,
  PEOPLE,
  CONSOLE_SESSIONS,
  IMPORTS,
  CORRECTIONS,
  APPROVALS,
  CONSOLE_READS,
  HOST_POLICIES,
  GIVEN_IDS,
  RESTORED,
  PLATFORMS,
  PLAN_MAKERS,
  CLOSED,
  THINGS,
];
