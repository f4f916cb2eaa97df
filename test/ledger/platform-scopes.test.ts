import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Ledger } from '../../src/ledger/contract/ledger.js';
import type { ItemOutcome } from '../../src/model/item.js';
import { closeBatch, collect, openBatch, order, planRun } from '../support/ledger-samples.js';
import { LEDGER_MAKERS, type LedgerPlace } from '../support/ledgers.js';
import { BACK_BEFORE_PLAN_MAKERS } from '../support/older-ledger.js';

const PLATFORM = 'http://localhost:8080';
const succeeded = (id: string): ItemOutcome => ({ status: 'succeeded', licenseOrderId: id, code: '0' });
const UNKNOWN: ItemOutcome = { status: 'unknown' };

/** Connections of 0.1: the first three lead to one platform. */
const CONNECTIONS = {
  one: 'http://127.0.0.1:8080',
  two: 'http://localhost:8080',
  env: 'http://[::1]:8080',
  elsewhere: 'http://127.0.0.1:8080/tenant',
} as const;

describe.each(LEDGER_MAKERS)('a ledger whose scopes are connections ($name)', (maker) => {
  let folder: string;
  let place: LedgerPlace;
  let ledger: Ledger;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ledger-platforms-'));
    place = await maker.place(folder);
    ledger = await place.open();
  });

  afterEach(async () => {
    await ledger.close();
    await place.remove();
    await rm(folder, { recursive: true, force: true });
  });

  /** A run as 0.1 stored it: keys, with what came of each. */
  async function former(
    run: string,
    name: keyof typeof CONNECTIONS,
    keys: Readonly<Record<string, ItemOutcome | 'open'>>,
  ): Promise<void> {
    const baseUrl = CONNECTIONS[name];
    // Its former name is written later: with that, keys of other connections would already apply.
    const at = { connection: name, scope: `former-${name}` };
    const settings = { job: {}, connection: { name, sandbox: false, baseUrl } };
    const items = Object.keys(keys).map((key, index) => order(index + 2, { key }));
    await planRun(ledger, run, items, { ...at, settings });
    for (const [index, outcome] of Object.values(keys).entries()) {
      const id = outcome === 'open' ? undefined : outcome.licenseOrderId;
      await openBatch(ledger, run, index + 1);
      if (outcome === 'open') continue;
      const given = { items: [{ item: index + 1, ids: [`order ${id}`] }], acrossRuns: true };
      await closeBatch(ledger, run, index + 1, { [index + 1]: outcome }, id === undefined ? {} : { given });
    }
  }

  async function migrate(): Promise<void> {
    await ledger.close();
    for (const [name, baseUrl] of Object.entries(CONNECTIONS)) {
      const scope = `${name} ${new URL(baseUrl).host}`;
      await place.ask(`UPDATE scopes SET name = '${scope}' WHERE name = 'former-${name}'`);
    }
    for (const sql of BACK_BEFORE_PLAN_MAKERS[maker.name]!) await place.ask(sql);
    await place.ask(
      maker.name === 'SQLite' ? 'PRAGMA user_version = 18' : 'UPDATE schema_version SET version = 13',
    );
    ledger = await place.open();
  }

  /** What a new run over the platform finds of keys: `KEY: run status`. */
  async function held(keys: readonly string[], scope = PLATFORM, run = 'new'): Promise<string[]> {
    const items = keys.map((key, index) => order(index + 2, { key }));
    await planRun(ledger, run, items, { connection: 'new', scope, kind: 'plan' });
    const found = await collect(ledger.plan.heldKeys(run));
    return found.map(({ rows, holder }) => `${keys[rows[0]! - 2]}: ${holder.run} ${holder.status}`).sort();
  }

  const scopes = async (): Promise<string[]> =>
    (await place.ask<{ name: string }>('SELECT name FROM scopes ORDER BY name')).map((it) => it.name);

  it('is migrated: scopes of one platform are one, with the strongest outcome of each key', async () => {
    await former('r1', 'one', {
      A: succeeded('LO-1'),
      B: UNKNOWN,
      C: succeeded('LO-2'),
      D: UNKNOWN,
      E: 'open',
      F: { status: 'accepted' },
      G: UNKNOWN,
    });
    await former('r2', 'two', {
      B: succeeded('LO-3'),
      C: UNKNOWN,
      D: UNKNOWN,
      F: succeeded('LO-5'),
      H: succeeded('LO-4'),
    });
    await former('r3', 'env', { A: succeeded('LO-9'), B: UNKNOWN, E: { status: 'rejected' } });
    await former('r4', 'elsewhere', { A: UNKNOWN, I: succeeded('LO-1') });
    await migrate();
    expect(await scopes()).toEqual([PLATFORM, `${PLATFORM}/tenant`]);
    const all = 'ABCDEFGHI'.split('');
    const expected = [
      'A: r1 succeeded',
      'B: r2 succeeded',
      'C: r1 succeeded',
      'D: r1 unknown',
      'E: r1 unknown',
    ];
    expect(await held(all)).toEqual([...expected, 'F: r2 succeeded', 'G: r1 unknown', 'H: r2 succeeded']);
    expect(await held(all, `${PLATFORM}/tenant`, 'tenant')).toEqual(['A: r4 unknown', 'I: r4 succeeded']);
    for (const run of ['r1', 'r2', 'r3']) expect((await ledger.runs.get(run))?.scope).toBe(PLATFORM);
    const owner = `(SELECT -id FROM scopes WHERE name = '${PLATFORM}')`;
    const ids = await place.ask<{ id: string }>(
      `SELECT id FROM given_ids WHERE owner = ${owner} ORDER BY id`,
    );
    expect(ids.map((it) => it.id)).toEqual([1, 2, 3, 4, 5, 9].map((n) => `order LO-${n}`));
  });

  it('holds a key that two runs left unknown until both are resolved', async () => {
    await former('r1', 'one', { A: UNKNOWN });
    await former('r2', 'two', { A: UNKNOWN });
    await migrate();
    const failed = { item: 1, outcome: { status: 'failed' }, at: 1, who: 'x', how: 'operator' } as const;
    expect(await held(['A'], PLATFORM, 'n1')).toEqual(['A: r1 unknown']);
    await ledger.resolutions.record('r1', [failed]);
    expect(await held(['A'], PLATFORM, 'n2')).toEqual(['A: r2 unknown']);
    await ledger.resolutions.record('r2', [failed]);
    expect(await held(['A'], PLATFORM, 'n3')).toEqual([]);
  });

  it('keeps the scope of a pruned run, whose keys apply to every platform on its host', async () => {
    await former('r1', 'elsewhere', { A: succeeded('LO-1') });
    await ledger.runs.patch('r1', { state: 'completed', endedAt: 1, exitCode: 0 });
    expect(await ledger.runs.prune(2)).toBe(1);
    await former('r2', 'one', { B: succeeded('LO-2') });
    await migrate();
    expect(await scopes()).toEqual(['elsewhere 127.0.0.1:8080', PLATFORM]);
    expect(await held(['A', 'B'])).toEqual(['A: r1 succeeded', 'B: r2 succeeded']);
    expect(await held(['A', 'B'], `${PLATFORM}/x`, 'n2')).toEqual(['A: r1 succeeded']);
    expect(await held(['A', 'B'], 'http://localhost:8081', 'n3')).toEqual([]);
  });

  it('is the same when it is migrated again', async () => {
    await former('r1', 'one', { A: succeeded('LO-1'), B: UNKNOWN });
    await former('r2', 'two', { A: UNKNOWN, B: UNKNOWN });
    await migrate();
    const keys = 'SELECT item_key, item, prior_item FROM item_keys ORDER BY item_key';
    const before = await place.ask(keys);
    await migrate();
    expect(await place.ask(keys)).toEqual(before);
    expect(await scopes()).toEqual([PLATFORM]);
  });
});
