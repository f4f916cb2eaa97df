import { parseArgs } from 'node:util';
import { BrokenStory, type Told, tell } from './driver.js';
import { killedAt, POINTS, scenario } from './scenario.js';
import { summary } from './summary.js';

const SAY_EVERY = 10;

/** `npm run test:crash -- --runs 500 --orders 2000 --seed 1 [--jobs 2] [--at POINT[:N]]`; gives the exit code. */
export async function main(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      runs: { type: 'string', default: '500' },
      orders: { type: 'string', default: '2000' },
      seed: { type: 'string', default: '1' },
      jobs: { type: 'string', default: '2' },
      at: { type: 'string' },
    },
  });
  const [word = '', nth = '1'] = (values.at ?? '').split(':');
  const point = POINTS.find((it) => it === word);
  if (values.at !== undefined && point === undefined)
    throw new Error(`--at takes one of ${POINTS.join(', ')}`);

  const began = performance.now();
  const first = Number(values.seed);
  const runs = Number(values.runs);
  const told: Told[] = [];
  const failures: unknown[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < runs) {
      const story = scenario(first + next, Number(values.orders));
      next += 1;
      try {
        told.push(await tell(point === undefined ? story : killedAt(story, point, Number(nth))));
      } catch (error) {
        failures.push(error);
        console.error(`FAILED: ${error instanceof Error ? error.message : String(error)}\n`);
      }
      const done = told.length + failures.length;
      if (done % SAY_EVERY === 0) console.error(`${done} of ${runs} runs, ${failures.length} failed`);
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, Number(values.jobs)) }, worker));
  const repeats = failures.map((it) => (it instanceof BrokenStory ? it.repeats : undefined));
  console.log(summary(told, repeats, performance.now() - began));
  return failures.length === 0 ? 0 : 1;
}
