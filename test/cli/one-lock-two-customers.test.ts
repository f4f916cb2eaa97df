import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { applyPlan, planJob, runJob } from '../../src/api/index.js';
import { OrderFixture } from '../support/order-fixture.js';
import { orderJob } from '../support/orders.js';

const JOB = orderJob({ extra: '      transferedAssetNum: Moved\n' }).replace(
  'customerId: { value: C1 }',
  'customerId: Id',
);
/** Another customer id is enough for another customer. */
const row = (order: string, id: string, asset: string, moved = ''): string =>
  `${order},${id},Customer ${id},${asset},${moved},5\n`;
const WARN = ['--set', 'safety.conflicts=warn'];

let fixture: OrderFixture;

describe.each(['SQLite', 'PostgreSQL'] as const)(
  'one lock, two customers, at the entry points (%s)',
  (kind) => {
    beforeEach(async () => {
      fixture = await OrderFixture.open(kind);
      await fixture.file('orders.yaml', JOB);
      await fixture.file(
        'others.yaml',
        JOB.replace('name: orders', 'name: others').replace('orders.csv', 'others.csv'),
      );
    });

    afterEach(() => fixture.close());

    const sheet = (name: 'orders' | 'others', rows: string) =>
      fixture.file(`${name}.csv`, `Order,Id,Customer,Asset,Moved,Nodes\n${rows}`);

    /** L1 is ordered for A by the job `others`. */
    async function ordered(): Promise<string> {
      await sheet('others', row('SO-1', 'A', 'L1'));
      const end = await fixture.json('run', 'others.yaml', ...WARN);
      expect(end).toMatchObject({ code: 0 });
      fixture.platform.seen.length = 0;
      return end.run;
    }

    // Only a server has a queue. The rest is the same on both: contract/ runs the ledger's statements on each.
    if (kind === 'PostgreSQL') {
      it('of two queued runs the second is refused; a worker stops for an order that was sent in the meantime', async () => {
        await sheet('orders', row('SO-2', 'B', 'L1') + row('SO-3', 'B', 'L2'));
        const { run } = await fixture.json('submit', 'orders.yaml');
        await sheet('others', row('SO-1', 'A', 'L1'));
        const second = await fixture.json('submit', 'others.yaml');
        expect(second).toMatchObject({ code: 4, reason: expect.stringContaining(run) });
        const other = await ordered();
        expect(await fixture.call('worker', '--once')).toMatchObject({ code: 0 });
        expect(fixture.sent).toEqual([]);
        const stopped = await fixture.json('wait', run);
        expect(stopped).toMatchObject({ code: 4, reason: expect.stringContaining(other) });
        expect(await fixture.call('resume', run, '--queue')).toMatchObject({ code: 4 });
        expect(await fixture.call('resume', run, '--queue', ...WARN)).toMatchObject({ code: 0 });
        expect(await fixture.call('worker', '--once')).toMatchObject({ code: 0 });
        expect([...fixture.sent].sort()).toEqual(['SO-2', 'SO-3']);
        expect(await fixture.call('wait', run)).toMatchObject({ code: 0 });
      });
      return;
    }

    it('a command refuses it, and sends it with --set safety.conflicts=warn', async () => {
      const first = await ordered();
      await sheet('orders', row('SO-2', 'B', 'L1') + row('SO-3', 'B', 'L2'));
      const refused = await fixture.json('run', 'orders.yaml');
      expect(refused).toMatchObject({ code: 3, counts: { invalid: 1 } });
      expect(fixture.sent).toEqual([]);
      expect((await fixture.result(refused.run))[0]?.message).toContain(`row 2 of run ${first}`);
      const unknown = await fixture.call('run', 'orders.yaml', '--set', 'safety.conflicts=never');
      expect(unknown.code).toBe(2);
      const warned = await fixture.json('run', 'orders.yaml', ...WARN);
      expect(warned).toMatchObject({ code: 0, counts: { succeeded: 2 } });
      expect((await fixture.result(warned.run))[0]?.message).toContain(`row 2 of run ${first}`);
    });

    it('apply and resume compare again, and take the same --set', async () => {
      await sheet('orders', row('SO-2', 'B', 'L1') + row('SO-3', 'B', 'L2'));
      const { plan } = await fixture.json('plan', 'orders.yaml');
      const other = await ordered();
      const refused = await fixture.json('apply', String(plan), '--yes');
      expect(refused).toMatchObject({ code: 4, reason: expect.stringContaining(other) });
      expect((await fixture.json('resume', String(plan), '--yes')).code).toBe(4);
      expect(fixture.sent).toEqual([]);
      expect((await fixture.call('resume', String(plan), '--yes', '--set', 'run.retries=1')).code).toBe(2);
      const warned = await fixture.json('resume', String(plan), '--yes', ...WARN);
      expect(warned).toMatchObject({ code: 0, counts: { succeeded: 2 } });
      expect(JSON.stringify(warned.warnings)).toContain(other);
    });

    it('the library takes the same setting', async () => {
      const first = await ordered();
      const options = { cwd: fixture.folder, env: { ...process.env, ...fixture.env }, confirm: true };
      const set = ['safety.conflicts=warn'];
      await sheet('orders', row('SO-2', 'B', 'L1'));
      expect(await runJob('orders.yaml', options)).toMatchObject({ exitCode: 3, counts: { invalid: 1 } });
      const { plan } = await planJob('orders.yaml', { ...options, set });
      expect(fixture.sent).toEqual([]);
      // The setting is that of the plan.
      const applied = await applyPlan(plan!, options);
      expect(applied).toMatchObject({ exitCode: 0, counts: { succeeded: 1 } });
      expect((await fixture.result(plan!))[0]?.message).toContain(first);
      await sheet('orders', row('SO-3', 'C', 'L1'));
      expect(await runJob('orders.yaml', { ...options, set })).toMatchObject({ exitCode: 0 });
      await expect(
        runJob('orders.yaml', { ...options, set: ['safety.conflicts=never'] }),
      ).rejects.toMatchObject({
        kind: 'usage',
      });
    });
  },
);
