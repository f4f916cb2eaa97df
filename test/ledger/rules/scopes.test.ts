import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openLedger } from '../../../src/ledger/open.js';
import { hostOfScope, scopeOf, sharesKeys } from '../../../src/ledger/rules/scopes.js';
import { connect } from '../../../src/ledger/sqlite/connect.js';
import { RunNumbers } from '../../../src/ledger/sqlite/runner.js';
import { systemClock } from '../../../src/util/clock.js';
import { runStart } from '../../support/ledger-samples.js';

const A = 'https://a.example';
const NAMED = 'platform:tenant';
const SCOPES = [
  A,
  `${A}/api`,
  'https://b.example:8443',
  NAMED,
  'sandbox',
  'sandbox http://localhost:1',
  'shop',
].concat(['shop a.example', 'shop b.example', 'other a.example', 'other']);

/** Scope of a run of connection `shop`: the scopes whose keys apply to it. */
const SHARED: Readonly<Record<string, readonly string[]>> = {
  [A]: [A, 'shop', 'shop a.example', 'other a.example'],
  [`${A}/api`]: [`${A}/api`, 'shop', 'shop a.example', 'other a.example'],
  'https://b.example:8443': ['https://b.example:8443', 'shop'],
  [NAMED]: [NAMED, 'shop', 'shop a.example', 'shop b.example'],
  sandbox: ['sandbox', 'sandbox http://localhost:1'],
};

describe('whose keys apply to a run', () => {
  it('those of its platform, and those of pruned runs whose platform is not known', () => {
    for (const [own, expected] of Object.entries(SHARED)) {
      expect(SCOPES.filter((it) => sharesKeys(own, it, 'shop'))).toEqual(expected);
    }
  });

  it('the ledger finds the same', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'ledger-scopes-'));
    const file = path.join(folder, 'ledger.db');
    const ledger = await openLedger(file);
    for (const scope of SCOPES) {
      await ledger.runs.create(runStart(`run of ${scope}`, { connection: 'shop', scope }));
    }
    await ledger.close();
    const db = await connect(file, systemClock);
    try {
      const numbers = new RunNumbers(db);
      const ids = new Map(
        db.all<{ id: number; name: string }>('SELECT id, name FROM scopes').map((it) => [it.id, it.name]),
      );
      for (const own of SCOPES) {
        const kindred = numbers.relatedScopes(numbers.of(`run of ${own}`)).map((it) => ids.get(it));
        expect([own, ...kindred].sort()).toEqual(SCOPES.filter((it) => sharesKeys(own, it, 'shop')).sort());
      }
    } finally {
      db.close();
      await rm(folder, { recursive: true, force: true });
    }
  });
});

describe('the platform of a connection', () => {
  const SAME: Readonly<Record<string, readonly string[]>> = {
    'https://a.example': [
      'https://a.example/',
      'HTTPS://A.Example:443',
      'https://a.example./',
      'https://a.example.:443//',
    ],
    'http://a.example:8443/api': [
      'http://a.example:8443/api/',
      'http://a.example:8443//%61pi',
      'http://A.example:8443/x/../api',
    ],
    'https://a.example/%E6%9C%88': ['https://a.example/月/', 'https://a.example/%e6%9c%88'],
    'https://xn--fiqs8s.example': [
      'https://中国.example',
      'https://中国。example/',
      'https://XN--FIQS8S.example.',
    ],
    'http://localhost:8932': [
      'http://127.0.0.1:8932',
      'http://[::1]:8932/',
      'http://LOCALHOST.:8932',
      'http://127.1:8932',
      'http://127.0.0.2:8932',
      'http://0.0.0.0:8932',
      'http://[::ffff:127.0.0.1]:8932',
      'http://[0:0:0:0:0:0:0:1]:8932',
    ],
  };
  for (const [scope, urls] of Object.entries(SAME)) {
    it.each(urls)(`%s is ${scope}`, (baseUrl) => {
      expect(scopeOf({ name: 'any', sandbox: false, baseUrl })).toBe(scope);
    });
  }

  it.each([
    ['https://a.example', 'http://a.example'],
    ['https://a.example/one', 'https://a.example/two'],
    ['https://a.example/api', 'https://a.example/API'],
    ['https://a.example/a%2Fb', 'https://a.example/a/b'],
    ['https://a.example', 'https://a.example:8443'],
    ['https://a.example', 'https://www.a.example'],
  ])('%s is not %s', (one, other) => {
    expect(scopeOf({ name: 'a', sandbox: false, baseUrl: one })).not.toBe(
      scopeOf({ name: 'a', sandbox: false, baseUrl: other }),
    );
  });

  it.each([
    [
      { name: 'shop', sandbox: false, baseUrl: 'https://a.example:8443/api' },
      'https://a.example:8443/api',
      'a.example:8443',
    ],
    [{ name: 'shop', sandbox: false, baseUrl: A, platform: 'tenant' }, NAMED, undefined],
    [{ name: 'sandbox', sandbox: true }, 'sandbox', undefined],
    [
      { name: 'sandbox', sandbox: true, baseUrl: 'http://127.0.0.1:4711', served: true },
      'sandbox',
      undefined,
    ],
    [
      { name: 'sandbox', sandbox: true, baseUrl: 'http://127.0.0.1:4711' },
      'sandbox http://localhost:4711',
      'localhost:4711',
    ],
    [{ name: 'sandbox', sandbox: true, platform: 'tenant' }, 'sandbox', undefined],
  ] as const)('%o: %s', (connection, scope, host) => {
    expect(scopeOf(connection)).toBe(scope);
    expect(hostOfScope(scope)).toBe(host);
  });
});
