/** The outcome of a row (contract section 5). */
export const STATUSES = [
  'succeeded',
  'accepted',
  'rejected',
  'failed',
  'unknown',
  'invalid',
  'skipped',
  'not_sent',
  'valid',
] as const;

export type Status = (typeof STATUSES)[number];

const SEVERITY: readonly Status[] = [
  'valid',
  'skipped',
  'succeeded',
  'accepted',
  'not_sent',
  'invalid',
  'failed',
  'rejected',
  'unknown',
];

/** Statuses of rows that the platform executed. */
export const WENT_THROUGH: ReadonlySet<Status> = new Set(['succeeded', 'accepted']);

/** Statuses that require no action by a user. */
export const NEEDS_NOTHING: ReadonlySet<Status> = new Set(['succeeded', 'accepted', 'skipped', 'valid']);

/** 0 is best. A row with several items has the worst status of these. */
export function severity(status: Status): number {
  return SEVERITY.indexOf(status);
}

/** Sorts the worst first. */
export function byUrgency(a: Status, b: Status): number {
  return severity(b) - severity(a);
}

export function worst(statuses: Iterable<Status>): Status | undefined {
  let found: Status | undefined;
  for (const status of statuses) {
    if (found === undefined || severity(status) > severity(found)) found = status;
  }
  return found;
}

/**
 * The status of a row from its own statuses and those of its items: the worst of them. A row with several items of which some
 * succeeded is not `rejected`, which means "without effect", but `failed`: it is safe to run again.
 */
export function statusOfRow(statuses: readonly Status[]): Status | undefined {
  const found = worst(statuses);
  return found === 'rejected' && statuses.some((it) => WENT_THROUGH.has(it)) ? 'failed' : found;
}

/**
 * The status of a row in a job of several steps: the worst of all steps. A step that skipped the row is ignored unless all steps
 * skipped it.
 */
export function worstOfSteps(statuses: readonly Status[]): Status {
  return worst(statuses.filter((it) => it !== 'skipped')) ?? 'skipped';
}

/**
 * Index of the step that a row is at: the first that is neither `succeeded` nor `skipped`, otherwise the last (contract
 * section 9).
 */
export function statusPosition(statuses: readonly Status[]): number {
  const open = statuses.findIndex((it) => it !== 'succeeded' && it !== 'skipped');
  return open === -1 ? statuses.length - 1 : open;
}
