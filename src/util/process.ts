import { homedir, hostname, userInfo } from 'node:os';
import { Worker } from 'node:worker_threads';

export interface ProcessPlace {
  readonly process: number;
  readonly host: string;
}

export function ownProcess(): ProcessPlace {
  return { process: process.pid, host: hostname() };
}

/** Whether a process exists; true for one of another machine, as that cannot be checked. Process ids are reused. */
export function isAlive({ process: id, host }: ProcessPlace): boolean {
  if (host !== hostname()) return true;
  try {
    process.kill(id, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Runs in a thread, as the main thread may be busy without end. Kills the process, and its group if it leads one. */
const PARENT_WATCH = `
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

interface WatchOptions {
  readonly everyMs: number;
  /** How long this process may continue after its parent has exited. */
  readonly graceMs: number;
  /** Maximum memory. */
  readonly bytes?: number;
  /** It leads a process group: its child processes are killed with it. */
  readonly isLeader?: boolean;
}

/** Kills this process some time after its parent has exited, or when it exceeds its memory, even if it is busy. */
export function watchOverProcess({ bytes = Number.POSITIVE_INFINITY, ...options }: WatchOptions): void {
  new Worker(PARENT_WATCH, {
    eval: true,
    execArgv: [],
    workerData: { isLeader: false, ...options, bytes, parent: process.ppid },
  }).unref();
}

/** Commands that finish sooner run without the thread. */
const STARTS_AFTER_MS = 500;
/** How long this process may take to react to the signal that ends it. */
const REACTS_WITHIN_MS = 500;

/*
 * Node delivers signals through the main thread's event loop. While that is busy, they are not handled, and the
 * listener keeps the system from ending the process. This thread has its own event loop: it counts the signals, too,
 * and ends the process if the main thread did not. Node 24 has no public API for signals in a thread, so only the
 * thread is started with access to Node's internals; if these change, this watch is missing and nothing else changes.
 */
const SIGNAL_WATCH = `
  const { parentPort, workerData: { left, exitCode, within } } = require('node:worker_threads');
  const { SIGINT, SIGTERM } = require('node:os').constants.signals;
  const { Signal } = require('internal/test/binding').internalBinding('signal_wrap');
  let missing = left;
  parentPort.on('message', (signals) => { missing = signals; });
  const kill = () => process.kill(process.pid, 'SIGKILL');
  const end = () => {
    setTimeout(kill, 10 * within);
    // Interrupts a loop of the main thread. Its stderr is closed first: Node would write there that it waits for a
    // debugger.
    const { Session } = require('node:inspector');
    const session = new Session();
    session.connectToMainThread();
    const expression = 'process.getBuiltinModule("node:fs").closeSync(2); process.exit(' + exitCode + ')';
    session.post('Runtime.evaluate', { expression });
  };
  const onSignal = () => {
    missing -= 1;
    if (missing === 0) setTimeout(end, within);
  };
  for (const signal of [SIGINT, SIGTERM]) {
    const handle = new Signal();
    handle.onsignal = onSignal;
    handle.start(signal);
  }
`;

let timer: NodeJS.Timeout | undefined;
let thread: Worker | undefined;

/**
 * Makes sure that the last of `signals` signals ends this process, even while its event loop is busy.
 * @param exitCode exit code in that case
 * @returns a function that ends the watch
 */
export function watchSignals(signals: number, exitCode: number): () => void {
  clearTimeout(timer);
  if (thread) thread.postMessage(signals);
  else timer = setTimeout(() => startThread(signals, exitCode), STARTS_AFTER_MS).unref();
  return () => {
    clearTimeout(timer);
    thread?.postMessage(0);
  };
}

function startThread(signals: number, exitCode: number): void {
  const workerData = { left: signals, exitCode, within: REACTS_WITHIN_MS };
  thread = new Worker(SIGNAL_WATCH, {
    eval: true,
    execArgv: ['--expose-internals', '--no-warnings'],
    workerData,
  });
  thread.unref();
  thread.on('error', () => {});
}

/** User and machine: `wang@desk-7`. If the system has no name for the user (containers), the number. */
export function currentUser(): string {
  let name = `uid ${process.getuid?.() ?? '-'}`;
  try {
    name = userInfo().username;
  } catch {
    // The user has no name.
  }
  return `${name}@${hostname()}`;
}

export function homeFolder(env: NodeJS.ProcessEnv): string {
  return env.HOME || homedir();
}

/** A text as one word of this machine's shell, quoted only if necessary. */
export function shellWord(text: string): string {
  if (process.platform !== 'win32') return posixWord(text);
  return /^[\w.:\\/=-]+$/.test(text) ? text : `"${text.replaceAll('"', '')}"`;
}

/** The same for a POSIX shell. */
export function posixWord(text: string): string {
  return /^[\w@+,:./=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
