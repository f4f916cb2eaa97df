import path from 'node:path';
import { message } from '../../errors/message.js';
import { loadConnections } from '../../job/connections.js';
import type { Ledger } from '../../ledger/contract/ledger.js';
import { openLedger, passwordVariables } from '../../ledger/open.js';
import type { ConsoleSettings } from '../../model/console.js';
import type { AppContext } from '../context.js';
import { removeLeft } from '../imports/own-folder.js';
import { ledgerLocation } from '../open.js';

/** What a console stands on. */
export interface ConsoleGround {
  readonly settings: ConsoleSettings;
  /** The folder of `license-sync.yaml`, else the current one: `jobs/` lies in it. */
  readonly home: string;
  /** Where the ledger is opened again; it may hold a password: never shown. */
  readonly address: string;
  /** The ledger, opened once; again where it can't be used any more. */
  readonly ledger: () => Promise<Ledger>;
  /** Something went wrong with it: it is tried before it is used again. */
  doubt(): void;
  close(): Promise<void>;
}

/** Opens what a console needs for as long as it is up; the ledger is made where there is none. */
export async function openConsole(context: AppContext): Promise<ConsoleGround> {
  const { cwd, env } = context;
  const { configFile, console } = await loadConnections(path.join(cwd, 'license-sync.yaml'), { env, cwd });
  const location = await ledgerLocation(context);
  const made = () => context.found?.(message('ledger.made', { location }));
  const keeper = new LedgerKeeper(() => openLedger(location, { made, note: context.found, older: 'wait' }));
  const { address, stateFolder } = await keeper.ledger();
  await removeLeft({ stateFolder });
  return {
    settings: console,
    home: configFile === undefined ? cwd : path.dirname(configFile),
    address,
    ledger: () => keeper.ledger(),
    doubt: () => keeper.doubt(),
    close: () => keeper.close(),
  };
}

/** The environment in which a child opens the ledger at this address as well. */
export function ledgerVariables(address: string): Promise<NodeJS.ProcessEnv> {
  return passwordVariables(address);
}

/** A SQLite ledger whose disk failed once is of no use any more, and a console goes on for weeks. */
class LedgerKeeper {
  readonly #open: () => Promise<Ledger>;
  #ledger: Promise<Ledger> | undefined;
  #doubted = false;

  constructor(open: () => Promise<Ledger>) {
    this.#open = open;
  }

  doubt(): void {
    this.#doubted = true;
  }

  ledger(): Promise<Ledger> {
    if (this.#ledger && !this.#doubted) return this.#ledger;
    const before = this.#ledger;
    const opening = this.#again(before);
    this.#ledger = opening;
    this.#doubted = false;
    // The next one who asks tries again.
    opening.catch(() => {
      if (this.#ledger === opening) this.#ledger = undefined;
    });
    return opening;
  }

  async #again(before: Promise<Ledger> | undefined): Promise<Ledger> {
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
