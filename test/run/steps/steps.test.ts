import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { executeStage } from '../../../src/run/execute/execute-stage.js';
import { mayExecute } from '../../../src/run/execute/may-execute.js';
import { exportResult } from '../../../src/run/report/export-result.js';
import { reportRows, type StepsRow } from '../../../src/run/report/row-results.js';
import { resolveRows, verifyRun } from '../../../src/run/resolve/resolve-run.js';
import { retryRun } from '../../../src/run/retry.js';
import type { RunEnd } from '../../../src/run/run-end.js';
import { unpackSettings } from '../../../src/run/settings.js';
import { applyPlan, resumeRun, startRun } from '../../../src/run/start-run.js';
import { StopSignal } from '../../../src/util/stop-signal.js';
import { type Answer, FakePlatform, type Seen } from '../../support/fake-platform.js';
import { Fixture } from '../../support/job-runs.js';
import { collect } from '../../support/ledger-samples.js';
import {
  OnboardingPlatform,
  onboarding,
  onboardingRows,
  type Step,
  stepOf,
} from '../../support/onboarding.js';

let fixture: Fixture;
let platform: FakePlatform;
let done: OnboardingPlatform;

beforeEach(async () => {
  fixture = await Fixture.open();
  done = new OnboardingPlatform();
  platform = await new FakePlatform((seen) => done.answer(seen)).start();
});

afterEach(async () => {
  await platform.stop();
  await fixture.close();
});

const FOUR = ['SO-1,C1,,2,5', 'SO-2,C2,,1,5', 'SO-3,C2,,1,5', 'SO-4,C4,ID-4,1,5'];

async function run(
  change: Parameters<Fixture['run']>[1] & { readonly job?: string; readonly rows?: readonly string[] } = {},
): Promise<RunEnd> {
  await fixture.file('rows.csv', onboardingRows(change.rows ?? FOUR));
  const job = await fixture.file('job.yaml', change.job ?? onboarding());
  return fixture.run(job, { connection: platform.connection(), ...change });
}

/** What was sent, by step, in order. */
function sent(step: Step, from = 0): string[] {
  return platform.seen.slice(from).flatMap((it) => (stepOf(it).step === step ? [stepOf(it).of] : []));
}

function orderOf(name: string): { customerId: string; numbers: string[] } {
  const seen = platform.seen.find((it) => it.body.channelOrderId === name);
  const [order] = seen!.body.orderList as { customerId: string; assets: { assetNos: string[] }[] }[];
  return { customerId: order!.customerId, numbers: order!.assets.flatMap((it) => it.assetNos) };
}

async function rowsOf(run: string): Promise<string[]> {
  const whole = (await fixture.ledger.runs.get(run))!;
  const lines = (await collect(reportRows(fixture.ledger, whole))).flat();
  return lines.map(
    (it) => `${it.row} ${it.status}: ${(it as StepsRow).steps.map((part) => part?.status).join(', ')}`,
  );
}

/** What becomes the outcome of a step's request, for those rows or customers. */
function when(step: Step, of: readonly string[], answer: Answer): void {
  platform.answer = (seen: Seen) => {
    const it = stepOf(seen);
    return it.step === step && of.includes(it.of) ? answer : done.answer(seen);
  };
}

const REJECTED: Answer = { body: { code: '13004', message: 'no', cause: 'why' } };

