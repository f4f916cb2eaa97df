import { basename } from 'node:path';
import { message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import type { Ledger } from '../contract/ledger.js';
import type { LedgerUpkeep, PutLines, TableValue } from '../contract/upkeep.js';
import { keptInputsOf } from '../inputs.js';
import { openLedger } from '../open.js';
import { NEEDS_PROCESS } from '../rules/run-states.js';
import { COPIED_TABLES } from './copied-tables.js';

/** What was copied, by table; inputs and files of inboxes among them. */
export interface CopiedLedger {
  /** For people: where the copy lies. */
  readonly location: string;
  readonly tables: readonly { readonly name: string; readonly rows: number }[];
}

interface CopyOptions {
  /** How a file of an inbox is known, whichever way its folder is reached. */
  readonly realFile: (file: string) => Promise<string>;
}

/**
 * Copies all of a ledger into an empty one on a server, and closes it: there is all of it when this resolves, or no run.
 * @param to its place
 * @throws ProductError usage where the other has runs, or one of this goes on; internal where the counts differ
 */
export async function copyLedger(from: Ledger, to: string, options: CopyOptions): Promise<CopiedLedger> {
  await refuseGoingOn(from);
  const target = await openLedger(to);
  try {
    const { location, upkeep } = target;
    if (!upkeep.fill) throw new ProductError('usage', message('ledger.copy_to_file', { location }));
    await refuseRuns(target);
    // From here on nothing begins there; a process that dies in the middle leaves it closed.
    await from.guard.close(location);
    try {
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
    // Carried out again when the connection broke.
    tables.length = 0;
    await from.upkeep.atOnce(async (read) => {
      for (const table of COPIED_TABLES) {
        tables.push({ name: table.name, rows: await copyTable(from, target, table, read, put) });
      }
    });
    await refuseSentSince(from, tables);
  });
  await compare(target, tables);
  return {
    location: target.location,
    tables: [...tables, { name: 'inputs', rows: inputs }, { name: 'pending_files', rows: files }],
  };
}

/** What somebody sends at this moment would be missing there, and sent again. */
async function refuseGoingOn(from: Ledger): Promise<void> {
  for (const { id, job, scope, state } of await from.runs.list(Number.MAX_SAFE_INTEGER, 'steps too')) {
    if (state !== 'queued' && !NEEDS_PROCESS.includes(state)) continue;
    const carried = await from.queue?.carrying(job, scope);
    const going =
      state === 'queued' || carried?.includes(id) || (await from.holder(job, scope)) !== undefined;
    if (going) throw new ProductError('usage', message('ledger.copy_going_on', { run: id }));
    // Keys that a dead process had claimed ahead hold nobody back here, and must not there.
    await from.execution.release(id);
  }
}

/** The same of what was begun while it was copied; nothing of the copy is kept then. */
async function refuseSentSince(
  from: Ledger,
  tables: readonly { readonly name: string; readonly rows: number }[],
): Promise<void> {
  await refuseGoingOn(from);
  const [counted] = await from.upkeep.read<{ n: number }>('SELECT count(*) AS n FROM attempts');
  if (counted?.n === tables.find((it) => it.name === 'attempts')?.rows) return;
  const run = (await from.runs.last())?.id ?? '-';
  throw new ProductError('usage', message('ledger.copy_going_on', { run }));
}

async function refuseRuns({ upkeep, location }: Ledger): Promise<void> {
  const [counted] = await upkeep.read<{ runs: number }>('SELECT count(*) AS runs FROM runs');
  const runs = counted?.runs ?? 0;
  if (runs > 0) throw new ProductError('usage', message('ledger.copy_not_empty', { location, runs }));
  // Its chain begins elsewhere.
  const [told] = await upkeep.read<{ lines: number }>('SELECT count(*) AS lines FROM audit');
  const lines = told?.lines ?? 0;
  if (lines > 0) throw new ProductError('usage', message('ledger.copy_has_audit', { location, lines }));
}

/** In pages by key, so that none of it is ever whole in memory. */
async function copyTable(
  from: Ledger,
  target: Ledger,
  { name, key, page }: (typeof COPIED_TABLES)[number],
  read: LedgerUpkeep['read'],
  put: PutLines,
): Promise<number> {
  const there = await target.upkeep.columns(name);
  const columns = [...(await from.upkeep.columns(name)).keys()].filter((it) => there.has(it));
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

/** Those of pruned runs are gone already. */
async function copyInputs(from: Ledger, target: Ledger): Promise<number> {
  const kept = new Set((await from.inputs.list()).map((it) => it.sha256));
  const named = (await from.runs.list(Number.MAX_SAFE_INTEGER)).flatMap(keptInputsOf);
  for (const it of await from.imports.list(Number.MAX_SAFE_INTEGER)) {
    named.push({ sha256: it.inputSha256, name: it.name });
    if (it.guessed) named.push({ sha256: it.jobSha256, name: basename(it.jobFile) });
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
  for (const it of all) await target.pendingFiles.remember(await realFile(it.file), it);
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
