import path from 'node:path';
import { type Language, type Message, message, render } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import { loadJobFile } from '../job/load.js';
import type { Run } from '../ledger/contract/run.js';
import { openLedger } from '../ledger/open.js';
import type { Connection } from '../model/connection.js';
import type { Job, ReconcileJob } from '../model/job.js';
import type { Notification } from '../model/notification.js';
import type { AfterEvent, CommandEnd } from '../notify/contract.js';
import { withholdFromPrograms } from '../notify/secret.js';
import { COMPARISONS } from '../platform/comparisons/index.js';
import { CATALOGUE_SHAPES } from '../platform/operations/index.js';
import type { RunAbout } from '../run/observer.js';
import { unpackSettings } from '../run/settings.js';
import { systemClock } from '../util/clock.js';
import type { LogFile } from './log-file.js';

/** What a command knows of the run that it is to carry, more and more of it; without a job nothing follows. */
export interface About {
  readonly job?: { readonly name: string; readonly operation: string };
  /** The one that is asked for, before it is known to exist. */
  readonly connectionName?: string;
  readonly connection?: Connection;
  /** Of the job; the connection has its own. */
  readonly notify?: readonly Notification[];
  /** Location, as `openLedger` takes it. */
  readonly ledger?: string;
  /** The command goes on with a run of before: one that is refused wasn't tried. */
  readonly earlier?: boolean;
}

/** What a job's file says of it, and `--connection`. */
export function aboutJob(job: Job | ReconcileJob, flag?: string): About {
  const connectionName = flag ?? job.connection;
  const operation = 'operation' in job ? job.operation : `reconcile.${job.reconcile}`;
  return {
    job: { name: job.name, operation },
    ...(job.notify ? { notify: job.notify } : {}),
    ...(connectionName === undefined ? {} : { connectionName }),
  };
}

/**
 * What is known of a run in the ledger, which never holds whom to tell: that is read from its job file as it is now.
 * @param connection as it is configured now; absent: as the ledger has it, which tells nobody
 * @param warn told when the job file is gone or broken; the run can do without
 */
export async function aboutRun(
  run: Run,
  connection: Connection | undefined,
  language: Language,
  warn: (warning: Message) => void,
): Promise<About> {
  const options = { env: process.env, operations: CATALOGUE_SHAPES, comparisons: COMPARISONS };
  const job = await loadJobFile(run.jobFile, options).catch((error: unknown) => {
    if (!(error instanceof ProductError)) throw error;
    warn(message('notify.job_unread', { why: render(error.detail, language) }));
    return undefined;
  });
  return {
    job: { name: run.job, operation: run.operation },
    connection: connection ?? unpackSettings(run.settings).connection,
    ...(job?.notify ? { notify: job.notify } : {}),
    earlier: true,
  };
}

/** How the command ended. */
export type HowEnded = Pick<CommandEnd, 'run' | 'exitCode' | 'startedAt' | 'endedAt' | 'summary'>;

export interface FollowUpOptions {
  /** Of `--metrics-file`. */
  readonly metricsFile?: string | undefined;
  readonly language: Language;
  /** A line on stderr. */
  readonly say: (text: string) => void;
  readonly log?: LogFile | undefined;
}

/**
 * What follows one run: metrics, then notifications. Call it once the ledger is closed, or at least the run's end is
 * in it. Never rejects and never touches the exit code; Ctrl-C gives up what is still under way, a second one leaves.
 * @param how undefined: the command found nothing to do
 */
export async function followUp(
  about: About,
  how: HowEnded | undefined,
  { metricsFile, language, say, log }: FollowUpOptions,
): Promise<void> {
  const { job, connection, ledger, earlier } = about;
  if (!job) return;
  const notify = notificationsOf(about);
  if (notify.length === 0 && metricsFile === undefined) return;
  const who = identityOf(about);
  const { token } = connection ?? {};
  const tell = (event: AfterEvent): void => {
    if (event.event === 'warning') {
      say(render(message('progress.warning', { text: event.reason }), language));
    }
    log?.after(event, how?.run);
  };
  const stop = new AbortController();
  const listener = (): void => {
    if (stop.signal.aborted) process.exit();
    stop.abort();
  };
  process.on('SIGINT', listener);
  process.on('SIGTERM', listener);
  try {
    const { afterRun } = await import('../notify/after-run.js');
    await afterRun(how && { ...how, ...who, ...refusal(about, how) }, {
      notify,
      ...(metricsFile !== undefined && ledger !== undefined
        ? {
            metrics: {
              file: path.resolve(metricsFile),
              openLedger: () => openLedger(ledger),
              ...(how || earlier ? {} : { recovered: who }),
            },
          }
        : {}),
      withheld: ['LICENSE_SYNC_TOKEN', ...(token?.kind === 'env' ? [token.name] : [])],
      env: process.env,
      clock: systemClock,
      language,
      tell,
      printed: say,
      signal: stop.signal,
    });
  } finally {
    process.off('SIGINT', listener);
    process.off('SIGTERM', listener);
  }
}

/** Everybody who may be told. Their addresses and keys are secrets from here on. */
export function notificationsOf({ notify, connection }: About): readonly Notification[] {
  const all = [...(notify ?? []), ...(connection?.notify ?? [])];
  withholdFromPrograms(all, process.env);
  return all;
}

/** How summaries and metrics name it. */
export function identityOf({ job, connection, connectionName }: About): RunAbout {
  return {
    job: job?.name ?? '',
    operation: job?.operation ?? '',
    connection: connection?.name ?? connectionName ?? '',
  };
}

function refusal({ earlier }: About, { run }: HowEnded): { readonly refused?: true } {
  return earlier && run === undefined ? { refused: true } : {};
}
