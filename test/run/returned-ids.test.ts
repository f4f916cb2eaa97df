import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { renderText } from '../../src/errors/message.js';
import { resolveRows } from '../../src/run/resolve/resolve-run.js';
import { revertRun } from '../../src/run/revert/revert.js';
import type { RunEnd } from '../../src/run/run-end.js';
import { resumeRun } from '../../src/run/start-run.js';
import { type Answer, FakePlatform, ordersDone, type Seen } from '../support/fake-platform.js';
import { Fixture } from '../support/job-runs.js';
import { LEDGER_MAKERS, type LedgerMaker, SQLITE } from '../support/ledgers.js';
import { BACK_BEFORE_PLAN_MAKERS } from '../support/older-ledger.js';
import { OnboardingPlatform, onboarding, onboardingRows, stepOf } from '../support/onboarding.js';
import { orderJob, orderRows } from '../support/orders.js';
import { readLines } from '../support/read-sheet.js';

const RESTORED = ['DROP TABLE ledger_identity', 'DROP TABLE epochs'];
/** Takes the ledger back to before it registered ids. */
const BEFORE: Readonly<Record<string, readonly string[]>> = {
  SQLite: [
    ...BACK_BEFORE_PLAN_MAKERS.SQLite!,
    ...RESTORED,
    'DROP TABLE given_ids',
    'PRAGMA user_version = 16',
  ],
  PostgreSQL: [
    ...BACK_BEFORE_PLAN_MAKERS.PostgreSQL!,
    ...RESTORED,
    'ALTER TABLE server_identity DROP COLUMN objects',
    'DROP TABLE given_ids',
    'UPDATE schema_version SET version = 11',
  ],
};

