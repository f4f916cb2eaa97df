import { existsSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** Names the test run to its workers, and waits at its end until the server that they may have started is gone. */
export default function setup(): () => Promise<void> {
  process.env.LICENSE_SYNC_TEST_RUN = String(process.pid);
  const folder = path.join(tmpdir(), `license-sync-test-postgres-${process.pid}`);
  return async () => {
    rmSync(path.join(folder, 'ready.json'), { force: true });
    for (const deadline = Date.now() + 10_000; existsSync(folder) && Date.now() < deadline; ) await delay(50);
  };
}
