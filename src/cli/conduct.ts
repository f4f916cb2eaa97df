import type { AppContext, CarriedRun, RunChanges, RunWatch, WatchedContext } from '../app/context.js';
import { message, render } from '../errors/message.js';
import { StopSignal } from '../util/stop-signal.js';
import { askOnTerminal } from './ask.js';
import { contextOf } from './context.js';
import { printFailure } from './exit.js';
import { inboxText } from './inbox-summary.js';
import { ProgressPrinter } from './progress.js';
import { runText } from './run-summary.js';
import { shownPath } from './shown-path.js';
import { stopOnSignals, untilSignal } from './signals.js';

/** Flags that every command has that carries a run. */
export interface RunFlags extends RunChanges {
  readonly json?: boolean;
  readonly quiet?: boolean;
  readonly yes?: boolean;
  readonly ledger?: string;
}

/** Lets a use case carry a run on the terminal: signals, progress, the last words, the exit code. */
export async function conductRun(
  flags: RunFlags,
  work: (context: WatchedContext) => Promise<CarriedRun>,
  stopping:
    | 'listing.stopping'
    | 'listing.stopping_comparison'
    | 'rehearse.stopping'
    | 'team.waiting_ends' = 'listing.stopping',
): Promise<CarriedRun> {
  const context = contextOf(flags);
  const { language } = context;
  const stop = new StopSignal();
  const printer = new ProgressPrinter({
    stream: process.stderr,
    language,
    quiet: flags.quiet === true,
    now: () => performance.now(),
  });
  const say = (text: string): void => printer.say(text);
  const release = stopOnSignals(stop, () => say(render(message(stopping), language)));
  const watch: RunWatch = {
    started: (run) => printer.started(run),
    progress: (progress) => printer.progress(progress),
    paused: (pause) => printer.paused(pause),
    warn: (warning) => printer.warn(warning),
    note: (it) => say(render(it, language)),
    aside: (warning) =>
      say(render(message('progress.warning', { text: render(warning, language) }), language)),
    printed: say,
    fileOver: (_, failure) => {
      printer.finish();
      if (failure) printFailure(failure);
    },
    over: (carried) => {
      printer.finish();
      if ('failure' in carried && carried.failure) printFailure(carried.failure);
      const reports = carried.reports.map(
        (file) => `  ${render(message('html.written', { file: shownPath(file) }), language)}\n`,
      );
      if (carried.kind === 'failed') process.stderr.write(reports.join(''));
      if (flags.json) process.stdout.write(`${JSON.stringify(carried.summary)}\n`);
      else if (carried.kind !== 'failed') process.stdout.write(textOf(carried, context) + reports.join(''));
      process.exitCode = carried.exitCode;
      release();
    },
    following: untilSignal,
  };
  try {
    return await work({
      ...context,
      watch,
      stop,
      confirm: flags.yes === true || askOnTerminal(say, language),
    });
  } finally {
    release();
  }
}

function textOf(carried: Exclude<CarriedRun, { kind: 'failed' }>, { language }: AppContext): string {
  switch (carried.kind) {
    case 'run':
      return runText(carried.end, carried.durationMs, language);
    case 'inbox':
      return inboxText(carried.end, language);
    case 'nothing':
      return `${render(carried.end.nothing, language)}\n`;
  }
}
