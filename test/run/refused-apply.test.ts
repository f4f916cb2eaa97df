import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { render } from '../../src/errors/message.js';
import type { Connection } from '../../src/model/connection.js';
import { readPlanFiles } from '../../src/run/plan/plan-refusal.js';
import type { RunEnd } from '../../src/run/run-end.js';
import type { SettingsChange } from '../../src/run/settings.js';
import { applyPlan } from '../../src/run/start-run.js';
import { FakePlatform, ordersDone } from '../support/fake-platform.js';
import { Fixture } from '../support/job-runs.js';
import { LEDGER_MAKERS, SQLITE } from '../support/ledgers.js';
import { OnboardingPlatform, onboarding, onboardingRows } from '../support/onboarding.js';
import { orderJob, orderRows } from '../support/orders.js';

interface Asked {
  readonly confirm?: boolean;
  readonly canary?: number;
  readonly queue?: boolean;
  readonly limits?: { readonly maxItems?: number; readonly maxDeletes?: number };
}

const STEPS_ROWS = onboardingRows(['SO-1,C1,,1,5', 'SO-2,C2,,1,5', 'SO-3,C3,,1,5']);
const deletes = (safety: string) =>
  orderJob({ operation: 'order.delete_asset', extra: `safety: { ${safety} }\n` });

interface Case {
  readonly what: string;
  readonly job: string;
  readonly rows: string;
  readonly connection?: Partial<Connection>;
  readonly refused: Asked;
  readonly again: Asked;
  readonly requests: number;
}

const CASES: readonly Case[] = [
  {
    what: 'maxItems',
    job: orderJob({ extra: 'safety: { maxItems: 2 }\n' }),
    rows: orderRows(3),
    refused: {},
    again: { limits: { maxItems: 3 } },
    requests: 3,
  },
  {
    what: 'maxDeletes',
    job: deletes('maxDeletes: 2'),
    rows: orderRows(3),
    refused: { confirm: true },
    again: { confirm: true, limits: { maxDeletes: 3 } },
    requests: 3,
  },
  {
    what: 'a missing confirmation of deletions',
    job: deletes('maxDeletes: 9'),
    rows: orderRows(3),
    refused: {},
    again: { confirm: true },
    requests: 3,
  },
  {
    what: 'a missing confirmation, with a canary',
    job: orderJob(),
    rows: orderRows(3),
    connection: { confirm: 'always' },
    refused: { canary: 2 },
    again: { canary: 2, confirm: true },
    requests: 3,
  },
  {
    what: 'a limit, first without and then with a canary',
    job: orderJob({ extra: 'safety: { maxItems: 2 }\n' }),
    rows: orderRows(3),
    refused: {},
    again: { canary: 2, limits: { maxItems: 3 } },
    requests: 2,
  },
  {
    what: 'maxItems of a step',
    job: onboarding({ extra: 'safety: { maxItems: 2 }\n' }),
    rows: STEPS_ROWS,
    refused: {},
    again: { limits: { maxItems: 3 } },
    requests: 9,
  },
  {
    what: 'a missing confirmation of steps',
    job: onboarding(),
    rows: STEPS_ROWS,
    connection: { confirm: 'always' },
    refused: {},
    again: { confirm: true },
    requests: 9,
  },
];

describe.each(LEDGER_MAKERS)('a plan whose apply was refused ($name)', (maker) => {
  let fixture: Fixture;
  let platform: FakePlatform;
  let connection: Connection;

  beforeEach(async () => {
    fixture = await Fixture.open(maker);
    const steps = new OnboardingPlatform();
    platform = await new FakePlatform((seen) =>
      'orderList' in seen.body && 'operatorIdentity' in seen.body ? ordersDone(seen) : steps.answer(seen),
    ).start();
  });

  afterEach(async () => {
    await platform.stop();
    await fixture.close();
  });

  async function plan({ job, rows, connection: change }: Case): Promise<string> {
    connection = { ...platform.connection(), ...change };
    await fixture.file('orders.csv', rows);
    await fixture.file('rows.csv', rows);
    const end = await fixture.run(await fixture.file('job.yaml', job), { plan: true, connection });
    expect(end).toMatchObject({ exitCode: 0 });
    return end.run;
  }

  async function apply(id: string, { confirm = false, limits, ...how }: Asked): Promise<RunEnd> {
    const run = (await fixture.ledger.runs.get(id))!;
    const now = await readPlanFiles(run, connection, 60_000);
    const change: SettingsChange = (settings) => ({
      ...settings,
      job: { ...settings.job, safety: { ...settings.job.safety, ...limits } },
    });
    return applyPlan(fixture.parts({ confirm }), run, now, change, how);
  }

  // Only a server has a queue. The rest is the same on both: contract/ runs the ledger's statements on each.
  if (maker !== SQLITE) {
    it.each(CASES)('by $what is queued by the next apply', async (of) => {
      const id = await plan(of);
      expect(await apply(id, { ...of.refused, queue: true })).toMatchObject({ exitCode: 4 });
      expect(await apply(id, { ...of.again, queue: true })).toMatchObject({ status: 'queued' });
      await expect(apply(id, { ...of.again, queue: true })).rejects.toMatchObject({ kind: 'usage' });
      expect(platform.seen).toHaveLength(0);
    });

    it('does not differ from a refused submit: the next one is queued', async () => {
      await fixture.file('orders.csv', orderRows(3));
      const job = await fixture.file('job.yaml', orderJob());
      const how = { connection: { ...platform.connection(), confirm: 'always' as const }, queue: true };
      for (const _ of [1, 2])
        expect(await fixture.run(job, how)).toMatchObject({ status: 'stopped', exitCode: 4 });
      const end = await fixture.run(job, { ...how, parts: { confirm: true } });
      expect(end).toMatchObject({ status: 'queued', exitCode: 0 });
      expect((await fixture.ledger.execution.remaining(end.run)).items).toBe(3);
      expect(platform.seen).toHaveLength(0);
    });
    return;
  }

  it.each(CASES)('by $what is sent by the next apply, once', async (of) => {
    const id = await plan(of);
    for (const _ of [1, 2])
      expect(await apply(id, of.refused)).toMatchObject({ run: id, status: 'stopped', exitCode: 4 });
    expect(platform.seen).toHaveLength(0);
    const sent = await apply(id, of.again);
    expect(platform.seen).toHaveLength(of.requests);
    for (const warning of sent.warnings ?? []) expect(render(warning)).not.toContain('nothing was sent');
    await expect(apply(id, of.again)).rejects.toMatchObject({ kind: 'usage' });
    expect(platform.seen).toHaveLength(of.requests);
  });

  it.each(CASES)('by $what is only resumed once the platform was asked', async (of) => {
    const id = await plan(of);
    await apply(id, of.refused);
    platform.answer = () => ({ status: 401, body: {} });
    await apply(id, of.again);
    const { length } = platform.seen;
    expect(length).toBeGreaterThan(0);
    await expect(apply(id, of.again)).rejects.toMatchObject({ detail: { code: 'run.plan_begun' } });
    expect(platform.seen).toHaveLength(length);
  });
});
