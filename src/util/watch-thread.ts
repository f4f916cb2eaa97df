import { Worker } from 'node:worker_threads';

/** Runs in a thread, as the process's own may be busy without end. Ends the process, and its group if it leads one. */
const WATCH = `
  const { workerData: { bytes, parent, everyMs, graceMs, isLeader } } = require('node:worker_threads');
  const end = () => {
    try {
      if (isLeader) process.kill(-process.pid, 'SIGKILL');
    } finally {
      process.kill(process.pid, 'SIGKILL');
    }
  };
  let ending = false;
  setInterval(() => {
    if (process.memoryUsage.rss() > bytes) end();
    if (process.platform === 'win32' || process.ppid === parent || ending) return;
    ending = true;
    if (graceMs === 0) end();
    else setTimeout(end, graceMs);
  }, everyMs);
`;

interface WatchWish {
  readonly everyMs: number;
  /** How long this process may go on after its parent has ended. */
  readonly graceMs: number;
  /** The most memory that it may take. */
  readonly bytes?: number;
  /** It leads a process group: those that it started end with it. */
  readonly isLeader?: boolean;
}

/** Kills this process some time after its parent has ended, or when it takes too much memory, whatever it is doing. */
export function watchOverProcess({ bytes = Number.POSITIVE_INFINITY, ...wish }: WatchWish): void {
  new Worker(WATCH, {
    eval: true,
    execArgv: [],
    workerData: { isLeader: false, ...wish, bytes, parent: process.ppid },
  }).unref();
}
