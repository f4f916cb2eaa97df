import { type AppContext, callerFrom } from '../app/context.js';
import { type Failure, failureData, failureOf } from '../app/failure.js';
import { type Message, message, render } from '../errors/message.js';
import { EXIT } from '../model/run-outcome.js';
import { watchSignals } from '../util/process.js';
import { STOP_SIGNALS, type StopSignal } from '../util/stop-signal.js';
import { languageOf } from './language.js';
import { shownText } from './shown-text.js';

const OTHERS_SHOWN = 50;

export function printFailure(failure: Failure): void {
  process.stderr.write(`license-sync: ${shownText(failure.text)}\n`);
  if (failure.includesOthers) return;
  for (const text of failure.others.slice(0, OTHERS_SHOWN)) {
    process.stderr.write(`  ${shownText(text)}\n`);
  }
  const left = failure.others.length - OTHERS_SHOWN;
  if (left > 0) {
    const more = render(message('listing.more', { count: left }), languageOf(process.env));
    process.stderr.write(`  ${more}\n`);
  }
}

/** Runs a command and sets the exit code that it returns, or 0. An error is printed to stderr, and with `json` as an object to stdout. */
export async function guarded(
  flags: { readonly json?: boolean; readonly ledger?: string },
  work: (context: AppContext) => Promise<unknown>,
): Promise<void> {
  const context = contextOf(flags);
  try {
    const exitCode = await work(context);
    process.exitCode = typeof exitCode === 'number' ? exitCode : EXIT.ok;
  } catch (error) {
    const failure = failureOf(error, context.language);
    printFailure(failure);
    if (flags.json)
      process.stdout.write(`${JSON.stringify({ error: failureData(error, context.language) })}\n`);
    process.exitCode = failure.exitCode;
  }
}

/** Installs handlers that print uncaught errors and output failures as normal error messages. */
export function installFatalErrorHandlers(): void {
  const language = languageOf(process.env);

  // A closed pipe (`| head`) is not an error. Others (a full disk behind `>`) are reported, and the command continues,
  // because its results are in the ledger and the result file.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') return;
    const reason = error.code ?? error.message;
    process.stderr.write(`license-sync: ${render(message('cli.output_lost', { reason }), language)}\n`);
  });

  // Node's default output would show every property of the error, including secrets.
  const crash = (error: unknown): void => {
    printFailure(failureOf(error, language));
    process.exit(EXIT.internal);
  };
  process.on('uncaughtException', crash);
  process.on('unhandledRejection', crash);
}

/**
 * The first signal stops dispatching and lets the requests in flight finish; the second exits at once. The run can be
 * resumed after both. Returns a function that removes the listeners.
 */
export function stopOnSignals(stop: StopSignal, onFirst: () => void): () => void {
  return listen([
    () => {
      onFirst();
      stop.stop({ kind: 'interrupted' });
    },
    () => process.exit(EXIT.interrupted),
  ]);
}

/** Runs secondary work: the first signal aborts it, the second exits with the current exit code. */
export async function untilSignal(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const abort = new AbortController();
  const release = listen([() => abort.abort(), () => process.exit()]);
  await work(abort.signal).finally(release);
}

/** Resolves at the first signal, for commands that serve until they are stopped; the second exits at once. */
export function firstSignal(): Promise<void> {
  return new Promise((resolve) => {
    listen([resolve, () => process.exit(EXIT.interrupted)]);
  });
}

/**
 * Calls the first function for the first signal, the second for the second, and the last for all that follow; the last
 * one exits. A SIGHUP is never more than the first: the kernel and the shell each send one for a single closed terminal.
 * @returns a function that removes the listeners
 */
export function listen(reactions: readonly (() => void)[]): () => void {
  let signals = 0;
  const listener = (signal: NodeJS.Signals): void => {
    if (signal === 'SIGHUP' && signals > 0) return;
    reactions[Math.min(signals, reactions.length - 1)]?.();
    signals += 1;
  };
  for (const signal of STOP_SIGNALS) process.on(signal, listener);
  const unwatch = watchSignals(reactions.length, EXIT.interrupted);
  return () => {
    unwatch();
    for (const signal of STOP_SIGNALS) process.off(signal, listener);
  };
}

/** The context of a command: environment and folder of the process. */
export function contextOf({ ledger }: { readonly ledger?: string } = {}): AppContext {
  const language = languageOf(process.env);
  const found = (note: Message): unknown => process.stderr.write(`${shownText(render(note, language))}\n`);
  return { env: process.env, cwd: process.cwd(), language, ledger, as: callerFrom(process.env), found };
}
