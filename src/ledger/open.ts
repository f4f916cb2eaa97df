import { stat } from 'node:fs/promises';
import path from 'node:path';
import { type Message, message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import { type Clock, systemClock } from '../util/clock.js';
import { accessOf, type LedgerChoice, placeOfAddress, refuseAddress } from '../util/ledger-place.js';
import { isPostgresUrl } from '../util/postgres-url.js';
import { shellWord } from '../util/shell-word.js';
import type { Ledger } from './contract/ledger.js';
import type { RestoreState } from './contract/sending-guard.js';
import type { MigratedSchema, MigrationObserver } from './contract/upkeep.js';
import type { InspectedServer, OlderSchema } from './postgres/connect.js';

interface OpenOptions {
  /** Told when there was none before. */
  readonly made?: (() => void) | undefined;
  /** Stamps what the ledger finds out by itself: attempts of dead processes, runs that are pruned. */
  readonly clock?: Clock;
  /** Told what was taken in that lay on this machine, and at closing what lies there now. */
  readonly note?: ((it: Message) => unknown) | undefined;
  /** What happens to a schema on a server that is older than the program's; `refuse` if absent. */
  readonly older?: OlderSchema | undefined;
  /** A ledger that was closed is opened to write to it, too. */
  readonly evenClosed?: boolean;
  /** Told of a schema that was migrated; `note` is, if absent. */
  readonly migrated?: MigrationObserver;
}

/**
 * Opens a ledger to write to it, making it when it isn't there. An older file is migrated after a copy was saved.
 * @param address an absolute path or a server's URL, as `ledgerPlace` and `Ledger.address` give it; another is refused
 * @throws ProductError usage for a place that can't be used or that is in use; internal for a ledger that is corrupt,
 *   newer than the program, or not a ledger (nothing is changed then).
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
  const ledger = await openSqliteLedger(address, clock, {
    kind: 'migrate',
    migrated: migratedOf(address, options),
  });
  if (isNew) made();
  return notClosed(ledger, options);
}

/** @throws ProductError usage for a ledger that was closed when it was copied */
async function notClosed(ledger: Ledger, { evenClosed }: OpenOptions): Promise<Ledger> {
  const to = evenClosed ? undefined : await ledger.guard.closedTo();
  if (to === undefined) return ledger;
  const { location } = ledger;
  await ledger.close();
  throw new ProductError('usage', message('ledger.closed', { location, to }));
}

/**
 * Opens a ledger that is there: undefined where there is none, and nothing is made then, no folder either.
 * @param options `writes`: an older file is migrated after a copy was saved; who only reads changes nothing
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
  return migrated ?? ((it) => note?.(migratedMessage(location, it)));
}

export function migratedMessage(location: string, { copy, ...versions }: MigratedSchema): Message {
  return copy === undefined
    ? message('ledger.migrated', { location, ...versions })
    : message('ledger.migrated_file', { location, copy, ...versions });
}

/**
 * Looks at an existing ledger without changing it.
 * @returns the names of all that it keeps in its folder, and whether it has all that this user has seen in it
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
 * Looks at the server of a ledger without changing anything.
 * @throws ProductError as `openLedger` does.
 */
export async function inspectServer(address: string, env: NodeJS.ProcessEnv): Promise<InspectedServer> {
  const { inspectPostgresLedger } = await import('./postgres/ledger.js');
  return inspectPostgresLedger(placeOfAddress(address), systemClock, env);
}

/** Variables by which a process of one's own finds the password of a ledger: never its arguments. */
export async function passwordVariables(address: string): Promise<NodeJS.ProcessEnv> {
  if (!isPostgresUrl(address)) return {};
  const { passwordOf } = await import('./postgres/password.js');
  const password = await passwordOf(accessOf(address));
  return password === undefined ? {} : { PGPASSWORD: password };
}

/** A file that can't be looked at counts as there: opening it says what is wrong with it. */
async function isThere(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    (error: NodeJS.ErrnoException) => error.code !== 'ENOENT' && error.code !== 'ENOTDIR',
  );
}

/** The place of the ledger that is used; it need not exist. */
export interface LocatedLedger {
  readonly place: string;
  /** It is not where ledgers are looked for. */
  readonly warning?: Message;
}

/** Decides between the place where ledgers are looked for and a ledger that 0.1 left in the current folder. */
export async function locateLedger({ place, former }: LedgerChoice): Promise<LocatedLedger> {
  if (former === undefined || !(await isOf01(former))) return { place };
  const [folder, target] = [former, place].map((it) => shellWord(path.dirname(it)));
  return {
    place: former,
    warning: message('ledger.in_current_folder', { location: former, folder: folder!, target: target! }),
  };
}

/** Whether a ledger contains runs as only 0.1 kept them. One that cannot be read counts: opening it reports why. */
async function isOf01(file: string): Promise<boolean> {
  const { keepsJobsOfOtherFolders } = await import('./sqlite/connect.js');
  try {
    return keepsJobsOfOtherFolders(file);
  } catch {
    return true;
  }
}
