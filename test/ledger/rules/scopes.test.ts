import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openLedger } from '../../../src/ledger/open.js';
import { hostOfScope, scopeOf, sharesKeys } from '../../../src/ledger/rules/scopes.js';
import { connect } from '../../../src/ledger/sqlite/connect.js';
import { RunNumbers } from '../../../src/ledger/sqlite/run-numbers.js';
import { systemClock } from '../../../src/util/clock.js';
import { runStart } from '../../support/ledger-samples.js';

const SCOPES = ['shop', 'shop a.example', 'shop b.example', 'shop-2', 'shop-2 a.example', 'other'];

/** Scope of a run of connection `shop`: the scopes whose keys hold for it. */
const SHARED: Readonly<Record<string, readonly string[]>> = {
  shop: ['shop', 'shop a.example', 'shop b.example'],
  'shop a.example': ['shop', 'shop a.example'],
  'shop b.example': ['shop', 'shop b.example'],
};

describe('whose keys hold for a run', () => {
  it('those of its own scope, and where a host is unknown those of its name', () => {
    for (const [own, expected] of Object.entries(SHARED)) {
      expect(SCOPES.filter((it) => sharesKeys(own, it, 'shop'))).toEqual(expected);
    }
  });

  it('the ledger finds the same', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'ledger-scopes-'));
    const file = path.join(folder, 'ledger.db');
    const ledger = await openLedger(file);
    for (const scope of SCOPES) {
      await ledger.runs.create(runStart(`run of ${scope}`, { connection: scope.split(' ')[0], scope }));
    }
    await ledger.close();
    const db = await connect(file, systemClock);
    try {
      const numbers = new RunNumbers(db);
      const ids = new Map(
        db.all<{ id: number; name: string }>('SELECT id, name FROM scopes').map((it) => [it.id, it.name]),
      );
      for (const own of SCOPES) {
        const connection = own.split(' ')[0] ?? '';
        const kindred = numbers.kindredScopes(numbers.of(`run of ${own}`)).map((it) => ids.get(it));
        expect([own, ...kindred].sort()).toEqual(
          SCOPES.filter((it) => sharesKeys(own, it, connection)).sort(),
        );
      }
    } finally {
      db.close();
      await rm(folder, { recursive: true, force: true });
    }
  });
});

describe('the scope of a connection', () => {
  it.each([
    [{ name: 'shop', baseUrl: 'https://a.example:8443/api' }, 'shop a.example:8443'],
    [{ name: 'shop', baseUrl: undefined }, 'shop'],
    [{ name: 'sandbox', baseUrl: 'http://127.0.0.1:4711', served: true }, 'sandbox'],
  ] as const)('%o: %s', (connection, scope) => {
    expect(scopeOf(connection as Parameters<typeof scopeOf>[0])).toBe(scope);
    const host = scope.includes(' ') ? scope.split(' ')[1] : undefined;
    expect(hostOfScope({ connection: connection.name, scope })).toBe(host);
  });
});
