import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import type { Ledger } from '../../src/ledger/contract/ledger.js';
import { openLedger } from '../../src/ledger/open.js';

/** A place where ledgers of one kind can be made, opened again and thrown away. */
export interface LedgerPlace {
  open(): Promise<Ledger>;
  remove(): Promise<void>;
}

export interface LedgerMaker {
  readonly name: string;
  place(): Promise<LedgerPlace>;
}

/** Every kind of ledger; the contract's suites run on each. */
export const LEDGER_MAKERS: readonly LedgerMaker[] = [{ name: 'SQLite', place: sqlitePlace }];

async function sqlitePlace(): Promise<LedgerPlace> {
  const folder = await mkdtemp(join(tmpdir(), 'ledger-'));
  return {
    open: () => openLedger(join(folder, 'state', 'ledger.db')),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

export interface LedgerInUse {
  ledger: Ledger;
  /** Closes it and opens the same one again. */
  reopen(): Promise<void>;
  /** A second connection to the same ledger. */
  another(): Promise<Ledger>;
  /** Throws it away and makes a new one. */
  renew(): Promise<void>;
}

/** A fresh ledger for each test of the suite. */
export function useLedger(maker: LedgerMaker): LedgerInUse {
  let place: LedgerPlace;
  let opened: Ledger[] = [];
  const open = async (): Promise<Ledger> => {
    const ledger = await place.open();
    opened.push(ledger);
    return ledger;
  };
  const inUse: LedgerInUse = {
    ledger: undefined as unknown as Ledger,
    async reopen() {
      await inUse.ledger.close();
      inUse.ledger = await open();
    },
    another: open,
    async renew() {
      await remove();
      await make();
    },
  };
  const make = async (): Promise<void> => {
    place = await maker.place();
    opened = [];
    inUse.ledger = await open();
  };
  const remove = async (): Promise<void> => {
    for (const ledger of opened) await ledger.close();
    await place.remove();
  };
  beforeEach(make);
  afterEach(remove);
  return inUse;
}
