import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { requestApproval } from '../../src/app/approvals.js';
import { UNWATCHED } from '../../src/app/context.js';
import { runWorker } from '../../src/app/worker.js';
import type { Caller } from '../../src/people/identity.js';
import { StopSignal } from '../../src/util/stop-signal.js';
import { FakePlatform, ordersDone } from '../support/fake-platform.js';
import { ImportFixture } from '../support/imports.js';
import { orderJob, orderRows } from '../support/orders.js';
import { postgresPlace } from '../support/postgres/shared-server.js';
import { readSheet } from '../support/read-sheet.js';
import { type RunsFixture, runsFixture } from '../support/runs-fixture.js';
import { until } from '../support/until.js';

const SETTINGS = `version: 1
connections:
  checked: { baseUrl: "http://127.0.0.1:9", token: { env: PLATFORM_TOKEN }, approval: required }
`;

const PLACES = [
  { name: 'SQLite', place: async () => undefined },
  { name: 'PostgreSQL', place: postgresPlace },
] as const;

interface Shown {
  readonly counts: Readonly<Record<string, number>>;
  readonly items: number;
  readonly skipped: readonly { readonly count: number }[];
  readonly operations: readonly { readonly items: number }[];
  readonly may: Readonly<Record<string, true | string>>;
}

/** Sends what is queued; a console with a file as its ledger sends itself. */
async function work({ app }: RunsFixture): Promise<void> {
  if (app.ledger === undefined) return;
  const context = { ...app, watch: UNWATCHED, stop: new StopSignal() };
  await runWorker(context, { slots: 4, once: true, connections: 'sandbox' });
}

