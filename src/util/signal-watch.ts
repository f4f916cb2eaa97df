import { Worker } from 'node:worker_threads';

/** Commands that end sooner do without the thread. */
const STARTS_AFTER_MS = 500;
/** How long this process may take to react to the signal that ends it. */
const REACTS_WITHIN_MS = 500;

/*
 * Node hands signals to the main thread's event loop. While that is busy, nothing hears them, and the listener keeps the
 * system from ending the process. This thread has an event loop of its own: it counts the signals too, and ends the
 * process if the main thread did not. `process.binding` is deprecated; where it no longer exists, this watch is missing
 * and nothing else changes.
 */
const WATCH = `
  process.noDeprecation = true;
  const { parentPort, workerData: { left, exitCode, within } } = require('node:worker_threads');
  const { SIGINT, SIGTERM } = require('node:os').constants.signals;
  const { Signal } = process.binding('signal_wrap');
  let missing = left;
  parentPort.on('message', (it) => { missing = it; });
  const kill = () => process.kill(process.pid, 'SIGKILL');
  const end = () => {
    setTimeout(kill, within);
    // Interrupts a loop of the main thread. Its stderr is closed first: Node would write there that it waits for a debugger.
    const { Session } = require('node:inspector');
    const session = new Session();
    session.connectToMainThread();
    const expression = 'process.getBuiltinModule("node:fs").closeSync(2); process.exit(' + exitCode + ')';
    session.post('Runtime.evaluate', { expression });
  };
  const heard = () => {
    missing -= 1;
    if (missing === 0) setTimeout(end, within);
  };
  for (const signal of [SIGINT, SIGTERM]) {
    const it = new Signal();
    it.onsignal = heard;
    it.start(signal);
  }
`;

let timer: NodeJS.Timeout | undefined;
let thread: Worker | undefined;

/**
 * Makes sure that the last of so many signals ends this process, even while its event loop is busy.
 * @param exitCode what it then exits with
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
  thread = new Worker(WATCH, { eval: true, execArgv: [], workerData });
  thread.unref();
  thread.on('error', () => {});
}
