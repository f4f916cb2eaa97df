import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runPermissions } from '../../src/app/console/permissions.js';
import { UNWATCHED } from '../../src/app/context.js';
import { applyPlan } from '../../src/app/continue-run.js';
import { runJob } from '../../src/app/run.js';
import { runNamed, withLedger } from '../../src/app/with-ledger.js';
import { message } from '../../src/errors/message.js';
import { StopSignal } from '../../src/util/stop-signal.js';
import { orderJob, orderRows } from '../support/orders.js';
import { eventsOf, type RunsFixture, runsFixture } from '../support/runs-fixture.js';

type Counts = Readonly<Record<string, number>>;

describe('runs at the console', () => {
  let fixture: RunsFixture;

  beforeEach(async () => {
    fixture = await runsFixture();
    await writeFile(path.join(fixture.folder, 'orders.yaml'), `${orderJob()}connection: sandbox\n`);
    await writeFile(path.join(fixture.folder, 'orders.csv'), orderRows(30));
  });

  afterEach(() => fixture.close());

  it('lists runs, reports one with what may be done, its rows and a row’s story', async () => {
    const run = await fixture.run('run');
    const plan = await fixture.run('plan');
    expect(await fixture.get('/runs')).toMatchObject({ items: [{ run: plan }, { run, state: 'completed' }] });
    expect(await fixture.get('/runs?limit=1')).toMatchObject({ items: [{ run: plan }], next: plan });
    expect(await fixture.get(`/runs?limit=1&before=${plan}`)).toMatchObject({ items: [{ run }] });
    expect(await fixture.get('/runs?kind=run&job=ORD&status=completed')).toMatchObject({ items: [{ run }] });
    expect(await fixture.get('/runs?status=cut%20off')).toEqual({ items: [] });
    expect(await fixture.get(`/runs/${run}`)).toMatchObject({
      run,
      sandbox: true,
      counts: { succeeded: 30 },
      may: { revert: true, result: true, report: true },
    });
    const page = (await fixture.get(`/runs/${run}/rows?limit=10`)) as {
      items: { row: number }[];
      next: number;
    };
    expect(page).toMatchObject({ total: 30, next: 11 });
    expect(page.items.map((it) => it.row)).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
    // A full page that is the last one leads to no other.
    for (const query of ['limit=30', 'limit=20&after=11', 'limit=30&status=succeeded'])
      expect(await fixture.get(`/runs/${run}/rows?${query}`)).not.toHaveProperty('next');
    const rest = (await fixture.get(`/runs/${run}/rows?limit=100&after=11`)) as { items: unknown[] };
    expect(rest.items).toHaveLength(20);
    expect(await fixture.get(`/runs/${run}/rows?status=failed`)).toEqual({ items: [], total: 0 });
    expect(await fixture.get(`/runs/${run}/rows/5`)).toMatchObject({ row: 5, status: 'succeeded' });
    expect((await fixture.ask('GET', '/runs/nothing')).status).toBe(404);
    expect((await fixture.ask('GET', `/runs/${run}/rows/99`)).status).toBe(404);
    expect((await fixture.ask('GET', '/runs?limit=abc')).status).toBe(400);
  });

  it('offers to stop a run that is about to send', async () => {
    const id = await fixture.run('plan');
    const may = (kind: 'plan' | 'run') =>
      withLedger(fixture.app, async ({ ledger }) => {
        const run = { ...(await runNamed(ledger, id)), kind };
        return runPermissions(fixture.app, ledger, run, { state: 'planned', counts: {} });
      });
    expect(await may('run')).toMatchObject({ stop: true });
    expect(await may('plan')).not.toHaveProperty('stop');
  });

  it('reports how the rows of a run came to their statuses, as its counts are at last', async () => {
    await writeFile(path.join(fixture.folder, 'orders.csv'), orderRows(300));
    const run = await fixture.run('run');
    const { series } = (await fixture.get(`/runs/${run}/timeline`)) as { series: [number, Counts][] };
    expect(series.length).toBeGreaterThan(50);
    expect(series.length).toBeLessThan(300);
    expect(series[0]![1]).toEqual({});
    expect(series.at(-1)![1]).toEqual({ succeeded: 300 });
    const succeeded = series.map(([, counts]) => counts.succeeded ?? 0);
    expect(succeeded).toEqual([...succeeded].sort((a, b) => a - b));
    expect(new Set(succeeded).size).toBeGreaterThan(3);
    expect(await fixture.get(`/runs/${await fixture.run('plan')}/timeline`)).toEqual({ series: [] });
    expect((await fixture.ask('GET', '/runs/nothing/timeline')).status).toBe(404);
  });

  it('searches rows by what is shown of them', async () => {
    const run = await fixture.run('run');
    const all = (await fixture.get(`/runs/${run}/rows`)) as {
      items: { row: number; licenseOrderId: string }[];
    };
    const { licenseOrderId, row } = all.items[7]!;
    const found = (await fixture.get(`/runs/${run}/rows?search=${licenseOrderId}`)) as { items: unknown[] };
    expect(found.items).toMatchObject([{ row }]);
    expect(await fixture.get(`/runs/${run}/rows?search=nowhere`)).toEqual({ items: [] });
    expect(await fixture.get(`/runs/${run}/rows?search=so-17`)).toMatchObject({
      items: [{ row: 18, about: ['SO-17', 'Customer 17', 'A17', 'CRM1', 'CC1', 'C1'] }],
    });
  });

  it('says of a plan that invalid rows withhold why it cannot be sent', async () => {
    await writeFile(
      path.join(fixture.folder, 'orders.csv'),
      orderRows(3).replace('A1,5', 'A1,many').replace('A2,5', 'A2,few'),
    );
    const plan = await fixture.run('plan');
    expect(await fixture.get(`/plans/${plan}`)).toMatchObject({
      state: 'invalid',
      may: { send: expect.stringContaining('2 rows are invalid') },
    });
  });

  it('shows a plan and sends it once, as it was seen', async () => {
    const plan = await fixture.run('plan');
    const shown = await fixture.get(`/plans/${plan}`);
    expect(shown).toMatchObject({
      run: plan,
      items: 30,
      operations: [{ operation: 'order.new_buy', items: 30, deletes: false }],
      connection: { name: 'sandbox', sandbox: true },
      approval: { needed: false, state: 'not_asked' },
      may: { send: true },
    });
    expect((shown as { first: unknown[] }).first.length).toBeGreaterThan(0);
    expect(JSON.stringify(shown)).not.toMatch(/Bearer (?!\[redacted)/);
    const send = (body: object) => fixture.ask('POST', `/plans/${plan}/send`, body);
    const seen = { items: 30, connection: 'sandbox' };
    for (const [body, code] of [
      [{ ...seen, items: 29 }, 'send.items_differ'],
      [{ ...seen, connection: 'production' }, 'send.connection_differs'],
    ] as const) {
      const refused = await send(body);
      expect(refused.status).toBe(409);
      expect(await refused.json()).toMatchObject({ code });
    }
    // Two tabs at once, and a third one later.
    const answers = await Promise.all([send(seen), send(seen), send(seen)]);
    expect(answers.map((it) => it.status).sort()).toEqual([202, 409, 409]);
    await fixture.over(plan);
    expect((await send(seen)).status).toBe(409);
    expect(await fixture.get(`/runs/${plan}`)).toMatchObject({
      state: 'completed',
      counts: { succeeded: 30 },
    });
    // What was sent is not among what was excluded.
    expect(await fixture.get(`/plans/${plan}`)).toMatchObject({ skipped: [], may: {} });
  });

  it('sends a plan whose apply was refused, and offers no Resume', async () => {
    const { folder, app } = fixture;
    const refuse = async () => {
      const plan = await fixture.run('plan');
      const stop = new StopSignal();
      const watched = { ...app, cwd: folder, watch: UNWATCHED, stop, confirm: false };
      expect(await applyPlan(watched, plan, { maxAge: '24h', maxItems: 2 })).toMatchObject({ exitCode: 4 });
      return plan;
    };
    const limited = await refuse();
    expect(await fixture.get(`/plans/${limited}`)).toMatchObject({
      refused: expect.stringContaining('30 items'),
      may: { send: expect.stringContaining('30 items') },
    });
    await withLedger(app, ({ ledger }) =>
      ledger.runs.patch(limited, {
        reason: message('run.needs_yes', { operation: 'o', connection: 'c', items: 30 }),
      }),
    );
    const reported = (await fixture.get(`/runs/${limited}`)) as { may: object };
    expect(reported).toMatchObject({ kind: 'run', state: 'stopped', refused: true });
    expect(reported.may).not.toHaveProperty('resume');
    expect(await fixture.get('/runs')).toMatchObject({ items: [{ run: limited, refused: true }] });
    const shown = await fixture.get(`/plans/${limited}`);
    expect(shown).toMatchObject({ may: { send: true }, items: 30 });
    expect(shown).not.toHaveProperty('sent');
    const send = await fixture.ask('POST', `/plans/${limited}/send`, { items: 30, connection: 'sandbox' });
    expect(send.status).toBe(202);
    await fixture.over(limited);
    const sent = await fixture.get(`/runs/${limited}`);
    expect(sent).toMatchObject({ state: 'completed', counts: { succeeded: 30 } });
    expect(sent).not.toHaveProperty('refused');
    expect(await fixture.get(`/plans/${limited}`)).toMatchObject({
      may: {},
      sent: { by: expect.any(String) },
    });
  });

  it('reports a run’s news until it ends, and to who comes back what they missed', async () => {
    await writeFile(path.join(fixture.folder, 'orders.csv'), orderRows(300));
    const plan = await fixture.run('plan');
    await fixture.sends(plan, 300);
    const heard = await eventsOf(fixture, plan);
    expect(heard.at(-1)).toMatchObject({
      event: 'over',
      data: { state: 'completed', counts: { succeeded: 300 } },
    });
    const news = heard.filter((it) => it.event === 'run');
    expect(news.at(-1)!.data).toMatchObject({ done: 300, total: 300, counts: { succeeded: 300 } });
    expect(new Set(heard.slice(0, -1).map((it) => it.id)).size).toBe(heard.length - 1);
    // What ended in the meantime is reported once more; what was heard isn't.
    const again = await eventsOf(fixture, plan, 'something-else');
    expect(again.map((it) => it.event)).toEqual(['run', 'over']);
    expect((await fixture.ask('GET', '/runs/nothing/events')).status).toBe(404);
  });

  it('reports the news of a run that another terminal executes', async () => {
    await writeFile(path.join(fixture.folder, 'orders.csv'), orderRows(400));
    const context = { ...fixture.app, stop: new StopSignal(), confirm: true };
    let carried: Promise<unknown> | undefined;
    const id = await new Promise<string>((resolve) => {
      const watch = { ...UNWATCHED, started: (run: string) => resolve(run) };
      carried = runJob({ ...context, watch }, 'orders.yaml', { kind: 'run', concurrency: 1 });
    });
    const heard = await eventsOf(fixture, id);
    await carried;
    expect(heard.at(-1)).toMatchObject({ event: 'over', data: { counts: { succeeded: 400 } } });
  });

  it('stops a run that it executes, resumes it, and takes the result home', async () => {
    await writeFile(path.join(fixture.folder, 'orders.csv'), orderRows(800));
    await writeFile(
      path.join(fixture.folder, 'orders.yaml'),
      `${orderJob()}connection: sandbox\nrun: { concurrency: 1 }\n`,
    );
    const plan = await fixture.run('plan');
    await fixture.sends(plan, 800);
    await fixture.until(plan, (it) => it.done > 20);
    expect((await fixture.ask('POST', `/runs/${plan}/stop`)).status).toBe(204);
    await fixture.over(plan);
    const left = (await fixture.get(`/runs/${plan}`)) as { state: string; counts: { not_sent: number } };
    const stopped = { by: expect.stringContaining('os:'), at: expect.any(String) };
    expect(left).toMatchObject({ state: 'interrupted', stopped, may: { resume: true } });
    expect(left.counts.not_sent).toBeGreaterThan(0);
    expect((await fixture.ask('POST', `/runs/${plan}/resume`)).status).toBe(202);
    await fixture.over(plan);
    const over = await fixture.get(`/runs/${plan}`);
    expect(over).toMatchObject({ counts: { succeeded: 800 } });
    expect(over).not.toHaveProperty('stopped');
    expect((await fixture.ask('POST', `/runs/${plan}/resume`)).status).toBe(409);
    const csv = await fixture.ask('GET', `/runs/${plan}/result?format=csv`);
    expect(csv.headers.get('content-disposition')).toContain(`filename="orders-${plan}.csv"`);
    expect((await csv.text()).split('\n').filter((it) => it.includes('succeeded'))).toHaveLength(800);
    const page = await fixture.ask('GET', `/runs/${plan}/report`);
    expect(page.headers.get('content-type')).toContain('text/html');
    expect(await page.text()).toContain(plan);
  });

  it('sends the first items, and the rest when a user continues', async () => {
    const plan = await fixture.run('plan');
    const first = { items: 30, connection: 'sandbox', canary: 4 };
    expect((await fixture.ask('POST', `/plans/${plan}/send`, first)).status).toBe(202);
    await fixture.over(plan);
    const waiting = (await fixture.get(`/runs/${plan}`)) as { state: string; counts: { succeeded: number } };
    expect(waiting).toMatchObject({
      state: 'stopped',
      may: { resume: true },
      reason: expect.stringMatching(/^the test batch has finished .*Resume sends the others?$/),
    });
    expect(waiting.counts.succeeded).toBeGreaterThanOrEqual(4);
    expect(waiting.counts.succeeded).toBeLessThan(30);
    expect((await fixture.ask('POST', `/runs/${plan}/resume`)).status).toBe(202);
    await fixture.over(plan);
    expect(await fixture.get(`/runs/${plan}`)).toMatchObject({
      state: 'completed',
      counts: { succeeded: 30 },
    });
  });

  it('continues at once with a run that stands still, though the process that executed it has not exited yet', async () => {
    const plan = await fixture.run('plan');
    const first = { items: 30, connection: 'sandbox', canary: 4 };
    expect((await fixture.ask('POST', `/plans/${plan}/send`, first)).status).toBe(202);
    await expect
      .poll(() => fixture.get(`/runs/${plan}`), { interval: 1 })
      .toMatchObject({ may: { resume: true } });
    const resumed = await fixture.ask('POST', `/runs/${plan}/resume`);
    expect([resumed.status, await resumed.json()]).toEqual([202, { run: plan }]);
    await fixture.over(plan);
    expect(await fixture.get(`/runs/${plan}`)).toMatchObject({
      state: 'completed',
      counts: { succeeded: 30 },
    });
  });

  it('makes plans of what failed and of what is to be reverted', async () => {
    const run = await fixture.run('run');
    const nothing = await fixture.ask('POST', `/runs/${run}/retry`, {});
    expect(nothing.status).toBe(409);
    expect(await nothing.json()).toMatchObject({ detail: expect.stringContaining(run) });
    const reverted = await fixture.ask('POST', `/runs/${run}/revert`, {});
    expect(reverted.status).toBe(202);
    const { run: plan } = (await reverted.json()) as { run: string };
    await fixture.over(plan);
    expect(await fixture.get(`/plans/${plan}`)).toMatchObject({
      reverts: run,
      state: 'planned',
      operations: [{ operation: 'order.delete_asset', deletes: true }],
    });
    const items = ((await fixture.get(`/plans/${plan}`)) as { items: number }).items;
    const untyped = await fixture.ask('POST', `/plans/${plan}/send`, { items, connection: 'sandbox' });
    expect(await untyped.json()).toMatchObject({ status: 409, code: 'send.number_required' });
    const typed = { items, connection: 'sandbox', confirmNumber: items };
    expect((await fixture.ask('POST', `/plans/${plan}/send`, typed)).status).toBe(202);
    await fixture.over(plan);
    expect(await fixture.get(`/runs/${plan}`)).toMatchObject({ state: 'completed', reverts: run });
  });

  it('offers to revert only where something is left to, and makes no empty plan', async () => {
    const run = await fixture.run('run');
    const reverted = (await fixture.ask('POST', `/runs/${run}/revert`, {}).then((it) => it.json())) as {
      run: string;
    };
    await fixture.over(reverted.run);
    expect(await fixture.get(`/runs/${run}`)).toMatchObject({ may: { revert: true } });
    const { items } = (await fixture.get(`/plans/${reverted.run}`)) as { items: number };
    const sent = { items, connection: 'sandbox', confirmNumber: items };
    expect((await fixture.ask('POST', `/plans/${reverted.run}/send`, sent)).status).toBe(202);
    await fixture.over(reverted.run);
    // Neither what was reverted, nor the run that did so: what was revoked stays so.
    const why = `everything that run ${run} did was reverted already (run ${reverted.run})`;
    expect(await fixture.get(`/runs/${run}`)).toMatchObject({
      may: { revert: expect.stringContaining(why) },
    });
    expect(await fixture.get(`/runs/${reverted.run}`)).toMatchObject({
      may: { revert: expect.stringContaining('can only be ordered again') },
    });
    for (const [id, reported] of [
      [run, why],
      [reverted.run, 'can only be ordered again'],
    ] as const) {
      const again = await fixture.ask('POST', `/runs/${id}/revert`, {});
      expect(again.status).toBe(409);
      expect(await again.json()).toMatchObject({ detail: expect.stringContaining(reported) });
    }
    expect(((await fixture.get('/runs')) as { items: unknown[] }).items).toHaveLength(2);
  });
});
