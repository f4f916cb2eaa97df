/** What a reconciliation can compare with the platform (contract section 8). */
export const RECONCILED = ['asset', 'enterprise'] as const;

export type Reconciled = (typeof RECONCILED)[number];

/** How a row of the source stands against the platform; `extra` is a record that no row of the source names. */
export const DRIFT_STATUSES = ['in_sync', 'different', 'missing', 'extra', 'error', 'skipped'] as const;

export type DriftStatus = (typeof DRIFT_STATUSES)[number];
