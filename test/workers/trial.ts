import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { seededRandom } from '../../src/sandbox/faults.js';
import { checkAccounts, must } from '../support/accounts.js';
import type { Running } from '../support/command.js';
import { orderRows } from '../support/orders.js';
import { startPostgres } from '../support/postgres/server.mjs';
import { ServedPlatform } from '../support/served-platform.js';
import {
  checkStepsAccounts,
  ROWS_OF_CUSTOMER,
  STEPS_JOB,
  stepsRequests,
  stepsRows,
} from '../support/steps-orders.js';
import { CuttingProxy } from './cutting-proxy.js';
import { World } from './world.js';

/**
 * What happens to the workers that process a run.
 * - kill: a worker is killed, and another one started
 * - stop: a worker is stopped for longer than its lease, and woken
 * - restart: the database is started again; as after a crash
 * - cut: a connection with the database is cut after its COMMIT succeeded
 * - loss: the database is away for longer than `ledgerPatience`; workers end, and are started again
 */
export const KINDS = ['kill', 'stop', 'restart', 'cut', 'loss'] as const;
export type Kind = (typeof KINDS)[number];

export interface Story {
  readonly seed: number;
  readonly kind: Kind;
  /** How often it happens. */
  readonly times: number;
  readonly orders: number;
  /** The job takes each row through three steps. */
  readonly steps?: boolean;
}

export interface Reported {
  readonly story: Story;
  readonly happened: number;
  readonly carriedOut: number;
  readonly unknown: number;
  /** How many it may be: what was in progress when a worker was killed. */
  readonly bound: number;
  readonly ms: number;
}

const WORKERS = 3;
const SLOTS = 4;
const LEASE_MS = 2_000;
const PATIENCE_MS = 2_000;
const ENDS_WITHIN_MS = 180_000;

/**
 * Processes a run by several workers while the story happens to them, and holds the promises against what the platform did.
 * @throws naming the broken promise, the folder (which is kept) and the command to run it again
 */
export async function tell(story: Story): Promise<Reported> {
  const began = performance.now();
  const random = seededRandom(Math.imul(story.seed, 0x9e3779b1));
  const server = await startPostgres({});
  const proxy = await CuttingProxy.before(server.port);
  const effectsFolder = await mkdtemp(path.join(tmpdir(), 'license-sync-platform-'));
  const latencyMs = 20 + Math.floor(random() * 60);
  const platform = await ServedPlatform.serve(effectsFolder, { latencyMs, faults: '' });
  // Of steps the requests are counted: each has one effect.
  const all = story.steps ? stepsRequests(story.orders, 1) : story.orders;
  const effects = async (): Promise<number> => {
    const { requests, orders } = await platform.stats();
    return story.steps ? requests : orders;
  };
  const world = await World.make({
    platform,
    server: server.url.replace(`:${server.port}/`, `:${proxy.port}/`),
    orders: story.steps ? stepsRows(story.orders) : orderRows(story.orders),
    job: story.steps ? STEPS_JOB.replace('BATCH', '1') : undefined,
    leaseMs: LEASE_MS,
    slots: SLOTS,
    settings: story.kind === 'loss' ? `ledgerPatience: ${PATIENCE_MS}ms\n` : '',
  });
  let kept = false;
  try {
    const run = await world.submit();
    for (let n = 0; n < WORKERS; n += 1) world.startWorker();
    let happened = 0;
    for (let n = 0; n < story.times; n += 1) {
      const at = Math.floor((all * (n + random())) / (story.times + 1));
      while ((await effects()) < at) await delay(20);
      await delay(random() * 80);
      if ((await effects()) >= all) break;
      happened += 1;
      await HAPPENS[story.kind]({ world, server, proxy, random });
    }
    const ended = await Promise.race([world.wait(run), delay(ENDS_WITHIN_MS, undefined, { ref: false })]);
    must(ended !== undefined, 'a run must come to an end', run);
    must(ended.code === 0 || ended.code === 6, 'wait must tell how the run ended:', ended);
    await world.leave();
    const lines = await world.result(run);
    const accounts = story.steps
      ? await checkStepsAccounts(lines, path.join(effectsFolder, 'effects.ndjson'), story)
      : checkAccounts(lines, await platform.orders(), story);
    const workers = story.kind === 'kill' || story.kind === 'stop' ? 1 : WORKERS;
    const bound = happened * SLOTS * workers * (story.steps ? ROWS_OF_CUSTOMER : 1);
    must(accounts.unknown <= bound, 'no more may be unknown than was under way:', { ...accounts, bound });
    // The worker that survives gets every reply: what was executed is known, however late it comes into the ledger.
    const answered = story.kind === 'kill' ? 0 : accounts.unknownDone;
    must(answered === 0, 'nothing that was answered may be unknown:', accounts);
    const { carriedOut, unknown } = accounts;
    return { story, happened, carriedOut, unknown, bound, ms: performance.now() - began };
  } catch (error) {
    kept = true;
    const what = error instanceof Error ? error.message : String(error);
    const { kind, times, orders, seed, steps } = story;
    const flag = kind === 'loss' ? 'losses' : `${kind}s`;
    const again = `npm run test:workers -- --${flag} ${times} --times ${times} --orders ${orders} --seed ${seed}${steps ? ' --steps' : ''}`;
    throw new Error(
      `${what}\n  story ${JSON.stringify(story)}\n  kept in ${world.folder}\n  again: ${again}`,
      {
        cause: error,
      },
    );
  } finally {
    await world.remove(kept);
    await rm(effectsFolder, { recursive: true, force: true });
    await proxy.close();
    await server.remove();
  }
}

interface Scene {
  readonly world: World;
  readonly server: Awaited<ReturnType<typeof startPostgres>>;
  readonly proxy: CuttingProxy;
  readonly random: () => number;
}

function anyWorker({ world, random }: Scene): Running {
  const there = world.workers.filter((it) => it.child.exitCode === null && it.child.signalCode === null);
  must(there.length > 0, 'a worker must outlast this:', world.workers.length);
  return there[Math.floor(random() * there.length)]!;
}

const HAPPENS: Readonly<Record<Kind, (scene: Scene) => Promise<void>>> = {
  async kill(scene) {
    anyWorker(scene).child.kill('SIGKILL');
    scene.world.startWorker();
  },
  async stop(scene) {
    const { child } = anyWorker(scene);
    child.kill('SIGSTOP');
    await delay(LEASE_MS * (1.2 + scene.random()));
    child.kill('SIGCONT');
  },
  async restart({ server, random }) {
    await server.restart(random() < 0.5 ? 'fast' : 'immediate');
  },
  async cut({ proxy, random }) {
    const before = proxy.cuts;
    const count = 1 + Math.floor(random() * 3);
    proxy.cut(count);
    for (let n = 0; n < 100 && proxy.cuts < before + count; n += 1) await delay(20);
  },
  async loss({ world, server }) {
    await server.stop('immediate');
    const there = world.workers.filter((it) => it.child.exitCode === null && it.child.signalCode === null);
    const ends = await Promise.all(there.map((it) => it.ended));
    for (const { code, stderr } of ends) {
      // One that was started a moment ago had none yet.
      const hadNone = code === 2 && /cannot be reached/.test(stderr);
      must(code === 5 || hadNone, 'a worker that lost its ledger must end with 5:', { code, stderr });
    }
    await server.start();
    for (const _ of there) world.startWorker();
  },
};
