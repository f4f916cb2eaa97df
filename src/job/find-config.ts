import { access, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { homeFolder } from '../util/current-user.js';
import { type LedgerChoice, OWN_FOLDER } from '../util/ledger-place.js';

export const CONFIG_FILE = 'license-sync.yaml';
const LEDGER_FILE = 'ledger.db';

/**
 * The `license-sync.yaml` that applies to a folder: its own, else the nearest one above. A folder that is reached through a
 * link is searched from where the link leads, too.
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
 * Where results go that a job file doesn't place (contract section 3): `results/` beside `license-sync.yaml`, else
 * beside the folder `jobs` that the job lies in, else beside the job file.
 * @param jobFile absolute
 */
export async function resultsFolder(jobFile: string): Promise<string> {
  const folder = dirname(jobFile);
  const config = await findConfig(folder);
  return join(config === undefined ? besideJobs(folder) : dirname(config), 'results');
}

/**
 * The ledger that applies where none is named (contract section 3): in `.license-sync/` beside `license-sync.yaml`, else in
 * the nearest `.license-sync/` upwards, up to the home folder, else beside the folder `jobs` or in the folder itself. It does
 * not depend on the path by which the folder is reached: the rows of a job would be sent again with each further ledger.
 * @param folder of the job, or the current one
 * @param config the `license-sync.yaml` that applies to it
 */
export async function defaultLedger(
  folder: string,
  config: string | undefined,
  { env, cwd }: { readonly env: NodeJS.ProcessEnv; readonly cwd: string },
): Promise<LedgerChoice> {
  if (config !== undefined) return choiceIn(await realFolder(dirname(config)));
  const home = await realFolder(homeFolder(env));
  const real = await realFolder(folder);
  for (const at of upwards(real, home)) if (await isFolder(join(at, OWN_FOLDER))) return choiceIn(at);
  const former = join(cwd, OWN_FOLDER, LEDGER_FILE);
  return { ...choiceIn(besideJobs(real, home)), ...((await isThere(former)) ? { former } : {}) };
}

function choiceIn(folder: string): LedgerChoice {
  return { place: join(folder, OWN_FOLDER, LEDGER_FILE), folder };
}

/** The folder that contains the nearest folder `jobs` above, or the folder itself. The home folder may have that name. */
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

/** Without links; a folder that does not exist is given back. */
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
