import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { Database } from '../../../src/ledger/postgres/database.js';
import { PostgresInputStore } from '../../../src/ledger/postgres/inputs.js';

const ROOM = 10_000;

/** What the statements of inputs come to, without a server. */
function imaginaryDatabase(): Database & { readonly pieces: number } {
  const inputs = new Map<string, { bytes: number; pieces: Uint8Array[] }>();
  let pieces = 0;
  const db = {
    get pieces() {
      return pieces;
    },
    location: 'postgres://imaginary',
    transaction: (work: (tx: unknown) => unknown) => work(db),
    async get(sql: string, [sha256, second, bytes]: [string, unknown, number]) {
      const known = inputs.get(sha256);
      if (sql.includes('INSERT')) {
        if (!known) inputs.set(sha256, { bytes, pieces: [] });
        return { isNew: known ? 0 : 1 };
      }
      if (!sql.includes('input_pieces')) return known;
      pieces += 1;
      return known?.pieces[second as number] && { bytes: known.pieces[second as number] };
    },
    async run(sql: string, [sha256, , bytes]: [string, number, Uint8Array]) {
      if (sql.includes('INSERT')) inputs.get(sha256)!.pieces.push(Buffer.from(bytes));
      else inputs.delete(sha256);
      return 1;
    },
  };
  return db as unknown as Database & { readonly pieces: number };
}

async function* sheet(n: number): AsyncGenerator<Uint8Array> {
  yield Buffer.from(`${n}`.padEnd(4000, '.'));
}

describe('local copies of inputs that lie on a server', () => {
  const db = imaginaryDatabase();
  const inputs = new PostgresInputStore(db, { now: () => 0 } as never, ROOM);

  afterEach(() => inputs.close());

  it('that are not read are kept while there is space, the latest first; what is read stays', async () => {
    const kept = [];
    for (let n = 0; n < 20; n += 1) kept.push(await inputs.put(`${n}.csv`, sheet(n)));
    const places = await Promise.all(kept.map((it) => inputs.file(it)));
    expect(places.filter((it) => existsSync(it!))).toHaveLength(20);
    for (const it of kept.slice(0, 15)) await inputs.release(it);
    const there = places.map((it) => existsSync(it!));
    expect(there).toEqual(places.map((_, n) => n >= 13));
    // One that is there is not fetched again, one that has gone is.
    const before = db.pieces;
    expect(await inputs.file(kept[14]!)).toBe(places[14]);
    expect(db.pieces).toBe(before);
    expect(await readFile((await inputs.file(kept[2]!))!, 'utf8')).toMatch(/^2\.+$/);
    expect(db.pieces).toBe(before + 1);
  });

  it('that two read go when both have let go', async () => {
    const one = await inputs.put('one.csv', sheet(100));
    const place = (await inputs.file(one))!;
    await inputs.file(one);
    await inputs.release(one);
    for (let n = 101; n < 110; n += 1) await inputs.put(`${n}.csv`, sheet(n));
    expect(existsSync(place)).toBe(true);
    await inputs.release(one);
    for (let n = 111; n < 120; n += 1) await inputs.put(`${n}.csv`, sheet(n));
    expect(existsSync(place)).toBe(false);
    const folder = path.dirname(path.dirname(place));
    await inputs.close();
    expect(existsSync(folder)).toBe(false);
  });

  it('are there for a process that asks while they are being removed', async () => {
    const roomless = new PostgresInputStore(db, { now: () => 0 } as never, 0);
    const input = await roomless.put('one.csv', sheet(200));
    const folder = path.dirname((await roomless.file(input))!);
    // So that it takes a while.
    await Promise.all(Array.from({ length: 1000 }, (_, n) => writeFile(path.join(folder, `${n}`), '')));
    const [, place] = await Promise.all([roomless.release(input), roomless.file(input)]);
    expect(existsSync(place!)).toBe(true);
    await roomless.close();
  });

  it('of a process that was killed go with the next ledger that is closed, though that needs no input', async () => {
    const dead = spawnSync(process.execPath, ['-e', '']).pid;
    const left = await mkdtemp(path.join(tmpdir(), `license-sync-inputs-${dead}-`));
    const own = await mkdtemp(path.join(tmpdir(), `license-sync-inputs-${process.pid}-`));
    await new PostgresInputStore(db, { now: () => 0 } as never, ROOM).close();
    expect([left, own].map((it) => existsSync(it))).toEqual([false, true]);
    await rm(own, { recursive: true });
  });
});
