import { appendFile, mkdir, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runInbox } from '../../../src/inbox/run-inbox.js';
import { loadSendingJob } from '../../../src/job/load.js';
import type { Ledger } from '../../../src/ledger/contract/ledger.js';
import type { Connection } from '../../../src/model/connection.js';
import { ALL_OPERATIONS } from '../../../src/platform/operations/catalogue.js';
import { readPlanFiles } from '../../../src/run/plan/plan-refusal.js';
import { retryRun } from '../../../src/run/retry.js';
import type { RunEnd } from '../../../src/run/run-end.js';
import { applyPlan, resumeRun } from '../../../src/run/start-run.js';
import { StopSignal } from '../../../src/util/stop-signal.js';
import { FakePlatform, ordersDone } from '../../support/fake-platform.js';
import { instead } from '../../support/instead.js';
import { Fixture } from '../../support/job-runs.js';
import { collect } from '../../support/ledger-samples.js';
import { LEDGER_MAKERS, SQLITE } from '../../support/ledgers.js';
import { OnboardingPlatform, onboarding, onboardingRows, stepOf } from '../../support/onboarding.js';
import { orderJob, orderRows } from '../../support/orders.js';

const DAY = 86_400_000;
const LI = { who: 'li', act: 'run' } as const;

/** A ledger to which its process says nothing more about runs once a plan was applied. */
function dyingAfterApply(ledger: Ledger): Ledger {
  let isApplied = false;
  const killed = () => Promise.reject(new Error('killed'));
  const approvals = instead(ledger.approvals, {
    apply: async (...asked) => {
      await ledger.approvals.apply(...asked);
      isApplied = true;
    },
  });
  const runs = new Proxy(ledger.runs, {
    get: (of, name: keyof Ledger['runs']) => (isApplied ? killed : of[name].bind(of)),
  });
  return instead(ledger, { approvals, runs });
}

