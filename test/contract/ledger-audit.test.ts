import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AuditLine } from '../../src/ledger/contract/audit.js';
import type { Ledger } from '../../src/ledger/contract/ledger.js';
import { NO_LINE, nextLine } from '../../src/ledger/rules/audit-chain.js';
import { checkChain } from '../../src/ledger/upkeep/check.js';
import { type Bundle, bundleForNode } from '../support/bundle.js';
import { runStart } from '../support/ledger-samples.js';
import { describeLedger } from '../support/ledgers.js';

const run = promisify(execFile);
const APPENDER = fileURLToPath(new URL('../support/audit-appender.ts', import.meta.url));

async function linesOf({ audit }: Ledger, query = {}): Promise<AuditLine[]> {
  const found: AuditLine[] = [];
  for await (const page of audit.list(query)) found.push(...page);
  return found;
}

describeLedger('the audit', (here, { name }) => {
  const isServer = name === 'PostgreSQL';
  const append = async (...runs: string[]) => {
    for (const it of runs)
      await here.ledger.audit.append({ who: 'wang', act: 'stop', run: it, detail: { b: 1, a: 'ä' } });
  };
  /** What only a user does who has the database available: the refusing triggers are taken away. */
  const tamper = async (...statements: string[]) => {
    const triggers = isServer
      ? ['ALTER TABLE audit DISABLE TRIGGER USER']
      : ['audit_follows', 'audit_unchanged', 'audit_kept'].map((it) => `DROP TRIGGER ${it}`);
    for (const it of [...triggers, ...statements]) await here.ask(it);
  };

  test('each line has the hash of the one before; the first one has none before', async () => {
    await append('r1', 'r2', 'r3');
    const [one, two, three] = await linesOf(here.ledger);
    expect(one).toMatchObject({
      n: 1,
      who: 'wang',
      act: 'stop',
      run: 'r1',
      detail: { a: 'ä', b: 1 },
      prev: NO_LINE,
    });
    expect(two).toMatchObject({ n: 2, prev: one?.hash });
    expect(three).toMatchObject({ n: 3, prev: two?.hash });
    expect(await here.ledger.audit.head()).toEqual({ n: 3, hash: three?.hash });
    expect(await checkChain(here.ledger.audit)).toEqual({ sound: 3 });
  });

  test('a new ledger has no line, and its chain is whole', async () => {
    expect(await linesOf(here.ledger)).toEqual([]);
    expect(await checkChain(here.ledger.audit)).toEqual({ sound: 0 });
  });

  test('lines are found by run, person and time, and newest first by pages', async () => {
    await append('r1', 'r2');
    await here.ledger.audit.append({ who: 'li', act: 'denied', run: 'r1', detail: { act: 'approve' } });
    const [first] = await linesOf(here.ledger);
    const numbers = async (query: object) => (await linesOf(here.ledger, query)).map((it) => it.n);
    expect(await numbers({ run: 'r1' })).toEqual([1, 3]);
    expect(await numbers({ who: 'wang' })).toEqual([1, 2]);
    expect(await numbers({ run: 'r1', who: 'li' })).toEqual([3]);
    expect(await numbers({ since: first?.at })).toEqual([1, 2, 3]);
    expect(await numbers({ since: Date.now() + 60_000 })).toEqual([]);
    const { audit } = here.ledger;
    expect((await audit.page({ limit: 2 })).map((it) => it.n)).toEqual([3, 2]);
    expect((await audit.page({ limit: 2, before: 2 })).map((it) => it.n)).toEqual([1]);
    expect((await audit.page({ limit: 2, run: 'r1', before: 3 })).map((it) => it.n)).toEqual([1]);
  });

  test('the database refuses to change and to remove lines', async () => {
    await append('r1', 'r2');
    const statements = [
      "UPDATE audit SET who = 'li'",
      'UPDATE audit SET detail = detail',
      'DELETE FROM audit WHERE n = 2',
      'DELETE FROM audit',
      'DELETE FROM audit_head',
      ...(isServer ? ['TRUNCATE audit', 'TRUNCATE audit_head', 'TRUNCATE audit, audit_head CASCADE'] : []),
    ];
    for (const it of statements) await expect(here.ask(it), it).rejects.toThrow(/audit: lines are never/);
    expect(await checkChain(here.ledger.audit)).toEqual({ sound: 2 });
  });

  test('the database refuses a line that does not follow the last one', async () => {
    await append('r1', 'r2');
    const [one, two] = await linesOf(here.ledger);
    const put = (n: number, prev: string | undefined, how = 'INSERT') =>
      here.ask(
        `${how} INTO audit (n, at, who, act, detail, prev, hash) VALUES (${n}, 1, 'li', 'stop', '{}', '${prev}', 'f')`,
      );
    const refused = /audit: a line must follow the last one|duplicate key|UNIQUE/;
    await expect(put(3, one?.hash)).rejects.toThrow(refused);
    await expect(put(4, two?.hash)).rejects.toThrow(refused);
    await expect(put(2, one?.hash)).rejects.toThrow(refused);
    await expect(put(0, NO_LINE)).rejects.toThrow(refused);
    await expect(put(-1, NO_LINE)).rejects.toThrow(refused);
    if (!isServer) await expect(put(2, one?.hash, 'INSERT OR REPLACE')).rejects.toThrow(refused);
    expect(await checkChain(here.ledger.audit)).toEqual({ sound: 2 });
  });

  describe('what was done with the database available is found', () => {
    test.each([
      ['who', "'li'"],
      ['at', 'at + 1'],
      ['act', "'approve'"],
      ['run', "'r9'"],
      ['run', 'NULL'],
      ['detail', "'{}'"],
      ['detail', "'broken'"],
      ['detail', "'null'"],
      ['detail', "'7'"],
      ['at', '9000000000000000'],
      ['prev', `'${'1'.repeat(64)}'`],
      ['hash', `'${'1'.repeat(64)}'`],
    ])('a changed line: %s = %s', async (column, value) => {
      await append('r1', 'r2', 'r3', 'r4');
      await tamper(`UPDATE audit SET ${column} = ${value} WHERE n = 3`);
      const { sound, fault } = await checkChain(here.ledger.audit);
      expect({ sound, fault }).toMatchObject({ sound: 2, fault: { kind: 'altered', line: { n: 3 } } });
    });

    test.each([1, 2, 3])('a removed line: %s of 3', async (n) => {
      await append('r1', 'r2', 'r3');
      await tamper(`DELETE FROM audit WHERE n = ${n}`);
      expect(await checkChain(here.ledger.audit)).toEqual({ sound: n - 1, fault: { kind: 'missing', n } });
    });

    test('the note of its end removed, which would reveal lines that were cut off there', async () => {
      await append('r1', 'r2');
      await here.ask(
        isServer ? 'ALTER TABLE audit_head DISABLE TRIGGER USER' : 'DROP TRIGGER audit_head_kept',
      );
      await tamper('DELETE FROM audit_head', 'DELETE FROM audit WHERE n = 2');
      expect(await checkChain(here.ledger.audit)).toEqual({ sound: 1, fault: { kind: 'missing', n: 2 } });
      await expect(append('r3')).rejects.toThrow();
    });

    test('all lines removed', async () => {
      await append('r1', 'r2');
      await tamper('DELETE FROM audit');
      expect(await checkChain(here.ledger.audit)).toEqual({ sound: 0, fault: { kind: 'missing', n: 1 } });
    });

    test('a line put in at the end, with a hash that fits', async () => {
      await append('r1');
      const line = nextLine((await here.ledger.audit.head())!, { who: 'li', act: 'approve' }, 5);
      const { n, at, who, act, prev, hash } = line;
      await tamper(
        `INSERT INTO audit (n, at, who, act, detail, prev, hash) VALUES (${n + 1}, ${at}, '${who}', '${act}', '{}', '${prev}', '${hash}')`,
      );
      expect(await checkChain(here.ledger.audit)).toMatchObject({
        sound: 1,
        fault: { kind: 'missing', n: 2 },
      });
    });

    test('the last line changed, with a new hash that fits', async () => {
      await append('r1', 'r2');
      const [one] = await linesOf(here.ledger);
      const forged = nextLine({ n: 1, hash: one?.hash ?? '' }, { who: 'li', act: 'stop', run: 'r2' }, 5);
      await tamper(`UPDATE audit SET at = 5, who = 'li', detail = '{}', hash = '${forged.hash}' WHERE n = 2`);
      expect(await checkChain(here.ledger.audit)).toMatchObject({
        sound: 1,
        fault: { kind: 'altered', line: { n: 2 } },
      });
    });

    test('lines that are added after a removed one do not hide it', async () => {
      await append('r1', 'r2');
      await here.ask(isServer ? 'ALTER TABLE audit DISABLE TRIGGER USER' : 'DROP TRIGGER audit_kept');
      await here.ask('DELETE FROM audit WHERE n = 2');
      if (isServer) await here.ask('ALTER TABLE audit ENABLE TRIGGER USER');
      await append('r3');
      expect(await checkChain(here.ledger.audit)).toEqual({ sound: 1, fault: { kind: 'missing', n: 2 } });
    });
  });

  test('two who add at once follow each other', async () => {
    const other = await here.another();
    const many = Array.from({ length: 20 }, (_, at) => at);
    await Promise.all(
      [here.ledger, other].flatMap((ledger, which) =>
        many.map((n) => ledger.audit.append({ who: `p${which}`, act: 'stop', detail: { n } })),
      ),
    );
    expect(await checkChain(here.ledger.audit)).toEqual({ sound: 40 });
  });

  test('a run and its line are kept together, or neither', async () => {
    const { runs } = here.ledger;
    await runs.create(runStart('r1', { by: 'wang', bySubject: 'sub-1' }), 'plan');
    expect(await runs.get('r1')).toMatchObject({ by: 'wang', bySubject: 'sub-1' });
    await expect(runs.create(runStart('r1', { by: 'li' }), 'run')).rejects.toThrow();
    await runs.create(runStart('r2'));
    expect(await runs.get('r2')).not.toHaveProperty('by');
    expect(await linesOf(here.ledger)).toMatchObject([
      { n: 1, who: 'wang', act: 'plan', run: 'r1', detail: { job: 'new-buy', connection: 'sandbox' } },
    ]);
  });

  describe('from several processes', () => {
    let appender: Bundle;
    beforeAll(async () => {
      appender = await bundleForNode(APPENDER);
    });
    afterAll(() => appender.remove());

    test('lines follow each other, and none is lost', async () => {
      const { address } = here.ledger;
      const processes = ['p1', 'p2', 'p3'].map((who) =>
        run(process.execPath, [appender.file, address, who, '30']),
      );
      await Promise.all([...processes, append('r1', 'r2', 'r3', 'r4', 'r5')]);
      expect(await checkChain(here.ledger.audit)).toEqual({ sound: 95 });
      for (const who of ['p1', 'p2', 'p3']) {
        const reported = await linesOf(here.ledger, { who });
        expect(reported.map((it) => it.detail.n)).toEqual(Array.from({ length: 30 }, (_, at) => at + 1));
      }
    });
  });
});
