import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { licenseSync, type Running, start } from '../support/command.js';
import { orderJob, orderRows } from '../support/orders.js';
import { ServedPlatform } from '../support/served-platform.js';

/*
 * `CONSOLE_KILLS=30 npx vitest run test/console/killed.test.ts` kills so many, each at a moment of its own seed.
 */
const KILLS = Number(process.env.CONSOLE_KILLS ?? 3);
const ORDERS = 60;
/** By then a child whose console is gone has left. */
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
    'leaves a run that goes on: nothing is lost, nothing is sent twice (seed %i)',
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
      await first.act(`/plans/${plan}/send`, { items: ORDERS, connection: 'env' });
      await new Promise((resolve) => setTimeout(resolve, momentOf(seed)));
      first.running.child.kill('SIGKILL');
      await first.running.ended;

      const second = await Door.open(options);
      const state = await second.until(plan, (it) => it !== 'executing' && it !== 'executed');
      states.push(state);
      expect(['cut off', 'completed', 'planned']).toContain(state);
      if (state === 'cut off') {
        await second.act(`/runs/${plan}/resume`);
        await second.until(plan, (it) => it === 'completed');
      }
      const { counts } = await second.get(`/runs/${plan}`);
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
    120_000,
  );

  it('leaves nothing of an upload that was half done', async () => {
    const cwd = await mkdtemp(path.join(folder, 'half-'));
    const uploads = path.join(cwd, '.license-sync/uploads');
    const first = await Door.open({ cwd, env: {} });
    first.beginUpload();
    await expect.poll(() => readdir(uploads).catch(() => []), { timeout: 10_000 }).toHaveLength(1);
    first.running.child.kill('SIGKILL');
    await first.running.ended;
    const second = await Door.open({ cwd, env: {} });
    expect(await readdir(uploads)).toEqual([]);
    second.running.child.kill('SIGTERM');
    await second.running.ended;
  }, 60_000);

  it('was killed while it sent', () => {
    expect(states).toContain('cut off');
  });
});

/** Of a seed: between the very beginning and when all is sent. */
function momentOf(seed: number): number {
  return (seed * 2_654_435_761) % 3200;
}

/** A console as a process of its own, with somebody signed in. */
class Door {
  readonly running: Running;
  readonly #origin: string;
  readonly #cookie: string;

  private constructor(running: Running, origin: string, cookie: string) {
    this.running = running;
    this.#origin = origin;
    this.#cookie = cookie;
  }

  static async open(options: { readonly cwd: string; readonly env: Record<string, string> }): Promise<Door> {
    const running = start(['console', '--port', '0'], options);
    let said = '';
    const url = await new Promise<string>((resolve, reject) => {
      running.child.stdout?.on('data', (it: Buffer) => {
        said += it.toString();
        const found = /console (http:\S+)/.exec(said)?.[1];
        if (found !== undefined) resolve(found);
      });
      void running.ended.then(({ stderr }) => reject(new Error(stderr)));
    });
    const answer = await fetch(url, { redirect: 'manual' });
    const cookie = (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
    return new Door(running, new URL(url).origin, cookie);
  }

  /** Sends the first bytes of a file, and no more. */
  beginUpload(): void {
    const headers = {
      cookie: this.#cookie,
      origin: this.#origin,
      'content-type': 'application/octet-stream',
      'content-length': '100000',
      'x-file-name': 'half.csv',
    };
    const sent = request(`${this.#origin}/api/v1/uploads`, { method: 'POST', headers });
    sent.on('error', () => {});
    sent.write(orderRows(3));
  }

  async get(at: string): Promise<{ state: string; counts: object }> {
    const answer = await fetch(`${this.#origin}/api/v1${at}`, { headers: { cookie: this.#cookie } });
    return (await answer.json()) as { state: string; counts: object };
  }

  async act(at: string, body?: object): Promise<void> {
    const { status, ok, ...answer } = await fetch(`${this.#origin}/api/v1${at}`, {
      method: 'POST',
      headers: { cookie: this.#cookie, origin: this.#origin, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }).then(async (it) => ({ status: it.status, ok: it.ok, text: await it.text() }));
    if (!ok) throw new Error(`${at}: ${status} ${JSON.stringify(answer)}`);
  }

  async until(run: string, isSo: (state: string) => boolean): Promise<string> {
    const end = performance.now() + LEFT_WITHIN_MS + 30_000;
    for (;;) {
      const { state } = await this.get(`/runs/${run}`);
      if (isSo(state)) return state;
      if (performance.now() > end) throw new Error(`${run} is ${state}`);
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
}
