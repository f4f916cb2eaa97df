import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { UNWATCHED } from '../../src/app/context.js';
import { stopAtConsole } from '../../src/app/queued-runs.js';
import { runWorker } from '../../src/app/worker.js';
import { StopSignal } from '../../src/util/stop-signal.js';
import { orderJob, orderRows } from '../support/orders.js';
import { postgresPlace } from '../support/postgres/shared-server.js';
import { eventsOf, type RunsFixture, runsFixture } from '../support/runs-fixture.js';

describe('runs at a console whose ledger workers share', () => {
  let fixture: RunsFixture;
  let remove: () => Promise<void>;

  beforeEach(async () => {
    const place = await postgresPlace();
    remove = () => place.remove();
    fixture = await runsFixture({ ledger: place.url });
    await writeFile(path.join(fixture.folder, 'orders.yaml'), `${orderJob()}connection: sandbox\n`);
    await writeFile(path.join(fixture.folder, 'orders.csv'), orderRows(120));
  });

  afterEach(async () => {
    await fixture.close();
    await remove();
  });

  async function work(): Promise<void> {
    const watch = UNWATCHED;
    await runWorker(
      { ...fixture.app, watch, stop: new StopSignal() },
      { slots: 4, once: true, connections: 'sandbox' },
    );
  }

  it('are queued, reported as workers process them, stopped and resumed', async () => {
    const plan = await fixture.run('plan');
    await fixture.sends(plan, 120);
    await fixture.until(plan, (it) => 'state' in it && it.state === 'queued');
    expect((await fixture.ask('POST', `/runs/${plan}/stop`)).status).toBe(204);
    expect(await fixture.get(`/runs/${plan}`)).toMatchObject({ state: 'interrupted', may: { resume: true } });
    expect((await fixture.ask('POST', `/runs/${plan}/resume`)).status).toBe(202);
    await fixture.until(plan, (it) => 'state' in it && it.state === 'queued');
    const heard = eventsOf(fixture, plan);
    await work();
    expect((await heard).at(-1)).toMatchObject({
      event: 'over',
      data: { state: 'completed', counts: { succeeded: 120 } },
    });
    expect(await fixture.get(`/runs/${plan}`)).toMatchObject({ counts: { succeeded: 120 } });
    const { series } = (await fixture.get(`/runs/${plan}/timeline`)) as { series: [number, object][] };
    expect(series.at(-1)![1]).toEqual({ succeeded: 120 });
    const again = await fixture.ask('POST', `/plans/${plan}/send`, { items: 120, connection: 'sandbox' });
    expect(again.status).toBe(409);
  });

  it('are stopped where the child that queued them was notified too late', async () => {
    const plan = await fixture.run('plan');
    await fixture.sends(plan, 120);
    await fixture.until(plan, (it) => 'state' in it && it.state === 'queued');
    await stopAtConsole(fixture.app, plan, () => Promise.resolve());
    expect(await fixture.get(`/runs/${plan}`)).toMatchObject({ state: 'interrupted', may: { resume: true } });
  });
});
