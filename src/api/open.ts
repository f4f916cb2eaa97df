import path from 'node:path';
import { message, render } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import {
  type ConnectionOptions,
  type Connections,
  loadConnections,
  resolveConnection,
} from '../job/connections.js';
import type { Ledger } from '../ledger/contract/ledger.js';
import { openExistingLedger, openLedger } from '../ledger/open.js';
import type { Connection } from '../model/connection.js';
import type { JobBase } from '../model/job.js';
import { withholdFromPrograms } from '../notify/secret.js';
import type { Ask } from '../run/execute/consent.js';
import type { RunServices } from '../run/run-context.js';
import { systemClock } from '../util/clock.js';
import { ledgerPlace } from '../util/ledger-place.js';
import { StopSignal } from '../util/stop-signal.js';
import type { CommonOptions, RunOptions } from './options.js';

/** The ledger that a call works with, and what runs are given. */
export interface Opened {
  readonly ledger: Ledger;
  readonly connections: Connections;
  readonly parts: RunServices;
  /** Whose environment and folder hold for the call. */
  readonly here: ConnectionOptions;
}

export const cwdOf = (options: CommonOptions): string => path.resolve(options.cwd ?? process.cwd());

/**
 * Opens the ledger as for a job file (or, without one, as for the current folder) and closes it after the work. Only a
 * job file makes a ledger where there is none: without one, it is earlier runs that are asked for.
 * @throws ProductError usage, without a job file, where there is no ledger
 */
export async function withLedger<T>(
  jobFile: string | undefined,
  options: RunOptions,
  work: (opened: Opened) => Promise<T>,
): Promise<T> {
  const cwd = cwdOf(options);
  const env = options.env ?? process.env;
  const connections = await loadConnections(jobFile ?? path.join(cwd, 'license-sync.yaml'), { env, cwd });
  const location = options.ledger === undefined ? connections.ledger : ledgerPlace(options.ledger, cwd);
  const stop = new StopSignal();
  const interrupt = (): void => stop.stop({ kind: 'interrupted' });
  if (options.signal?.aborted) interrupt();
  options.signal?.addEventListener('abort', interrupt, { once: true });
  const ledger = await openFor(jobFile, location, options);
  try {
    const language = options.language ?? 'en';
    const parts: RunServices = {
      ledger,
      stateFolder: path.dirname(location),
      observer: {
        started() {},
        progress: ({ stage, done, total }) =>
          options.onProgress?.({ stage, done, ...(total === undefined ? {} : { total }) }),
        warn: (warning) => options.onWarning?.(render(warning, language)),
        paused() {},
      },
      stop,
      clock: systemClock,
      language,
      ask: askWith(options.confirm),
      env,
    };
    return await work({ ledger, connections, parts, here: { env, cwd } });
  } finally {
    options.signal?.removeEventListener('abort', interrupt);
    await ledger.close();
  }
}

async function openFor(
  jobFile: string | undefined,
  location: string,
  { onWarning, language = 'en' }: RunOptions,
): Promise<Ledger> {
  if (jobFile !== undefined)
    return openLedger(location, {
      made: () => onWarning?.(render(message('ledger.made', { location }), language)),
    });
  const ledger = await openExistingLedger(location);
  if (!ledger) throw new ProductError('usage', message('ledger.none_there', { location }));
  return ledger;
}

/** The connection that the call, the job or the configuration names. */
export function connectionFor(opened: Opened, job: JobBase, options: RunOptions): Connection {
  const { connections, here } = opened;
  const connection = resolveConnection(connections, { flag: options.connection, job: job.connection });
  withholdFromPrograms([...(job.notify ?? []), ...(connection.notify ?? [])], here.env);
  return connection;
}

function askWith(confirm: RunOptions['confirm']): Ask {
  if (confirm === true) return { kind: 'given' };
  if (confirm === undefined || confirm === false) return { kind: 'nobody' };
  return {
    kind: 'terminal',
    confirm: async ({ job, operation, connection, items }) =>
      confirm({ job, operation: operation.name, connection: connection.name, items }),
  };
}
