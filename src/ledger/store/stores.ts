import type { Clock } from '../../util/clock.js';
import { SqlApprovalStore } from './approvals.js';
import { AssetIndex } from './asset-index.js';
import { SqlAuditStore } from './audit.js';
import { SqlCorrectionStore } from './corrections.js';
import { SqlImportStore } from './imports.js';
import { SqlLookupStore } from './lookups.js';
import { SqlConsoleSessionStore, SqlPersonStore } from './people.js';
import { SqlPlanStore } from './plan.js';
import { SqlReportStore } from './report.js';
import { SqlResolutionStore } from './resolutions.js';
import { SqlReversalStore } from './reversals.js';
import type { StoreRunner } from './runner.js';
import { SqlRunStore } from './runs.js';
import { SqlScheduleStore } from './schedule.js';

/** The parts of a ledger that are the same in a file and on a server. */
export function sqlStores(runner: StoreRunner, clock: Clock) {
  return {
    runs: new SqlRunStore(runner, clock),
    plan: new SqlPlanStore(runner),
    lookups: new SqlLookupStore(runner),
    report: new SqlReportStore(runner),
    resolutions: new SqlResolutionStore(runner),
    reversals: new SqlReversalStore(runner),
    assetIndex: new AssetIndex(runner),
    corrections: new SqlCorrectionStore(runner),
    approvals: new SqlApprovalStore(runner),
    schedule: new SqlScheduleStore(runner),
    sessions: new SqlConsoleSessionStore(runner),
    imports: new SqlImportStore(runner),
    people: new SqlPersonStore(runner, clock),
    audit: new SqlAuditStore(runner, clock),
  };
}

type Stores = ReturnType<typeof sqlStores>;

/** The stores without their private members, so that a test can replace one. */
export type LedgerStores = { readonly [K in keyof Stores]: Pick<Stores[K], keyof Stores[K]> };