describe('a run of several steps', () => {
  it('passes every id to its own row, and shared customers are bound once', async () => {
    const end = await run();
    expect(end).toMatchObject({ status: 'completed', exitCode: 0, rows: 4, counts: { succeeded: 4 } });
    expect(sent('customer').sort()).toEqual(['C1', 'C2']);
    expect(sent('numbers')).toHaveLength(4);
    expect(sent('order').sort()).toEqual(['SO-1', 'SO-2', 'SO-3', 'SO-4']);
    expect(['SO-1', 'SO-2', 'SO-3', 'SO-4'].map((it) => orderOf(it).customerId)).toEqual([
      'ID-C1',
      'ID-C2',
      'ID-C2',
      'ID-4',
    ]);
    const numbers = ['SO-1', 'SO-2', 'SO-3', 'SO-4'].map((it) => orderOf(it).numbers);
    expect(numbers.map((it) => it.length)).toEqual([2, 1, 1, 1]);
    expect(new Set(numbers.flat()).size).toBe(5);
    expect(await rowsOf(end.run)).toEqual([
      '2 succeeded: succeeded, succeeded, succeeded',
      '3 succeeded: succeeded, succeeded, succeeded',
      '4 succeeded: succeeded, succeeded, succeeded',
      '5 succeeded: skipped, succeeded, succeeded',
    ]);
    const whole = await fixture.ledger.runs.get(end.run);
    expect(whole).toMatchObject({ state: 'completed', rows: 4, requests: 10, operation: 'steps' });
    expect((await fixture.ledger.runs.children(end.run)).map((it) => [it.id, it.state, it.exitCode])).toEqual(
      [
        [`${end.run}-1`, 'completed', 0],
        [`${end.run}-2`, 'completed', 0],
        [`${end.run}-3`, 'completed', 0],
      ],
    );
  });

  it('sends nothing again, whatever the order of the rows', async () => {
    await run();
    const before = platform.seen.length;
    const again = await run({ rows: [...FOUR].reverse() });
    expect(platform.seen).toHaveLength(before);
    expect(again).toMatchObject({ exitCode: 0, counts: { skipped: 4 }, requests: 0 });
  });

  it('a new row is taken through all steps, the others stay as they are', async () => {
    await run();
    const before = platform.seen.length;
    const end = await run({ rows: ['SO-9,C9,,1,5', ...FOUR] });
    expect(end).toMatchObject({ exitCode: 0, counts: { succeeded: 1, skipped: 4 } });
    expect(platform.seen.slice(before).map((it) => stepOf(it).step)).toEqual([
      'customer',
      'numbers',
      'order',
    ]);
    expect(orderOf('SO-9').customerId).toBe('ID-C9');
  });

  it('an invalid row is sent in no step, nor are the rows of its order', async () => {
    const rows = ['SO-1,C1,,1,5', 'SO-2,C2,,1,x', 'SO-2,C3,,1,5', 'SO-3,C2,,1,5'];
    const job = onboarding({ extra: 'run: { onInvalid: skip }\n' });
    const end = await run({ rows, job });
    expect(sent('customer').sort()).toEqual(['C1', 'C2']);
    expect(sent('numbers')).toHaveLength(2);
    expect(sent('order').sort()).toEqual(['SO-1', 'SO-3']);
    expect(end).toMatchObject({ exitCode: 1, counts: { succeeded: 2, invalid: 2 } });
    expect(await rowsOf(end.run)).toEqual([
      '2 succeeded: succeeded, succeeded, succeeded',
      '3 invalid: not_sent, not_sent, invalid',
      '4 invalid: not_sent, not_sent, invalid',
      '5 succeeded: succeeded, succeeded, succeeded',
    ]);
  });

  it('one invalid row in the last step, and nothing is sent (onInvalid: abort)', async () => {
    const end = await run({ rows: [...FOUR, 'SO-5,C5,,1,x'] });
    expect(end).toMatchObject({ status: 'invalid', exitCode: 3, counts: { invalid: 1, not_sent: 4 } });
    expect(platform.seen).toHaveLength(0);
    expect((await fixture.ledger.runs.children(end.run)).map((it) => it.state)).toEqual([
      'invalid',
      'invalid',
      'invalid',
    ]);
  });

  it('a row continues only if its step succeeded', async () => {
    when('customer', ['C2'], REJECTED);
    const end = await run();
    expect(end).toMatchObject({ status: 'completed', exitCode: 1, counts: { succeeded: 2, rejected: 2 } });
    expect(await rowsOf(end.run)).toEqual([
      '2 succeeded: succeeded, succeeded, succeeded',
      '3 rejected: rejected, not_sent, not_sent',
      '4 rejected: rejected, not_sent, not_sent',
      '5 succeeded: skipped, succeeded, succeeded',
    ]);
    const row = await fixture.ledger.report.row(`${end.run}-3`, 3);
    expect(row?.result.messages[0]?.text).toMatchObject({
      code: 'steps.not_on',
      params: { step: 'customer', status: 'rejected' },
    });
  });

  it('an order of several rows goes only when all of them may continue', async () => {
    when('customer', ['C2'], 'reset');
    const rows = ['SO-1,C1,ID-1,1,5', 'SO-1,C2,,1,5', 'SO-2,C3,,1,5'];
    const job = onboarding()
      .replaceAll('customerName: Customer\n        channel', 'customerName: Order\n        channel')
      .replace('channelCustomerId: Customer\n        admin', 'channelCustomerId: Order\n        admin')
      .replace('{ from: customer.customerId, else: Customer ID }', '{ value: ID }')
      .replace('assets:\n', 'assets:\n          each: [Customer]\n');
    const end = await run({ rows, job });
    expect(sent('order')).toEqual(['SO-2']);
    expect(end).toMatchObject({ exitCode: 6 });
    expect(await rowsOf(end.run)).toEqual([
      '2 not_sent: skipped, succeeded, not_sent',
      '3 unknown: unknown, not_sent, not_sent',
      '4 succeeded: succeeded, succeeded, succeeded',
    ]);
  });

  it('onPartial: stop ends the run, and resume sends what can continue', async () => {
    when('customer', ['C1'], REJECTED);
    const end = await run({ job: onboarding({ first: 'onPartial: stop' }) });
    expect(end).toMatchObject({ status: 'stopped', exitCode: 4, counts: { rejected: 1, not_sent: 3 } });
    expect(end.reason).toMatchObject({
      code: 'steps.partial',
      params: { count: 1, step: 'customer', run: end.run },
    });
    expect(sent('numbers')).toHaveLength(0);
    const rest = await resumeRun(fixture.parts(), (await fixture.ledger.runs.get(end.run))!, (it) => it);
    expect(rest).toMatchObject({ status: 'completed', exitCode: 1, counts: { rejected: 1, succeeded: 3 } });
    expect(sent('customer')).toHaveLength(2);
  });

  it('a check sends nothing and leaves nothing to resume', async () => {
    const end = await run({ dryRun: true });
    expect(end).toMatchObject({ status: 'completed', exitCode: 0, counts: { valid: 4 } });
    expect(platform.seen).toHaveLength(0);
    expect((await fixture.ledger.runs.children(end.run)).map((it) => it.state)).toEqual([
      'completed',
      'completed',
      'completed',
    ]);
  });

  it('rows that succeeded are reported so by a check, in all steps', async () => {
    await run();
    expect(await run({ dryRun: true })).toMatchObject({ counts: { skipped: 4 } });
  });

  it('stopped in the middle of a step it continues there', async () => {
    const stop = new StopSignal();
    platform.answer = (seen) => {
      if (stepOf(seen).step === 'numbers') stop.stop({ kind: 'interrupted' });
      return done.answer(seen);
    };
    const end = await run({ parts: { stop }, set: ['run.concurrency=1'] });
    expect(end).toMatchObject({ status: 'interrupted', exitCode: 130 });
    expect(end.reason?.params.run).toBe(end.run);
    expect(sent('order')).toHaveLength(0);
    platform.answer = (seen) => done.answer(seen);
    const rest = await resumeRun(fixture.parts(), (await fixture.ledger.runs.get(end.run))!, (it) => it);
    expect(rest).toMatchObject({ status: 'completed', exitCode: 0, counts: { succeeded: 4 } });
    expect(sent('customer')).toHaveLength(2);
    expect(sent('numbers')).toHaveLength(4);
    expect(sent('order')).toHaveLength(4);
  });
});

