import path from 'node:path';
import { message } from '../../errors/message.js';
import { loadConnections } from '../../job/connections.js';
import type { Ledger } from '../../ledger/contract/ledger.js';
import { openLedger, passwordVariables } from '../../ledger/open.js';
import type { ConsoleSettings } from '../../model/console.js';
import type { AppContext } from '../context.js';
import { removeAbandoned } from '../imports/upload.js';
import { ledgerLocation } from '../with-ledger.js';

/** Settings and ledger of a console. */
export interface ConsoleEnvironment {
  readonly settings: ConsoleSettings;
  /** The folder of `license-sync.yaml`, otherwise the current one. It contains `jobs/`. */
  readonly home: string;
  /** The ledger's address for child processes. It may contain a password and must not be shown. */
  readonly address: string;
  /** The ledger. Opened once, and again if it has failed. */
  readonly ledger: () => Promise<Ledger>;
  /** Called after an unexpected error: the ledger is tested before its next use. */
  markLedgerSuspect(): void;
  close(): Promise<void>;
}

/** Opens the environment of a console. The ledger is created if there is none. */
export async function openConsole(context: AppContext): Promise<ConsoleEnvironment> {
  const { cwd, env } = context;
  const { configFile, console } = await loadConnections(undefined, { env, cwd });
  const location = await ledgerLocation(context);
  const made = () => context.found?.(message('ledger.made', { location }));
  const holder = new LedgerHolder(() => openLedger(location, { made, note: context.found, older: 'wait' }));
  const { address, stateFolder } = await holder.ledger();
  await removeAbandoned({ stateFolder });
  return {
    settings: console,
    home: configFile === undefined ? cwd : path.dirname(configFile),
    address,
    ledger: () => holder.ledger(),
    markLedgerSuspect: () => holder.markSuspect(),
    close: () => holder.close(),
  };
}

/** Environment variables with which a child process can open the ledger at this address. */
export function ledgerVariables(address: string): Promise<NodeJS.ProcessEnv> {
  return passwordVariables(address);
}

/** Reopens a ledger that failed: a SQLite connection stays unusable after a disk error, and a console runs for weeks. */
class LedgerHolder {
  readonly #open: () => Promise<Ledger>;
  #ledger: Promise<Ledger> | undefined;
  #isSuspect = false;

  constructor(open: () => Promise<Ledger>) {
    this.#open = open;
  }

  markSuspect(): void {
    this.#isSuspect = true;
  }

  ledger(): Promise<Ledger> {
    if (this.#ledger && !this.#isSuspect) return this.#ledger;
    const before = this.#ledger;
    const opening = this.#reopen(before);
    this.#ledger = opening;
    this.#isSuspect = false;
    // The next call tries again.
    opening.catch(() => {
      if (this.#ledger === opening) this.#ledger = undefined;
    });
    return opening;
  }

  async #reopen(before: Promise<Ledger> | undefined): Promise<Ledger> {
    const ledger = await before?.catch(() => undefined);
    if (!ledger) return this.#open();
    try {
      await ledger.people.list();
      return ledger;
    } catch {
      await ledger.close().catch(() => {});
      return this.#open();
    }
  }

  async close(): Promise<void> {
    const ledger = await this.#ledger?.catch(() => undefined);
    this.#ledger = undefined;
    await ledger?.close();
  }
}
