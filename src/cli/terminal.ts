import type { AppContext, RunChanges, RunCommandResult, RunWatch, WatchedContext } from '../app/context.js';
import { message, render } from '../errors/message.js';
import { StopSignal } from '../util/stop-signal.js';
import { askOnTerminal } from './ask.js';
import { printDifferences, printDrift } from './difference.js';
import { contextOf, printFailure, stopOnSignals, untilSignal } from './process.js';
import { ProgressPrinter } from './progress.js';
import { inboxText, runText } from './run-summary.js';
import { shownPath } from './shown-text.js';

/** Flags of every command that executes a run. */
export interface RunFlags extends RunChanges {
  readonly json?: boolean;
  readonly quiet?: boolean;
  readonly yes?: boolean;
  readonly ledger?: string;
}

export interface TerminalOptions {
  /** Message printed at the first signal. */
  readonly stopping?:
    | 'listing.stopping'
    | 'listing.stopping_comparison'
    | 'pull.stopping'
    | 'rehearse.stopping'
    | 'team.waiting_ends';
  /** Also prints the changes of a plan and the differences of a comparison: all, or the first ones. */
  readonly changes?: { readonly all?: boolean };
}

/**
 * The context of a run on the terminal: signals stop it, progress and summary are printed, and the exit code is set.
 * `release` ends the progress and the reaction to signals; the end of a run does that, too.
 */
export function terminalContext(
  flags: RunFlags,
  { stopping = 'listing.stopping', changes }: TerminalOptions = {},
): WatchedContext & { release(): void } {
  const context = contextOf(flags);
  const { language } = context;
  const stop = new StopSignal();
  const printer = new ProgressPrinter({
    stream: process.stderr,
    language,
    quiet: flags.quiet === true,
    now: () => performance.now(),
  });
  const print = (text: string): void => printer.print(text);
  const unlisten = stopOnSignals(stop, () => print(render(message(stopping), language)));
  const release = (): void => {
    printer.finish();
    unlisten();
  };
  const all = changes?.all === true;
  const printsChanges = changes !== undefined && !flags.json && !flags.quiet;
  const watch: RunWatch = {
    started: (run) => printer.started(run),
    progress: (progress) => printer.progress(progress),
    paused: (pause) => printer.paused(pause),
    warn: (warning) => printer.warn(warning),
    note: (it) => print(render(it, language)),
    aside: (warning) =>
      print(render(message('progress.warning', { text: render(warning, language) }), language)),
    printed: print,
    fileOver: (_, failure) => {
      printer.finish();
      if (failure) printFailure(failure);
    },
    over: (result) => {
      printer.finish();
      if ('failure' in result && result.failure) printFailure(result.failure);
      const reports = result.reports.map(
        (file) => `  ${render(message('html.written', { file: shownPath(file) }), language)}\n`,
      );
      if (result.kind === 'failed') process.stderr.write(reports.join(''));
      if (flags.json) process.stdout.write(`${JSON.stringify(result.summary)}\n`);
      else if (result.kind !== 'failed') process.stdout.write(textOf(result, context) + reports.join(''));
      if (printsChanges && result.kind === 'run') printDrift(result.end.drift, all, language);
      process.exitCode = result.exitCode;
      release();
    },
    planned: printsChanges ? (differences) => printDifferences(differences(all), language) : undefined,
    following: untilSignal,
  };
  return { ...context, watch, stop, confirm: flags.yes === true || askOnTerminal(print, language), release };
}

function textOf(result: Exclude<RunCommandResult, { kind: 'failed' }>, { language }: AppContext): string {
  switch (result.kind) {
    case 'run':
      return runText(result.end, result.durationMs, language);
    case 'inbox':
      return inboxText(result.end, language);
    case 'nothing':
      return `${render(result.end.nothing, language)}\n`;
  }
}
