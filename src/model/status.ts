/** What became of a row (contract section 5). */
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

/** Statuses of rows that the platform carried out. */
export const WENT_THROUGH: ReadonlySet<Status> = new Set(['succeeded', 'accepted']);

/** Statuses that ask nothing of a person. */
export const NEEDS_NOTHING: ReadonlySet<Status> = new Set(['succeeded', 'accepted', 'skipped', 'valid']);

/** 0 is best. A row with several items shows the worst of theirs. */
export function severity(status: Status): number {
  return SEVERITY.indexOf(status);
}

/** Sorts the worst first: what a person should look at before all else. */
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
 * The status of a row from its own statuses and its items': the worst of them, but a row of several items of which some
 * succeeded is not `rejected`, which means "without effect". It is `failed`: it is safe to run again.
 */
export function statusOfRow(statuses: readonly Status[]): Status | undefined {
  const found = worst(statuses);
  return found === 'rejected' && statuses.some((it) => WENT_THROUGH.has(it)) ? 'failed' : found;
}

/**
 * What became of a row of a job of steps: the worst that became of it in any of them. A step that left the row out has no
 * say, unless all did: the row is still to be sent, or went through, by the others.
 */
export function worstOfSteps(statuses: readonly Status[]): Status {
  return worst(statuses.filter((it) => it !== 'skipped')) ?? 'skipped';
}

/** Index of the step at which a row stands: the first that it hasn't left behind, else the last (contract section 9). */
export function standsAt(statuses: readonly Status[]): number {
  const open = statuses.findIndex((it) => it !== 'succeeded' && it !== 'skipped');
  return open === -1 ? statuses.length - 1 : open;
}
