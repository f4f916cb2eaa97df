import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readPlanFiles } from '../../src/run/plan/plan-refusal.js';
import { revertRun } from '../../src/run/revert/revert.js';
import type { RunEnd } from '../../src/run/run-end.js';
import { applyPlan, resumeRun } from '../../src/run/start-run.js';
import type { SharedLedger } from '../../src/workers/services.js';
import { executeQueuedRuns } from '../../src/workers/worker.js';
import { FakePlatform } from '../support/fake-platform.js';
import { Fixture } from '../support/job-runs.js';
import { POSTGRES } from '../support/ledgers.js';
import { everythingDone, lockJob } from '../support/order-fixture.js';

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

let fixture: Fixture;
let platform: FakePlatform;
let files = 0;

beforeEach(async () => {
  fixture = await Fixture.open(POSTGRES);
  platform = await new FakePlatform(everythingDone).start();
});

afterEach(async () => {
  await platform.stop();
  await fixture.close();
});

const by = (act: 'submit' | 'apply' | 'resume') => ({ by: { who: 'li', act } });
const state = async (id: string) => fixture.ledger.runs.get(id);
const sent = (): string[] =>
  platform.seen.flatMap(({ body }) => (body.assetNums as string[] | undefined) ?? String(body.customerName));

async function run(job: string, rows: string, queue = false): Promise<RunEnd> {
  files += 1;
  const name = /^name: (.*)$/m.exec(job)?.[1];
  const end = await fixture.run(await fixture.file(`${name}.yaml`, job), {
    connection: platform.connection(),
    input: await fixture.file(`rows-${files}.csv`, rows),
    queue,
    parts: by('submit'),
  });
  expect(end.status).toBe(queue ? 'queued' : 'completed');
  return end;
}
const lock = (rows: string, queue = false) => run(lockJob('overdue', 'lock'), `Asset\n${rows}`, queue);
const unlock = (rows: string) => run(lockJob('paid', 'unlock'), `Asset\n${rows}`);

async function carry(): Promise<void> {
  const how = {
    slots: 2,
    connections: new Map([['fake', platform.connection()]]),
    once: true,
    leaseMs: 2000,
  };
  const worker = (name: string) =>
    executeQueuedRuns({ ...fixture.parts(), ledger: fixture.ledger as SharedLedger }, { name, ...how });
  await Promise.all([worker('w1'), worker('w2')]);
}

/** Applies a plan with a confirmation. */
async function queued(plan: string): Promise<void> {
  const kept = (await state(plan))!;
  const conditions = await readPlanFiles(kept, platform.connection(), Number.POSITIVE_INFINITY);
  const parts = fixture.parts({ confirm: true, ...by('apply') });
  expect(await applyPlan(parts, kept, conditions, (it) => it, { queue: true })).toMatchObject({
    status: 'queued',
  });
}

const resume = async (id: string, confirm: boolean) =>
  resumeRun(
    fixture.parts({ confirm, ...by('resume') }),
    (await state(id))!,
    (it) => ({ ...it, connection: platform.connection() }),
    { queue: true },
  );

describe('what other runs changed while a run was queued', () => {
  test('customers as well as locks: the run stops before anything is sent, and resumes after a confirmation', async () => {
    await run(UPDATE, 'CRM,Name\nC1,One\n');
    const { run: id } = await run(UPDATE, 'CRM,Name\nC1,One\nC2,Two\n', true);
    const later = await run(UPDATE.replace('addresses', 'others'), 'CRM,Name\nC1,Uno\n');
    platform.seen.length = 0;
    await carry();
    const reason = { code: 'run.changed_needs_yes', params: { rows: '2', runs: later.run, count: 1 } };
    expect(await state(id)).toMatchObject({ state: 'stopped', exitCode: 4, reason });
    expect(sent()).toEqual([]);
    expect(await resume(id, false)).toMatchObject({ status: 'stopped', reason });
    expect(await resume(id, true)).toMatchObject({ status: 'queued' });
    await carry();
    expect(await state(id)).toMatchObject({ state: 'completed', exitCode: 0 });
    expect(sent().sort()).toEqual(['One', 'Two']);
  });

  test('a change that was there when the run was queued is not asked for again', async () => {
    await lock('L1\n');
    await unlock('L1\n');
    files += 1;
    const end = await fixture.run(await fixture.file('overdue.yaml', lockJob('overdue', 'lock')), {
      connection: platform.connection(),
      input: await fixture.file(`rows-${files}.csv`, 'Asset\nL2\nL1\n'),
      queue: true,
      parts: { confirm: true, ...by('submit') },
    });
    platform.seen.length = 0;
    await carry();
    expect(await state(end.run)).toMatchObject({ state: 'completed', exitCode: 0 });
    expect(sent().sort()).toEqual(['L1', 'L2']);
  });

  test('in a later step: the run stops there, and the step is sent with a confirmation', async () => {
    await run(STEPS, 'Asset\nL1\nL2\n');
    platform.seen.length = 0;
    const { run: id } = await run(STEPS, 'Asset\nL1\nL3\n', true);
    let later: RunEnd | undefined;
    platform.answer = async (seen) => {
      if (seen.path.includes('update')) later ??= await unlock('L1\n');
      return everythingDone(seen);
    };
    await carry();
    const reason = { code: 'run.changed_needs_yes', params: { rows: '2', runs: later!.run } };
    expect(await state(id)).toMatchObject({ state: 'stopped', exitCode: 4, reason });
    platform.seen.length = 0;
    expect(await resume(id, true)).toMatchObject({ status: 'queued' });
    await carry();
    expect(await state(id)).toMatchObject({ state: 'completed', exitCode: 0 });
    expect(sent().sort()).toEqual(['L1', 'L3']);
  });

  test('before a plan of steps was applied: it is asked for once, with all steps', async () => {
    await run(STEPS, 'Asset\nL1\nL2\n');
    files += 1;
    const plan = await fixture.run(await fixture.file('stepped.yaml', STEPS), {
      connection: platform.connection(),
      input: await fixture.file(`rows-${files}.csv`, 'Asset\nL1\nL3\n'),
      plan: true,
    });
    await unlock('L1\n');
    platform.seen.length = 0;
    await queued(plan.run);
    await carry();
    expect(await state(plan.run)).toMatchObject({ state: 'completed', exitCode: 0 });
    expect(sent().sort()).toEqual(['L1', 'L3', 'One']);
  });

  test('the locks of a revert: it stops, and continues without these rows', async () => {
    const first = await lock('L1\nL2\n');
    const plan = await revertRun(fixture.parts(), (await state(first.run))!, {
      connection: platform.connection(),
      change: (it) => it,
    });
    await queued(plan.run);
    const later = await run(lockJob('second', 'lock'), 'Asset\nL1\n');
    platform.seen.length = 0;
    await carry();
    const stopped = await state(plan.run);
    expect(stopped).toMatchObject({ state: 'stopped', exitCode: 4, reason: { code: 'run.conflict_since' } });
    expect(JSON.stringify(stopped?.reason)).toContain(later.run);
    expect(sent()).toEqual([]);
    expect(await resume(plan.run, true)).toMatchObject({ status: 'queued' });
    await carry();
    expect(sent()).toEqual(['L2']);
    expect(await fixture.ledger.runs.counts(plan.run)).toEqual({ succeeded: 1, invalid: 1 });
  });
});
