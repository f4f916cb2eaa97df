import type { PullInput, pulledData } from '../app/pull.js';
import { render } from '../errors/message.js';
import { StopSignal } from '../util/stop-signal.js';
import { contextOf } from './context.js';
import { type CommonOptions, refuseUnknownOptions } from './options.js';

/** How a pull ended; without `output` where it was stopped, as half of the records would pass for all of them. */
export interface PullResult extends ReturnType<typeof pulledData> {
  /** What the command would exit with. */
  readonly exitCode: number;
}

/**
 * Writes what the platform has as a sheet whose headers are field names, ready to be a job's source (contract section 9).
 * Only reads.
 * @param what `asset`: the assets of enterprises; `enterprise`: the customers that channels know by their numbers
 * @param keys the spreadsheet that names the enterprises, or the customers
 * @throws LicenseSyncError where nothing could be asked or the sheet can't be written
 */
export async function pullRecords(
  what: 'asset' | 'enterprise',
  keys: string,
  options: CommonOptions & Omit<PullInput, 'keys'>,
): Promise<PullResult> {
  refuseUnknownOptions(options, ['sheet', 'headerRow', 'passwordEnv']);
  const { signal, onProgress, onWarning, language = 'en' } = options;
  const app = await import('../app/pull.js');
  const stop = new StopSignal();
  const interrupt = (): void => stop.stop({ kind: 'interrupted' });
  if (signal?.aborted) interrupt();
  signal?.addEventListener('abort', interrupt, { once: true });
  try {
    const context = {
      ...contextOf(options),
      stop,
      progress: onProgress ?? (() => {}),
      warn: (warning: Parameters<typeof render>[0]) => onWarning?.(render(warning, language)),
      paused: () => {},
    };
    const pulled = await app.pullRecords(context, what, { ...options, keys });
    return { ...app.pulledData(pulled, language), exitCode: pulled.exitCode };
  } finally {
    signal?.removeEventListener('abort', interrupt);
  }
}
