import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { licenseSync } from '../support/command.js';
import { orderJob, orderRows } from '../support/orders.js';

let folder: string;

beforeEach(async () => {
  folder = await realpath(await mkdtemp(path.join(tmpdir(), 'license-sync-places-')));
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

const at = (...names: string[]): string => path.join(folder, ...names);

/** A job in a folder of the scratch one, called from the scratch one. */
async function jobIn(...names: string[]): Promise<string> {
  await mkdir(at(...names), { recursive: true });
  await writeFile(at(...names, 'orders.csv'), orderRows(1));
  await writeFile(at(...names, 'job.yaml'), orderJob({ extra: 'connection: sandbox\n' }));
  return at(...names, 'job.yaml');
}

const resultOf = async (job: string): Promise<string> => {
  const end = await licenseSync(['validate', job, '--json'], { cwd: folder });
  return path.dirname((JSON.parse(end.stdout) as { output: string }).output);
};

describe('results that the job does not place', () => {
  it('go next to license-sync.yaml, else next to the folder jobs, else next to the job', async () => {
    expect(await resultOf(await jobIn('a', 'somewhere'))).toBe(at('a', 'somewhere', 'results'));
    expect(await resultOf(await jobIn('b', 'jobs'))).toBe(at('b', 'results'));
    expect(await resultOf(await jobIn('b', 'jobs', 'deep', 'er'))).toBe(at('b', 'results'));
    await writeFile(at('license-sync.yaml'), 'version: 1\n');
    expect(await resultOf(at('b', 'jobs', 'job.yaml'))).toBe(at('results'));
    await writeFile(at('b', 'jobs', 'license-sync.yaml'), 'version: 1\n');
    expect(await resultOf(at('b', 'jobs', 'deep', 'er', 'job.yaml'))).toBe(at('b', 'jobs', 'results'));
  });
});

describe('a folder that cannot be written to', () => {
  it.each(['/proc/none/ledger.db', 'orders.csv/ledger.db', 'orders.csv/deep/er/ledger.db'])(
    'for the ledger is exit 2, and the message says what helps: %s',
    async (place) => {
      const job = await jobIn();
      const env = { LICENSE_SYNC_LEDGER: place };
      const end = await licenseSync(['validate', job], { cwd: folder, env });
      expect(end.code).toBe(2);
      expect(end.stderr).toContain('with LICENSE_SYNC_LEDGER');
      expect(end.stderr).not.toMatch(/\n\s+at /);
    },
  );

  it('for the ledger of license-sync.yaml, and for results', async () => {
    const job = await jobIn();
    await writeFile(at('results'), 'a file in the place of the folder');
    const results = await licenseSync(['validate', job], { cwd: folder });
    expect(results.code).toBe(2);
    expect(results.stderr).toContain('--output');
    await writeFile(at('license-sync.yaml'), 'version: 1\nledger: results/ledger.db\n');
    const ledger = await licenseSync(['run', job], { cwd: folder });
    expect(ledger.code).toBe(2);
    expect(ledger.stderr).toContain('LICENSE_SYNC_LEDGER');
  });
});
