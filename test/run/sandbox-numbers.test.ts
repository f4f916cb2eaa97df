import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadConnections, resolveConnection } from '../../src/job/connections.js';
import { loadSendingJob } from '../../src/job/load.js';
import { ALL_OPERATIONS } from '../../src/platform/operations/catalogue.js';
import { reportRows, stepsRows } from '../../src/run/report/row-results.js';
import { resumeRun, startRun } from '../../src/run/start-run.js';
import { stepRunsOf } from '../../src/run/step-runs.js';
import type { SharedLedger } from '../../src/workers/services.js';
import { executeQueuedRuns } from '../../src/workers/worker.js';
import { Fixture } from '../support/job-runs.js';
import { LEDGER_MAKER, type LedgerMaker, POSTGRES } from '../support/ledgers.js';
import { onboarding, onboardingRows } from '../support/onboarding.js';
import { orderJob, orderRows } from '../support/orders.js';

let fixture: Fixture;

async function open(maker: LedgerMaker = LEDGER_MAKER): Promise<void> {
  fixture = await Fixture.open(maker);
  await fixture.file('license-sync.yaml', 'version: 1\ndefaultConnection: sandbox\n');
}

afterEach(() => fixture.close());

async function rowsOf(id: string) {
  const run = await fixture.ledger.runs.get(id);
  const rows = [];
  for await (const page of reportRows(fixture.ledger, run!)) rows.push(...page);
  return rows;
}

async function goOn(id: string) {
  return resumeRun(fixture.parts({ confirm: true }), (await fixture.ledger.runs.get(id))!, (it) => it);
}

/** Each is there, and none twice. */
function expectDifferent(values: readonly (string | undefined)[], count: number): void {
  expect(values.filter(Boolean)).toHaveLength(count);
  expect(new Set(values).size).toBe(count);
}

describe('the numbers of built-in sandboxes that process one run, each for a while', () => {
  beforeEach(() => open());

  it('begin at 1, and are others after a canary', async () => {
    await fixture.file('orders.csv', orderRows(12));
    const end = await fixture.run(await fixture.file('job.yaml', orderJob()), { canary: 5 });
    expect(end.counts).toEqual({ succeeded: 5, not_sent: 7 });
    expect((await rowsOf(end.run))[0]!.licenseOrderId).toMatch(/^LO-0000000\d$/);
    expect(await goOn(end.run)).toMatchObject({ status: 'completed', counts: { succeeded: 12 } });
    expectDifferent(
      (await rowsOf(end.run)).map((row) => row.licenseOrderId),
      12,
    );
  });

  it('are others in every step: of customers, asset numbers and orders', async () => {
    const rows = Array.from({ length: 6 }, (_, at) => `SO-${at},Customer ${at},,2,5`);
    await fixture.file('rows.csv', onboardingRows(rows));
    const end = await fixture.run(await fixture.file('job.yaml', onboarding()), { canary: 2 });
    expect(end.status).toBe('stopped');
    expect(await goOn(end.run)).toMatchObject({ status: 'completed', counts: { succeeded: 6 } });
    const came = await rowsOf(end.run);
    expectDifferent(
      came.map((row) => row.licenseOrderId),
      6,
    );
    expectDifferent(
      came.map((row) => row.columns['customer.customerId']),
      6,
    );
    const run = (await fixture.ledger.runs.get(end.run))!;
    const numbers = [];
    for await (const page of stepsRows(
      fixture.ledger,
      run,
      await stepRunsOf(fixture.ledger, run),
      () => true,
    ))
      for (const { steps } of page) numbers.push(...(steps[1]!.records ?? []).map((it) => it.assetNumber));
    expectDifferent(numbers as string[], 12);
  });
});

describe('the numbers of the sandboxes of several workers', () => {
  beforeEach(() => open(POSTGRES));

  it('are different in each', async () => {
    await fixture.file('orders.csv', orderRows(40));
    const file = await fixture.file('job.yaml', orderJob());
    const job = await loadSendingJob(file, { env: {}, operations: ALL_OPERATIONS });
    const connections = await loadConnections(file, { env: {}, cwd: fixture.folder });
    const connection = resolveConnection(connections, {});
    const { run } = await startRun(fixture.parts(), job, connection, 'run', { queue: true });
    const carry = (name: string) =>
      executeQueuedRuns(
        { ...fixture.parts(), ledger: fixture.ledger as SharedLedger },
        { name, slots: 2, connections: new Map([['sandbox', connection]]), once: true, leaseMs: 5000 },
      );
    await Promise.all([carry('w1'), carry('w2')]);
    const rows = await rowsOf(run);
    expect(new Set(rows.map((row) => row.licenseOrderId!.split('-')[1])).size).toBe(2);
    expectDifferent(
      rows.map((row) => row.licenseOrderId),
      40,
    );
  });
});
