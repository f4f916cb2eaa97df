import path from 'node:path';
import {
  type AppContext,
  type CarriedRun,
  callerFrom,
  UNWATCHED,
  type WatchedContext,
} from '../app/context.js';
import { type Message, render } from '../errors/message.js';
import { StopSignal } from '../util/stop-signal.js';
import type { CommonOptions, RunOptions } from './options.js';

/** Whose environment, folder and language hold for a call. */
export function contextOf({
  cwd = '.',
  env = process.env,
  language = 'en',
  ledger,
}: CommonOptions): AppContext {
  return { cwd: path.resolve(cwd), env, language, ledger, as: callerFrom(env) };
}

/**
 * Lets a use case carry a run: `signal` stops it, `confirm` is asked, the callbacks are told.
 * @throws what ended it before it had a result
 */
export async function carried(
  options: RunOptions,
  work: (context: WatchedContext) => Promise<CarriedRun>,
): Promise<Exclude<CarriedRun, { kind: 'failed' }>> {
  const { signal, onProgress, onWarning, confirm } = options;
  const context = contextOf(options);
  const stop = new StopSignal();
  const interrupt = (): void => stop.stop({ kind: 'interrupted' });
  if (signal?.aborted) interrupt();
  signal?.addEventListener('abort', interrupt, { once: true });
  const warn = (warning: Message): void => onWarning?.(render(warning, context.language));
  try {
    const end = await work({
      ...context,
      stop,
      confirm:
        typeof confirm === 'function'
          ? ({ job, operation, connection, items, otherLedger }) =>
              confirm({
                ...{ job, operation: operation.name, connection: connection.name, items },
                ...(otherLedger ? { otherLedger } : {}),
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
    if (end.kind === 'failed') throw end.error;
    return end;
  } finally {
    signal?.removeEventListener('abort', interrupt);
  }
}
