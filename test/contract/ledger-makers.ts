import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MessageChannel } from 'node:worker_threads';
import { afterEach, beforeEach } from 'vitest';
import type { Ledger } from '../../src/ledger/contract.js';
import { openLedger } from '../../src/ledger/open.js';
import type { Answered } from '../../src/ledger/thread/calls.js';
import { RemoteLedger } from '../../src/ledger/thread/remote.js';
import { serveLedger } from '../../src/ledger/thread/serve.js';

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
export const LEDGER_MAKERS: readonly LedgerMaker[] = [
  { name: 'SQLite', place: () => sqlitePlace(openLedger) },
  {
    name: 'SQLite behind a port',
    place: () => sqlitePlace(async (file) => behindPort(await openLedger(file))),
  },
];

async function sqlitePlace(open: (file: string) => Promise<Ledger>): Promise<LedgerPlace> {
  const folder = await mkdtemp(join(tmpdir(), 'ledger-'));
  return {
    open: () => open(join(folder, 'state', 'ledger.db')),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** As from another thread: all that goes in and comes out is copied. */
export function behindPort(ledger: Ledger): Ledger {
  const { port1, port2 } = new MessageChannel();
  serveLedger(ledger, port2);
  const remote = new RemoteLedger(ledger.location, port1, async () => port1.close());
  port1.on('message', (answers: readonly Answered[]) => remote.receive(answers));
  return remote;
}

export interface LedgerInUse {
  ledger: Ledger;
  /** Closes it and opens the same one again. */
  reopen(): Promise<void>;
  /** A second connection to the same ledger. */
  another(): Promise<Ledger>;
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
  };
  beforeEach(async () => {
    place = await maker.place();
    opened = [];
    inUse.ledger = await open();
  });
  afterEach(async () => {
    for (const ledger of opened) await ledger.close();
    await place.remove();
  });
  return inUse;
}