describe.each(PLACES)('what a plan offers ($name)', ({ place }) => {
  let made: Awaited<ReturnType<typeof place>>;
  let fixture: RunsFixture;

  beforeEach(async () => {
    made = await place();
    fixture = await runsFixture({
      settings: SETTINGS,
      env: { PLATFORM_TOKEN: 's3cret' },
      ...(made ? { ledger: made.url } : {}),
    });
  });

  afterEach(async () => {
    await fixture.close();
    await made?.remove();
  });

  async function plan(job: string, rows = orderRows(3), as?: Caller): Promise<string> {
    await writeFile(path.join(fixture.folder, 'orders.yaml'), job);
    await writeFile(path.join(fixture.folder, 'orders.csv'), rows);
    return fixture.run('plan', as);
  }

  const shown = async (run: string) => (await fixture.get(`/plans/${run}`)) as Shown;

  it('is not Send while a limit of the job is exceeded', async () => {
    const run = await plan(`${orderJob()}connection: sandbox\nsafety: { maxItems: 2 }\n`);
    const { may } = await shown(run);
    expect(may.send).toBe(
      '3 items are more than safety.maxItems allows (2); to send them, raise safety.maxItems in the job',
    );
  });

  it('is not Send, nor Approve, after the job changed; the file is named without its folder', async () => {
    const free = await plan(`${orderJob()}connection: sandbox\n`);
    expect((await shown(free)).may.send).toBe(true);
    const checked = await plan(`${orderJob()}connection: checked\n`);
    await requestApproval(fixture.app, checked, {});
    expect((await shown(checked)).may).toMatchObject({
      send: 'another user must approve it first',
      reject: true,
    });
    await writeFile(
      path.join(fixture.folder, 'orders.yaml'),
      `${orderJob()}connection: checked\n# changed\n`,
    );
    for (const run of [free, checked]) {
      const { may } = await shown(run);
      expect(may.send).toMatch(/^orders\.yaml changed since plan \S+ was created; .*“Plan”$/);
    }
    const { may } = await shown(checked);
    expect(may.approve).toBe(may.send);
    expect(may).toMatchObject({ reject: true });
    expect(may).not.toHaveProperty('request');
  });

  it('has a version that follows what other users do', async () => {
    const run = await plan(`${orderJob()}connection: checked\n`);
    const version = async () => (await fixture.get(`/plans/${run}/version`)) as { version: string };
    const before = await version();
    expect(await shown(run)).toMatchObject(before);
    expect(await version()).toEqual(before);
    await requestApproval(fixture.app, run, {});
    const requested = await version();
    expect(requested).not.toEqual(before);
    expect(await shown(run)).toMatchObject(requested);
  });

  it('is listed for the users who have something to do for it', async () => {
    const tokens = {
      maker: await fixture.addPerson('wang', ['maker']),
      otherMaker: await fixture.addPerson('mae', ['maker']),
      checker: await fixture.addPerson('zed', ['checker']),
      viewer: await fixture.addPerson('vic', ['viewer']),
    };
    const as = (name: keyof typeof tokens) => ({ authorization: `Bearer ${tokens[name]}`, cookie: '' });
    const list = async (name: keyof typeof tokens) => {
      const answer = await fixture.ask('GET', '/runs?approval=mine', undefined, as(name));
      const { items } = (await answer.json()) as { items: { run: string; approval: { state: string } }[] };
      return items.map((it) => [it.run, it.approval.state]);
    };
    const act = async (name: keyof typeof tokens, run: string, what: 'request' | 'approve' | 'reject') => {
      const body = { comment: 'as checked' };
      expect((await fixture.ask('POST', `/plans/${run}/${what}`, body, as(name))).status).toBe(200);
    };
    const maker = { kind: 'token', token: tokens.maker } as const;
    const job = `${orderJob()}connection: checked\n`;
    const [rejected, approved, waiting] = [
      await plan(job, orderRows(1), maker),
      await plan(job, orderRows(2), maker),
      await plan(job, orderRows(3), maker),
    ];
    // A plan whose approval was not requested is not listed.
    await plan(job, orderRows(4), maker);
    for (const run of [rejected, approved, waiting]) await act('maker', run, 'request');
    await act('checker', rejected, 'reject');
    await act('checker', approved, 'approve');
    expect(await list('maker')).toEqual([
      [waiting, 'waiting'],
      [approved, 'approved'],
      [rejected, 'rejected'],
    ]);
    expect(await list('checker')).toEqual([[waiting, 'waiting']]);
    expect(await list('otherMaker')).toEqual([]);
    expect(await list('viewer')).toEqual([]);
  });

  it('is not said to be sent if no request was sent', async () => {
    const job = `${orderJob()}connection: sandbox\n`;
    const [first, second] = [await plan(job), await plan(job)];
    for (const run of [first, second]) {
      await fixture.sends(run, 3);
      await fixture.until(run, (it) => 'state' in it && it.state !== 'planned');
      await work(fixture);
      await fixture.over(run);
    }
    expect(await shown(first)).toMatchObject({ sent: { requests: 3, goesOn: false } });
    expect(await shown(second)).toMatchObject({
      sent: { requests: 0, goesOn: false },
      counts: { skipped: 3 },
    });
  });
});

describe.each(PLACES)('a check ($name)', ({ place }) => {
  it('reports an exceeded limit and a missing approval, also while rows are invalid', async () => {
    const made = await place();
    const imports = await ImportFixture.open({ settings: SETTINGS, ...(made ? { ledger: made.url } : {}) });
    try {
      await imports.job('orders.yaml', `${orderJob()}connection: checked\nsafety: { maxItems: 2 }\n`);
      const id = await imports.import('orders.csv', `${orderRows(3)}SO-4,Customer 4,A4,many\n`);
      expect(await imports.checked(id)).toMatchObject({
        counts: { valid: 3, invalid: 1 },
        limits: [
          expect.stringContaining('3 items are more than safety.maxItems allows (2)'),
          'sending on connection checked requires the approval of another user',
        ],
        warnings: [],
      });
      const { run } = await imports.ask('POST', `/imports/${id}/plan`, { onInvalid: 'skip' });
      const { may } = (await imports.ask('GET', `/plans/${run}`)) as unknown as Shown;
      expect(may.send).toContain('3 items are more than safety.maxItems allows (2)');
    } finally {
      await imports.close();
      await made?.remove();
    }
  });
});

