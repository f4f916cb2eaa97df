import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readPlanFiles } from '../../src/run/plan/plan-refusal.js';
import { revertRun } from '../../src/run/revert/revert.js';
import type { RunEnd } from '../../src/run/run-end.js';
import { applyPlan, resumeRun } from '../../src/run/start-run.js';
import { StopSignal } from '../../src/util/stop-signal.js';
import { type Answer, FakePlatform, ordersDone, type Seen } from '../support/fake-platform.js';
import { Fixture } from '../support/job-runs.js';
import { LEDGER_MAKERS, SQLITE } from '../support/ledgers.js';
import { orderJob } from '../support/orders.js';
import { readSheet } from '../support/read-sheet.js';

/** Orders whose customers differ by their ids; an empty cell leaves an id out where that is possible. */
const ORDERS = orderJob({ extra: '      transferedAssetNum: Moved\n' })
  .replace('customerId: { value: C1 }', 'customerId: Id')
  .replace('crmCustomerId: { value: CRM1 }', 'crmCustomerId: CRM');

const REVOCATIONS = orderJob({ operation: 'order.delete_asset' }).replace(
  'name: orders',
  'name: revocations',
);

const LOCKS = `version: 1
name: locks
operation: asset.lock
source: { file: locks.csv }
map: { assetNums: Asset, operatorIdentity: { value: ops@example.com } }
`;

const HEADER = 'Order,Id,CRM,Customer,Asset,Moved,Nodes\n';
const row = (order: string, id: string, asset: string, moved = '', crm = 'CRM1'): string =>
  `${order},${id},${crm},Customer ${id},${asset},${moved},5\n`;

