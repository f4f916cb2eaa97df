import path from 'node:path';
import { type Language, render } from '../errors/message.js';
import type { Ledger } from '../ledger/contract.js';
import { EXIT } from '../model/exit-code.js';
import type { RunAbout, RunObserver } from '../run/observer.js';
import type { NothingToRetry } from '../run/retry.js';
import type { RunEnd } from '../run/run-end.js';
import type { RunParts } from '../run/run-parts.js';
import { systemClock } from '../util/clock.js';
import { StopSignal } from '../util/stop-signal.js';
import { askOnTerminal } from './ask.js';
import { failureOf, printFailure } from './exit.js';
import { type LogFile, openLogFile } from './log-file.js';
import { ProgressPrinter } from './progress.js';
import { nothingJson, runJson, runText } from './run-summary.js';
import { stopOnSignals } from './signals.js';

/** Flags that every command has that carries a run. */
export interface RunFlags {
  readonly json?: boolean;
  readonly quiet?: boolean;
  readonly output?: string;
  readonly connection?: string;
  readonly concurrency?: number;
  readonly maxItems?: number;
  readonly maxDeletes?: number;
  readonly yes?: boolean;
  readonly logFile?: string;
}

export interface Conductor {
  parts(ledger: Ledger, stateFolder: string): RunParts;
}

/** The folder of a ledger file: inputs, locks and notes are kept in it too. */
export function stateFolderOf(ledger: string): string {
  return path.dirname(ledger);
}

/** Carries a command that carries a run: signals, progress, the last words, the exit code. */
export async function conductRun(
  language: Language,
  flags: RunFlags,
  work: (conductor: Conductor) => Promise<RunEnd | NothingToRetry>,
): Promise<void> {
  const began = performance.now();
  const stop = new StopSignal();
  const printer = new ProgressPrinter({
    stream: process.stderr,
    language,
    quiet: flags.quiet === true,
    now: () => performance.now(),
  });
  const release = stopOnSignals(stop, (text) => printer.say(text));
  let log: LogFile | undefined;
  let started: string | undefined;
  let what: RunAbout | undefined;
  const observer: RunObserver = {
    started: (run, about) => {
      started = run;
      what = about;
      printer.started(run);
    },
    progress: (progress) => printer.progress(progress),
    warn: (warning) => {
      printer.warn(warning);
      if (started !== undefined) log?.add({ run: started, event: 'warning', reason: warning });
    },
  };
  const conductor: Conductor = {
    parts: (ledger, stateFolder) => ({
      ledger,
      stateFolder,
      observer,
      stop,
      clock: systemClock,
      language,
      ask: flags.yes ? { kind: 'given' } : askOnTerminal((text) => printer.say(text)),
      ...(log ? { log } : {}),
    }),
  };
  try {
    if (flags.logFile !== undefined) {
      log = await openLogFile(flags.logFile, (trouble) =>
        printer.say(`warning: ${render(trouble, language)}`),
      );
    }
    const end = await work(conductor);
    printer.finish();
    const durationMs = performance.now() - began;
    if ('nothing' in end) {
      if (flags.json) process.stdout.write(`${JSON.stringify(nothingJson(end, durationMs))}\n`);
      else process.stdout.write(`${render(end.nothing, language)}\n`);
      process.exitCode = EXIT.ok;
      return;
    }
    if (flags.json) process.stdout.write(`${JSON.stringify(runJson(end, durationMs))}\n`);
    else process.stdout.write(runText(end, durationMs, language));
    process.exitCode = end.exitCode;
  } catch (error) {
    printer.finish();
    const failure = failureOf(error, language);
    printFailure(failure);
    log?.failed(failure.code, failure.text, started);
    if (flags.json) {
      const { code, text, others } = failure;
      process.stdout.write(
        `${JSON.stringify({
          run: started,
          ...what,
          status: failure.exitCode === 3 ? 'invalid' : 'stopped',
          rows: 0,
          counts: {},
          requests: 0,
          retries: 0,
          durationMs: Math.round(performance.now() - began),
          error: { code, message: text, others },
        })}\n`,
      );
    }
    process.exitCode = failure.exitCode;
  } finally {
    release();
    log?.close();
  }
}
