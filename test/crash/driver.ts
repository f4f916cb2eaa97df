import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { RunState } from '../../src/ledger/contract.js';
import { readSheet } from '../support/job-runs.js';
import { orderJob, orderRows } from '../support/orders.js';
import { checkAccounts, checkNothingLeft, checkResultWhole, must, OLD_RESULT, stateOf } from './checks.js';
import { startAndKill } from './killed-process.js';
import { type Point, rerunCommand, type Scenario } from './scenario.js';
import { ServedPlatform } from './served-platform.js';

/** What became of one story. */
export interface Told {
  readonly story: Scenario;
  /** One for each process that was killed: where it died by name, if so, and how far the ledger was. */
  readonly kills: readonly { readonly point?: Point; readonly state: RunState | 'none' }[];
  /** Processes that ended before their moment came. */
  readonly missed: number;
  readonly carriedOut: number;
  readonly unknown: number;
  /** Of the unknown: carried out all the same. */
  readonly unknownDone: number;
  readonly requests: number;
  /** Faults that the platform injected. */
  readonly faults: number;
  readonly ms: number;
}

interface Spoken {
  readonly rows: number;
  readonly counts: Readonly<Record<string, number>>;
  readonly requests: number;
  readonly error?: { readonly code: string };
}

/**
 * Runs a job on a served platform, kills it as the story says, resumes it until it ends, and holds every promise
 * against what the platform did.
 * @throws Error that names the broken promise, the folder (which is kept) and the command to run it again
 */
export async function tell(story: Scenario): Promise<Told> {
  const began = performance.now();
  const home = await mkdtemp(path.join(tmpdir(), `license-sync-crash-${story.seed}-`));
  const folders = {
    work: path.join(home, 'work'),
    platform: path.join(home, 'platform'),
    tmp: path.join(home, 'tmp'),
  };
  for (const folder of Object.values(folders)) await mkdir(folder);
  let platform: ServedPlatform | undefined;
  try {
    platform = await ServedPlatform.serve(folders.platform, story);
    await prepare(folders.work, story);
    const told = await live(story, platform, folders);
    await platform.stop();
    await rm(home, { recursive: true, force: true });
    return { ...told, story, ms: performance.now() - began };
  } catch (error) {
    await platform?.stop();
    const what = error instanceof Error ? error.message : String(error);
    const detail = `${what}\n  story ${JSON.stringify(story)}\n  kept in ${home}\n  again: ${rerunCommand(story)}`;
    throw new Error(detail, { cause: error });
  }
}

async function prepare(folder: string, { orders, orderNumbers, output, oldResult }: Scenario): Promise<void> {
  const job = orderJob();
  await writeFile(
    path.join(folder, 'job.yaml'),
    orderNumbers === 'mapped' ? job : job.replace('  channelOrderId: Order\n', ''),
  );
  await writeFile(path.join(folder, 'orders.csv'), orderRows(orders));
  await mkdir(path.join(folder, 'results'));
  if (oldResult) await writeFile(path.join(folder, 'results', `out.${output}`), OLD_RESULT);
}

async function live(
  story: Scenario,
  platform: ServedPlatform,
  folders: { readonly work: string; readonly tmp: string },
): Promise<Omit<Told, 'story' | 'ms'>> {
  const cwd = folders.work;
  const output = path.join(cwd, 'results', `out.${story.output}`);
  const env = { ...platform.environment, TMPDIR: folders.tmp };
  const common = ['--json', '--connection', 'env', '--set', `batch.size=${story.batch}`];
  const run = (file: string): string[] => {
    const concurrency = ['--concurrency', String(story.concurrency)];
    return ['run', 'job.yaml', ...common, ...concurrency, '--output', file];
  };
  const kills: { point?: Point; state: RunState | 'none' }[] = [];
  let missed = 0;
  let args = run(output);
  let spoken: Spoken | undefined;
  for (let step = 0; ; step += 1) {
    const kill = story.kills[step];
    const ended = await startAndKill(args, kill, { story, platform, cwd, env });
    await checkResultWhole(output, story);
    if (ended.killed) {
      const state = await stateOf(cwd);
      kills.push({ state, ...(kill?.kind === 'point' ? { point: kill.point } : {}) });
      args = state === 'none' ? run(output) : ['resume', '--json'];
      continue;
    }
    if (kill) missed += 1;
    const said = JSON.parse(ended.stdout || '{}') as Spoken;
    // Killed after its last word to the ledger: the result is there, and resume says that nothing is left to do.
    if (said.error?.code === 'run.nothing_to_resume') break;
    must(ended.code === 0 || ended.code === 6, `ended with ${ended.code} (${ended.signal}):`, ended.stderr);
    must(
      (ended.code === 6) === (said.counts.unknown !== undefined),
      'exit code 6 tells of unknown rows:',
      said,
    );
    spoken = said;
    break;
  }

  const { carriedOut, unknown, unknownDone } = checkAccounts(
    await readSheet(output),
    await platform.orders(),
    story,
  );
  if (spoken) checkSpoken(spoken, { succeeded: story.orders - unknown, unknown });
  const before = await platform.stats();
  const faults = Object.values(before.faults).reduce((sum, it) => sum + it.injected, 0);
  const bound = kills.length * story.concurrency * story.batch + faults * story.batch;
  must(unknown <= bound, 'unknown at most concurrency x batch size a kill:', { unknown, bound });
  await checkNothingLeft(cwd);
  await checkNothingLeft(folders.tmp);

  const second = path.join(cwd, 'results', `again.${story.output}`);
  const again = await startAndKill(run(second), undefined, { story, platform, cwd, env });
  must(again.code === (unknown > 0 ? 6 : 0), `run again, it ended with ${again.code}:`, again.stderr);
  checkSpoken(JSON.parse(again.stdout) as Spoken, { skipped: story.orders });
  const after = await platform.stats();
  must(after.requests === before.requests, 'a finished file run again must send nothing:', after);
  return { kills, missed, carriedOut, unknown, unknownDone, requests: before.requests, faults };
}

function checkSpoken({ rows, counts }: Spoken, wanted: Readonly<Record<string, number>>): void {
  const sum = Object.values(counts).reduce((total, it) => total + it, 0);
  must(sum === rows, 'statuses must add up to the rows:', { rows, counts });
  for (const [status, count] of Object.entries(wanted)) {
    must((counts[status] ?? 0) === count, `${status} as printed must be as written, ${count}:`, counts);
  }
}
