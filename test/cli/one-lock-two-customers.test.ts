import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { applyPlan, planJob, runJob } from '../../src/api/index.js';
import { OfficeDesk } from '../support/office-desk.js';
import { orderJob } from '../support/orders.js';

const JOB = orderJob({ extra: '      transferedAssetNum: Moved\n' }).replace(
  'customerId: { value: C1 }',
  'customerId: Id',
);
/** Another customer id is enough for another customer. */
const row = (order: string, id: string, asset: string, moved = ''): string =>
  `${order},${id},Customer ${id},${asset},${moved},5\n`;
const WARN = ['--set', 'safety.conflicts=warn'];

let desk: OfficeDesk;

describe.each(['SQLite', 'PostgreSQL'] as const)(
  'one lock, two customers, at the entry points (%s)',
  (kind) => {
    beforeEach(async () => {
      desk = await OfficeDesk.open(kind);
      await desk.file('orders.yaml', JOB);
      await desk.file(
        'others.yaml',
        JOB.replace('name: orders', 'name: others').replace('orders.csv', 'others.csv'),
      );
    });

    afterEach(() => desk.close());

    const sheet = (name: 'orders' | 'others', rows: string) =>
      desk.file(`${name}.csv`, `Order,Id,Customer,Asset,Moved,Nodes\n${rows}`);

    /** L1 is ordered for A by the job `others`. */
    async function ordered(): Promise<string> {
      await sheet('others', row('SO-1', 'A', 'L1'));
      const end = await desk.json('run', 'others.yaml', ...WARN);
      expect(end).toMatchObject({ code: 0 });
      desk.platform.seen.length = 0;
      return end.run;
    }

    // Only a server has a queue. The rest is the same on both: contract/ runs the ledger's statements on each.
    if (kind === 'PostgreSQL') {
      it('of two queued runs the second is refused; a worker stops for an order that was sent in the meantime', async () => {
        await sheet('orders', row('SO-2', 'B', 'L1') + row('SO-3', 'B', 'L2'));
        const { run } = await desk.json('submit', 'orders.yaml');
        await sheet('others', row('SO-1', 'A', 'L1'));
        const second = await desk.json('submit', 'others.yaml');
        expect(second).toMatchObject({ code: 4, reason: expect.stringContaining(run) });
        const other = await ordered();
        expect(await desk.call('worker', '--once')).toMatchObject({ code: 0 });
        expect(desk.sent).toEqual([]);
        const stopped = await desk.json('wait', run);
        expect(stopped).toMatchObject({ code: 4, reason: expect.stringContaining(other) });
        expect(await desk.call('resume', run, '--queue')).toMatchObject({ code: 4 });
        expect(await desk.call('resume', run, '--queue', ...WARN)).toMatchObject({ code: 0 });
        expect(await desk.call('worker', '--once')).toMatchObject({ code: 0 });
        expect([...desk.sent].sort()).toEqual(['SO-2', 'SO-3']);
        expect(await desk.call('wait', run)).toMatchObject({ code: 0 });
      });
      return;
    }

    it('a command refuses it, and sends it with --set safety.conflicts=warn', async () => {
      const first = await ordered();
      await sheet('orders', row('SO-2', 'B', 'L1') + row('SO-3', 'B', 'L2'));
      const refused = await desk.json('run', 'orders.yaml');
      expect(refused).toMatchObject({ code: 3, counts: { invalid: 1 } });
      expect(desk.sent).toEqual([]);
      expect((await desk.result(refused.run))[0]?.message).toContain(`row 2 of run ${first}`);
      const unknown = await desk.call('run', 'orders.yaml', '--set', 'safety.conflicts=never');
      expect(unknown.code).toBe(2);
      const warned = await desk.json('run', 'orders.yaml', ...WARN);
      expect(warned).toMatchObject({ code: 0, counts: { succeeded: 2 } });
      expect((await desk.result(warned.run))[0]?.message).toContain(`row 2 of run ${first}`);
    });

    it('apply and resume compare again, and take the same --set', async () => {
      await sheet('orders', row('SO-2', 'B', 'L1') + row('SO-3', 'B', 'L2'));
      const { plan } = await desk.json('plan', 'orders.yaml');
      const other = await ordered();
      const refused = await desk.json('apply', String(plan), '--yes');
      expect(refused).toMatchObject({ code: 4, reason: expect.stringContaining(other) });
      expect((await desk.json('resume', String(plan), '--yes')).code).toBe(4);
      expect(desk.sent).toEqual([]);
      expect((await desk.call('resume', String(plan), '--yes', '--set', 'run.retries=1')).code).toBe(2);
      const warned = await desk.json('resume', String(plan), '--yes', ...WARN);
      expect(warned).toMatchObject({ code: 0, counts: { succeeded: 2 } });
      expect(JSON.stringify(warned.warnings)).toContain(other);
    });

    it('the library takes the same setting', async () => {
      const first = await ordered();
      const options = { cwd: desk.folder, env: { ...process.env, ...desk.env }, confirm: true };
      const set = ['safety.conflicts=warn'];
      await sheet('orders', row('SO-2', 'B', 'L1'));
      expect(await runJob('orders.yaml', options)).toMatchObject({ exitCode: 3, counts: { invalid: 1 } });
      const { plan } = await planJob('orders.yaml', { ...options, set });
      expect(desk.sent).toEqual([]);
      // The setting is that of the plan.
      const applied = await applyPlan(plan!, options);
      expect(applied).toMatchObject({ exitCode: 0, counts: { succeeded: 1 } });
      expect((await desk.result(plan!))[0]?.message).toContain(first);
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
