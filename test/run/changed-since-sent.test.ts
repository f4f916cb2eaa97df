import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Confirm, SendQuestion } from '../../src/run/execute/confirm-sending.js';
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

const locks = (name: string, operation: string): string => `version: 1
name: ${name}
operation: asset.${operation}
source: { file: rows.csv }
batch: { size: 1 }
map: { assetNums: Asset, operatorIdentity: { value: ops@example.com } }
`;
const LOCK = locks('overdue', 'lock');
const UNLOCK = locks('paid', 'unlock');

const UPDATE = `version: 1
name: addresses
operation: enterprise.update
source: { file: rows.csv }
map: { crmCustomerId: CRM, customerName: Name, branchName: { value: North } }
`;

const STEPS = `version: 1
name: stepped
safety: { duplicates: send }
source: { file: rows.csv }
steps:
  - name: update
    operation: enterprise.update
    map: { crmCustomerId: { value: C1 }, customerName: { value: One }, branchName: { value: North } }
  - name: lock
    operation: asset.lock
    map: { assetNums: Asset, operatorIdentity: { value: ops@example.com } }
`;

describe.each(LEDGER_MAKERS)('rows whose lock or customer a later run changed ($name)', (maker) => {
  let fixture: Fixture;
  let platform: FakePlatform;

  beforeEach(async () => {
    changed.length = 0;
    fixture = await Fixture.open(maker);
    platform = await new FakePlatform(done).start();
  });

  afterEach(async () => {
    await platform.stop();
    await fixture.close();
  });

  function done(seen: Seen): Answer {
    if (seen.body.orderList) return ordersDone(seen);
    const numbers = seen.body.assetNums as string[] | undefined;
    if (!numbers) return { body: { code: 0, message: '' } };
    return { body: { code: 0, message: '', data: numbers.map((assetNum) => ({ assetNum, status: 1 })) } };
  }

  interface How {
    readonly plan?: boolean;
    readonly dryRun?: boolean;
    readonly confirm?: Confirm;
    readonly set?: readonly string[];
    readonly parts?: Parameters<Fixture['parts']>[0];
    readonly canary?: number;
  }

  let files = 0;

  /** Each in a file with another content, as the identical file is not sent again. */
  async function run(job: string, rows: string, { confirm = false, set = [], parts, ...how }: How = {}) {
    files += 1;
    return fixture.run(await fixture.file(`${/^name: (.*)$/m.exec(job)?.[1]}.yaml`, job), {
      connection: platform.connection(),
      input: await fixture.file(`rows-${files}.csv`, `${rows}${'\n'.repeat(files)}`),
      set: ['run.concurrency=1', ...set],
      ...how,
      parts: { confirm, ...parts },
    });
  }
  const lock = (assets: string, how?: How) => run(LOCK, `Asset\n${assets}`, how);
  const unlock = (assets: string, how?: How) => run(UNLOCK, `Asset\n${assets}`, how);

  const changed: SendQuestion['changed'][] = [];
  const ask: Confirm = (question) => {
    changed.push(question.changed);
    return true;
  };
  const sent = (): string[] =>
    platform.seen.flatMap(
      ({ body }) => (body.assetNums as string[] | undefined) ?? String(body.customerName),
    );
  const messages = async (end: RunEnd) =>
    ((await readSheet(end.output ?? '')) as Record<string, string>[]).map((it) => it.message ?? '');

  async function apply(plan: string, confirm: Confirm = false): Promise<RunEnd> {
    const kept = (await fixture.ledger.runs.get(plan))!;
    const conditions = await readPlanFiles(kept, platform.connection(), Number.POSITIVE_INFINITY);
    return applyPlan(fixture.parts({ confirm }), kept, conditions, (it) => it);
  }

  it('are sent only after a confirmation that lists these rows and the later runs', async () => {
    const first = await lock('L1\nL2\nL3\n');
    const later = await unlock('L0\nL2\n');
    platform.seen.length = 0;
    const dry = await lock('L2\nL1\n', { dryRun: true });
    expect(dry).toMatchObject({ exitCode: 0, counts: { valid: 2 } });
    const said = await messages(dry);
    expect(said[0]).toContain(`row 3 of run ${first.run}`);
    expect(said[0]).toContain(`row 3 of run ${later.run} (asset.unlock)`);
    expect(said[1]).toBe('');
    expect(await fixture.ledger.plan.warnings(dry.run)).toContainEqual(
      expect.objectContaining({
        code: 'run.changed_rows',
        params: expect.objectContaining({ rows: '2', runs: later.run, count: 1 }),
      }),
    );

    const refused = await lock('L2\nL1\n');
    expect(refused).toMatchObject({
      exitCode: 4,
      status: 'stopped',
      reason: { code: 'run.changed_needs_yes', params: { rows: '2', runs: later.run, count: 1 } },
    });
    expect(sent()).toEqual([]);

    const asked = await lock('L4\nL2\n', { confirm: ask });
    expect(asked.counts).toEqual({ succeeded: 2 });
    expect(changed).toMatchObject([{ rows: '3', runs: later.run, count: 1 }]);
    expect(sent()).toEqual(['L4', 'L2']);
    // What was sent last is what the next one is compared with.
    expect((await lock('L2\nL1\n')).counts).toEqual({ succeeded: 2 });
  });

  // The rest is the same on both: contract/ runs the ledger's statements on each.
  if (maker !== SQLITE) return;

  it('are compared when a stopped run is resumed', async () => {
    await lock('L1\nL2\n');
    const stop = new StopSignal();
    platform.answer = (seen) => {
      stop.stop({ kind: 'interrupted' });
      return done(seen);
    };
    const stopped = await lock('L1\nL3\nL2\n', { parts: { stop } });
    expect(stopped.counts).toEqual({ succeeded: 1, not_sent: 2 });
    platform.answer = done;
    const later = await unlock('L2\nL1\n');
    platform.seen.length = 0;
    const resume = async (confirm: Confirm) =>
      resumeRun(fixture.parts({ confirm }), (await fixture.ledger.runs.get(stopped.run))!, (it) => ({
        ...it,
        connection: platform.connection(),
      }));
    expect(await resume(false)).toMatchObject({
      status: 'stopped',
      reason: { params: { rows: '4', runs: later.run } },
    });
    expect(sent()).toEqual([]);
    expect((await resume(true)).counts).toEqual({ succeeded: 3 });
  });

  it('are found for updates of a customer, also in a ledger of an earlier version', async () => {
    const update = (rows: string, how?: How) => run(UPDATE, `CRM,Name\n${rows}`, how);
    const first = await update('C1,One\nC2,Two\n');
    const later = await update('C1,Uno\nC2,Two\n');
    expect((await update('C2,Two\n')).counts).toEqual({ succeeded: 1 });
    const refused = { exitCode: 4, reason: { params: { rows: '2', runs: later.run } } };
    expect(await update('C1,One\nC3,Three\n')).toMatchObject(refused);
    expect((await messages(await update('C1,One\nC3,Three\n', { dryRun: true })))[0]).toContain(first.run);
    await fixture.place.ask('DELETE FROM things');
    await fixture.place.ask('UPDATE items SET things = NULL');
    await fixture.place.ask('UPDATE runs SET things_indexed = 0');
    expect(await update('C1,One\nC4,Four\n')).toMatchObject(refused);
    expect(await fixture.ledger.assetIndex.unindexed()).toEqual([]);
  });

  it('are not sent where the person does not confirm', async () => {
    await lock('L1\n');
    await unlock('L1\n');
    platform.seen.length = 0;
    const end = await lock('L2\nL1\n', { confirm: () => false });
    expect(end).toMatchObject({ exitCode: 4, reason: { code: 'run.changed_needs_yes' } });
    expect(sent()).toEqual([]);
  });

  it('are asked for again if they were changed while a person was asked', async () => {
    await lock('L1\nL2\n');
    await unlock('L1\n');
    const later: RunEnd[] = [];
    const confirm: Confirm = async (question) => {
      changed.push(question.changed);
      if (later.length === 0) later.push(await unlock('L2\n'));
      return true;
    };
    expect((await lock('L2\nL1\n', { confirm })).counts).toEqual({ succeeded: 2 });
    expect(changed).toMatchObject([{ rows: '3' }, { rows: '2-3' }]);
  });

  it('need none after a change on another platform, a failed one or one to the same content', async () => {
    await lock('L1\nL2\n');
    platform.answer = ({ body }) => ({
      body: {
        code: 0,
        message: '',
        data: (body.assetNums as string[]).map((assetNum) => ({ assetNum, status: 3 })),
      },
    });
    await unlock('L1\n');
    platform.answer = done;
    // Another job that did the same.
    await run(locks('others', 'lock'), 'Asset\nL1\n');
    const other = await new FakePlatform(done).start();
    try {
      await fixture.run(await fixture.file('job.yaml', UNLOCK), {
        connection: other.connection(),
        input: await fixture.file('other.csv', 'Asset\nL1\n'),
      });
    } finally {
      await other.stop();
    }
    expect((await lock('L2\nL1\n')).counts).toEqual({ succeeded: 2 });
  });

  it('include locks that a customer ordered something for since', async () => {
    await lock('L1\n');
    const rows = 'Order,Customer,Asset,Nodes\nSO-1,Customer A,L1,5\n';
    const order = await run(orderJob({}), rows);
    expect(await lock('L2\nL1\n')).toMatchObject({
      exitCode: 4,
      reason: { params: { rows: '3', runs: order.run } },
    });
  });

  it('include what a revert set back, and not what a revert restored', async () => {
    const revert = async (id: string): Promise<RunEnd> => {
      const connection = platform.connection();
      const plan = await revertRun(fixture.parts(), (await fixture.ledger.runs.get(id))!, {
        connection,
        change: (it) => it,
      });
      return apply(plan.run);
    };
    await lock('L1\n');
    const later = await unlock('L1\n');
    expect((await revert(later.run)).counts).toEqual({ succeeded: 1 });
    const second = await lock('L2\nL1\n');
    expect(second.counts).toEqual({ succeeded: 2 });
    const undoing = await revert(second.run);
    expect(await lock('L1\nL3\n')).toMatchObject({ exitCode: 4, reason: { params: { runs: undoing.run } } });
  });

  it('are compared when a plan is applied, which can be applied again with a confirmation', async () => {
    await lock('L1\n');
    const plan = await lock('L2\nL1\n', { plan: true });
    const later = await unlock('L1\n');
    platform.seen.length = 0;
    expect(await apply(plan.run)).toMatchObject({ exitCode: 4, reason: { params: { runs: later.run } } });
    expect(sent()).toEqual([]);
    expect((await apply(plan.run, true)).counts).toEqual({ succeeded: 2 });
  });

  it('are compared with what a plan sent that was applied later', async () => {
    const plan = await lock('L1\n', { plan: true });
    await lock('L2\nL1\n');
    await unlock('L1\n');
    expect((await apply(plan.run, true)).counts).toEqual({ succeeded: 1 });
    expect((await lock('L3\nL1\n')).counts).toEqual({ succeeded: 2 });
  });

  it('are found in the question for what a canary leaves', async () => {
    await lock('L1\n');
    const stop: { unlocked?: RunEnd } = {};
    platform.answer = async (seen) => {
      if (seen.body.assetNums && String(seen.body.assetNums) === 'L2') stop.unlocked ??= await unlock('L1\n');
      return done(seen);
    };
    await lock('L2\nL1\n', { canary: 1, confirm: ask });
    expect(changed).toMatchObject([{ rows: '3', runs: stop.unlocked?.run }]);
  });

  it('are found after the later run was pruned', async () => {
    await lock('L1\n');
    const later = await unlock('L1\n');
    await fixture.place.ask(`UPDATE runs SET ended_at = 1 WHERE name = '${later.run}'`);
    await fixture.ledger.runs.prune(1000);
    expect((await fixture.ledger.runs.get(later.run))?.prunedAt).toBeDefined();
    expect(await lock('L2\nL1\n')).toMatchObject({ exitCode: 4, reason: { params: { runs: later.run } } });
  });

  it('are found in the steps of a job that sends repeats', async () => {
    const stepped = (assets: string, how?: How) => run(STEPS, `Asset\n${assets}`, how);
    expect((await stepped('L1\nL2\n')).counts).toEqual({ succeeded: 2 });
    const later = await unlock('L2\n');
    platform.seen.length = 0;
    const refused = await stepped('L1\nL2\nL3\n');
    expect(refused).toMatchObject({ exitCode: 4, reason: { params: { rows: '3', runs: later.run } } });
    expect(sent()).toEqual([]);
    expect((await stepped('L1\nL2\nL4\n', { confirm: ask })).counts).toEqual({ succeeded: 3 });
    expect(changed).toMatchObject([{ rows: '3' }]);
    // Changed while an earlier step was sent.
    platform.answer = async (seen) => {
      if (seen.path.includes('update')) await unlock('L1\n');
      return done(seen);
    };
    const stopped = await stepped('L1\nL5\n');
    expect(stopped).toMatchObject({
      exitCode: 4,
      reason: { code: 'run.changed_needs_yes', params: { rows: '2' } },
    });
  });
});
