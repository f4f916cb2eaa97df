import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { licenseSync } from '../support/command.js';
import { Door } from '../support/console-door.js';
import { orderJob, orderRows } from '../support/orders.js';
import { ServedPlatform } from '../support/served-platform.js';

/*
 * `CONSOLE_KILLS=30 npx vitest run test/console/killed.test.ts` kills so many, each at a moment of its own seed.
 */
const KILLS = Number(process.env.CONSOLE_KILLS ?? 3);
const ORDERS = 60;
/** By then a child whose console was killed has exited. */
const LEFT_WITHIN_MS = 15_000;

describe('a console that is killed while it sends', () => {
  let folder: string;
  let platform: ServedPlatform;
  /** In which the killed console's runs were found. */
  const states: string[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'license-sync-killed-'));
    platform = await ServedPlatform.serve(folder, { latencyMs: 60, faults: '' });
  });

  afterAll(async () => {
    await platform.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it.each(Array.from({ length: KILLS }, (_, index) => index + 1))(
    'leaves a run that continues: nothing is lost, nothing is sent twice (seed %i)',
    async (seed) => {
      const cwd = await mkdtemp(path.join(folder, 'desk-'));
      const env = platform.environment;
      const options = { cwd, env };
      const from = seed * 1000;
      await writeFile(
        path.join(cwd, 'orders.yaml'),
        `${orderJob()}connection: env\nrun: { concurrency: 2 }\n`,
      );
      await writeFile(path.join(cwd, 'orders.csv'), orderRows(ORDERS, from));
      const planned = await licenseSync(['plan', 'orders.yaml', '--json'], options);
      const { plan } = JSON.parse(planned.stdout) as { plan: string };

      const first = await Door.open(options);
      const before = (await platform.orders()).length;
      await act(first, `/plans/${plan}/send`, { items: ORDERS, connection: 'env' });
      if (whileItSends(seed)) {
        const carriedOut = async () => (await platform.orders()).length - before;
        await expect.poll(carriedOut, { timeout: LEFT_WITHIN_MS }).toBeGreaterThan(0);
      }
      await new Promise((resolve) => setTimeout(resolve, momentOf(seed)));
      first.running.child.kill('SIGKILL');
      await first.running.ended;

      const second = await Door.open(options);
      const state = await until(second, plan, (it) => it !== 'executing' && it !== 'executed');
      states.push(state);
      expect(['cut off', 'completed', 'planned']).toContain(state);
      if (state === 'cut off') {
        await act(second, `/runs/${plan}/resume`);
        await until(second, plan, (it) => it === 'completed');
      }
      const { counts } = (await second.ask('GET', `/runs/${plan}`)).reported;
      expect(counts).toEqual({ succeeded: ORDERS });
      second.running.child.kill('SIGTERM');
      expect((await second.running.ended).code).toBe(0);

      const numbers = Array.from({ length: ORDERS }, (_, index) => `SO-${from + index}`);
      const carried = (await platform.orders()).map((it) => JSON.stringify(it));
      for (const number of numbers)
        expect(
          carried.filter((it) => it.includes(`"${number}"`)),
          number,
        ).toHaveLength(1);
    },
  );

  it('leaves nothing of an upload that was half done', async () => {
    const cwd = await mkdtemp(path.join(folder, 'half-'));
    const uploads = path.join(cwd, '.license-sync/uploads');
    const env = { LICENSE_SYNC_LEDGER: path.join(cwd, '.license-sync/ledger.db') };
    const first = await Door.open({ cwd, env });
    first.beginUpload(orderRows(3));
    await expect.poll(() => readdir(uploads).catch(() => [])).toHaveLength(1);
    first.running.child.kill('SIGKILL');
    await first.running.ended;
    const second = await Door.open({ cwd, env });
    expect(await readdir(uploads)).toEqual([]);
    second.running.child.kill('SIGTERM');
    await second.running.ended;
  });

  it('was killed while it sent', () => {
    expect(states).toContain('cut off');
  });
});

/** Some are killed after their first order, however long their child took to begin; others even before that. */
const whileItSends = (seed: number): boolean => seed % 2 === 1;

/** Of a seed: between the beginning and when all is sent. */
function momentOf(seed: number): number {
  return (seed * 2_654_435_761) % (whileItSends(seed) ? 1200 : 3200);
}

async function act(door: Door, at: string, body?: object): Promise<void> {
  const { status, reported } = await door.ask('POST', at, { body });
  if (status >= 300) throw new Error(`${at}: ${status} ${JSON.stringify(reported)}`);
}

async function until(door: Door, run: string, isSo: (state: string) => boolean): Promise<string> {
  const end = performance.now() + LEFT_WITHIN_MS + 30_000;
  for (;;) {
    const { state } = (await door.ask('GET', `/runs/${run}`)).reported;
    if (isSo(state)) return state;
    if (performance.now() > end) throw new Error(`${run} is ${state}`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
