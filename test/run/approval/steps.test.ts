import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openLedger } from '../../../src/ledger/open.js';
import { copyLedger } from '../../../src/ledger/upkeep/copy.js';
import type { Connection } from '../../../src/model/connection.js';
import { readPlanFiles } from '../../../src/run/plan/plan-refusal.js';
import type { RunEnd } from '../../../src/run/run-end.js';
import { applyPlan, resumeRun } from '../../../src/run/start-run.js';
import { StopSignal } from '../../../src/util/stop-signal.js';
import { FakePlatform } from '../../support/fake-platform.js';
import { Fixture } from '../../support/job-runs.js';
import { LEDGER_MAKERS, SQLITE } from '../../support/ledgers.js';
import { orderJob, orderRows } from '../../support/orders.js';
import { postgresPlace } from '../../support/postgres/shared-server.js';

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
  'steps over a connection that requires approvals above a count ($name)',
  (maker) => {
    let fixture: Fixture;
    let platform: FakePlatform;
    let locked: string[];

    beforeEach(async () => {
      fixture = await Fixture.open(maker);
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
      await fixture.close();
    });

    const connection = (above: number): Connection => ({
      ...platform.connection(),
      approval: { operations: ['asset.lock'], above },
    });

    async function run(kind: 'run' | 'plan', above: number, sizes = [20, 2], text = JOB): Promise<RunEnd> {
      await fixture.file('rows.csv', `Locks\n${sizes.join('\n')}\n`);
      const job = await fixture.file('job.yaml', text);
      return fixture.run(job, {
        ...(kind === 'plan' ? { plan: true } : {}),
        connection: connection(above),
        parts: { by: LI },
      });
    }

    async function say(run: string, ...acts: readonly ('request' | 'approve' | 'reject')[]): Promise<void> {
      const { planHash = '' } = (await fixture.ledger.runs.get(run))!;
      for (const act of acts) {
        const by = { who: act === 'request' ? 'li' : 'wang' };
        await fixture.ledger.approvals.add(
          run,
          act === 'approve' ? { act, planHash, by, maxAgeMs: 60_000 } : { act, planHash, by },
        );
      }
    }

    async function apply(id: string, above: number): Promise<RunEnd> {
      const plan = (await fixture.ledger.runs.get(id))!;
      const now = await readPlanFiles(plan, connection(above), 60_000);
      return applyPlan(fixture.parts({ by: { who: 'li', act: 'apply' } }), plan, now, (it) => it);
    }

    /** A plan that needs an approval, and has it. */
    async function approved(above: number, sizes?: number[], text?: string): Promise<string> {
      const { run: id, needsApproval } = await run('plan', above, sizes, text);
      expect(needsApproval).toBe(true);
      await say(id, 'request', 'approve');
      return id;
    }

    async function resume(run: string, above: number, stop = new StopSignal()): Promise<RunEnd> {
      const stored = (await fixture.ledger.runs.get(run))!;
      return resumeRun(fixture.parts({ stop }), stored, (it) => ({ ...it, connection: connection(above) }));
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

    // The rest is the same on both: contract/ runs the ledger's statements on each.
    if (maker !== SQLITE) return;

    it('resume with what was approved when they are interrupted, and stop where it was altered', async () => {
      const small = JOB.replace('operation: asset.lock', 'operation: asset.lock\n    batch: { size: 8 }');
      const job = `${small}run: { concurrency: 1 }\n`;
      const id = await approved(1, [20, 2], job);
      await apply(id, 1);
      const alter = (from: string, to: string) =>
        fixture.place.ask(`UPDATE bodies SET json = replace(json, '${from}', '${to}')`);
      const triggers = maker.name === 'SQLite' ? ['bodies_approved'] : ['bodies_sealed ON bodies'];
      for (const it of triggers) await fixture.place.ask(`DROP TRIGGER ${it}`);
      await say(id, 'request', 'approve');
      await alter('8600000022', '8600000099');
      expect(await resume(id, 1)).toMatchObject({ exitCode: 4, reason: { code: 'approval.step_above' } });
      await expect(resume(id, 1)).rejects.toMatchObject({ kind: 'safety' });
      await say(id, 'request', 'approve');
      const stop = new StopSignal();
      const { answer } = platform;
      platform.answer = (seen, count) => {
        stop.stop({ kind: 'interrupted' });
        return answer(seen, count);
      };
      expect(await resume(id, 1, stop)).toMatchObject({ status: 'interrupted' });
      expect(locked.length).toBeLessThan(22);
      expect(await resume(id, 1)).toMatchObject({ exitCode: 0 });
      expect([new Set(locked).size, locked.length]).toEqual([22, 22]);
      expect(locked).toContain('8600000099');
    });

    it.runIf(maker.name === 'SQLite')('are copied to a server with all that was approved', async () => {
      const id = await approved(1);
      await apply(id, 1);
      const place = await postgresPlace();
      try {
        await say(id, 'request', 'approve');
        expect(await resume(id, 1)).toMatchObject({ exitCode: 0 });
        const { planHash } = (await fixture.ledger.runs.get(id))!;
        await copyLedger(fixture.ledger, place.url, { realFile: async (it) => it });
        const copy = await openLedger(place.url);
        try {
          expect(await copy.runs.get(id)).toMatchObject({
            planHash,
            needsApproval: true,
            state: 'completed',
          });
          expect(await copy.approvals.application(id)).toMatchObject({ planHash });
          expect(await copy.approvals.list(id)).toHaveLength(4);
        } finally {
          await copy.close();
        }
      } finally {
        await place.remove();
      }
    });

    it('stop the same after a plan was applied that needed no approval', async () => {
      const { run: id } = await run('plan', 21);
      expect(await apply(id, 21)).toMatchObject({ exitCode: 4, reason: { code: 'approval.step_above' } });
      await expect(resume(id, 21)).rejects.toMatchObject({ kind: 'safety' });
      expect(locked).toEqual([]);
      await say(id, 'request', 'approve');
      expect(await resume(id, 21)).toMatchObject({ exitCode: 0, counts: { succeeded: 2 } });
      expect(locked).toHaveLength(22);
    });

    it('stop where a step sends more than the approved plan showed, until that is approved as well', async () => {
      const id = await approved(1);
      const { planHash: first = '' } = (await fixture.ledger.runs.get(id))!;
      expect(await apply(id, 1)).toMatchObject({ exitCode: 4, reason: { code: 'approval.step_above' } });
      expect([platform.seen.length, locked.length]).toEqual([2, 0]);
      const stopped = (await fixture.ledger.runs.get(id))!;
      expect(stopped).toMatchObject({ kind: 'run', state: 'stopped', awaitsApproval: true });
      expect(stopped.planHash).not.toBe(first);

      // What is said of the first plan counts for nothing any more.
      const by = { who: 'wang' };
      await fixture.ledger.approvals.add(id, { act: 'approve', planHash: first, by, maxAgeMs: 60_000 });
      await expect(resume(id, 1)).rejects.toMatchObject({ detail: { code: 'approval.not_asked' } });
      await expect(say(id, 'approve')).rejects.toMatchObject({ detail: { code: 'approval.not_requested' } });
      const number = `(SELECT id FROM runs WHERE name = '${id}')`;
      for (const sql of [
        `UPDATE runs SET state = 'executing' WHERE id = ${number}`,
        `UPDATE runs SET state = 'queued' WHERE parent = '${id}' AND step = 2`,
      ])
        await expect(fixture.place.ask(sql), sql).rejects.toThrow('approval.wanted');
      for (const sql of [
        `UPDATE step_seals SET plan_hash = '${first}'`,
        'DELETE FROM step_seals',
        `INSERT INTO step_seals (run, n, plan_hash, at) SELECT id, 2, '${first}', 0 FROM runs WHERE name = '${id}'`,
        "UPDATE step_shapes SET shape = ''",
        'DELETE FROM step_shapes',
      ])
        await expect(fixture.place.ask(sql), sql).rejects.toThrow('approval.kept');
      expect(locked).toEqual([]);

      await say(id, 'request', 'approve');
      expect(await resume(id, 1)).toMatchObject({ exitCode: 0, counts: { succeeded: 2 } });
      expect([new Set(locked).size, locked.length]).toEqual([22, 22]);
      expect(await fixture.ledger.approvals.application(id)).toMatchObject({ planHash: stopped.planHash });
    });

    it('are not asked about again where a step sends what the approved plan showed', async () => {
      expect(await apply(await approved(1, [1, 1]), 1)).toMatchObject({ exitCode: 0 });
      expect(locked).toHaveLength(2);
    });

    it('are not asked about again where a row of the approved plan is not sent', async () => {
      const { answer } = platform;
      platform.answer = (seen, count) =>
        count === 2 ? { body: { code: 4711, message: 'none left' } } : answer(seen, count);
      const end = await apply(await approved(2, [1, 1, 1]), 2);
      expect(end).toMatchObject({ status: 'completed', counts: { succeeded: 2, rejected: 1 } });
      expect(locked).toHaveLength(2);
    });

    it('are sent where they are not above it', async () => {
      expect(await run('run', 22)).toMatchObject({ exitCode: 0, counts: { succeeded: 2 } });
    });

    it('counts the assets of orders, not the orders', async () => {
      const more = orderRows(1).replace('A1', 'A1;A2;A3');
      await fixture.file('orders.csv', more);
      const job = await fixture.file('orders.yaml', orderJob());
      const checked = async (above: number): Promise<boolean | undefined> => {
        const approval = { operations: ['order.*'], above };
        const on = { ...platform.connection(), approval };
        return (await fixture.run(job, { plan: true, connection: on, parts: { by: LI } })).needsApproval;
      };
      // The policies of a host are kept, so the higher count comes first.
      expect([await checked(3), await checked(2)]).toEqual([undefined, true]);
    });
  },
);
