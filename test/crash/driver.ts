import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { RunState } from '../../src/ledger/contract/runs.js';
import { checkAccounts, must } from '../support/accounts.js';
import { orderJob, orderRows } from '../support/orders.js';
import { readSheet } from '../support/read-sheet.js';
import { ServedPlatform } from '../support/served-platform.js';
import {
  checkStepsAccounts,
  ROWS_OF_CUSTOMER,
  repeatsInSteps,
  STEPS_JOB,
  stepsRows,
} from '../support/steps-orders.js';
import {
  checkNothingLeft,
  checkResultWhole,
  checkUnlocked,
  OLD_RESULT,
  repeatsIn,
  stateOf,
} from './checks.js';
import { type Stage, startAndKill } from './killed-process.js';
import { type CrashLedger, inFile, type LedgerForStory } from './ledger-location.js';
import { type Point, rerunCommand, type Scenario } from './scenario.js';

/** The outcome of one story. */
export interface Reported {
  readonly story: Scenario;
  /** One for each process that was killed: where it died by name, if so, and how far the ledger was. */
  readonly kills: readonly { readonly point?: Point; readonly state: RunState | 'none' }[];
  /** Processes that ended before their moment came. */
  readonly missed: number;
  readonly carriedOut: number;
  readonly unknown: number;
  /** Of the unknown: executed anyway. */
  readonly unknownDone: number;
  readonly requests: number;
  /** Faults that the platform injected. */
  readonly faults: number;
  /** Connections to the ledger that were broken on purpose. */
  readonly cuts: number;
  readonly ms: number;
}

/** A story that ended badly. */
export class BrokenStory extends Error {
  /** Orders executed again; undefined where the platform could not be asked. */
  readonly repeats: number | undefined;

  constructor(text: string, repeats: number | undefined, options: ErrorOptions) {
    super(text, options);
    this.repeats = repeats;
  }
}

/** The `--json` object of a run, as far as it is looked at. */
interface Spoken {
  readonly rows: number;
  readonly counts: Readonly<Record<string, number>>;
  readonly error?: { readonly code: string };
}

interface Scene extends Stage {
  /** For temporary files of the program, apart from those of others. */
  readonly tmp: string;
  readonly output: string;
  readonly ledger: CrashLedger;
  /** What the platform wrote of its effects. */
  readonly journal: string;
}

function journalOf(home: string): string {
  return path.join(home, 'platform', 'effects.ndjson');
}

/**
 * Runs a job on a served platform, kills it as the story says, resumes it until it ends, and checks every
 * guarantee against what the platform did; then, if `again` is set, runs the finished file once more.
 * @throws BrokenStory that names the broken promise, the folder (which is kept) and the command to run it again
 */
export async function tell(
  story: Scenario,
  {
    again = true,
    ledger: placed = inFile,
  }: { readonly again?: boolean; readonly ledger?: LedgerForStory } = {},
): Promise<Reported> {
  const began = performance.now();
  const home = await mkdtemp(path.join(tmpdir(), `license-sync-crash-${story.seed}-`));
  let platform: ServedPlatform | undefined;
  let ledger: CrashLedger | undefined;
  try {
    const scene = await setTheScene(home, story, placed);
    platform = scene.platform;
    ledger = scene.ledger;
    const lived = await untilItEnds(scene);
    const settled = await settleAccounts(scene, lived);
    if (again) await runAgain(scene, settled.unknown);
    await platform.stop();
    const cuts = ledger.cuts();
    await ledger.remove();
    await rm(home, { recursive: true, force: true });
    return { story, ...lived, ...settled, cuts, ms: performance.now() - began };
  } catch (error) {
    // Whatever was broken: was it this, too? That can be determined as long as the platform is there.
    const repeats = story.steps
      ? await repeatsInSteps(journalOf(home), story.orders).catch(() => undefined)
      : await platform?.orders().then(repeatsIn, () => undefined);
    await platform?.stop();
    await ledger?.remove();
    const what = error instanceof Error ? error.message : String(error);
    const detail = `${what}\n  story ${JSON.stringify(story)}\n  kept in ${home}\n  again: ${rerunCommand(story)}`;
    throw new BrokenStory(detail, repeats, { cause: error });
  }
}

async function setTheScene(home: string, story: Scenario, placed: LedgerForStory): Promise<Scene> {
  const folder = async (name: string): Promise<string> => {
    await mkdir(path.join(home, name));
    return path.join(home, name);
  };
  const cwd = await folder('work');
  const job = story.steps ? STEPS_JOB.replace('BATCH', String(story.batch)) : orderJob();
  await writeFile(
    path.join(cwd, 'job.yaml'),
    story.orderNumbers === 'mapped' ? job : job.replace(/ *channelOrderId: Order\n/, ''),
  );
  await writeFile(
    path.join(cwd, 'orders.csv'),
    story.steps ? stepsRows(story.orders) : orderRows(story.orders),
  );
  const output = path.join(await folder('work/results'), `out.${story.output}`);
  if (story.oldResult) await writeFile(output, OLD_RESULT);
  const tmp = await folder('tmp');
  const platform = await ServedPlatform.serve(await folder('platform'), story);
  const ledger = await placed(cwd, story);
  const env = { ...platform.environment, ...ledger.env, TMPDIR: tmp, XDG_STATE_HOME: await folder('user') };
  return { story, platform, ledger, cwd, tmp, output, env, journal: journalOf(home) };
}

