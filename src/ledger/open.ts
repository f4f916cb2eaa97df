import { stat } from 'node:fs/promises';
import path from 'node:path';
import { type Message, message } from '../errors/message.js';
import { type Clock, systemClock } from '../util/clock.js';
import {
  accessOf,
  isPostgresUrl,
  type LedgerChoice,
  passwordOf,
  placeOfAddress,
  refuseAddress,
} from '../util/ledger-address.js';
import { shellWord } from '../util/process.js';
import type { Ledger } from './contract/ledger.js';
import type { RestoreState } from './contract/sending-guard.js';
import type { MigratedSchema, MigrationObserver } from './contract/upkeep.js';
import { LedgerClosed } from './ledger-errors.js';
import type { InspectedServer } from './postgres/connect.js';
import type { OlderSchema } from './postgres/migrate.js';

interface OpenOptions {
  /** Called when the ledger was created. */
  readonly made?: (() => void) | undefined;
  /** The time of events recorded by the ledger itself: ends of attempts of dead processes, pruning. */
  readonly clock?: Clock;
  /** Receives notes: replies imported from this machine, replies kept on it at the end, and waits for the server or a lock. */
  readonly note?: ((note: Message) => unknown) | undefined;
  /** What happens to a schema on a server that is older than the program's; `refuse` if absent. */
  readonly older?: OlderSchema | undefined;
  /** Open a closed ledger for writing, too. */
  readonly evenClosed?: boolean;
  /** Called after a migration of the schema; default: `note` receives a message. */
  readonly migrated?: MigrationObserver;
}

/**
 * Opens a ledger for writing, creating it if necessary. An older file is migrated after a copy was saved.
 * @param address an absolute path or a server's URL, as returned by `ledgerPlace` and `Ledger.address`; others are refused
 * @throws ProductError usage for a location that can't be used or is in use; internal for a ledger that is corrupt, newer than
 *   the program, or not a ledger (nothing is changed then).
 */
export async function openLedger(address: string, options: OpenOptions = {}): Promise<Ledger> {
  const { made, clock = systemClock } = options;
  if (isPostgresUrl(address)) {
    const ledger = await openOnServer(address, { ...options, make: true });
    if (ledger) return notClosed(ledger, options);
  }
  refuseAddress(address);
  const isNew = made !== undefined && !(await isThere(address));
  // Loaded only when used: commands that need no ledger start faster without the database.
  const { openSqliteLedger } = await import('./sqlite/ledger.js');
  const older = { kind: 'migrate', migrated: migratedOf(address, options) } as const;
  const ledger = await openSqliteLedger(address, clock, older, options.note);
  if (isNew) made();
  return notClosed(ledger, options);
}

/** @throws ProductError usage for a ledger that was closed when it was copied */
async function notClosed(ledger: Ledger, { evenClosed }: OpenOptions): Promise<Ledger> {
  const to = evenClosed ? undefined : await ledger.guard.closedTo();
  if (to === undefined) return ledger;
  const { location } = ledger;
  await ledger.close();
  throw new LedgerClosed(location, to);
}

/**
 * Opens an existing ledger. Returns undefined if there is none; nothing is created then, not even a folder.
 * @param options `writes`: an older file is migrated after a copy was saved; otherwise nothing is changed
 * @throws ProductError as `openLedger` does; usage for an older schema.
 */
export async function openExistingLedger(
  address: string,
  options: Omit<OpenOptions, 'made'> & { readonly writes?: boolean } = {},
): Promise<Ledger | undefined> {
  if (isPostgresUrl(address)) {
    const ledger = await openOnServer(address, { ...options, make: false });
    return ledger && options.writes ? notClosed(ledger, options) : ledger;
  }
  refuseAddress(address);
  if (!(await isThere(address))) return undefined;
  if (options.writes) return openLedger(address, options);
  const { openSqliteLedger } = await import('./sqlite/ledger.js');
  return openSqliteLedger(address, options.clock ?? systemClock, { kind: 'refuse' });
}

