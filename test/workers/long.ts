import { parseArgs } from 'node:util';
import { startPostgres } from '../support/postgres/server.mjs';
import { LIMITS, tryLimit } from './limits.js';
import { KINDS, type Reported, type Story, tell } from './trial.js';

/**
 * `npm run test:workers -- --kills 100 --stops 100 --restarts 30 --cuts 50 --losses 20 [--times 5] [--orders 300]
 * [--seed 1] [--steps] [--limits 8]`: so many of each, some in each run, and the limits over so many workers; gives the exit code.
 */
export async function main(args: readonly string[]): Promise<number> {
  const none = { type: 'string', default: '0' } as const;
  const { values } = parseArgs({
    args: [...args],
    options: {
      ...{ kills: none, stops: none, restarts: none, cuts: none, losses: none },
      times: { type: 'string', default: '5' },
      orders: { type: 'string', default: '300' },
      seed: { type: 'string', default: '1' },
      steps: { type: 'boolean', default: false },
      limits: none,
      only: { type: 'string' },
    },
  });
  const { kills, stops, restarts, cuts, losses } = values;
  const wanted = { kill: kills, stop: stops, restart: restarts, cut: cuts, loss: losses };
  let seed = Number(values.seed);
  let failures = 0;
  for (const kind of KINDS) {
    const all: Reported[] = [];
    for (let left = Number(wanted[kind]); left > 0; seed += 1) {
      // A loss takes all workers with it: few fit into one run.
      const times = Math.min(left, kind === 'loss' ? 2 : Number(values.times));
      const story: Story = { seed, kind, times, orders: Number(values.orders), steps: values.steps };
      left -= times;
      try {
        all.push(await tell(story));
      } catch (error) {
        failures += 1;
        console.error(`FAILED: ${error instanceof Error ? error.message : String(error)}\n`);
      }
    }
    if (all.length > 0) console.log(line(kind, all));
  }
  const workers = Number(values.limits);
  if (workers > 0) failures += await limits(workers, values.only);
  console.log(`${failures} runs failed`);
  return failures === 0 ? 0 : 1;
}

/** Gives how many of them didn't hold. */
async function limits(workers: number, only: string | undefined): Promise<number> {
  let failures = 0;
  const server = await startPostgres({});
  try {
    for (const limit of LIMITS.filter((it) => only === undefined || it === only)) {
      try {
        console.log(
          `${limit} over ${workers} workers: ${await tryLimit(limit, { server: server.url, workers, slots: 4 })}`,
        );
      } catch (error) {
        failures += 1;
        console.error(`FAILED: ${limit}: ${error instanceof Error ? error.message : String(error)}\n`);
      }
    }
  } finally {
    await server.remove();
  }
  return failures;
}

function line(kind: string, all: readonly Reported[]): string {
  const sum = (of: (it: Reported) => number): number => all.reduce((total, it) => total + of(it), 0);
  return [
    `${sum((it) => it.happened)} x ${kind} in ${all.length} runs of ${all[0]!.story.orders} orders:`,
    `0 twice, 0 lost, ${sum((it) => it.unknown)} unknown (at most ${sum((it) => it.bound)}),`,
    `${sum((it) => it.carriedOut)} carried out, ${Math.round(sum((it) => it.ms) / 1000)} s`,
  ].join(' ');
}
