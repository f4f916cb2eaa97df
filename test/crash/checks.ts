import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ProductError } from '../../src/errors/product-error.js';
import type { Ledger } from '../../src/ledger/contract/ledger.js';
import type { RunState } from '../../src/ledger/contract/runs.js';
import { openExistingLedger } from '../../src/ledger/open.js';
import type { ExecutedOrder } from '../../src/platform/simulated/order-book.js';
import { must } from '../support/accounts.js';
import { readSheet } from '../support/read-sheet.js';
import type { Scenario } from './scenario.js';

/** On a loaded machine; the program itself waits for half a minute. */
const SERVER_STARTS_MS = 90_000;

export const OLD_RESULT = 'the result of another day';

/** Of a ledger on a server that may just be being started again. */
async function opened(address: string): Promise<Ledger | undefined> {
  for (const until = Date.now() + SERVER_STARTS_MS; ; ) {
    try {
      return await openExistingLedger(address);
    } catch (error) {
      if (!(error instanceof ProductError && error.code === 'ledger.server_unreachable')) throw error;
      if (Date.now() > until) throw error;
      await sleep(100);
    }
  }
}

/** Where the last run of a ledger stands; `none`: it was killed before it was in the ledger. */
export async function stateOf(address: string): Promise<RunState | 'none'> {
  const ledger = await opened(address);
  try {
    return (await ledger?.runs.last(['run']))?.state ?? 'none';
  } finally {
    await ledger?.close();
  }
}

/** The result file is the old one, byte by byte, or a whole new one, or was never there. */
export async function checkResultWhole(file: string, { orders, oldResult }: Scenario): Promise<void> {
  const bytes = await readFile(file).catch(() => undefined);
  if (bytes === undefined) must(!oldResult, 'the old result must not be gone');
  else if (bytes.toString('latin1') !== OLD_RESULT) {
    const lines = await readSheet(file);
    must(lines.length === orders, 'a result file must be whole:', { lines: lines.length, orders });
  }
}

/** How many orders were executed although they had been before. */
export function repeatsIn(carried: readonly ExecutedOrder[]): number {
  return carried.length - new Set(carried.map((it) => it.assetNums.join())).size;
}

/** What may be left in the folders after a run that ended: nothing temporary, nothing unheard of. */
const EXPECTED = [
  /^job\.yaml$/,
  /^orders\.csv$/,
  /^results\/(again|out)\.(xlsx|csv)$/,
  /^\.license-sync\/ledger\.db(-wal|-shm)?$/,
  /^\.license-sync\/inputs\/[0-9a-f]{64}\/orders\.csv$/,
  /^\.license-sync\/result-notes\/[0-9a-f]{32}\.json$/,
  // With the note and the journal of a process that was killed while it held the lock: the lock died with it.
  /^\.license-sync\/locks\/[0-9a-f]{32}\.(lock|lock-journal|json)$/,
];

export async function checkNothingLeft(folder: string): Promise<void> {
  const strays = (await filesIn(folder)).filter((file) => !EXPECTED.some((it) => it.test(file)));
  must(strays.length === 0, 'no temporary file may be left after the resume:', strays);
}

/** A process that came to its own end has let go of its lock, and took with it what a killed one had left of it. */
export async function checkUnlocked(folder: string): Promise<void> {
  const left = (await filesIn(folder)).filter((it) => /^\.license-sync\/locks\/.*(?<!\.lock)$/.test(it));
  must(left.length === 0, 'a run that ended may leave nothing of its lock:', left);
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((it) => !it.isDirectory())
    .map((it) => path.relative(folder, path.join(it.parentPath, it.name)));
}