async function openOnServer(
  url: string,
  options: OpenOptions & { readonly make: boolean },
): Promise<Ledger | undefined> {
  const place = placeOfAddress(url);
  const { openPostgresLedger } = await import('./postgres/ledger.js');
  const { clock = systemClock, older = 'refuse' } = options;
  return openPostgresLedger(place, clock, { ...options, older, migrated: migratedOf(place, options) });
}

function migratedOf(location: string, { migrated, note }: OpenOptions): MigrationObserver {
  return migrated ?? ((schema) => note?.(migratedMessage(location, schema)));
}

export function migratedMessage(location: string, { copy, ...versions }: MigratedSchema): Message {
  return copy === undefined
    ? message('ledger.migrated', { location, ...versions })
    : message('ledger.migrated_file', { location, copy, ...versions });
}

/**
 * Inspects an existing ledger without changing it.
 * @returns the names of its files in its folder, and whether it has all records that this user has seen in it
 * @throws ProductError as `openLedger` does.
 */
export async function inspectLedger(
  address: string,
  env: NodeJS.ProcessEnv,
): Promise<{
  readonly kept: readonly string[];
  readonly restored: RestoreState | undefined;
  readonly older?: Message;
}> {
  const { inspect } = await import('./sqlite/connect.js');
  const found = inspect(address);
  const { restoreStateOf } = await import('./sqlite/ledger.js');
  return { ...found, restored: await restoreStateOf(address, systemClock, env) };
}

/**
 * Inspects the server of a ledger without changing anything.
 * @throws ProductError as `openLedger` does.
 */
export async function inspectServer(address: string, env: NodeJS.ProcessEnv): Promise<InspectedServer> {
  const { inspectPostgresLedger } = await import('./postgres/ledger.js');
  return inspectPostgresLedger(placeOfAddress(address), systemClock, env);
}

/** Environment variables that pass a ledger's password to a child process. Never pass it in arguments. */
export async function passwordVariables(address: string): Promise<NodeJS.ProcessEnv> {
  if (!isPostgresUrl(address)) return {};
  const password = await passwordOf(accessOf(address));
  return password === undefined ? {} : { PGPASSWORD: password };
}

/** An inaccessible file is treated as existing: opening it reports the error. */
async function isThere(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    (error: NodeJS.ErrnoException) => error.code !== 'ENOENT' && error.code !== 'ENOTDIR',
  );
}

/** The location of the ledger to use; it need not exist. */
export interface LocatedLedger {
  readonly place: string;
  /** The ledger, or an older one, is not at the expected location. */
  readonly warning?: Message;
}

/**
 * Chooses between the expected location and a ledger that version 0.1 left in the current folder. That one is used only while
 * there is no other; otherwise the warning reports that it is not read.
 */
export async function locateLedger({ place, former }: LedgerChoice): Promise<LocatedLedger> {
  if (former === undefined || !(await isOf01(former))) return { place };
  const [folder, target] = [former, place].map((it) => shellWord(path.dirname(it))) as [string, string];
  if (await isThere(place)) {
    const params = { location: place, former: shellWord(former), folder };
    return { place, warning: message('ledger.former_not_read', params) };
  }
  // The target folder exists without a ledger, so the files are moved into it.
  const moved = (await isThere(path.dirname(place))) ? `${folder}/*` : folder;
  return {
    place: former,
    warning: message('ledger.in_current_folder', { location: former, folder: moved, target }),
  };
}

/** Whether a ledger contains runs in the form of 0.1. True if it can't be read: opening it reports the error. */
async function isOf01(file: string): Promise<boolean> {
  const { keepsJobsOfOtherFolders } = await import('./sqlite/connect.js');
  try {
    return keepsJobsOfOtherFolders(file);
  } catch {
    return true;
  }
}
