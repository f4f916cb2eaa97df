import path from 'node:path';
import { message } from '../errors/message.js';
import { loadConnections } from '../job/connections.js';
import type { Ledger } from '../ledger/contract/ledger.js';
import { openLedger, passwordVariables } from '../ledger/open.js';
import type { AppContext } from './context.js';
import { ledgerLocation } from './open.js';

/** What `console:` of `license-sync.yaml` says. */
export interface ConsoleSettings {
  /** How long somebody stays signed in, in milliseconds. */
  readonly sessionAgeMs: number;
  /** Bytes of an uploaded file, at most. */
  readonly uploadLimit: number;
}

/** What a console stands on. */
export interface ConsoleGround {
  readonly settings: ConsoleSettings;
  /** The folder of `license-sync.yaml`, else the current one: `jobs/` lies in it. */
  readonly home: string;
  /** Where the ledger is opened again; it may hold a password: never shown. */
  readonly address: string;
  /** The ledger, opened once and again where it was lost. */
  readonly ledger: () => Promise<Ledger>;
  close(): Promise<void>;
}

const HOUR_MS = 3_600_000;
const MIB = 1_048_576;

/** Opens what a console needs for as long as it is up; the ledger is made where there is none. */
export async function openConsole(context: AppContext): Promise<ConsoleGround> {
  const { cwd, env } = context;
  const { configFile } = await loadConnections(path.join(cwd, 'license-sync.yaml'), { env, cwd });
  const location = await ledgerLocation(context);
  const keeper = new LedgerKeeper(() =>
    openLedger(location, {
      made: () => context.found?.(message('ledger.made', { location })),
      note: context.found,
    }),
  );
  const { address } = await keeper.ledger();
  return {
    settings: { sessionAgeMs: 12 * HOUR_MS, uploadLimit: 100 * MIB },
    home: configFile === undefined ? cwd : path.dirname(configFile),
    address,
    ledger: () => keeper.ledger(),
    close: () => keeper.close(),
  };
}

/** The environment in which a child opens the ledger at this address as well. */
export function ledgerVariables(address: string): Promise<NodeJS.ProcessEnv> {
  return passwordVariables(address);
}

class LedgerKeeper {
  readonly #open: () => Promise<Ledger>;
  #ledger: Promise<Ledger> | undefined;

  constructor(open: () => Promise<Ledger>) {
    this.#open = open;
  }

  ledger(): Promise<Ledger> {
    if (this.#ledger) return this.#ledger;
    const opening = this.#open();
    this.#ledger = opening;
    // The next one who asks tries again.
    opening.catch(() => {
      if (this.#ledger === opening) this.#ledger = undefined;
    });
    return opening;
  }

  async close(): Promise<void> {
    const ledger = await this.#ledger?.catch(() => undefined);
    this.#ledger = undefined;
    await ledger?.close();
  }
}
