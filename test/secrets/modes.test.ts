import { lstat, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { licenseSyncAlone, start } from '../support/command.js';
import { FakePlatform, ordersDone } from '../support/fake-platform.js';
import { orderJob, orderRows } from '../support/orders.js';

let folder: string;
let umask: number;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'license-sync-modes-'));
  // The laxest there is: whatever is closed, the program closed.
  umask = process.umask(0);
});

afterEach(async () => {
  process.umask(umask);
  await rm(folder, { recursive: true, force: true });
});

/** Mode by path below the folder, the folder itself under its own name. */
async function modesIn(at: string): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const note = async (file: string): Promise<void> => {
    const about = await lstat(file).catch(() => undefined);
    if (about) found.set(path.relative(folder, file), (about.mode & 0o777).toString(8));
  };
  await note(at);
  for (const name of await readdir(at, { recursive: true })) await note(path.join(at, name));
  return found;
}

describe.skipIf(process.platform === 'win32')('what a run keeps', () => {
  it('is its owner’s alone, while the run continues and afterwards', async () => {
    const state = path.join(folder, '.license-sync');
    let during = new Map<string, string>();
    const platform = await new FakePlatform(async (seen, count) => {
      if (count === 5) during = await modesIn(state);
      return ordersDone(seen);
    }).start();
    await writeFile(path.join(folder, 'orders.csv'), orderRows(10));
    await writeFile(path.join(folder, 'job.yaml'), orderJob());
    const env = {
      LICENSE_SYNC_BASE_URL: platform.url,
      LICENSE_SYNC_TOKEN: 's3cret-token',
      LICENSE_SYNC_APP_KEY: 'app',
    };
    const end = await licenseSyncAlone(['run', 'job.yaml', '--log-file', 'logs/run.log'], {
      cwd: folder,
      env,
    });
    await platform.stop();
    expect(end.code).toBe(0);
    const names = [...during.keys()];
    for (const name of ['ledger.db', 'ledger.db-wal', 'ledger.db-shm', 'inputs', 'locks']) {
      expect(names).toContain(path.join('.license-sync', name));
    }
    expect(names.some((it) => it.endsWith('.lock'))).toBe(true);
    expect(names.some((it) => it.endsWith('orders.csv'))).toBe(true);
    for (const modes of [during, await modesIn(state)]) {
      for (const [name, mode] of modes) {
        expect(`${name} ${mode}`).toMatch(
          /(\.license-sync|inputs|locks|result-notes|[0-9a-f]{64}) 700$|[^/]+\.[^/]+ 600$/,
        );
      }
    }
    expect((await lstat(path.join(folder, 'logs', 'run.log'))).mode & 0o777).toBe(0o600);
  });

  it('is so for a served sandbox too', async () => {
    const served = start(['sandbox', '--port', '0', '--json', '--state', 'effects.ndjson'], {
      cwd: folder,
    });
    await new Promise((resolve) => served.child.stdout?.once('data', resolve));
    const modes = await modesIn(folder);
    served.child.kill('SIGTERM');
    expect((await served.ended).code).toBe(0);
    expect(Object.fromEntries(modes)).toMatchObject({
      'effects.ndjson': '600',
      '.license-sync': '700',
      '.license-sync/sandbox.json': '600',
    });
  });
});