describe.each(LEDGER_MAKERS)('an id that two items were given ($name)', (maker: LedgerMaker) => {
  let fixture: Fixture;
  let platform: FakePlatform;

  beforeEach(async () => {
    fixture = await Fixture.open(maker);
    platform = await new FakePlatform(ordersDone).start();
  });

  afterEach(async () => {
    await platform.stop();
    await fixture.close();
  });

  /** The licence order of every order number. */
  const given =
    (id: (number: string) => string) =>
    ({ body }: Seen): Answer => {
      const orders = body.orderList as { sequence: number }[];
      const data = orders.map(({ sequence }) => ({
        sequence,
        licenseOrderId: id(String(body.channelOrderId)),
        customerId: 'C1',
      }));
      return { body: { code: 0, message: 'success', data } };
    };

  async function orders(
    rows: string,
    change: { readonly extra?: string; readonly name?: string } & Parameters<Fixture['run']>[1] = {},
  ): Promise<RunEnd> {
    const { extra = '', name = 'orders', ...options } = change;
    await fixture.file('orders.csv', rows);
    const job = orderJob({ extra }).replace('name: orders', `name: ${name}`);
    return fixture.run(await fixture.file(`${name}.yaml`, job), {
      connection: platform.connection(),
      ...options,
    });
  }

  async function rowsOf(run: string) {
    const found = [];
    for await (const page of fixture.ledger.report.rows(run, 'not_sent')) found.push(...page);
    return found.map(({ row, status, licenseOrderId, messages }) => ({
      row,
      status,
      licenseOrderId,
      text: messages.map(({ text }) => renderText(text)).join(),
    }));
  }

  it.each([1, 8])('within a run is believed once (concurrency %i)', async (concurrency) => {
    platform.answer = given(() => 'LO-1');
    const end = await orders(orderRows(6), { extra: `run: { concurrency: ${concurrency} }\n` });
    expect(end).toMatchObject({ exitCode: 6, counts: { succeeded: 1, unknown: 5 } });
    const rows = await rowsOf(end.run);
    const first = rows.find((it) => it.status === 'succeeded')!;
    for (const it of rows) {
      if (it === first) continue;
      expect(it.licenseOrderId).toBeUndefined();
      expect(it.text).toContain(
        `the licence order LO-1 for it, which was already returned for row ${first.row} of run ${end.run}`,
      );
    }
    expect(platform.seen).toHaveLength(6);
    // What is not believed is not reverted.
    const run = (await fixture.ledger.runs.get(end.run))!;
    const plan = await revertRun(fixture.parts(), run, {
      connection: platform.connection(),
      change: (it) => it,
    });
    expect(plan.items).toBe(1);
  });

  // The rest is the same on both: contract/ runs the ledger's statements on each.
  if (maker !== SQLITE) return;

  it('within one reply is believed of none', async () => {
    platform.answer = given(() => 'LO-1');
    const rows = orderRows(2).replace('SO-2', 'SO-1').replace('Customer 2', 'Customer 1');
    const job = orderJob({ extra: 'batch: { size: 2 }\n' }).replace('each: [Order]', 'each: [Asset]');
    await fixture.file('orders.csv', rows);
    const end = await fixture.run(await fixture.file('job.yaml', job), { connection: platform.connection() });
    expect(platform.seen).toHaveLength(1);
    expect(end.counts).toEqual({ unknown: 2 });
    const [one, other] = await rowsOf(end.run);
    expect(one!.text).toContain('row 3');
    expect(other!.text).toContain('row 2');
  });

  it('after a resume, whichever process was given it first', async () => {
    platform.answer = given(() => 'LO-1');
    const end = await orders(orderRows(2), { canary: 1 });
    expect(end.counts).toEqual({ succeeded: 1, not_sent: 1 });
    const resumed = await resumeRun(
      fixture.parts({ confirm: true }),
      (await fixture.ledger.runs.get(end.run))!,
      (it) => it,
    );
    expect(resumed.counts).toEqual({ succeeded: 1, unknown: 1 });
  });

  describe('and that a person named for an unknown row', () => {
    let run: string;

    beforeEach(async () => {
      platform.answer = () => 'reset';
      const end = await orders(orderRows(1));
      expect(end.counts).toEqual({ unknown: 1 });
      run = end.run;
      platform.answer = given(() => 'LO-7');
    });

    const resolve = async (as: 'succeeded' | 'failed', licenseOrderId?: string) =>
      resolveRows({ ...fixture.parts(), who: 'me' }, (await fixture.ledger.runs.get(run))!, [
        { row: 2, as, ...(licenseOrderId ? { licenseOrderId } : {}) },
      ]);
    const later = () => orders(orderRows(1, 2), { name: 'other' });

    it('is not believed of a later order', async () => {
      await resolve('succeeded', 'LO-7');
      const end = await later();
      expect(end).toMatchObject({ exitCode: 6, counts: { unknown: 1 } });
      expect((await rowsOf(end.run))[0]!.text).toContain(`row 2 of run ${run}`);
    });

    it.each([
      { what: 'corrected', as: 'succeeded', id: 'LO-8' },
      { what: 'found not to be', as: 'failed', id: undefined },
    ] as const)('is believed of a later order once it was $what', async ({ as, id }) => {
      await resolve('succeeded', 'LO-7');
      await resolve(as, id);
      expect((await later()).counts).toEqual({ succeeded: 1 });
    });

    it('is not believed of another order of the run after a correction', async () => {
      await resolve('succeeded', 'LO-8');
      await resolve('succeeded', 'LO-7');
      expect((await later()).counts).toEqual({ unknown: 1 });
    });
  });

  describe('of a new purchase of an earlier run', () => {
    let first: RunEnd;

    beforeEach(async () => {
      first = await orders(orderRows(1));
      expect(first.counts).toEqual({ succeeded: 1 });
      platform.answer = given(() => 'LO-SO-1-1');
    });

    it('leaves the new one unknown', async () => {
      const end = await orders(orderRows(1, 2), { name: 'other' });
      expect(end).toMatchObject({ exitCode: 6, counts: { unknown: 1 } });
      expect((await rowsOf(end.run))[0]!.text).toContain(`row 2 of run ${first.run}`);
    });

    it('counts for an order sent again on purpose, and within one run still', async () => {
      const again = await orders(orderRows(2), { extra: 'safety: { duplicates: send }\n' });
      expect(again.counts).toEqual({ succeeded: 1, unknown: 1 });
    });

    it('does not count for a sandbox, nor for a revocation', async () => {
      const sandbox = await orders(orderRows(1, 2), { connection: platform.connection({ sandbox: true }) });
      expect(sandbox.counts).toEqual({ succeeded: 1 });
      await fixture.file('orders.csv', orderRows(1, 3));
      const job = orderJob({ operation: 'order.delete_asset' }).replace('name: orders', 'name: revoke');
      const revoked = await fixture.run(await fixture.file('revoke.yaml', job), {
        connection: platform.connection(),
        parts: { confirm: true },
      });
      expect(revoked.counts).toEqual({ succeeded: 1 });
    });

    it('is known when that run is pruned', async () => {
      expect(await fixture.ledger.runs.prune(Date.now() + 1000)).toBeGreaterThan(0);
      const end = await orders(orderRows(1, 2), { name: 'other' });
      expect(end.counts).toEqual({ unknown: 1 });
      expect((await rowsOf(end.run))[0]!.text).toContain(`a row of run ${first.run}`);
    });

    it('is known in a ledger of a version before', async () => {
      await fixture.ledger.close();
      for (const sql of BEFORE[maker.name]!) await fixture.place.ask(sql);
      // Migrated, the ledger has another id. No version before wrote marks of it.
      vi.stubEnv('XDG_STATE_HOME', `${fixture.folder}/no marks`);
      const ledger = await fixture.place.open();
      try {
        const end = await orders(orderRows(1, 2), { name: 'other', parts: { ledger } });
        expect(end.counts).toEqual({ unknown: 1 });
      } finally {
        await ledger.close();
        vi.unstubAllEnvs();
      }
    });
  });

  it('stops a run that gets one reply for all its requests', async () => {
    platform.answer = given(() => 'LO-1');
    const end = await orders(orderRows(30), { extra: 'run: { concurrency: 1, stopAfterFailures: 3 }\n' });
    expect(end).toMatchObject({ status: 'stopped', exitCode: 6 });
    // The next one begins with the commit that compares the ids of the one before.
    expect(platform.seen.length).toBeLessThanOrEqual(5);
  });

  it('stops a run that gets only ids of an earlier one', async () => {
    platform.answer = given((number) => `LO-${number}`);
    expect((await orders(orderRows(20))).counts).toEqual({ succeeded: 20 });
    platform.answer = given((number) => `LO-SO-${Number(number.split('-')[1]) - 20}`);
    const extra = 'run: { concurrency: 1, stopAfterFailures: 3 }\n';
    const end = await orders(orderRows(20, 21), { extra, name: 'others' });
    expect(end).toMatchObject({ status: 'stopped', exitCode: 6 });
    expect(platform.seen.length - 20).toBeLessThanOrEqual(4);
  });

  describe('enterprise main accounts', () => {
    const CREATE =
      'version: 1\nname: create\noperation: enterprise.create\nsource: { file: c.csv }\n' +
      'map: { crmCustomerId: Id, customerName: Name, branchName: { value: B } }\n';

    it.each([
      ['the default of both customers', true, { succeeded: 1, unknown: 1 }],
      ['an account that the second customer joins', false, { succeeded: 2 }],
    ])('%s', async (_, second, counts) => {
      platform.answer = (_seen, count) => {
        const data = { enterpriseGlobalId: 'E-1', defaultType: count === 1 || second };
        return { body: { code: 0, message: 'success', data } };
      };
      await fixture.file('c.csv', 'Id,Name\nC1,Ann\nC2,Bob\n');
      const end = await fixture.run(await fixture.file('create.yaml', CREATE), {
        connection: platform.connection(),
      });
      expect(end.counts).toEqual(counts);
      // Both requests are in flight at once: either reply may come first.
      const rows = await rowsOf(end.run);
      for (const it of rows.filter(({ status }) => status === 'unknown')) {
        const first = rows.find(({ status }) => status === 'succeeded')!;
        expect(it.text).toContain(
          `the reply returns the enterprise main account E-1 for it, which was already returned for row ${first.row} of run `,
        );
      }
    });
  });

  describe('asset numbers', () => {
    const numbers = (data: readonly string[]): Answer => ({ body: { code: 0, message: 'success', data } });
    const JOB =
      'version: 1\nname: NAME\noperation: asset.numbers\nsource: { file: n.csv }\nmap: { size: N }\n';

    async function draw(name: string, rows: string): Promise<RunEnd> {
      await fixture.file('n.csv', rows);
      const job = await fixture.file(`${name}.yaml`, JOB.replace('NAME', name));
      return fixture.run(job, { connection: platform.connection() });
    }

    it('that were given before are unknown, and none of the reply is shown', async () => {
      platform.answer = () => numbers(['8600000001', '8600000002']);
      const first = await draw('one', 'N,Note\n2,a\n2,b\n');
      expect(first.counts).toEqual({ succeeded: 1, unknown: 1 });
      platform.answer = () => numbers(['8600000003', '8600000002']);
      const second = await draw('two', 'N,Note\n2,c\n');
      expect(second.counts).toEqual({ unknown: 1 });
      expect((await rowsOf(second.run))[0]!.text).toContain(`the asset number 8600000002`);
      expect((await readLines(second.output!, 'Records').catch(() => [])).flat()).not.toContain('8600000003');
    });

    it.each([
      ['given twice', ['8600000001']],
      ['impossible', ['7600000001']],
      ['more than requested', ['8600000001', '8600000002']],
    ])('%s reach no order of a later step', async (_, data) => {
      const done = new OnboardingPlatform();
      platform.answer = (seen) => (stepOf(seen).step === 'numbers' ? numbers(data) : done.answer(seen));
      await fixture.file('rows.csv', onboardingRows(['SO-1,C1,,1,5', 'SO-2,C2,,1,5']));
      const end = await fixture.run(await fixture.file('job.yaml', onboarding()), {
        connection: platform.connection(),
      });
      const ordered = platform.seen.filter((it) => stepOf(it).step === 'order').map((it) => stepOf(it).of);
      // Of one number that both rows were given the first keeps it.
      const expected = _ === 'given twice' ? 1 : 0;
      expect(ordered).toHaveLength(expected);
      expect(end.counts.succeeded ?? 0).toBe(expected);
      const resumed = platform.seen.length;
      const again = await fixture.run(path(fixture), { connection: platform.connection() });
      expect(again.counts.succeeded ?? 0).toBe(0);
      expect(platform.seen.slice(resumed).filter((it) => stepOf(it).step === 'order')).toEqual([]);
    });
  });
});

function path({ folder }: Fixture): string {
  return `${folder}/job.yaml`;
}