function runCommand({ story }: Scene, output: string): string[] {
  return [
    ...['run', 'job.yaml', '--json', '--connection', 'env', '--output', output],
    ...(story.steps ? [] : ['--set', `batch.size=${story.batch}`]),
    ...['--concurrency', String(story.concurrency)],
  ];
}

interface Lived {
  readonly kills: Reported['kills'];
  readonly missed: number;
  /** What the process that came to the end said; none did when the last was killed after all was done. */
  readonly spoken?: Spoken;
}

/** Kills and resumes as the story says; after each death the result file is looked at. */
async function untilItEnds(scene: Scene): Promise<Lived> {
  const { story, ledger, output } = scene;
  const kills: { point?: Point; state: RunState | 'none' }[] = [];
  let args = runCommand(scene, output);
  for (let step = 0; ; step += 1) {
    const kill = story.kills[step];
    const ended = await startAndKill(args, kill, scene);
    await checkResultWhole(output, story);
    if (!ended.killed) {
      const spoken = JSON.parse(ended.stdout || '{}') as Spoken;
      if (wasUnreachable(ended)) {
        if ((await stateOf(ledger.address)) !== 'none') args = ['resume', '--json'];
        step -= 1;
        continue;
      }
      const missed = kill ? 1 : 0;
      if (spoken.error?.code === 'run.nothing_to_resume') return { kills, missed };
      must(ended.code === 0 || ended.code === 6, `ended with ${ended.code ?? ended.signal}:`, ended.stderr);
      const reported = (ended.code === 6) === (spoken.counts.unknown !== undefined);
      must(reported, 'exit code 6 must tell of unknown rows, and of nothing else:', {
        code: ended.code,
        spoken,
      });
      return { kills, missed, spoken };
    }
    const state = await stateOf(ledger.address);
    kills.push({ state, ...(kill?.kind === 'point' ? { point: kill.point } : {}) });
    args = state === 'none' ? runCommand(scene, output) : ['resume', '--json'];
  }
}

async function settleAccounts(scene: Scene, { kills, spoken }: Lived) {
  const { story, platform, cwd, tmp, output } = scene;
  const lines = await readSheet(output);
  const accounts = story.steps
    ? await checkStepsAccounts(lines, scene.journal, story)
    : checkAccounts(lines, await platform.orders(), story);
  const { unknown } = accounts;
  if (spoken) checkSpoken(spoken, { succeeded: story.orders - unknown, unknown });
  const stats = await platform.stats();
  const faults = Object.values(stats.faults).reduce((sum, it) => sum + it.injected, 0);
  // A request for a customer is for all of its rows.
  const rows = story.steps ? Math.max(story.batch, ROWS_OF_CUSTOMER) : story.batch;
  const bound = (kills.length * story.concurrency + faults) * rows;
  must(unknown <= bound, 'unknown at most concurrency x batch size a kill:', { unknown, bound });
  await checkNothingLeft(cwd);
  if (spoken) await checkUnlocked(cwd);
  await checkNothingLeft(tmp);
  return { ...accounts, requests: stats.requests, faults };
}

/** The finished file, run once more, sends nothing: what is unknown is withheld, the rest is done. */
async function runAgain(scene: Scene, unknown: number): Promise<void> {
  const { story, platform, cwd } = scene;
  const before = await platform.stats();
  const output = path.join(cwd, 'results', `again.${story.output}`);
  let ended = await startAndKill(runCommand(scene, output), undefined, scene);
  while (wasUnreachable(ended)) ended = await startAndKill(runCommand(scene, output), undefined, scene);
  must(ended.code === (unknown > 0 ? 6 : 0), `run again, it ended with ${ended.code}:`, ended.stderr);
  if (!story.steps) checkSpoken(JSON.parse(ended.stdout) as Spoken, { skipped: story.orders });
  const after = await platform.stats();
  must(after.requests === before.requests, 'a finished file run again must send nothing:', after);
  await checkNothingLeft(cwd);
  await checkUnlocked(cwd);
}

/** The connection was broken, or the server just being started again, while the program opened its ledger: nothing was sent. */
function wasUnreachable({
  code,
  stdout,
}: {
  readonly code: number | null;
  readonly stdout: string;
}): boolean {
  return code === 5 && stdout.includes('"ledger.server_unreachable"');
}

function checkSpoken({ rows, counts }: Spoken, wanted: Readonly<Record<string, number>>): void {
  const sum = Object.values(counts).reduce((total, it) => total + it, 0);
  must(sum === rows, 'statuses must add up to the rows:', { rows, counts });
  for (const [status, count] of Object.entries(wanted)) {
    must((counts[status] ?? 0) === count, `${status} as printed must be as written, ${count}:`, counts);
  }
}
