/** A table that a copy holds line by line. */
interface CopiedTable {
  readonly name: string;
  /** By which its lines are in order, and each is found once. */
  readonly key: readonly string[];
  /** Lines as they come from the database at a time. */
  readonly page: number;
}

/**
 * All that a ledger remembers, what others refer to first. Not what holds for a moment only (locks, workers, chunks, limits,
 * uploads, proofs of commits, which server it is), nor inputs and files of inboxes, which are kept in other ways.
 */
export const COPIED_TABLES: readonly CopiedTable[] = [
  { name: 'scopes', key: ['id'], page: 1000 },
  // What plans hold comes before their runs: nothing may be added to a plan that is sealed.
  { name: 'envelopes', key: ['id'], page: 500 },
  { name: 'items', key: ['id'], page: 2000 },
  { name: 'bodies', key: ['item'], page: 500 },
  { name: 'things', key: ['thing', 'item'], page: 5000 },
  { name: 'kept_things', key: ['item'], page: 5000 },
  { name: 'item_rows', key: ['row', 'item'], page: 5000 },
  { name: 'batches', key: ['id'], page: 5000 },
  { name: 'batch_items', key: ['batch', 'item'], page: 5000 },
  { name: 'runs', key: ['id'], page: 200 },
  { name: 'plan_makers', key: ['run', 'who', 'did'], page: 1000 },
  { name: 'approvals', key: ['run', 'n'], page: 1000 },
  { name: 'plan_applications', key: ['run'], page: 1000 },
  { name: 'run_sums', key: ['run', 'slot'], page: 1000 },
  // An answer may hold megabytes.
  { name: 'lookups', key: ['run', 'key'], page: 10 },
  { name: 'warnings', key: ['run', 'n'], page: 1000 },
  { name: 'verdicts', key: ['row', 'n'], page: 1000 },
  { name: 'attempts', key: ['batch', 'attempt'], page: 500 },
  { name: 'outcomes', key: ['item'], page: 1000 },
  { name: 'records', key: ['item', 'n'], page: 500 },
  { name: 'given_ids', key: ['owner', 'id'], page: 5000 },
  { name: 'item_keys', key: ['scope', 'item_key'], page: 1000 },
  { name: 'resolutions', key: ['item', 'n'], page: 1000 },
  { name: 'undoings', key: ['row'], page: 5000 },
  { name: 'imports', key: ['id'], page: 500 },
  { name: 'correction_acts', key: ['import', 'n'], page: 1000 },
  { name: 'correction_cells', key: ['import', 'act', 'row', 'col'], page: 1000 },
  // Before the people: one that was lifted was lifted by whoever was an admin then.
  { name: 'host_policies', key: ['n'], page: 1000 },
  { name: 'people', key: ['id'], page: 1000 },
  { name: 'audit', key: ['n'], page: 1000 },
  { name: 'schedule_times', key: ['job', 'due'], page: 1000 },
  { name: 'schedule_pauses', key: ['job'], page: 1000 },
];
