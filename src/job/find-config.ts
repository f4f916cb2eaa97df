import { access } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

export const CONFIG_FILE = 'license-sync.yaml';

/** The `license-sync.yaml` that holds for a folder: its own, else the nearest one above. */
export async function findConfig(folder: string): Promise<string | undefined> {
  for (let at = folder; ; at = dirname(at)) {
    const file = join(at, CONFIG_FILE);
    const exists = await access(file).then(
      () => true,
      () => false,
    );
    if (exists) return file;
    if (dirname(at) === at) return undefined;
  }
}

/**
 * Where results go that a job file doesn't place (contract section 3): `results/` beside `license-sync.yaml`, else
 * beside the folder `jobs` that the job lies in, else beside the job file.
 * @param jobFile absolute
 */
export async function resultsFolder(jobFile: string): Promise<string> {
  const folder = dirname(jobFile);
  const config = await findConfig(folder);
  if (config !== undefined) return join(dirname(config), 'results');
  for (let at = folder; at !== dirname(at); at = dirname(at)) {
    if (basename(at).toLowerCase() === 'jobs') return join(dirname(at), 'results');
  }
  return join(folder, 'results');
}
