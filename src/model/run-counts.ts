import type { DriftStatus } from './drift.js';
import type { Status } from './status.js';

/** Rows by status; a reconciliation has statuses of its own. */
export type RunCounts = Readonly<Partial<Record<Status | DriftStatus, number>>>;
