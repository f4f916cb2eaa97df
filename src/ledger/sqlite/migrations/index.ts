import type { Migration } from '../../shared/platform-scopes.js';
import { SQL as FIRST } from './0001-first.js';
import { SQL as RESOLUTIONS } from './0002-resolutions.js';
import { SQL as SCHEDULE } from './0003-schedule.js';
import { SQL as TOLD_TRULY } from './0004-told-truly.js';
import { SQL as APPENDED_ATTEMPTS } from './0005-appended-attempts.js';
import { SQL as CONTESTED_BATCHES } from './0006-contested-batches.js';
import { SQL as LOOKUPS } from './0007-lookups.js';
import { SQL as STEPS } from './0008-steps.js';
import { SQL as UNDOINGS } from './0009-undoings.js';
import { SQL as PEOPLE } from './0010-people.js';
import { SQL as CONSOLE_SESSIONS } from './0011-console-sessions.js';
import { SQL as IMPORTS } from './0012-imports.js';
import { SQL as CORRECTIONS } from './0013-corrections.js';
import { SQL as APPROVALS } from './0014-approvals.js';
import { SQL as CONSOLE_READS } from './0015-console-reads.js';
import { SQL as HOST_POLICIES } from './0016-host-policies.js';
import { SQL as GIVEN_IDS } from './0017-given-ids.js';
import { SQL as RESTORED } from './0018-restored.js';
import { PLATFORMS } from './0019-platforms.js';
import { SQL as PLAN_MAKERS } from './0020-plan-makers.js';
import { SQL as CLOSED } from './0021-closed.js';
import { SQL as THINGS } from './0022-things.js';

/** In order; a ledger's `user_version` is how many of them it has been through. */
export const MIGRATIONS: readonly Migration[] = [
  FIRST,
  RESOLUTIONS,
  SCHEDULE,
  TOLD_TRULY,
  APPENDED_ATTEMPTS,
  CONTESTED_BATCHES,
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
