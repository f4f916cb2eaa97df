import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { startPostgres } from '../../support/postgres/server.mjs';
import { ServedPlatform } from '../../support/served-platform.js';
import { type ReportedImport, tellImport } from './driver.js';
import { calmStory, importStory, type StageTimes } from './story.js';

/** Far from the seeds of the others. */
const CALM = 100_000;

/** `npm run test:imports -- --runs 30 [--seed 1] [--orders 60] [--jobs 2] [--ledger postgres]`; gives the exit code. */
export async function main(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      runs: { type: 'string', default: '30' },
      seed: { type: 'string', default: '1' },
      orders: { type: 'string', default: '60' },
      jobs: { type: 'string', default: '2' },
      ledger: { type: 'string', default: 'file' },
    },
  });
  const folder = await mkdtemp(path.join(tmpdir(), 'license-sync-imports-'));
  const server = values.ledger === 'postgres' ? await startPostgres() : undefined;
  const platform = await ServedPlatform.serve(folder, { latencyMs: 60, faults: '' });
  const orders = Number(values.orders);
  const addressOf = (seed: number) => server && `${server.url}?schema=import_${process.pid}_${seed}`;
  const reported: ReportedImport[] = [];
  let took: StageTimes | undefined;
  let next = Number(values.seed);
  const end = next + Number(values.runs);
  let failed = 0;
  const one = async (): Promise<void> => {
    while (next < end) {
      const seed = next;
      next += 1;
      const address = addressOf(seed);
      try {
        reported.push(await tellImport(importStory(seed, orders, took), platform, address));
        console.error(
          `seed ${seed}: ${reported.at(-1)!.kills} kills, ${(reported.at(-1)!.ms / 1000).toFixed(0)} s`,
        );
      } catch (error) {
        failed += 1;
        console.error(`FAILED: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
  };
  try {
    // How long the stages take here: the kills come anywhere in them.
    ({ took } = await tellImport(calmStory(next + CALM, orders), platform, addressOf(next + CALM)));
    await Promise.all(Array.from({ length: Math.max(1, Number(values.jobs)) }, one));
  } finally {
    await platform.stop();
    await server?.remove();
    await rm(folder, { recursive: true, force: true });
  }
  const sum = (of: (it: ReportedImport) => number): number => reported.reduce((all, it) => all + of(it), 0);
  console.log(
    `${reported.length} imports, ${sum((it) => it.kills)} kills of the console, ${sum((it) => it.resumes)} runs resumed, ${sum((it) => it.otherPlans)} plans beside; ${failed} failed`,
  );
  return failed === 0 ? 0 : 1;
}