describe.each(LEDGER_MAKERS)('one lock, two customers ($name)', (maker) => {
  let fixture: Fixture;
  let platform: FakePlatform;

  beforeEach(async () => {
    fixture = await Fixture.open(maker);
    platform = await new FakePlatform(done).start();
  });

  afterEach(async () => {
    await platform.stop();
    await fixture.close();
  });

  function done(seen: Seen): Answer {
    if (!seen.path.includes('/asset/')) return ordersDone(seen);
    const data = (seen.body.assetNums as string[]).map((assetNum) => ({ assetNum, status: 1 }));
    return { body: { code: 0, message: '', data } };
  }

  interface How {
    readonly job?: string;
    readonly set?: readonly string[];
    readonly plan?: boolean;
    readonly dryRun?: boolean;
    readonly name?: string;
    readonly parts?: Parameters<Fixture['parts']>[0];
    readonly canary?: number;
  }

  async function run(rows: string, { job = ORDERS, set = [], name, ...options }: How = {}): Promise<RunEnd> {
    const own = name === undefined ? job : job.replace(/^name: .*$/m, `name: ${name}`);
    return fixture.run(await fixture.file('job.yaml', own), {
      connection: platform.connection(),
      // A plan keeps its file.
      input: await fixture.file(options.plan ? 'planned.csv' : 'rows.csv', rows),
      set: ['run.retries=0', 'run.concurrency=1', ...set],
      ...options,
      parts: { confirm: true, ...options.parts },
    });
  }

  const orders = (rows: string, how?: How) => run(`${HEADER}${rows}`, how);
  const revoke = (rows: string) => run(`Order,Customer,Asset,Nodes\n${rows}`, { job: REVOCATIONS });
  const sent = (): string[] =>
    platform.seen.flatMap(({ body }) =>
      ((body.orderList ?? []) as { customerId: string }[]).map(
        (it) => `${String(body.channelOrderId)} ${it.customerId}`,
      ),
    );
  const lines = async (end: RunEnd) => (await readSheet(end.output ?? '')) as Record<string, string>[];
  const statuses = async (end: RunEnd) => (await lines(end)).map((it) => it.status);
  const messages = async (end: RunEnd) => (await lines(end)).map((it) => it.message ?? '');

  async function apply(plan: string, set?: 'warn'): Promise<RunEnd> {
    const kept = await fixture.ledger.runs.get(plan);
    const conditions = await readPlanFiles(kept!, platform.connection(), Number.POSITIVE_INFINITY);
    return applyPlan(fixture.parts({ confirm: true }), kept!, conditions, (it) =>
      set ? ({ ...it, job: { ...it.job, safety: { ...it.job.safety, conflicts: set } } } as typeof it) : it,
    );
  }

  it('refuses a plan whose lock another run has ordered since, before anything is sent', async () => {
    const plan = await orders(row('SO-1', 'A', 'L1') + row('SO-2', 'A', 'L2'), { plan: true });
    const other = await orders(row('SO-3', 'B', 'L1'));
    platform.seen.length = 0;
    const end = await apply(plan.run);
    expect(end).toMatchObject({ status: 'stopped', exitCode: 4, reason: { code: 'run.conflict_since' } });
    expect(JSON.stringify(end.reason)).toContain(other.run);
    expect(sent()).toEqual([]);
    const sure = await apply(plan.run, 'warn');
    expect(sure.counts).toEqual({ succeeded: 2 });
    expect(sure.warnings?.map((it) => it.code)).toContain('run.conflict_row');
  });

  it('lets only one of two runs send that are about to order a lock for two customers', async () => {
    let inside: RunEnd | undefined;
    platform.answer = async (seen) => {
      // While the first run is sending its first order, the second one begins.
      inside ??= await orders(row('SO-3', 'B', 'L2'), { name: 'another' });
      return done(seen);
    };
    const first = await orders(row('SO-1', 'A', 'L1') + row('SO-2', 'A', 'L2'));
    expect(first.counts).toEqual({ succeeded: 2 });
    expect(inside).toMatchObject({ status: 'stopped', exitCode: 4, reason: { code: 'run.conflict_since' } });
    expect(sent()).toEqual(['SO-1 A', 'SO-2 A']);
  });

  // The rest is the same on both: contract/ runs the ledger's statements on each.
  if (maker !== SQLITE) return;

  it('finds what runs of an earlier version ordered', async () => {
    await orders(row('SO-1', 'A', 'L1'));
    // As a migrated ledger has them.
    await fixture.place.ask('DELETE FROM things');
    await fixture.place.ask('UPDATE items SET things = NULL');
    await fixture.place.ask('UPDATE runs SET things_indexed = 0');
    const end = await orders(row('SO-2', 'B', 'L1'), { set: ['run.onInvalid=skip'] });
    expect(end.counts).toEqual({ invalid: 1 });
    expect(await fixture.ledger.assetIndex.unindexed()).toEqual([]);
  });

  describe('between the steps of a job', () => {
    const indented = (job: string): string =>
      job.slice(job.indexOf('map:')).trimEnd().split('\n').join('\n    ');
    /** @param first the step before the one that orders */
    const steps = (first: string): string => `version: 1
name: stepped
source: { file: rows.csv }
steps:
${first}
  - name: order
    operation: order.new_buy
    ${indented(ORDERS)}
`;
    const OTHER_ORDER = `  - name: other
    operation: order.new_buy
    ${indented(ORDERS.replace('channelOrderId: Order', 'channelOrderId: { template: "{Order}-A" }').replace('customerId: Id', 'customerId: { value: Z }'))}`;
    const UPDATE = `  - name: update
    operation: enterprise.update
    map: { crmCustomerId: CRM, customerName: Customer, branchName: { value: North } }`;

    it('refuses a lock that two steps order for two customers, before anything is sent', async () => {
      const end = await orders(row('SO-1', 'A', 'L1') + row('SO-2', 'Z', 'L2'), { job: steps(OTHER_ORDER) });
      expect(end).toMatchObject({ exitCode: 3, status: 'invalid' });
      expect(sent()).toEqual([]);
      const [first] = await lines(end);
      expect(first?.['order.message']).toContain(
        `L1 was ordered for another customer: row 2 of run ${end.run}`,
      );
    });

    it('does not send a row of a later step whose lock another run has ordered since', async () => {
      let other: RunEnd | undefined;
      platform.answer = async (seen) => {
        if (!seen.path.includes('update')) return done(seen);
        other ??= await orders(row('SO-9', 'B', 'L1'), { name: 'another', set: ['safety.conflicts=warn'] });
        return { body: { code: 0, message: '' } };
      };
      const end = await orders(row('SO-1', 'A', 'L1') + row('SO-2', 'C', 'L2', '', 'CRM2'), {
        job: steps(UPDATE),
      });
      expect(end).toMatchObject({ exitCode: 1, status: 'completed' });
      expect(sent()).toEqual(['SO-9 B', 'SO-2 C']);
      const [first, second] = await lines(end);
      expect(first).toMatchObject({ status: 'invalid', step: 'order', 'update.status': 'succeeded' });
      expect(first?.['order.message']).toContain(`row 2 of run ${other?.run}`);
      expect(second).toMatchObject({ status: 'succeeded' });
    });
  });

  describe('a revert', () => {
    const locks = (name: string, operation = 'asset.lock') =>
      run('Asset\nL1\n', {
        job: LOCKS.replace('name: locks', `name: ${name}`).replace('asset.lock', operation),
      });
    const revert = async (id: string, conflicts?: 'warn'): Promise<RunEnd> =>
      revertRun(fixture.parts(), (await fixture.ledger.runs.get(id))!, {
        connection: platform.connection(),
        change: (it) =>
          conflicts
            ? ({ ...it, job: { ...it.job, safety: { ...it.job.safety, conflicts } } } as typeof it)
            : it,
      });

    it('is refused for a lock that was locked again since, naming the run', async () => {
      const first = await locks('first');
      const later = await locks('second');
      const plan = await revert(first.run);
      expect(await statuses(plan)).toEqual(['invalid']);
      const [said] = await messages(plan);
      expect(said).toContain(`row 2 of run ${later.run}`);
      expect(said).toContain('asset.lock');
      expect(await statuses(await revert(later.run))).toEqual(['valid']);
      const sure = await revert(first.run, 'warn');
      expect(await statuses(sure)).toEqual(['valid']);
      expect((await messages(sure))[0]).toContain(later.run);
    });

    it('is refused for an order whose lock was moved or ordered again since, or at apply', async () => {
      const first = await orders(row('SO-1', 'A', 'L1') + row('SO-2', 'A', 'L2') + row('SO-3', 'A', 'L3'));
      await orders(row('SO-4', 'B', 'L1', 'TRUE'));
      const plan = await revert(first.run);
      expect(await statuses(plan)).toEqual(['invalid', 'valid', 'valid']);
      await orders(row('SO-5', 'A', 'L2'));
      platform.seen.length = 0;
      const end = await apply(plan.run);
      expect(end).toMatchObject({ exitCode: 1, counts: { invalid: 2, succeeded: 1 } });
      expect(platform.seen.map(({ body }) => JSON.stringify(body.orderList))).toEqual([
        expect.stringContaining('"L3"'),
      ]);
      const rest = await revert(first.run);
      expect(rest).toMatchObject({ exitCode: 1, counts: { invalid: 2, skipped: 1 } });
      expect(rest.reason).toBeUndefined();
    });

    it('is refused for an order whose lock was revoked since', async () => {
      const first = await orders(row('SO-1', 'A', 'L1') + row('SO-2', 'A', 'L2'));
      const revoked = await revoke('DEL-1,Customer A,L1,1\n');
      expect(revoked.counts).toEqual({ succeeded: 1 });
      const plan = await revert(first.run);
      expect(await statuses(plan)).toEqual(['invalid', 'valid']);
      expect((await messages(plan))[0]).toContain(`row 2 of run ${revoked.run}`);
    });

    it('is by the asset, not by its products, for an order of a lock that was revoked before it', async () => {
      await orders(row('SO-1', 'A', 'L1'));
      await revoke('DEL-1,Customer A,L1,1\n');
      const again = await orders(row('SO-2', 'A', 'L1'));
      const plan = await revert(again.run);
      expect(plan).toMatchObject({ operation: 'order.delete_asset', counts: { valid: 1 } });
    });

    it('ignores a later change that was reverted itself', async () => {
      const first = await locks('first');
      const later = await locks('second', 'asset.unlock');
      const plan = await revert(later.run);
      expect((await apply(plan.run)).counts).toEqual({ succeeded: 1 });
      expect(await statuses(await revert(first.run))).toEqual(['valid']);
    });
  });

  it('refuses both rows in one file, each naming the other, and sends nothing', async () => {
    const end = await orders(row('SO-1', 'A', 'L1') + row('SO-2', 'A', 'L2') + row('SO-3', 'B', 'L1'));
    expect(end).toMatchObject({ exitCode: 3, status: 'invalid' });
    expect(sent()).toEqual([]);
    expect(await statuses(end)).toEqual(['invalid', 'not_sent', 'invalid']);
    const [first, , third] = await messages(end);
    expect(first).toContain('E2');
    expect(first).toMatch(/L1 is ordered for another customer in row 4/);
    expect(third).toMatch(/L1 is ordered for another customer in row 2/);
    expect(third).toContain('--set safety.conflicts=warn');
  });

  it('sends the other rows of the file with onInvalid: skip', async () => {
    const rows = row('SO-1', 'A', 'L1') + row('SO-2', 'A', 'L2') + row('SO-3', 'B', 'L1');
    const end = await orders(rows, { set: ['run.onInvalid=skip'] });
    expect(end.exitCode).toBe(1);
    expect(sent()).toEqual(['SO-2 A']);
  });

  it('accepts one lock for one customer in several orders, and a moved lock', async () => {
    const end = await orders(
      row('SO-1', 'A', 'L1') +
        row('SO-2', 'A', 'L1') +
        row('SO-3', 'B', 'L1', 'TRUE') +
        row('SO-4', 'B', 'L1'),
    );
    expect(end.counts).toEqual({ succeeded: 4 });
    // The customer it was moved from orders it again.
    const again = await orders(row('SO-5', 'A', 'L1'), { set: ['run.onInvalid=skip'] });
    expect(again.counts).toEqual({ invalid: 1 });
  });

  it('refuses a lock that an earlier run ordered for another customer, also in a dry run', async () => {
    const first = await orders(row('SO-1', 'A', 'L1'));
    const rows = row('SO-2', 'B', 'L1') + row('SO-3', 'B', 'L2');
    const dry = await orders(rows, { dryRun: true });
    expect(await statuses(dry)).toEqual(['invalid', 'valid']);
    platform.seen.length = 0;
    const end = await orders(rows, { name: 'another', set: ['run.onInvalid=skip'] });
    expect(sent()).toEqual(['SO-3 B']);
    expect((await messages(end))[0]).toContain(`row 2 of run ${first.run}`);
    // The dry runs above name the lock, too, but sent nothing.
    expect((await orders(row('SO-4', 'A', 'L1'))).counts).toEqual({ succeeded: 1 });
  });

  it('compares customers by the first id that both orders name', async () => {
    await orders(row('SO-1', 'A', 'L1'));
    const same = await orders(row('SO-2', 'A', 'L1', '', 'CRM2'));
    expect(same.counts).toEqual({ succeeded: 1 });
  });

  it('allows it with transferedAssetNum, and after the lock was revoked', async () => {
    await orders(row('SO-1', 'A', 'L1') + row('SO-2', 'A', 'L2'));
    expect((await orders(row('SO-3', 'B', 'L1', 'TRUE'))).counts).toEqual({ succeeded: 1 });
    await revoke('DEL-1,Customer A,L2,1\n');
    expect((await orders(row('SO-4', 'C', 'L2'))).counts).toEqual({ succeeded: 1 });
  });

  it('does not compare with rows that were rejected, and compares with unknown ones', async () => {
    platform.answer = () => ({ body: { code: 20001, message: 'no' } });
    await orders(row('SO-1', 'A', 'L1'));
    platform.answer = () => ({ status: 500, body: {} });
    await orders(row('SO-2', 'A', 'L2'));
    platform.answer = done;
    const end = await orders(row('SO-3', 'B', 'L1') + row('SO-4', 'B', 'L2'), {
      set: ['run.onInvalid=skip'],
    });
    expect(await statuses(end)).toEqual(['succeeded', 'invalid']);
  });

  it('does not compare with another platform', async () => {
    await orders(row('SO-1', 'A', 'L1'));
    const other = await new FakePlatform(done).start();
    try {
      const end = await fixture.run(await fixture.file('job.yaml', ORDERS), {
        connection: other.connection(),
        input: await fixture.file('rows.csv', HEADER + row('SO-2', 'B', 'L1')),
      });
      expect(end.counts).toEqual({ succeeded: 1 });
    } finally {
      await other.stop();
    }
  });

  it('warns on the row and sends it with conflicts: warn', async () => {
    const first = await orders(row('SO-1', 'A', 'L1'));
    const end = await orders(row('SO-2', 'B', 'L1') + row('SO-3', 'B', 'L2') + row('SO-4', 'C', 'L2'), {
      set: ['safety.conflicts=warn'],
    });
    expect(end).toMatchObject({ exitCode: 0, counts: { succeeded: 3 } });
    const said = await messages(end);
    expect(said[0]).toContain(`row 2 of run ${first.run}`);
    expect(said[1]).toContain('row 4');
    expect(said[2]).toContain('row 3');
  });

  it('sends the other rows of such a plan with onInvalid: skip', async () => {
    const rows = row('SO-1', 'A', 'L1') + row('SO-2', 'A', 'L2');
    const plan = await orders(rows, { plan: true, set: ['run.onInvalid=skip'] });
    await orders(row('SO-3', 'B', 'L1'));
    platform.seen.length = 0;
    const end = await apply(plan.run);
    expect(end).toMatchObject({ status: 'completed', exitCode: 1, counts: { invalid: 1, succeeded: 1 } });
    expect(sent()).toEqual(['SO-2 A']);
    expect((await messages(end))[0]).toContain('L1 was ordered for another customer');
  });

  it('compares again when a stopped run is resumed', async () => {
    const stop = new StopSignal();
    platform.answer = (seen) => {
      stop.stop({ kind: 'interrupted', signal: 'SIGINT' } as never);
      return done(seen);
    };
    const first = await orders(row('SO-1', 'A', 'L1') + row('SO-2', 'A', 'L2'), { parts: { stop } });
    expect(first.counts).toEqual({ succeeded: 1, not_sent: 1 });
    platform.answer = done;
    await orders(row('SO-3', 'B', 'L2'), { name: 'another' });
    platform.seen.length = 0;
    const stopped = await fixture.ledger.runs.get(first.run);
    const end = await resumeRun(fixture.parts({ confirm: true }), stopped!, (it) => ({
      ...it,
      connection: platform.connection(),
    }));
    expect(end).toMatchObject({ status: 'stopped', reason: { code: 'run.conflict_since' } });
    expect(sent()).toEqual([]);
  });

  it('compares with pruned runs, of which only numbers are left', async () => {
    await orders(row('SO-1', 'A', 'L1'));
    await fixture.ledger.runs.prune(Date.now() + 1000);
    const end = await orders(row('SO-2', 'B', 'L1') + row('SO-3', 'A', 'L1'), {
      set: ['run.onInvalid=skip'],
    });
    // Both name the lock in one file, too.
    expect(await statuses(end)).toEqual(['invalid', 'invalid']);
    const alone = await orders(row('SO-4', 'B', 'L1'), { set: ['run.onInvalid=skip'] });
    expect((await messages(alone))[0]).toContain('a row of run');
    expect((await orders(row('SO-5', 'A', 'L1'))).counts).toEqual({ succeeded: 1 });
  });

  it('ignores what locks were disabled by', async () => {
    await orders(row('SO-1', 'A', 'L1'));
    expect((await run('Asset\nL1\n', { job: LOCKS })).counts).toEqual({ succeeded: 1 });
    const end = await orders(row('SO-2', 'B', 'L1'), { set: ['run.onInvalid=skip'] });
    expect(end.counts).toEqual({ invalid: 1 });
  });
});
