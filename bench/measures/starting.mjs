// What is felt at every command: how long it takes to be up, and the job that the README begins with.
import { spawnSync } from 'node:child_process';
import { cp } from 'node:fs/promises';
import path from 'node:path';
import { CLI, JOBS } from '../harness/places.mjs';

const OURS = 'license-sync';
const EARLIER = 'earlier build';
const BARE = 'node -e 0';
const MAIN_JOB = ['run', 'jobs/new-buy.yaml', '--quiet', '--yes'];

/** Trials in each round: they are short, and vary. */
const SHORT = 6;

const bare = { name: BARE, prepare: async () => ({ argv: [process.execPath, '-e', '0'], quiet: true }) };

/** The same of a build of an earlier commit: see `--base`. */
const earlier = (prepare) => ({
  name: EARLIER,
  peer: EARLIER,
  prepare: (setting, folder) => prepare(setting, folder, path.join(setting.base, 'bin/license-sync.js')),
});

const env = { LICENSE_SYNC_LEDGER: undefined };

async function help(_setting, _folder, cli = CLI) {
  return { argv: [process.execPath, cli, '--help'], quiet: true, env };
}

/** The main job with a ledger that knows of nothing, on the built-in sandbox. */
async function mainJob(_setting, folder, cli = CLI) {
  await cp(JOBS, path.join(folder, 'jobs'), { recursive: true });
  return { argv: [process.execPath, cli, ...MAIN_JOB], quiet: true, env };
}

/** A list of the one run that the ledger holds. */
async function runs(setting, folder, cli = CLI) {
  const { argv } = await mainJob(setting, folder, cli);
  const { status, stderr } = spawnSync(argv[0], argv.slice(1), { cwd: folder, encoding: 'utf8' });
  if (status !== 0) throw new Error(`the run to be listed ended with ${status}: ${stderr}`);
  return { argv: [process.execPath, cli, 'runs'], quiet: true, env };
}

const ofBare = (limit) => ({
  text: `wall, of ${BARE}`,
  sense: 'most',
  limit,
  value: (of) => of[OURS].wall / of[BARE].wall,
});

export const STARTING = [
  {
    name: 'help',
    title: () => 'Start, say how it is used, and end',
    repeat: SHORT,
    contenders: [{ name: OURS, prepare: help }, earlier(help), bare],
    goals: [ofBare(1.3)],
  },
  {
    name: 'runs',
    title: () => 'List the one run of a ledger',
    repeat: SHORT,
    contenders: [{ name: OURS, prepare: runs }, earlier(runs), bare],
    goals: [ofBare(2)],
  },
  {
    name: 'main-job',
    title: () => "The README's first command: 87 rows, 40 requests, on the sandbox",
    repeat: SHORT,
    contenders: [{ name: OURS, prepare: mainJob }, earlier(mainJob), bare],
    goals: [
      {
        text: `wall, of the ${EARLIER}'s`,
        sense: 'most',
        limit: 0.7,
        value: (of) => of[OURS].wall / of[EARLIER].wall,
      },
    ],
  },
];
