import path from 'node:path';
import {
  type AppContext,
  callerFrom,
  type RunCommandResult,
  UNWATCHED,
  type WatchedContext,
} from '../app/context.js';
import { execute, type UseCase, type UseCaseInput } from '../app/use-cases.js';
import { type Message, render } from '../errors/message.js';
import { StopSignal } from '../util/stop-signal.js';
import type { CommonOptions, RunOptions } from './options.js';

/** The application context of a call. */
export function contextOf({
  cwd = '.',
  env = process.env,
  language = 'en',
  ledger,
}: CommonOptions): AppContext {
  return { cwd: path.resolve(cwd), env, language, ledger, as: callerFrom(env) };
}

/**
 * Runs work with the call's options: `signal` stops it, `confirm` answers confirmations, the callbacks receive events.
 */
export async function watched<Result>(
  options: RunOptions,
  work: (context: WatchedContext) => Promise<Result>,
): Promise<Result> {
  const { signal, onProgress, onWarning, confirm } = options;
  const context = contextOf(options);
  const stop = new StopSignal();
  const interrupt = (): void => stop.stop({ kind: 'interrupted' });
  if (signal?.aborted) interrupt();
  signal?.addEventListener('abort', interrupt, { once: true });
  const warn = (warning: Message): void => onWarning?.(render(warning, context.language));
  try {
    return await work({
      ...context,
      stop,
      confirm:
        typeof confirm === 'function'
          ? ({ job, operation, connection, items, otherLedger, changed }) =>
              confirm({
                ...{ job, operation: operation.name, connection: connection.name, items },
                otherLedger,
                ...(changed
                  ? { changed: { count: changed.count, rows: changed.rows, runs: changed.runs } }
                  : {}),
              })
          : confirm === true,
      watch: {
        ...UNWATCHED,
        progress: ({ stage, done, total }) => onProgress?.({ stage, done, total }),
        warn,
        note: warn,
        aside: warn,
      },
    });
  } finally {
    signal?.removeEventListener('abort', interrupt);
  }
}

/** Executes a use case. @throws the error that ended it before it had a result */
export async function runUseCase<Use extends UseCase>(
  options: RunOptions,
  use: Use,
  ...input: UseCaseInput<Use>
): Promise<Exclude<RunCommandResult, { kind: 'failed' }>> {
  const end = await watched(options, (context) => execute(context, use, ...input));
  if (end.kind === 'failed') throw end.error;
  return end;
}
