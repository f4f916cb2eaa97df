import { access, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type LedgerChoice, OWN_FOLDER } from '../util/ledger-address.js';
import { homeFolder } from '../util/process.js';

export const CONFIG_FILE = 'license-sync.yaml';
const LEDGER_FILE = 'ledger.db';

/**
 * The `license-sync.yaml` that applies to a folder: the one in it, otherwise the nearest one above. If there is none and the
 * folder was reached through a link, the search is repeated from the link's target.
 */
export async function findConfig(folder: string): Promise<string | undefined> {
  const found = await nearestConfig(folder);
  if (found !== undefined) return found;
  const real = await realFolder(folder);
  return real === folder ? undefined : nearestConfig(real);
}

async function nearestConfig(folder: string): Promise<string | undefined> {
  for (const at of upwards(folder)) {
    const file = join(at, CONFIG_FILE);
    if (await isThere(file)) return file;
  }
  return undefined;
}

/**
 * The folder of results if a job file names no location (contract section 3): `results/` next to `license-sync.yaml`, otherwise
 * next to the folder `jobs` that contains the job, otherwise next to the job file.
 * @param jobFile absolute
 */
export async function resultsFolder(jobFile: string): Promise<string> {
  const folder = dirname(jobFile);
  const config = await findConfig(folder);
  return join(config === undefined ? besideJobs(folder) : dirname(config), 'results');
}

/**
 * The default ledger (contract section 3): in `.license-sync/` next to `license-sync.yaml`, otherwise in the nearest
 * `.license-sync/` upwards to the home folder, otherwise next to the folder `jobs` or in the folder itself. It must not depend
 * on the path by which the folder is reached: with another ledger the rows of a job would be sent again.
 * @param folder of the job, or the current one
 * @param config the `license-sync.yaml` that applies to it
 */
export async function defaultLedger(
  folder: string,
  config: string | undefined,
  { env, cwd }: { readonly env: NodeJS.ProcessEnv; readonly cwd: string },
): Promise<LedgerChoice> {
  const choice = choiceIn(
    config === undefined ? await withoutConfig(folder, env) : await realFolder(dirname(config)),
  );
  const { place: former } = choiceIn(await realFolder(cwd));
  return former !== choice.place && (await isThere(former)) ? { ...choice, former } : choice;
}

async function withoutConfig(folder: string, env: NodeJS.ProcessEnv): Promise<string> {
  const home = await realFolder(homeFolder(env));
  const real = await realFolder(folder);
  for (const at of upwards(real, home)) if (await isFolder(join(at, OWN_FOLDER))) return at;
  return besideJobs(real, home);
}

function choiceIn(folder: string): LedgerChoice {
  return { place: join(folder, OWN_FOLDER, LEDGER_FILE), folder };
}

/**
 * The parent of the nearest folder `jobs` at or above this one, otherwise this folder. The home folder may be called
 * `jobs`.
 */
function besideJobs(folder: string, last?: string): string {
  for (const at of upwards(folder, last)) {
    if (at !== last && at !== dirname(at) && basename(at).toLowerCase() === 'jobs') return dirname(at);
  }
  return folder;
}

/** A folder and those above it, up to `last`. */
function* upwards(folder: string, last?: string): Generator<string> {
  for (let at = folder; ; at = dirname(at)) {
    yield at;
    if (at === last || dirname(at) === at) return;
  }
}

/** The path without links; a folder that does not exist is returned unchanged. */
function realFolder(folder: string): Promise<string> {
  return realpath(folder).catch(() => folder);
}

function isThere(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}

function isFolder(folder: string): Promise<boolean> {
  return stat(folder).then(
    (it) => it.isDirectory(),
    () => false,
  );
}
