import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startPostgres } from '../support/postgres/server.mjs';
import { BrokenStory, type Reported, tell } from './driver.js';
import { inFile, onServer } from './ledger-location.js';
import { killedAt, POINTS, type Point, STEP_POINTS, scenario } from './scenario.js';
import { summary } from './summary.js';

const SAY_EVERY = 10;

/**
 * `npm run test:crash -- --runs 500 --orders 2000 --seed 1 [--jobs 2] [--at POINT[:N]] [--steps] [--ledger postgres [--cuts 0.01]
 * [--restarts 20]]`; gives the exit code. `--cuts`: the share of writes on whose way the connection breaks; `--restarts`:
 * the server is ended as in a crash, and started again, every so many seconds.
 */
export async function main(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      runs: { type: 'string', default: '500' },
      orders: { type: 'string', default: '2000' },
      seed: { type: 'string', default: '1' },
      jobs: { type: 'string', default: '2' },
      at: { type: 'string' },
      steps: { type: 'boolean', default: false },
      ledger: { type: 'string', default: 'file' },
      cuts: { type: 'string', default: '0' },
      restarts: { type: 'string' },
    },
  });
  const [word = '', nth = '1'] = (values.at ?? '').split(':');
  const points: readonly Point[] = values.steps ? [...POINTS, ...STEP_POINTS] : POINTS;
  const point = points.find((it) => it === word);
  if (values.at !== undefined && point === undefined)
    throw new Error(`--at takes one of ${points.join(', ')}`);

  const server = values.ledger === 'postgres' ? await startPostgres() : undefined;
  const ledger = server ? onServer(server.url, Number(values.cuts)) : inFile;
  const restarts = values.restarts === undefined ? undefined : new AbortController();
  const restarting = server && restarts ? restartEvery(server, Number(values.restarts), restarts.signal) : 0;
  const began = performance.now();
  const first = Number(values.seed);
  const runs = Number(values.runs);
  const reported: Reported[] = [];
  const failures: unknown[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < runs) {
      const story = scenario(first + next, Number(values.orders), values.steps ? 'steps' : 'orders');
      next += 1;
      try {
        const it = point === undefined ? story : killedAt(story, point, Number(nth));
        reported.push(await tell(it, { ledger }));
      } catch (error) {
        failures.push(error);
        console.error(`FAILED: ${error instanceof Error ? error.message : String(error)}\n`);
      }
      const done = reported.length + failures.length;
      if (done % SAY_EVERY === 0) console.error(`${done} of ${runs} runs, ${failures.length} failed`);
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, Number(values.jobs)) }, worker));
  restarts?.abort();
  const restarted = await restarting;
  await server?.remove();
  if (restarted > 0) console.log(`${restarted} restarts of the ledger's server`);
  const repeats = failures.map((it) => (it instanceof BrokenStory ? it.repeats : undefined));
  console.log(summary(reported, repeats, performance.now() - began));
  return failures.length === 0 ? 0 : 1;
}

/** As in a crash of the server: what it confirmed is there, all else is lost. Gives how often. */
async function restartEvery(
  server: { restart(how: 'immediate'): Promise<void> },
  seconds: number,
  over: AbortSignal,
): Promise<number> {
  for (let times = 0; ; times += 1) {
    const goOn = await sleep(seconds * 1000, true, { signal: over }).catch(() => false);
    if (!goOn) return times;
    await server.restart('immediate');
  }
}