describe('safety limits of a run of several steps', () => {
  it('maxItems holds for each step by itself', async () => {
    const end = await run({ set: ['safety.maxItems=3'] });
    expect(end).toMatchObject({
      status: 'stopped',
      exitCode: 4,
      reason: { code: 'steps.max_items', params: { step: 'numbers' } },
    });
    expect(platform.seen).toHaveLength(0);
    expect(await run({ set: ['safety.maxItems=4'] })).toMatchObject({ exitCode: 0 });
  });

  it('a confirmation is asked for once, with the numbers of each step', async () => {
    const asked: unknown[] = [];
    const confirm = (question: { items: number; steps?: readonly { name: string; items: number }[] }) => {
      asked.push([question.items, ...(question.steps ?? []).map((it) => `${it.name} ${it.items}`)]);
      return true;
    };
    const connection = platform.connection({ confirm: 'always' });
    expect(await run({ connection, parts: { confirm } })).toMatchObject({ exitCode: 0 });
    expect(asked).toEqual([[10, 'customer 2', 'numbers 4', 'order 4']]);
  });

  it('without a confirmation nothing is sent', async () => {
    const connection = platform.connection({ confirm: 'always' });
    expect(await run({ connection })).toMatchObject({ exitCode: 4, reason: { code: 'run.needs_yes' } });
    expect(platform.seen).toHaveLength(0);
  });

  it('a canary is the first items of the first step, then a confirmation holds for all the rest', async () => {
    const end = await run({ canary: 1 });
    expect(end).toMatchObject({
      status: 'stopped',
      exitCode: 4,
      reason: { code: 'run.canary_waits', params: { run: end.run } },
    });
    expect(platform.seen).toHaveLength(1);
    const whole = (await fixture.ledger.runs.get(end.run))!;
    const rest = await resumeRun(fixture.parts({ confirm: true }), whole, (it) => it);
    expect(rest).toMatchObject({ status: 'completed', counts: { succeeded: 4 } });
    expect(platform.seen).toHaveLength(10);
  });

  it('a canary that is all of its step blocks the next one', async () => {
    const end = await run({ canary: 5 });
    expect(end).toMatchObject({
      status: 'stopped',
      exitCode: 4,
      reason: { code: 'run.canary_waits', params: { run: end.run } },
    });
    expect(platform.seen.map((it) => stepOf(it).step)).toEqual(['customer', 'customer']);
    const whole = (await fixture.ledger.runs.get(end.run))!;
    const rest = await resumeRun(fixture.parts({ confirm: true }), whole, (it) => it);
    expect(rest).toMatchObject({ status: 'completed', counts: { succeeded: 4 } });
  });

  it('the connection must have the application key of every step', async () => {
    const { appKey: _, ...connection } = platform.connection();
    await expect(run({ connection })).rejects.toMatchObject({ code: 'run.needs_app_key' });
    expect(platform.seen).toHaveLength(0);
  });
});

