import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { describe, expect, test } from 'vitest';
import type { ConsoleSession } from '../../src/ledger/contract/people.js';
import { openLedger } from '../../src/ledger/open.js';
import { describeLedger } from '../support/ledgers.js';

const DAY = 24 * 3_600_000;
const session = (id: string, more: Partial<ConsoleSession> = {}): ConsoleSession => ({
  id,
  who: 'wang',
  person: 'wang',
  via: 'token',
  createdAt: 1000,
  seenAt: 1000,
  expiresAt: 5000,
  ...more,
});

describeLedger('sessions of consoles', (here) => {
  test('are found by any connection, over a reopening, until they expire', async () => {
    const local: ConsoleSession = {
      id: 'b',
      who: 'os:wang@desk-7',
      via: 'link',
      createdAt: 1,
      seenAt: 1,
      expiresAt: 9000,
    };
    await here.ledger.sessions.begin(session('a'));
    await here.ledger.sessions.begin(local);
    await here.reopen();
    const other = await here.another();
    expect(await other.sessions.find('a', 4999)).toEqual(session('a'));
    expect(await other.sessions.find('b', 4999)).toEqual(local);
    expect(await other.sessions.find('a', 5000)).toBeUndefined();
    expect(await other.sessions.find('c', 1)).toBeUndefined();
    await other.sessions.seen('a', 3000);
    expect((await here.ledger.sessions.find('a', 3001))?.seenAt).toBe(3000);
    await other.close();
  });

  test('are revoked for every console at once, one or all of a user', async () => {
    const { sessions } = here.ledger;
    const other = await here.another();
    for (const id of ['a', 'b', 'c']) await sessions.begin(session(id, { createdAt: id.charCodeAt(0) }));
    await sessions.begin(session('d', { who: 'li', person: 'li' }));
    expect((await other.sessions.list(2000, 'wang')).map(({ id }) => id)).toEqual(['c', 'b', 'a']);
    expect(await sessions.revoke('a', 2000)).toBe(true);
    expect(await sessions.revoke('a', 2001)).toBe(false);
    expect(await other.sessions.find('a', 2001)).toBeUndefined();
    expect(await sessions.revokeOf('wang', 2002)).toBe(2);
    expect((await other.sessions.list(2003)).map(({ id }) => id)).toEqual(['d']);
    await other.close();
  });

  test('are forgotten a month after their end', async () => {
    const { sessions } = here.ledger;
    await sessions.begin(session('old'));
    await sessions.begin(session('new', { createdAt: 31 * DAY, expiresAt: 32 * DAY }));
    // Within its time again, as if clocks had gone back: the line itself no longer exists.
    expect(await sessions.find('old', 2000)).toBeUndefined();
  });
});

describe('a session that is used while another program writes', () => {
  test('is noted another time, at once and without an error', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'sessions-'));
    const ledger = await openLedger(path.join(folder, 'ledger.db'));
    await ledger.sessions.begin(session('a'));
    const other = new DatabaseSync(path.join(folder, 'ledger.db'));
    other.exec('BEGIN IMMEDIATE');
    // Would wait for ten seconds, and a page would report that the ledger is in use.
    await ledger.sessions.seen('a', 2000);
    expect((await ledger.sessions.find('a', 2000))?.seenAt).toBe(1000);
    other.exec('ROLLBACK');
    other.close();
    await ledger.sessions.seen('a', 3000);
    expect((await ledger.sessions.find('a', 3000))?.seenAt).toBe(3000);
    await ledger.close();
    await rm(folder, { recursive: true, force: true });
  });
});
