import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ConsoleEnvironment, openConsole } from '../../src/app/console/console-environment.js';
import type { AppContext } from '../../src/app/context.js';
import { RunProcesses } from '../../src/console/child-processes/run-processes.js';
import { ServiceRegistry } from '../../src/console/service-registry.js';
import { ProductError } from '../../src/errors/product-error.js';
import { orderJob, orderRows } from '../support/orders.js';

describe('a child that processes a run', () => {
  let folder: string;
  let ground: ConsoleEnvironment;
  let services: ServiceRegistry;
  let context: AppContext;

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'license-sync-carriers-'));
    await writeFile(path.join(folder, 'orders.yaml'), `${orderJob()}connection: sandbox\n`);
    await writeFile(path.join(folder, 'orders.csv'), orderRows(30));
    const app = { env: process.env, cwd: folder, language: 'en' } as const;
    ground = await openConsole(app);
    services = new ServiceRegistry();
    context = { ...app, opened: ground.ledger };
  });

  afterEach(async () => {
    await services.close();
    await ground.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('plans, reports the run, and how it ended', async () => {
    const carriers = services.get(RunProcesses.of);
    const planned = await carriers.start(context, {
      use: 'run',
      input: ['orders.yaml', { kind: 'plan' }],
    });
    const run = (await planned.started)!;
    expect(carriers.of(run)).toBe(planned);
    expect(await planned.over).toMatchObject({
      exitCode: 0,
      summary: { run, rows: 30, plan: run },
    });
    expect(carriers.of(run)).toBeUndefined();
    const sent = await carriers.start(context, { use: 'apply', input: [run, { maxAge: '1h' }] });
    expect(await sent.started).toBe(run);
    expect(await sent.over).toMatchObject({ exitCode: 0, summary: { counts: { succeeded: 30 } } });
    const again = await carriers.start(context, { use: 'apply', input: [run, { maxAge: '1h' }] });
    await expect(again.started).rejects.toThrow(ProductError);
    await expect(again.started).rejects.toMatchObject({ code: 'run.plan_used' });
  });

  it('is stopped as by Ctrl-C when the console ends', async () => {
    await writeFile(path.join(folder, 'orders.csv'), orderRows(3000));
    const carriers = services.get(RunProcesses.of);
    const sent = await carriers.start(context, {
      use: 'run',
      input: ['orders.yaml', { kind: 'run', concurrency: 1 }],
    });
    const run = (await sent.started)!;
    await new Promise<void>((resolve) => {
      sent.subscribe((news) => {
        if (news.kind === 'progress' && news.progress.stage === 'execute') resolve();
      });
    });
    await services.close();
    expect(await sent.over).toMatchObject({ exitCode: 130, summary: { run, status: 'interrupted' } });
    const ledger = await ground.ledger();
    expect(await ledger.runs.get(run)).toMatchObject({ state: 'interrupted' });
  });
});