describe.each(PLACES)('the numbers of a messy sheet ($name)', ({ place }) => {
  it('are the same at the check, at the plan, when it is sent, at the run, in Runs and in the result', async () => {
    const made = await place();
    // The outcome of SO-1 stays unknown, so that later rows of it are withheld.
    const platform = await new FakePlatform((seen) =>
      seen.body.channelOrderId === 'SO-1' ? 'reset' : ordersDone(seen),
    ).start();
    const env = { ...process.env, OFFICE_TOKEN: 'token' } as Record<string, string>;
    const settings = `version: 1
connections:
  office: { baseUrl: "${platform.url}", appKey: app, token: { env: OFFICE_TOKEN } }
`;
    const imports = await ImportFixture.open({ settings, env, ...(made ? { ledger: made.url } : {}) });
    try {
      await imports.job('orders.yaml', `${orderJob()}connection: office\n`);
      const { folder } = imports.console;
      const isIn = (run: string, state: string) =>
        until(async () => (await imports.ask('GET', `/runs/${run}`)).state === state);
      const send = async (run: string, items: number) => {
        const sent = await imports.send('POST', `/plans/${run}/send`, { items, connection: 'office' });
        expect(sent.status).toBe(202);
        if (made) {
          await isIn(run, 'queued');
          const stop = new StopSignal();
          const context = {
            env,
            cwd: folder,
            language: 'en',
            ledger: made.url,
            watch: UNWATCHED,
            stop,
          } as const;
          await runWorker(context, { slots: 4, once: true, connections: 'office' });
        }
        await isIn(run, 'completed');
      };
      const earlier = await imports.import('earlier.csv', orderRows(2));
      await send((await imports.ask('POST', `/imports/${earlier}/plan`)).run, 2);

      const sheet = `${orderRows(6)}SO-7,Customer 7,A7,many
SO-8,,A8,5
SO-6,Customer 6,A6,5
,,,
SO-9,Customer 9,A9,5
Total,,,40
`;
      const id = await imports.import('messy.csv', sheet);
      const check = await imports.checked(id);
      const sum = (numbers: readonly number[]) => numbers.reduce((total, it) => total + it, 0);
      // SO-1 and SO-2 are withheld. The two rows of SO-6 are one order.
      expect(check.counts).toEqual({ skipped: 2, invalid: 3, valid: 6 });
      const { run } = await imports.ask('POST', `/imports/${id}/plan`, { onInvalid: 'skip' });
      const plan = (await imports.ask('GET', `/plans/${run}`)) as unknown as Shown;
      expect(plan.counts).toEqual(check.counts);
      expect(plan.items).toBe(5);
      expect(plan.operations).toMatchObject([{ items: 5, requests: 5 }]);
      expect(sum(plan.skipped.map((it) => it.count))).toBe(5);
      const listed = async () =>
        ((await imports.ask('GET', '/runs?limit=1')).items as unknown as Shown[])[0]!;
      expect(await listed()).toMatchObject({ counts: check.counts, items: plan.items });

      await send(run, plan.items);
      const ended = (await imports.ask('GET', `/runs/${run}`)) as unknown as Shown;
      const { valid, ...others } = check.counts;
      expect(ended.counts).toEqual({ ...others, succeeded: valid });
      expect(platform.seen).toHaveLength(2 + plan.items);
      expect((await listed()).counts).toEqual(ended.counts);
      const result = await imports.send('GET', `/runs/${run}/result?format=xlsx`);
      const file = path.join(folder, 'result.xlsx');
      await writeFile(file, Buffer.from(await result.arrayBuffer()));
      const inResult: Record<string, number> = {};
      for (const { status = '' } of await readSheet(file)) inResult[status] = (inResult[status] ?? 0) + 1;
      expect(inResult).toEqual(ended.counts);
    } finally {
      await imports.close();
      await platform.stop();
      await made?.remove();
    }
  });
});