describe.each(LEDGER_MAKERS)('$name: a connection that requires approvals', (maker) => {
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

  const connection = (approval: Connection['approval'] = {}): Connection => ({
    ...platform.connection(),
    ...(approval ? { approval } : {}),
  });

  async function run(
    options: Parameters<Fixture['run']>[1] & { readonly rows?: string; readonly job?: string } = {},
  ): Promise<RunEnd> {
    await fixture.file('orders.csv', options.rows ?? orderRows(4));
    const job = await fixture.file('job.yaml', options.job ?? orderJob());
    return fixture.run(job, {
      connection: connection(),
      set: ['run.retries=0', 'run.concurrency=1'],
      ...options,
      parts: { by: LI, ...options.parts },
    });
  }

  async function approve(plan: string, maxAgeMs = DAY): Promise<void> {
    const { planHash = '' } = (await fixture.ledger.runs.get(plan))!;
    await fixture.ledger.approvals.add(plan, { act: 'request', planHash, by: { who: 'li' } });
    await fixture.ledger.approvals.add(plan, { act: 'approve', planHash, by: { who: 'wang' }, maxAgeMs });
  }

  async function apply(id: string, on = connection(), stop = new StopSignal()): Promise<RunEnd> {
    const plan = (await fixture.ledger.runs.get(id))!;
    const now = await readPlanFiles(plan, on, DAY);
    return applyPlan(fixture.parts({ by: LI, stop }), plan, now, (it) => it);
  }

  const refused = (work: Promise<unknown>) =>
    work.then(
      () => 'went through',
      (error) => `${error.kind} ${error.detail.code}`,
    );
  const standing = async (id: string) => {
    const { kind, state, exitCode } = (await fixture.ledger.runs.get(id))!;
    return `${kind} ${state} ${exitCode}`;
  };

  it('stops a run after its plan, which is sent once approved, once', async () => {
    const end = await run();
    expect(end).toMatchObject({ kind: 'plan', status: 'stopped', exitCode: 4, needsApproval: true });
    expect(end.planHash).toMatch(/^[0-9a-f]{64}$/);
    expect(end.reason).toMatchObject({ code: 'approval.stopped', params: { plan: end.run } });
    expect(end.counts).toEqual({ valid: 4 });
    expect(await standing(end.run)).toBe('plan planned 4');
    expect(await refused(apply(end.run))).toBe('safety approval.not_asked');
    expect(platform.seen).toHaveLength(0);
    await approve(end.run);
    expect(await apply(end.run)).toMatchObject({
      status: 'completed',
      exitCode: 0,
      counts: { succeeded: 4 },
    });
    expect(platform.seen).toHaveLength(4);
    expect(await refused(apply(end.run))).toBe('usage run.plan_used');
    expect(platform.seen).toHaveLength(4);
    const audit = (await collect(fixture.ledger.audit.list({ run: end.run }))).flat();
    expect(audit.map((it) => it.act)).toEqual(['run', 'denied', 'request', 'approve', 'apply']);
  });

  it('refuses what was edited after the approval, and what is over or was rejected', async () => {
    const edits: Record<string, () => Promise<unknown>> = {
      sheet: () => appendFile(path.join(fixture.folder, 'orders.csv'), 'SO-9,Nine,A9,1\n'),
      job: () => appendFile(path.join(fixture.folder, 'job.yaml'), '# later\n'),
    };
    for (const [edit, change] of Object.entries(edits)) {
      const end = await run();
      await approve(end.run);
      await change();
      expect(await refused(apply(end.run)), edit).toBe('usage run.plan_changed');
    }
    const { run: plan } = await run();
    await approve(plan, 1);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(await refused(apply(plan, connection({ above: 1 })))).toBe('usage run.plan_changed');
    expect(await refused(apply(plan))).toBe('safety approval.expired');
    const { planHash = '' } = (await fixture.ledger.runs.get(plan))!;
    await fixture.ledger.approvals.add(plan, { act: 'reject', planHash, by: { who: 'wang' }, comment: 'no' });
    expect(await refused(apply(plan))).toBe('safety approval.rejected');
    expect(platform.seen).toHaveLength(0);
  });

  it('lets an approved run that was stopped continue; a retry of it requires its own', async () => {
    const { run: plan } = await run();
    await approve(plan);
    const stop = new StopSignal();
    platform.answer = (seen, count) => {
      if (count === 2) stop.stop({ kind: 'interrupted' });
      return count === 1 ? { body: { code: 4711, message: 'no' } } : ordersDone(seen);
    };
    expect(await apply(plan, connection(), stop)).toMatchObject({ status: 'interrupted' });
    const sent = platform.seen.length;
    expect(sent).toBeLessThan(4);
    const stopped = (await fixture.ledger.runs.get(plan))!;
    const end = await resumeRun(fixture.parts({ by: LI }), stopped, (it) => ({
      ...it,
      connection: connection(),
    }));
    expect(end).toMatchObject({ status: 'completed', counts: { succeeded: 3, rejected: 1 } });
    platform.answer = ordersDone;
    const parent = (await fixture.ledger.runs.get(plan))!;
    const again = (await retryRun(fixture.parts({ by: LI }), parent, {
      include: new Set(['rejected']),
      connection: connection(),
      change: (it) => it,
    })) as RunEnd;
    expect(again).toMatchObject({ kind: 'plan', status: 'stopped', exitCode: 4, parent: plan });
    expect(platform.seen).toHaveLength(4);
    // The sheet may have been edited since: a retry is of the kept one.
    await appendFile(path.join(fixture.folder, 'orders.csv'), 'SO-9,Nine,A9,1\n');
    await approve(again.run);
    expect(await apply(again.run)).toMatchObject({ status: 'completed', counts: { succeeded: 1 } });
    expect(platform.seen).toHaveLength(5);
  });

  it.runIf(maker.name === 'PostgreSQL')('queues an approved plan for workers, and no other', async () => {
    const { run: plan } = await run();
    const kept = (await fixture.ledger.runs.get(plan))!;
    const now = await readPlanFiles(kept, connection(), DAY);
    const queue = () => applyPlan(fixture.parts({ by: LI }), kept, now, (it) => it, { queue: true });
    expect(await refused(queue())).toBe('safety approval.not_asked');
    await expect(fixture.ledger.queue!.enqueue(plan, { lost: 'sent_again' })).rejects.toThrow(
      'approval.wanted',
    );
    await approve(plan);
    expect(await queue()).toMatchObject({ status: 'queued', exitCode: 0 });
    expect(await standing(plan)).toBe('run queued undefined');
    expect(await refused(queue())).toBe('usage team.carried');
    expect(platform.seen).toHaveLength(0);
  });

  // The rest is the same on both: contract/ runs the ledger's statements on each.
  if (maker !== SQLITE) return;

  it('leaves a file of an inbox where it lies while its plan waits, and plans it once', async () => {
    const folder = path.join(fixture.folder, 'inbox');
    await mkdir(folder);
    await writeFile(path.join(folder, 'a.csv'), orderRows(4));
    // An input folder waits for a file that was just written.
    const minuteAgo = new Date(Date.now() - 60_000);
    await utimes(path.join(folder, 'a.csv'), minuteAgo, minuteAgo);
    const file = await fixture.file(
      'job.yaml',
      orderJob().replace('source: { file: orders.csv }', 'source: { file: "inbox/*.csv" }'),
    );
    const job = await loadSendingJob(file, { env: {}, operations: ALL_OPERATIONS, set: [] });
    const look = () =>
      runInbox(fixture.parts({ by: LI }), {
        job: { ...job, output: { file: path.join(fixture.folder, 'r-{run}.csv') } },
        connection: connection(),
        kind: 'run',
        ended: async () => {},
      });
    const first = await look();
    expect(first).toMatchObject({ exitCode: 4 });
    expect(JSON.stringify(first)).toContain('inbox.stays_for_approval');
    const again = await look();
    expect(again).toMatchObject({ exitCode: 4 });
    const plans = (await fixture.ledger.runs.list(10)).map((it) => it.id);
    expect(plans).toHaveLength(1);
    expect(JSON.stringify(again)).toContain('approval.not_asked');
    await approve(plans[0]!);
    expect(await apply(plans[0]!)).toMatchObject({ exitCode: 0, counts: { succeeded: 4 } });
    await look();
    expect(await readdir(path.join(folder, 'done'))).toEqual(['a.csv']);
    expect(platform.seen).toHaveLength(4);
  });

  it('is not used up by an apply that a limit refuses', async () => {
    const { run: plan } = await run({ plan: true });
    await approve(plan);
    const applied = async (maxItems: number) => {
      const kept = (await fixture.ledger.runs.get(plan))!;
      const now = await readPlanFiles(kept, connection(), DAY);
      return applyPlan(fixture.parts({ by: LI }), kept, now, (it) => ({
        ...it,
        job: { ...it.job, safety: { ...it.job.safety, maxItems } } as never,
      }));
    };
    for (let times = 0; times < 2; times += 1)
      expect(await applied(3)).toMatchObject({ exitCode: 4, reason: { code: 'run.max_items' } });
    expect(platform.seen).toHaveLength(0);
    expect(await applied(4)).toMatchObject({ exitCode: 0, counts: { succeeded: 4 } });
    expect(await refused(applied(4))).toBe('usage run.plan_used');
    const said = await fixture.ledger.approvals.list(plan);
    expect(said.map((it) => it.act)).toEqual(['request', 'approve']);
    expect(platform.seen).toHaveLength(4);
  });

  it('is not used up by an apply of steps that a limit refuses', async () => {
    const done = new OnboardingPlatform();
    platform.answer = (seen) => done.answer(seen);
    await fixture.file('rows.csv', onboardingRows(['SO-1,C1,,2,5', 'SO-2,C2,,1,5']));
    const { run: plan } = await run({ plan: true, job: onboarding() });
    await approve(plan);
    const applied = async (maxItems: number) => {
      const kept = (await fixture.ledger.runs.get(plan))!;
      const now = await readPlanFiles(kept, connection(), DAY);
      return applyPlan(fixture.parts({ by: LI }), kept, now, (it) => ({
        ...it,
        job: { ...it.job, safety: { ...it.job.safety, maxItems } } as never,
      }));
    };
    expect(await applied(1)).toMatchObject({ exitCode: 4, reason: { code: 'steps.max_items' } });
    expect(platform.seen).toHaveLength(0);
    expect(await applied(2)).toMatchObject({ exitCode: 0, counts: { succeeded: 2 } });
  });

  it('keeps the canary of an apply that died at once', async () => {
    const { run: plan } = await run();
    await approve(plan);
    const kept = (await fixture.ledger.runs.get(plan))!;
    const now = await readPlanFiles(kept, connection(), DAY);
    const dying = dyingAfterApply(fixture.ledger);
    const died = applyPlan(fixture.parts({ by: LI, ledger: dying }), kept, now, (it) => it, { canary: 2 });
    await expect(died).rejects.toThrow('killed');
    const begun = (await fixture.ledger.runs.get(plan))!;
    expect(begun.kind).toBe('run');
    const goOn = () =>
      resumeRun(fixture.parts({ by: LI }), begun, (it) => ({ ...it, connection: connection() }));
    expect(await goOn()).toMatchObject({ status: 'stopped', counts: { succeeded: 2, not_sent: 2 } });
    expect(platform.seen).toHaveLength(2);
  });

  describe('for its host', () => {
    // As a user writes it in settings of their own.
    const bare = (): Connection => ({ ...platform.connection(), name: 'mine' });
    const elsewhere = (): Connection => ({
      ...bare(),
      baseUrl: `${platform.connection().baseUrl!.replace('127.0.0.1', 'LOCALHOST')}/api`,
    });

    it('holds over every other connection to it, by settings that leave it out, once it was seen', async () => {
      await run();
      for (const [at, other] of [bare(), elsewhere()].entries()) {
        const end = await run({ rows: orderRows(4, 20 * (at + 1)), connection: other });
        expect(end, other.baseUrl).toMatchObject({ kind: 'plan', status: 'stopped', exitCode: 4 });
        expect(await refused(apply(end.run, other))).toBe('safety approval.not_asked');
      }
      expect(platform.seen).toHaveLength(0);
      const kept = (await collect(fixture.ledger.audit.list()))
        .flat()
        .filter((it) => it.act === 'policy_keep');
      expect(kept.map((it) => [it.who, it.detail.policy])).toEqual([['li', {}]]);
    });

    it('holds by all that was seen of it, until an admin lifts it', async () => {
      await run({ connection: connection({ above: 4 }) });
      await run({ rows: orderRows(1, 20), connection: connection({ operations: ['asset.*'] }) });
      expect(await run({ rows: orderRows(4, 30), connection: bare() })).toMatchObject({ exitCode: 0 });
      const more = { rows: orderRows(5, 40), connection: bare() };
      expect(await run(more)).toMatchObject({ kind: 'plan', exitCode: 4 });
      const [{ host } = { host: '' }] = await fixture.ledger.approvals.policies();
      expect(host).toMatch(/^localhost:\d+$/);
      await fixture.ledger.approvals.liftPolicies(host, 'os:li@desk');
      expect(await run(more)).toMatchObject({ kind: 'run', exitCode: 0 });
    });

    it('is not brought back, once it was lifted, by a run from before that continues', async () => {
      const narrow = connection({ operations: ['asset.*'] });
      const stop = new StopSignal();
      platform.answer = (seen) => {
        stop.stop({ kind: 'interrupted' });
        return ordersDone(seen);
      };
      const { run: begun } = await run({ connection: narrow, parts: { stop } });
      const [{ host } = { host: '' }] = await fixture.ledger.approvals.policies();
      await fixture.ledger.approvals.liftPolicies(host, 'os:li@desk');
      const goOn = (await fixture.ledger.runs.get(begun))!;
      const { approval: _, ...now } = narrow;
      const end = await resumeRun(fixture.parts({ by: LI }), goOn, (it) => ({ ...it, connection: now }));
      expect(end).toMatchObject({ status: 'completed', counts: { succeeded: 4 } });
      expect(await fixture.ledger.approvals.policies()).toEqual([]);
      await run({ rows: orderRows(1, 20), connection: narrow });
      expect(await fixture.ledger.approvals.policies()).toHaveLength(1);
    });

    it('sends nothing of a plan that was made before it was seen, nor continues one that was applied then', async () => {
      const { run: plan } = await run({ plan: true, connection: bare() });
      const stop = new StopSignal();
      stop.stop({ kind: 'interrupted' });
      const { run: begun } = await run({ plan: true, rows: orderRows(4, 20), connection: bare() });
      await apply(begun, bare(), stop);
      await run({ rows: orderRows(4, 40) });
      await fixture.file('orders.csv', orderRows(4));
      expect(await refused(apply(plan, bare()))).toBe('safety approval.required_since');
      const resumed = await resumeRun(
        fixture.parts({ by: LI }),
        (await fixture.ledger.runs.get(begun))!,
        (it) => ({
          ...it,
          connection: bare(),
        }),
      );
      expect(resumed).toMatchObject({ status: 'stopped', exitCode: 4 });
      expect(resumed.reason).toMatchObject({ code: 'approval.required_since' });
      expect(platform.seen).toHaveLength(0);
    });
  });

  it('says whose word is missing: who may say it, and never the user who made it', async () => {
    const add = (name: string, role: 'checker' | 'maker' | 'admin', subject?: string) =>
      fixture.ledger.people.add(
        { name, roles: [role], tokenSha256: name, ...(subject ? { subject } : {}) },
        'os',
      );
    await add('li', 'admin', 's-li');
    await add('li-2', 'checker', 's-li');
    await add('wang', 'checker');
    await add('zhao', 'maker');
    const end = await run({ parts: { by: { ...LI, subject: 's-li' } } });
    const error = await apply(end.run).catch((it) => it);
    expect(error.detail.params.checkers).toMatchObject({
      code: 'approval.one_of',
      params: { names: 'wang' },
    });
  });

  it('sends nothing of a plan that was altered past its seal', async () => {
    const { run: plan } = await run();
    await approve(plan);
    const seals =
      maker.name === 'SQLite' ? ['bodies_sealed', 'bodies_approved'] : ['bodies_sealed ON bodies'];
    for (const it of seals) await fixture.place.ask(`DROP TRIGGER ${it}`);
    await fixture.place.ask(`UPDATE bodies SET json = replace(json, 'Customer 2', 'Customer 3')`);
    expect(await refused(apply(plan))).toBe('safety approval.changed');
    expect(platform.seen).toHaveLength(0);
  });

  it('is asked where its policy says: operations by name, plans of more items', async () => {
    expect(await run({ connection: connection({ operations: ['asset.*'] }) })).toMatchObject({ exitCode: 0 });
    const rows = orderRows(3, 20);
    expect(await run({ rows, connection: connection({ above: 3 }) })).toMatchObject({ exitCode: 0 });
    const more = orderRows(4, 40);
    const policy = { operations: ['asset.*', 'order.*'], above: 3 };
    expect(await run({ rows: more, connection: connection(policy) })).toMatchObject({
      exitCode: 4,
      kind: 'plan',
    });
    expect(platform.seen).toHaveLength(7);
  });

  it('takes input and job from the ledger where they do not lie', async () => {
    const { run: plan } = await run();
    await approve(plan);
    await rm(path.join(fixture.folder, 'orders.csv'));
    await rm(path.join(fixture.folder, 'job.yaml'));
    expect(await apply(plan)).toMatchObject({ exitCode: 0, counts: { succeeded: 4 } });
  });

  it('blocks a job of several steps as a whole, and lets all of it go', async () => {
    const done = new OnboardingPlatform();
    platform.answer = (seen) => done.answer(seen);
    await fixture.file('rows.csv', onboardingRows(['SO-1,C1,,2,5', 'SO-2,C2,,1,5']));
    const end = await run({ job: onboarding() });
    expect(end).toMatchObject({ kind: 'plan', operation: 'steps', status: 'stopped', exitCode: 4 });
    expect(platform.seen).toHaveLength(0);
    expect(await refused(apply(end.run))).toBe('safety approval.not_asked');
    await approve(end.run);
    expect(await apply(end.run)).toMatchObject({ status: 'completed', exitCode: 0 });
    expect(platform.seen.length).toBeGreaterThan(3);
    expect(await refused(apply(end.run))).toBe('usage run.plan_used');
  });

  it('is not used up by an apply that finds no token', async () => {
    const connected = { ...connection(), token: { kind: 'env', name: 'POLICY_TOKEN' } } as const;
    const { run: plan } = await run({ connection: connected });
    await approve(plan);
    const kept = (await fixture.ledger.runs.get(plan))!;
    const now = await readPlanFiles(kept, connected, DAY);
    const applied = (env: NodeJS.ProcessEnv) =>
      applyPlan(fixture.parts({ by: LI, env }), kept, now, (it) => it);
    expect(await refused(applied({}))).toBe('usage platform.token_env');
    expect(await standing(plan)).toBe('plan planned 4');
    expect(await fixture.ledger.approvals.application(plan)).toBeUndefined();
    expect(await applied({ POLICY_TOKEN: 'any' })).toMatchObject({ counts: { succeeded: 4 } });
  });

  it('is of the rows, requests and connection that a run resumes after it was stopped', async () => {
    const { run: plan } = await run();
    await approve(plan);
    const kept = (await fixture.ledger.runs.get(plan))!;
    const now = await readPlanFiles(kept, connection(), DAY);
    // The canary is said when it is applied; it doesn't make another plan of it.
    const end = await applyPlan(fixture.parts({ by: LI }), kept, now, (it) => it, { canary: 2 });
    expect(end).toMatchObject({ status: 'stopped', counts: { succeeded: 2, not_sent: 2 } });
    const goOn = async (change: Partial<Connection> = {}) =>
      resumeRun(fixture.parts({ by: LI, confirm: true }), (await fixture.ledger.runs.get(plan))!, (it) => ({
        ...it,
        connection: { ...connection(), ...change },
      }));
    expect(await refused(goOn({ appKey: 'of another tenant' }))).toBe('usage approval.other_connection');
    expect(await refused(goOn({ baseUrl: `${connection().baseUrl}/other` }))).toBe('usage run.other_host');
    const spelling = connection().baseUrl!.replace('127.0.0.1', 'localhost');
    expect(await refused(goOn({ baseUrl: spelling }))).toBe('usage approval.other_connection');
    const swapped = `UPDATE batch_items SET item = CASE item & 4294967295 WHEN 3 THEN item + 1 ELSE item - 1 END
      WHERE item & 4294967295 IN (3, 4)`;
    await expect(fixture.place.ask(swapped)).rejects.toThrow('approval.plan_sealed');
    const isFile = maker.name === 'SQLite';
    for (const it of isFile ? ['bodies_sealed', 'bodies_approved'] : ['bodies_sealed'])
      await fixture.place.ask(`DROP TRIGGER ${it}${isFile ? '' : ' ON bodies'}`);
    const change = (from: string, to: string) =>
      fixture.place.ask(`UPDATE bodies SET json = replace(json, 'Customer ${from}', 'Customer ${to}')`);
    await change('4', '44');
    expect(await refused(goOn())).toBe('safety approval.changed_since');
    expect(platform.seen).toHaveLength(2);
    await change('44', '4');
    expect(await goOn({ maxInFlight: 1 })).toMatchObject({ status: 'completed', counts: { succeeded: 4 } });
    expect(platform.seen).toHaveLength(4);
  });

  it('sends the canary of an apply by the first step that sends anything', async () => {
    const done = new OnboardingPlatform();
    platform.answer = (seen) => done.answer(seen);
    await fixture.file('rows.csv', onboardingRows(['SO-1,C1,ID-1,2,5', 'SO-2,C2,ID-2,1,5']));
    const { run: plan } = await run({ job: onboarding() });
    await approve(plan);
    const kept = (await fixture.ledger.runs.get(plan))!;
    const now = await readPlanFiles(kept, connection(), DAY);
    const end = await applyPlan(fixture.parts({ by: LI }), kept, now, (it) => it, { canary: 1 });
    expect(end).toMatchObject({ status: 'stopped', reason: { code: 'run.canary_waits' } });
    expect(platform.seen.map((it) => stepOf(it).step)).toEqual(['numbers']);
    const yes = fixture.parts({ by: LI, confirm: true });
    const resumed = await resumeRun(yes, (await fixture.ledger.runs.get(plan))!, (it) => it);
    expect(resumed).toMatchObject({ status: 'completed', counts: { succeeded: 2 } });
  });

  it('asks for nothing where nothing would be sent, and of a mere check', async () => {
    expect(await run({ dryRun: true })).toMatchObject({ exitCode: 0, kind: 'dry_run' });
    const end = await run({ connection: platform.connection() });
    expect(end).toMatchObject({ exitCode: 0 });
    expect(await run()).toMatchObject({ exitCode: 0, kind: 'run', counts: { skipped: 4 } });
  });

  it('asks for a run too that was begun before anything wanted approvals, as long as nothing was sent', async () => {
    const end = await run({ connection: { ...platform.connection(), confirm: 'always' } });
    expect(end).toMatchObject({ kind: 'run', status: 'stopped' });
    const begun = (await fixture.ledger.runs.get(end.run))!;
    const resumed = await resumeRun(fixture.parts({ by: LI, confirm: true }), begun, (it) => ({
      ...it,
      connection: connection(),
    }));
    expect(resumed).toMatchObject({ kind: 'plan', exitCode: 4, needsApproval: true });
    expect(platform.seen).toHaveLength(0);
    const plan = (await fixture.ledger.runs.get(end.run))!;
    expect(await refused(resumeRun(fixture.parts({ by: LI }), plan, (it) => it))).toBe(
      'safety approval.not_asked',
    );
  });
});
