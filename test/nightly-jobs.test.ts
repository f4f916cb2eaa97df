import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from '../src/sandbox/serve.js';
import { Fixture } from './support/job-runs.js';
import { readSheet } from './support/read-sheet.js';
import { reconcileJob, sandboxAt } from './support/reconcile-fixture.js';

const JOBS = fileURLToPath(new URL('../jobs/', import.meta.url));

let fixture: Fixture;
let sandbox: Sandbox;

beforeEach(async () => {
  fixture = await Fixture.open();
  sandbox = await startSandbox({});
});

afterEach(async () => {
  await sandbox.close();
  await fixture.close();
});

const go = async (job: string, apply = false): ReturnType<typeof reconcileJob> =>
  reconcileJob(fixture, path.join(JOBS, job), { connection: await sandboxAt(fixture, sandbox.url), apply });

describe('the nightly samples', () => {
  test('locks: five differ, are fixed, and are in sync the next night', async () => {
    const looked = await go('nightly-locks.yaml');
    expect(looked).toMatchObject({ exitCode: 1, counts: { in_sync: 127, different: 5 }, requests: 12 });
    const corrected = await go('nightly-locks.yaml', true);
    expect(corrected).toMatchObject({ exitCode: 0, counts: { in_sync: 132 } });
    expect(corrected.actions.map((it) => it.counts)).toEqual([{ succeeded: 3 }, { succeeded: 2 }]);
    expect(await go('nightly-locks.yaml', true)).toMatchObject({ exitCode: 0, actions: [] });
  });

  test('customers: two are bound, two renamed', async () => {
    const corrected = await go('nightly-customers.yaml', true);
    expect(corrected).toMatchObject({ exitCode: 0, counts: { in_sync: 32 } });
    expect(corrected.actions.map((it) => [it.operation, it.counts])).toEqual([
      ['enterprise.bind', { succeeded: 2 }],
      ['enterprise.update', { succeeded: 2 }],
    ]);
    expect(await go('nightly-customers.yaml')).toMatchObject({ exitCode: 0, counts: { in_sync: 32 } });
  });

  test('orders of an earlier run: nine of twelve arrived', async () => {
    const end = await go('verify-orders.yaml');
    expect(end).toMatchObject({ exitCode: 1, counts: { skipped: 12, in_sync: 9, missing: 3 } });
    const missing = (await readSheet(end.output)).filter((it) => it.status === 'missing');
    expect(missing.map((it) => it['Order No'])).toEqual(['CL-2026-00015', 'CL-2026-00020', 'CL-2026-00023']);
  });
});
