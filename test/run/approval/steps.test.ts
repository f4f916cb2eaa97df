import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Connection } from '../../../src/model/connection.js';
import { readPlanFiles } from '../../../src/run/plan/plan-refusal.js';
import type { RunEnd } from '../../../src/run/run-end.js';
import { applyPlan, resumeRun } from '../../../src/run/run-job.js';
import { FakePlatform } from '../../support/fake-platform.js';
import { Desk } from '../../support/job-runs.js';
import { LEDGER_MAKERS } from '../../support/ledgers.js';
import { orderJob, orderRows } from '../../support/orders.js';

const LI = { who: 'li', act: 'run' } as const;

/** The second step locks all that the first one returned. */
const JOB = `version: 1
name: numbered
source: { file: rows.csv }
steps:
  - name: numbers
    operation: asset.numbers
    map: { size: Locks }
  - name: lock
    operation: asset.lock
    map:
      assetNums: { from: numbers.assetNumber }
      operatorIdentity: { value: me }
`;

describe.each(LEDGER_MAKERS)(
  'steps over a connection that wants approvals above a count ($name)',
  (maker) => {
    let desk: Desk;
    let platform: FakePlatform;
    let locked: string[];

    beforeEach(async () => {
      desk = await Desk.open(maker);
      locked = [];
      let last = 8_600_000_001;
      platform = await new FakePlatform(({ query, body }) => {
        const size = Number(query.get('size') ?? body.size ?? 0);
        if (size > 0) {
          const data = Array.from({ length: size }, () => `${last++}`);
          return { body: { code: 0, message: 'success', data } };
        }
        const numbers = body.assetNums as string[];
        locked.push(...numbers);
        const data = numbers.map((assetNum) => ({ assetNum, status: 1 }));
        return { body: { code: 0, message: 'success', data } };
      }).start();
    });

    afterEach(async () => {
      await platform.stop();
      await desk.close();
    });

    const connection = (above: number): Connection => ({
      ...platform.connection(),
      approval: { operations: ['asset.lock'], above },
    });

    async function run(kind: 'run' | 'plan', above: number): Promise<RunEnd> {
      await desk.file('rows.csv', 'Locks\n20\n2\n');
      const job = await desk.file('job.yaml', JOB);
      return desk.run(job, {
        ...(kind === 'plan' ? { plan: true } : {}),
        connection: connection(above),
        parts: { by: LI },
      });
    }

    async function say(run: string, ...acts: readonly ('request' | 'approve' | 'reject')[]): Promise<void> {
      const { planHash = '' } = (await desk.ledger.runs.get(run))!;
      for (const act of acts) {
        const by = { who: act === 'request' ? 'li' : 'wang' };
        await desk.ledger.approvals.add(
          run,
          act === 'approve' ? { act, planHash, by, maxAgeMs: 60_000 } : { act, planHash, by },
        );
      }
    }

    async function resume(run: string, above: number): Promise<RunEnd> {
      const stored = (await desk.ledger.runs.get(run))!;
      return resumeRun(desk.parts(), stored, (it) => ({ ...it, connection: connection(above) }));
    }

    it('stop before a step that got more locks from an earlier one, until the run is approved', async () => {
      const { run: id, ...end } = await run('run', 21);
      expect(end).toMatchObject({ exitCode: 4, status: 'stopped', counts: { not_sent: 2 } });
      expect(end.reason).toMatchObject({ code: 'approval.step_above', params: { run: id } });
      expect([platform.seen.length, locked.length]).toEqual([2, 0]);

      await expect(resume(id, 21)).rejects.toMatchObject({ kind: 'safety' });
      await say(id, 'request', 'reject');
      await expect(resume(id, 21)).rejects.toMatchObject({ kind: 'safety' });
      await expect(say(id, 'approve')).rejects.toMatchObject({ kind: 'safety' });
      expect(locked).toEqual([]);

      await say(id, 'request', 'approve');
      expect(await resume(id, 21)).toMatchObject({ exitCode: 0, counts: { succeeded: 2 } });
      expect([new Set(locked).size, locked.length, platform.seen.length]).toEqual([22, 22, 3]);
    });

    it('stop the same after a plan was applied that needed no approval', async () => {
      const { run: id } = await run('plan', 21);
      const apply = async () => {
        const plan = (await desk.ledger.runs.get(id))!;
        const now = await readPlanFiles(plan, connection(21), 60_000);
        return applyPlan(desk.parts({ by: { who: 'li', act: 'apply' } }), plan, now, (it) => it);
      };
      expect(await apply()).toMatchObject({ exitCode: 4, reason: { code: 'approval.step_above' } });
      expect(await resume(id, 21)).toMatchObject({ exitCode: 4, reason: { code: 'approval.step_above' } });
      expect(locked).toEqual([]);
      await say(id, 'request', 'approve');
      expect(await resume(id, 21)).toMatchObject({ exitCode: 0, counts: { succeeded: 2 } });
      expect(locked).toHaveLength(22);
    });

    it('are sent where they are not above it', async () => {
      expect(await run('run', 22)).toMatchObject({ exitCode: 0, counts: { succeeded: 2 } });
    });

    it('counts the assets of orders, not the orders', async () => {
      const more = orderRows(1).replace('A1', 'A1;A2;A3');
      await desk.file('orders.csv', more);
      const job = await desk.file('orders.yaml', orderJob());
      const checked = async (above: number): Promise<boolean | undefined> => {
        const approval = { operations: ['order.*'], above };
        const on = { ...platform.connection(), approval };
        return (await desk.run(job, { plan: true, connection: on, parts: { by: LI } })).needsApproval;
      };
      // The policies of a host are kept, so the higher count comes first.
      expect([await checked(3), await checked(2)]).toEqual([undefined, true]);
    });
  },
);
