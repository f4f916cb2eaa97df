import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { UNWATCHED } from '../../src/app/context.js';
import { applyPlan } from '../../src/app/continue-run.js';
import { StopSignal } from '../../src/util/stop-signal.js';
import { type FilledFixture, filledFixture, LEDGER_KINDS } from '../support/runs-fixture.js';

const STEPS = `version: 1
name: locks
source: { file: locks.csv }
run: { onInvalid: skip }
steps:
  - name: lock
    operation: asset.lock
    when: row["Lock"] != "8100000004"
    map: { assetNums: Lock, operatorIdentity: { value: ops } }
  - name: list
    operation: asset.list
    map: { enterpriseGlobalId: Enterprise ID }
  - name: unlock
    operation: asset.unlock
    map:
      assetNums: { expr: 'size(step["list"]["assetNum"]) > 0 ? row["Lock"] : row["Lock"]' }
      operatorIdentity: { value: ops }
`;

/** 151 is frozen; the fourth is skipped by the first step, the last one's enterprise is missing. */
const SHEET = `Lock,Enterprise ID
8100000001,ENT-0001
8100000002,ENT-0002
8100000151,ENT-0031
8100000004,ENT-0004
8100000005,
`;

describe.each(LEDGER_KINDS)('a plan of several steps at the console, next to %s', (kind) => {
  let fixture: FilledFixture;

  beforeEach(async () => {
    fixture = await filledFixture({ kind, job: STEPS, sheet: SHEET });
  });
  afterEach(() => fixture?.close());

  test('says requests as far as they are known, and each row that is excluded once, of the step that leaves it out', async () => {
    const plan = (await fixture.get(`/plans/${await fixture.run('plan')}`)) as {
      operations: { step: string; items: number; requests?: number }[];
      skipped: { status: string; reason: string; count: number; rows: number[] }[];
    };
    expect(plan.operations.map((it) => [it.step, it.items, it.requests])).toEqual([
      ['lock', 3, 1],
      ['list', 4, undefined],
      ['unlock', 4, undefined],
    ]);
    expect(plan.skipped.sort((a, b) => a.rows[0]! - b.rows[0]!)).toEqual([
      expect.objectContaining({
        ...{ status: 'skipped', count: 1, rows: [5] },
        reason: 'lock: excluded from this step by its condition `when`',
      }),
      expect.objectContaining({ status: 'invalid', count: 1, rows: [6] }),
    ]);
  });

  test('is rehearsed step by step, and compared with what came of it', async () => {
    const plan = await fixture.run('plan');
    const begun = await fixture.ask('POST', `/runs/${plan}/rehearse`);
    expect(begun.status, await begun.text()).toBe(202);
    const rehearsed = await over(`/runs/${plan}/rehearsal`);
    expect(rehearsed).toMatchObject({
      state: 'over',
      rows: 5,
      counts: { succeeded: 3, rejected: 1, invalid: 1 },
      steps: [
        {
          name: 'lock',
          operation: 'asset.lock',
          counts: { succeeded: 2, rejected: 1, skipped: 1, not_sent: 1 },
        },
        { name: 'list', operation: 'asset.list', counts: { succeeded: 3, not_sent: 1, invalid: 1 } },
        { name: 'unlock', operation: 'asset.unlock', counts: { succeeded: 3, not_sent: 2 } },
      ],
    });
    expect(await fixture.get(`/runs/${plan}/rehearsal/rows?status=rejected`)).toMatchObject({
      items: [{ row: 4, code: '3', message: expect.stringMatching(/^lock: /) }],
    });
    expect(Object.keys(fixture.platform.stats().byEndpoint)).toEqual(['assetList']);
    expect(fixture.platform.stats().effects).toMatchObject({ locks: 0 });

    fixture.state.revokeAsset(fixture.state.assets.get('8100000002')!);
    const context = { ...fixture.app, watch: UNWATCHED, stop: new StopSignal(), confirm: true as const };
    await applyPlan(context, plan, { maxAge: '24h' });
    expect(await fixture.get(`/runs/${plan}/rehearsal/differences`)).toMatchObject({
      compared: 5,
      items: [{ row: 3, rehearsed: { status: 'succeeded' }, happened: { status: 'rejected' } }],
    });
  });

  async function over(at: string): Promise<object> {
    for (;;) {
      const reported = (await fixture.get(at)) as { state: string };
      if (reported.state !== 'running') return reported;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
});