describe('what was planned with given values', () => {
  it('is never sent, in whatever way it is requested', async () => {
    const connection = platform.connection({ confirm: 'always' });
    const end = await run({ connection });
    const child = (await fixture.ledger.runs.get(`${end.run}-3`))!;
    expect(child).toMatchObject({ state: 'planning', items: 4 });
    const settings = { ...unpackSettings(child.settings), connection };
    expect(settings.step?.given).toBe(true);
    const context = {
      services: fixture.parts({ confirm: true }),
      id: child.id,
      kind: 'run',
      settings,
      queue: false,
    } as const;
    await expect(mayExecute(context)).rejects.toMatchObject({ code: 'steps.only_given' });
    await expect(executeStage(context, 'planned')).rejects.toMatchObject({ code: 'steps.only_given' });
    await expect(fixture.ledger.runs.patch(child.id, { state: 'executing' })).rejects.toThrow();
    expect(await fixture.ledger.execution.remaining(child.id)).toEqual({ batches: 0, items: 0 });
    expect(platform.seen).toHaveLength(0);
  });
});

describe('a step run', () => {
  it('is resumed, resolved and reported as its parent', async () => {
    when('customer', ['C2'], 'reset');
    const end = await run();
    const child = (await fixture.ledger.runs.get(`${end.run}-1`))!;
    const refused = { code: 'steps.name_parent', exitCode: 2 };
    const options = {
      include: new Set<never>(),
      connection: platform.connection(),
      change: <T>(it: T): T => it,
    };
    const services = { ...fixture.parts(), who: 'me' };
    const reported = [
      resumeRun(fixture.parts(), child, (it) => it),
      retryRun(fixture.parts(), child, options),
      applyPlan(
        fixture.parts(),
        child,
        {
          connection: platform.connection(),
          job: { why: '' },
          input: { why: '' },
          parts: undefined,
          maxAgeMs: 9,
        },
        (it) => it,
      ),
      resolveRows(services, child, [{ row: 3, as: 'failed' }]),
      verifyRun(services, child, platform.connection()),
      exportResult(fixture.parts(), child, '/tmp/never.csv'),
    ];
    for (const it of reported) await expect(it).rejects.toMatchObject(refused);
  });
});

