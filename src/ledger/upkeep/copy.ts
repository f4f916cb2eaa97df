import { basename } from 'node:path';
import { message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import type { Ledger } from '../contract/ledger.js';
import type { LedgerUpkeep, PutLines, TableValue } from '../contract/upkeep.js';
import { keptInputsOf } from '../inputs.js';
import { openLedger } from '../open.js';
import { NEEDS_PROCESS } from '../rules/run-states.js';

/** A table that is copied row by row. */
interface CopiedTable {
  readonly name: string;
  /** Unique columns by which its rows are ordered. */
  readonly key: readonly string[];
  /** Number of rows per read. */
  readonly page: number;
}

/**
 * All permanent tables, referenced ones first. Without temporary data (locks, workers, chunks, limits, uploads, proofs of
 * commits, the identity of the server), and without inputs and files of inboxes, which are copied separately.
 */
export const COPIED_TABLES: readonly CopiedTable[] = [
  { name: 'scopes', key: ['id'], page: 1000 },
  // The content of plans comes before their runs, because nothing may be added to a sealed plan.
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
  { name: 'step_seals', key: ['run', 'n'], page: 1000 },
  { name: 'step_shapes', key: ['run', 'first_row', 'n'], page: 1000 },
  { name: 'approvals', key: ['run', 'n'], page: 1000 },
  { name: 'plan_applications', key: ['run', 'plan_hash'], page: 1000 },
  { name: 'run_sums', key: ['run', 'slot'], page: 1000 },
  // A reply may have megabytes.
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
  // Before the users: a policy was lifted by a user who was an admin then.
  { name: 'host_policies', key: ['n'], page: 1000 },
  { name: 'people', key: ['id'], page: 1000 },
  { name: 'audit', key: ['n'], page: 1000 },
  { name: 'schedule_times', key: ['job', 'due'], page: 1000 },
  { name: 'schedule_pauses', key: ['job'], page: 1000 },
];

/** Number of copied rows by table, including inputs and files of inboxes. */
export interface CopiedLedger {
  /** Location of the copy, for users. */
  readonly location: string;
  readonly tables: readonly { readonly name: string; readonly rows: number }[];
}

interface CopyOptions {
  /** The real path of a file of an inbox. */
  readonly realFile: (file: string) => Promise<string>;
}

/**
 * Copies a ledger completely, or no run of it, into an empty one on a server, and closes the source.
 * @param to location of the copy
 * @throws ProductError usage when the target has runs, or a run of the source is in progress; internal when the counts differ
 */
export async function copyLedger(from: Ledger, to: string, options: CopyOptions): Promise<CopiedLedger> {
  for (const run of await resting(from)) {
    // Keys that a dead process had claimed ahead block no other run here, and must not block one in the copy.
    await from.execution.release(run);
  }
  const target = await openLedger(to);
  try {
    const { location, upkeep } = target;
    if (!upkeep.fill) throw new ProductError('usage', message('ledger.copy_to_file', { location }));
    await refuseRuns(target);
    // From here on no run of the source starts. If this process dies, the source stays closed.
    await from.guard.close(location);
    try {
      // Runs that started before it was closed may still receive replies.
      await resting(from);
      return await copyInto(target, from, options);
    } catch (error) {
      await from.guard.close(undefined);
      throw error;
    }
  } finally {
    await target.close();
  }
}

async function copyInto(target: Ledger, from: Ledger, options: CopyOptions): Promise<CopiedLedger> {
  const inputs = await copyInputs(from, target);
  const files = await copyPendingFiles(from, target, options.realFile);
  const tables: { name: string; rows: number }[] = [];
  await target.upkeep.fill?.(async (put) => {
    // This function runs again when the connection broke.
    tables.length = 0;
    await from.upkeep.atOnce(async (read) => {
      for (const table of COPIED_TABLES)
        tables.push({ name: table.name, rows: await copyTable(from, target, table, read, put) });
    });
  });
  await compare(target, tables);
  return {
    location: target.location,
    tables: [...tables, { name: 'inputs', rows: inputs }, { name: 'pending_files', rows: files }],
  };
}

/**
 * Runs that did not finish and that no process executes. Danger: requests sent during the copy would be missing there, and sent
 * again.
 * @throws ProductError usage when a run is being executed or is queued
 */
async function resting(from: Ledger): Promise<readonly string[]> {
  const found: string[] = [];
  for (const { id, job, scope, state } of await from.runs.list(Number.MAX_SAFE_INTEGER, 'steps too')) {
    if (state !== 'queued' && !NEEDS_PROCESS.includes(state)) continue;
    const queued = await from.queue?.runsInQueue(job, scope);
    const isInProgress =
      state === 'queued' || queued?.includes(id) || (await from.holder(job, scope)) !== undefined;
    if (isInProgress) throw new ProductError('usage', message('ledger.copy_going_on', { run: id }));
    found.push(id);
  }
  return found;
}

async function refuseRuns({ upkeep, location }: Ledger): Promise<void> {
  const [counted] = await upkeep.read<{ runs: number }>('SELECT count(*) AS runs FROM runs');
  const runs = counted?.runs ?? 0;
  if (runs > 0) throw new ProductError('usage', message('ledger.copy_not_empty', { location, runs }));
  // The copied audit must be the only chain.
  const [audit] = await upkeep.read<{ lines: number }>('SELECT count(*) AS lines FROM audit');
  const lines = audit?.lines ?? 0;
  if (lines > 0) throw new ProductError('usage', message('ledger.copy_has_audit', { location, lines }));
}

/** Copies in pages by key, so that memory is bounded. */
async function copyTable(
  from: Ledger,
  target: Ledger,
  { name, key, page }: (typeof COPIED_TABLES)[number],
  read: LedgerUpkeep['read'],
  put: PutLines,
): Promise<number> {
  const targetColumns = await target.upkeep.columns(name);
  const columns = [...(await from.upkeep.columns(name)).keys()].filter((it) => targetColumns.has(it));
  if (columns.length === 0) return 0;
  const quoted = (names: readonly string[]) => names.map((it) => `"${it}"`).join(', ');
  const after = `(${quoted(key)}) > (${key.map((_, at) => `$${at + 1}`).join(', ')})`;
  let last: readonly TableValue[] | undefined;
  for (let rows = 0; ; ) {
    const sql = `SELECT ${quoted(columns)} FROM ${name} ${last ? `WHERE ${after}` : ''} ORDER BY ${quoted(key)} LIMIT ${page}`;
    const found = await read<Record<string, TableValue>>(sql, last ?? []);
    const end = found.at(-1);
    if (!end) return rows;
    await put(
      name,
      columns,
      found.map((line) => columns.map((it) => line[it] ?? null)),
    );
    rows += found.length;
    last = key.map((it) => end[it] ?? null);
  }
}

/** Inputs of pruned runs were removed before. */
async function copyInputs(from: Ledger, target: Ledger): Promise<number> {
  const kept = new Set((await from.inputs.list()).map((it) => it.sha256));
  const named = (await from.runs.list(Number.MAX_SAFE_INTEGER)).flatMap(keptInputsOf);
  for (const { inputSha256, name, guessed, jobSha256, jobFile } of await from.imports.list(
    Number.MAX_SAFE_INTEGER,
  )) {
    named.push({ sha256: inputSha256, name });
    if (guessed) named.push({ sha256: jobSha256, name: basename(jobFile) });
  }
  let copied = 0;
  for (const input of named) {
    if (!kept.delete(input.sha256)) continue;
    const put = await target.inputs.put(input.name, from.inputs.bytes(input));
    if (put.sha256 !== input.sha256) {
      await target.inputs.remove(put.sha256);
      throw new ProductError('internal', message('ledger.copy_input_altered', { file: input.name }));
    }
    copied += 1;
  }
  return copied;
}

async function copyPendingFiles(
  from: Ledger,
  target: Ledger,
  realFile: CopyOptions['realFile'],
): Promise<number> {
  const all = await from.pendingFiles.list();
  for (const pending of all) await target.pendingFiles.remember(await realFile(pending.file), pending);
  return all.length;
}

async function compare(
  { upkeep, location }: Ledger,
  tables: readonly { readonly name: string; readonly rows: number }[],
): Promise<void> {
  for (const { name, rows } of tables) {
    if ((await upkeep.columns(name)).size === 0) continue;
    const [counted] = await upkeep.read<{ n: number }>(`SELECT count(*) AS n FROM ${name}`);
    if (counted?.n === rows) continue;
    const params = { location, table: name, rows, found: counted?.n ?? 0 };
    throw new ProductError('internal', message('ledger.copy_differs', params));
  }
}
