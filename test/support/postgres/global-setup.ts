import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const ROOM = 6 * 2 ** 30;
const NAME = 'license-sync-tests-';

/**
 * Names the test run to its workers, gives them a folder for what they write, and waits at its end until the server that
 * they may have started no longer exists.
 */
export default function setup(): () => Promise<void> {
  process.env.LICENSE_SYNC_TEST_RUN = String(process.pid);
  // What is kept for the next run.
  process.env.LICENSE_SYNC_TEST_KEPT = tmpdir();
  const memory = inMemory();
  if (memory !== undefined) process.env.TMPDIR = memory;
  // What the program remembers of ledgers for this user.
  process.env.XDG_STATE_HOME = mkdtempSync(path.join(tmpdir(), 'license-sync-test-state-'));
  const folder = path.join(tmpdir(), `license-sync-test-postgres-${process.pid}`);
  return async () => {
    rmSync(path.join(folder, 'ready.json'), { force: true });
    for (const deadline = Date.now() + 10_000; existsSync(folder) && Date.now() < deadline; ) await delay(50);
    rmSync(process.env.XDG_STATE_HOME ?? '', { recursive: true, force: true });
    if (memory !== undefined) rmSync(memory, { recursive: true, force: true, maxRetries: 3 });
  };
}

/**
 * In memory, if the system has a folder with space there: a ledger waits for
 * the disk at every commit, and a test run needs no protection from power loss. `LICENSE_SYNC_TEST_DISK=1`: on the disk anyway.
 */
function inMemory(): string | undefined {
  if (process.platform !== 'linux' || process.env.LICENSE_SYNC_TEST_DISK === '1') return undefined;
  try {
    const { bavail, bsize } = statfsSync('/dev/shm');
    if (Math.min(bavail * bsize, freemem()) < ROOM) return undefined;
    for (const it of readdirSync('/dev/shm')) sweep(it);
    const folder = `/dev/shm/${NAME}${process.pid}`;
    mkdirSync(folder, { mode: 0o755 });
    return folder;
  } catch {
    return undefined;
  }
}

/** What a run left that was killed. */
function sweep(name: string): void {
  if (!name.startsWith(NAME) || existsSync(`/proc/${name.slice(NAME.length)}`)) return;
  rmSync(`/dev/shm/${name}`, { recursive: true, force: true });
}