describe('later', () => {
  it('a plan is applied once, the first step as it was shown', async () => {
    await fixture.file('rows.csv', onboardingRows(FOUR));
    const job = await fixture.file('job.yaml', onboarding());
    const connection = platform.connection();
    const { loadSendingJob } = await import('../../../src/job/load.js');
    const { ALL_OPERATIONS } = await import('../../../src/platform/operations/catalogue.js');
    const loaded = await loadSendingJob(job, { env: {}, operations: ALL_OPERATIONS });
    const plan = await startRun(fixture.parts(), loaded, connection, 'plan');
    expect(plan).toMatchObject({ kind: 'plan', counts: { valid: 4 } });
    expect(platform.seen).toHaveLength(0);
    const now = {
      connection,
      job: { sha256: loaded.sha256 },
      input: { sha256: (await fixture.ledger.runs.get(plan.run))!.inputSha256 },
      parts: undefined,
      maxAgeMs: 9e9,
    };
    const kept = async () => (await fixture.ledger.runs.get(plan.run))!;
    expect(await applyPlan(fixture.parts(), await kept(), now, (it) => it)).toMatchObject({
      counts: { succeeded: 4 },
    });
    await expect(applyPlan(fixture.parts(), await kept(), now, (it) => it)).rejects.toMatchObject({
      code: 'run.plan_used',
    });
    expect(platform.seen).toHaveLength(10);
  });

  it('a retry takes up each row where it failed', async () => {
    when('order', ['SO-2'], 'unreached');
    const end = await run({ set: ['run.retries=0'] });
    expect(end).toMatchObject({ exitCode: 1, counts: { succeeded: 3, failed: 1 } });
    const before = platform.seen.length;
    platform.answer = (seen) => done.answer(seen);
    const whole = (await fixture.ledger.runs.get(end.run))!;
    const options = {
      include: new Set<never>(),
      connection: platform.connection(),
      change: <T>(it: T): T => it,
    };
    const again = (await retryRun(fixture.parts(), whole, options)) as RunEnd;
    expect(again).toMatchObject({ exitCode: 0, rows: 1, counts: { succeeded: 1 } });
    expect(platform.seen.slice(before).map((it) => stepOf(it))).toEqual([{ step: 'order', of: 'SO-2' }]);
    expect(orderOf('SO-2').customerId).toBe('ID-C2');
  });

  it('a retry with --include unknown sends again what was left unknown, and only that', async () => {
    when('order', ['SO-2'], 'reset');
    const end = await run();
    expect(end).toMatchObject({ exitCode: 6, counts: { succeeded: 3, unknown: 1 } });
    const before = platform.seen.length;
    platform.answer = (seen) => done.answer(seen);
    const whole = (await fixture.ledger.runs.get(end.run))!;
    const options = {
      include: new Set<'unknown'>(['unknown']),
      connection: platform.connection(),
      change: <T>(it: T): T => it,
    };
    expect(await retryRun(fixture.parts(), whole, options)).toMatchObject({
      exitCode: 4,
      reason: { code: 'retry.needs_yes' },
    });
    expect(platform.seen).toHaveLength(before);
    const again = await retryRun(fixture.parts({ confirm: true }), whole, options);
    expect(again).toMatchObject({ exitCode: 0, counts: { succeeded: 1 } });
    expect(platform.seen.slice(before).map((it) => stepOf(it))).toEqual([{ step: 'order', of: 'SO-2' }]);
  });

  it('resolve resolves the step at which the row stands; a run after it continues with the row', async () => {
    when('customer', ['C1'], 'reset');
    const end = await run();
    expect(end).toMatchObject({ exitCode: 6, counts: { unknown: 1, succeeded: 3 } });
    const whole = (await fixture.ledger.runs.get(end.run))!;
    const services = { ...fixture.parts(), who: 'me' };
    // Resolved as executed, what the step returned stays unknown: the user who resolves it is shown what depends on it.
    const through = await resolveRows(services, whole, [{ row: 2, as: 'succeeded' }]);
    expect(through.settled).toMatchObject([
      { warning: { code: 'resolve.nothing_returned', params: { step: 'customer', fields: 'customerId' } } },
    ]);
    const resolved = await resolveRows(services, whole, [{ row: 2, as: 'failed' }]);
    expect(resolved.settled).toMatchObject([{ rows: [2], to: 'failed' }]);
    expect(resolved.settled[0]).not.toHaveProperty('warning');
    expect(await fixture.ledger.runs.counts(end.run)).toEqual({ failed: 1, succeeded: 3 });
    platform.answer = (seen) => done.answer(seen);
    expect(await run()).toMatchObject({ exitCode: 0, counts: { succeeded: 1, skipped: 3 } });
    expect(orderOf('SO-1').customerId).toBe('ID-C1');
  });
});
