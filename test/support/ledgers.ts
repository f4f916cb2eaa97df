import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterEach, beforeEach, describe } from 'vitest';
import type { Ledger } from '../../src/ledger/contract/ledger.js';
import { openLedger } from '../../src/ledger/open.js';
import { madePostgresPlace } from './postgres/shared-server.js';

/** A place where ledgers of one kind can be made, opened again and thrown away. */
export interface LedgerPlace {
  /** By which the program opens it, too. */
  readonly address: string;
  /** An older schema is migrated. */
  open(): Promise<Ledger>;
  /** A statement of SQL past the ledger, with what it gives; values are in it. */
  ask<T>(sql: string): Promise<T[]>;
  /** What lies outside its folder. */
  remove(): Promise<void>;
}

export interface LedgerMaker {
  readonly name: string;
  /** Random histories to try, in place of so many; each statement of a server takes its way there and back. */
  readonly histories: (many: number) => number;
  /** A place of its own; what it keeps in files, it keeps in `state/` of the folder. */
  place(folder: string): Promise<LedgerPlace>;
}

/** The file of an empty ledger, and where its identity is in it. */
interface EmptyFile {
  readonly bytes: Buffer;
  readonly identityAt: number;
}

let empty: Promise<EmptyFile> | undefined;

async function emptyFile(): Promise<EmptyFile> {
  const folder = await mkdtemp(join(tmpdir(), 'ledger-empty-'));
  const file = join(folder, 'ledger.db');
  await (await openLedger(file)).close();
  const db = new DatabaseSync(file);
  const [{ id } = { id: '' }] = db.prepare('SELECT id FROM ledger_identity').all() as { id: string }[];
  db.close();
  const bytes = await readFile(file);
  await rm(folder, { recursive: true });
  return { bytes, identityAt: bytes.indexOf(id) };
}

/** A new ledger as a copy with another identity, which takes a quarter of the CPU that the migrations of a new file take. */
async function newLedger(): Promise<Buffer> {
  empty ??= emptyFile();
  const { bytes, identityAt } = await empty;
  const copy = Buffer.from(bytes);
  copy.write(randomBytes(16).toString('hex'), identityAt);
  return copy;
}

export const SQLITE: LedgerMaker = {
  name: 'SQLite',
  histories: (many) => many,
  async place(folder) {
    const address = join(folder, 'state', 'ledger.db');
    await mkdir(join(folder, 'state'), { mode: 0o700 });
    await writeFile(address, await newLedger(), { mode: 0o600 });
    return {
      address,
      open: () => openLedger(address),
      async ask<T>(sql: string) {
        const db = new DatabaseSync(address, { timeout: 5000 });
        try {
          return db.prepare(sql).all() as T[];
        } finally {
          db.close();
        }
      },
      remove: async () => {},
    };
  },
};

export const POSTGRES: LedgerMaker = {
  name: 'PostgreSQL',
  histories: (many) => Math.ceil(many / 6),
  place: async () => {
    const place = await madePostgresPlace(async (url) => (await openLedger(url)).close());
    const open = () => openLedger(place.url, { older: 'migrate' });
    return { address: place.url, open, ask: place.ask, remove: place.remove };
  },
};

/** Every kind of ledger. The suites of the contract and of faults run on each: a new kind is one more line. */
export const LEDGER_MAKERS: readonly LedgerMaker[] = [SQLITE, POSTGRES];

/**
 * The kind that other suites run on, which don't ask what keeps their runs: all of them can be run on a server, too
 * (`LEDGER=PostgreSQL npx vitest run test/run`).
 */
export const LEDGER_MAKER: LedgerMaker =
  LEDGER_MAKERS.find(({ name }) => name === process.env.LEDGER) ?? SQLITE;

/** A suite for every kind of ledger, with a fresh one for each test. */
export function describeLedger(name: string, suite: (here: LedgerInUse, maker: LedgerMaker) => void): void {
  for (const maker of LEDGER_MAKERS) describe(`${maker.name}: ${name}`, () => suite(useLedger(maker), maker));
}

export interface LedgerInUse {
  ledger: Ledger;
  /** Closes it and opens the same one again. */
  reopen(): Promise<void>;
  /** A second connection to the same ledger. */
  another(): Promise<Ledger>;
  /** A statement of SQL past the ledger, as anybody may try it. */
  ask<T>(sql: string): Promise<T[]>;
  /** Throws it away and makes a new one. */
  renew(): Promise<void>;
}

/** A fresh ledger for each test of the suite. */
export function useLedger(maker: LedgerMaker): LedgerInUse {
  let folder: string;
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
    ask: (sql) => place.ask(sql),
    async renew() {
      await remove();
      await make();
    },
  };
  const make = async (): Promise<void> => {
    folder = await mkdtemp(join(tmpdir(), 'ledger-'));
    place = await maker.place(folder);
    opened = [];
    inUse.ledger = await open();
  };
  const remove = async (): Promise<void> => {
    for (const ledger of opened) await ledger.close();
    await place.remove();
    await rm(folder, { recursive: true, force: true });
  };
  beforeEach(make);
  afterEach(remove);
  return inUse;
}
