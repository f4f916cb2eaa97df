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

/** 0 is best; a row with several items shows the worst of theirs. */
export function severity(status: Status): number {
  return SEVERITY.indexOf(status);
}

export function worst(statuses: Iterable<Status>): Status | undefined {
  let found: Status | undefined;
  for (const status of statuses) {
    if (found === undefined || severity(status) > severity(found)) found = status;
  }
  return found;
}
