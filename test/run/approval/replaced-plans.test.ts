import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { render } from '../../../src/errors/message.js';
import { scopeOf } from '../../../src/ledger/rules/scopes.js';
import { takeLock } from '../../../src/ledger/take-lock.js';
import type { Connection } from '../../../src/model/connection.js';
import { replacePlans } from '../../../src/run/approval/replace-plans.js';
import { readPlanFiles } from '../../../src/run/plan/plan-refusal.js';
import { applyPlan, resumeRun } from '../../../src/run/start-run.js';
import { FakePlatform, ordersDone } from '../../support/fake-platform.js';
import { Fixture } from '../../support/job-runs.js';
import { collect } from '../../support/ledger-samples.js';
import { LEDGER_MAKERS, SQLITE } from '../../support/ledgers.js';
import { orderJob, orderRows } from '../../support/orders.js';

const LI = { who: 'li', act: 'run' } as const;
const DAY = 86_400_000;

describe.each(LEDGER_MAKERS)('$name: a plan that a schedule makes while an older one waits', (maker) => {
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

  const connection = (): Connection => ({ ...platform.connection(), approval: {} });

  /** A night's run, which ends as a plan that waits. */
  async function night(orders: number): Promise<string> {
    await fixture.file('orders.csv', orderRows(orders));
    const end = await fixture.run(await fixture.file('job.yaml', orderJob()), {
      connection: connection(),
      parts: { by: LI },
    });
    expect(end).toMatchObject({ kind: 'plan', exitCode: 4, needsApproval: true });
    return end.run;
  }

  async function say(plan: string, ...acts: ('request' | 'approve')[]): Promise<void> {
    const { planHash = '' } = (await fixture.ledger.runs.get(plan))!;
    for (const act of acts) {
      const by = { who: act === 'approve' ? 'wang' : 'li' };
      await fixture.ledger.approvals.add(plan, { act, planHash, by, maxAgeMs: DAY } as never);
    }
  }

  const replace = (earlier: readonly string[], newest: string) =>
    replacePlans(fixture.ledger, { earlier, newest, who: 'scheduler', at: Date.now() });

  async function apply(id: string) {
    const plan = (await fixture.ledger.runs.get(id))!;
    const now = await readPlanFiles(plan, connection(), DAY);
    return applyPlan(fixture.parts({ by: LI, confirm: true }), plan, now, (it) => it);
  }

  it('takes its place: the older one is over and reports it, and so do the newer one and the audit', async () => {
    const [first, second] = [await night(2), await night(3)];
    await say(first, 'request');
    const newest = await night(4);
    // Those of later times aren't named; a time that failed is none.
    expect(await replace([second, first, 'gone', newest], newest)).toEqual([second, first]);
    const old = (await fixture.ledger.runs.get(first))!;
    expect(old).toMatchObject({ kind: 'plan', state: 'invalid', exitCode: 4, endedAt: expect.any(Number) });
    expect(render(old.reason!)).toContain(`Plan ${first} was replaced by plan ${newest}`);
    const [warning] = await fixture.ledger.plan.warnings(newest);
    expect(render(warning!)).toContain(`${second}, ${first}`);
    const lines = (await collect(fixture.ledger.audit.list({}))).flat();
    expect(lines.filter((it) => it.act === 'withdraw')).toMatchObject([
      { who: 'scheduler', run: second, detail: { replacedBy: newest } },
      { who: 'scheduler', run: first, detail: { replacedBy: newest } },
    ]);
    const replaced = { detail: { code: 'approval.replaced', params: { by: newest } } };
    await expect(apply(first)).rejects.toMatchObject(replaced);
    await expect(resumeRun(fixture.parts(), old, (it) => it)).rejects.toThrow(/finished|nothing/);
    // Nor if a user's approval arrives after all.
    await say(first, 'approve');
    await expect(apply(first)).rejects.toMatchObject(replaced);
    expect(platform.seen).toEqual([]);
    await say(newest, 'request', 'approve');
    expect(await apply(newest)).toMatchObject({ status: 'completed', counts: { succeeded: 4 } });
    expect(await replace([first], newest)).toEqual([]);
  });

  // The rest is the same on both: contract/ runs the ledger's statements on each.
  if (maker !== SQLITE) return;

  it('leaves what is approved, what a user is about to send, and all where nothing waits since', async () => {
    const approved = await night(1);
    await say(approved, 'request', 'approve');
    const newest = await night(2);
    expect(await replace([approved], newest)).toEqual([]);
    const older = await night(3);
    const lock = await takeLock(fixture.ledger, 'orders', scopeOf(platform.connection()), 'another');
    expect(await replace([older], newest)).toEqual([]);
    await lock.release();
    await fixture.file('orders.csv', orderRows(1));
    expect(await apply(approved)).toMatchObject({ status: 'completed' });
    expect(await replace([older], approved)).toEqual([]);
    expect((await fixture.ledger.runs.get(older))!.state).toBe('planned');
    expect(await replace([older], newest)).toEqual([older]);
  });
});
