import path from 'node:path';
import { type Message, message, render } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import { loadJobFile } from '../job/load.js';
import type { Run } from '../ledger/contract/run.js';
import { openLedger } from '../ledger/open.js';
import type { Connection } from '../model/connection.js';
import { type AnyJob, workOf } from '../model/job.js';
import type { Notification } from '../model/notification.js';
import type { CommandEnd } from '../notify/contract.js';
import { withholdFromPrograms } from '../notify/secret.js';
import type { RunAbout } from '../run/observer.js';
import { unpackSettings } from '../run/settings.js';
import { systemClock } from '../util/clock.js';
import type { AppContext, WatchedContext } from './context.js';
import { jobReading } from './job-reading.js';
import type { LogFile } from './log-file.js';

/** What is known of the run so far, recorded step by step; without a job nobody is notified. */
export interface KnownRun {
  readonly job?: { readonly name: string; readonly operation: string };
  /** The one that is asked for, before it is known to exist. */
  readonly connectionName?: string;
  readonly connection?: Connection;
  /** Of the job; the connection has its own. */
  readonly notify?: readonly Notification[];
  /** Its address, as `openLedger` takes it. */
  readonly ledger?: string;
  /** It goes on with a run of before: one that is refused wasn't tried. */
  readonly earlier?: boolean;
}

/** What a job's file says of it, and `--connection`. */
export function knownFromJob(job: AnyJob, flag?: string): KnownRun {
  const connectionName = flag ?? job.connection;
  return {
    job: { name: job.name, operation: workOf(job) },
    notify: job.notify,
    connectionName,
  };
}

/**
 * What is known of a run in the ledger, which never holds whom to tell: that is read from its job file as it is now.
 * @param connection as it is configured now; absent: as the ledger has it, which tells nobody
 * @param warn told when the job file is gone or broken; the run can do without
 */
export async function knownFromLedger(
  run: Run,
  connection: Connection | undefined,
  context: AppContext,
  warn: (warning: Message) => void,
): Promise<KnownRun> {
  const job = await loadJobFile(run.jobFile, jobReading(context)).catch((error: unknown) => {
    if (!(error instanceof ProductError)) throw error;
    warn(message('notify.job_unread', { why: render(error.detail, context.language) }));
    return undefined;
  });
  return {
    job: { name: run.job, operation: run.operation },
    connection: connection ?? unpackSettings(run.settings).connection,
    notify: job?.notify,
    earlier: true,
  };
}

/** How a run, or the use case that was to carry one, ended. */
export type HowEnded = Pick<CommandEnd, 'run' | 'exitCode' | 'startedAt' | 'endedAt' | 'summary'>;

/**
 * What follows one run: metrics, then notifications. Call it once the ledger is closed, or at least the run's end is
 * in it. Never rejects and never changes how the run ended.
 * @param how undefined: there was nothing to do
 */
export async function followUp(
  known: KnownRun,
  how: HowEnded | undefined,
  context: Pick<WatchedContext, 'env' | 'cwd' | 'language' | 'watch'>,
  { metricsFile, log }: { readonly metricsFile?: string; readonly log?: LogFile },
): Promise<void> {
  const { env, cwd, language, watch } = context;
  const { job, connection, ledger, earlier } = known;
  if (!job) return;
  const notify = notificationsOf(known, env);
  if (notify.length === 0 && metricsFile === undefined) return;
  const who = identityOf(known);
  const { token } = connection ?? {};
  const { afterRun } = await import('../notify/after-run.js');
  await watch.following((signal) =>
    afterRun(how && { ...how, ...who, ...refusal(known, how) }, {
      notify,
      ...(metricsFile !== undefined && ledger !== undefined
        ? {
            metrics: {
              file: path.resolve(cwd, metricsFile),
              openLedger: () => openLedger(ledger),
              recovered: how || earlier ? undefined : who,
            },
          }
        : {}),
      withheld: [
        'LICENSE_SYNC_TOKEN',
        'LICENSE_SYNC_USER_TOKEN',
        ...(token?.kind === 'env' ? [token.name] : []),
      ],
      env,
      clock: systemClock,
      language,
      tell: (event) => {
        if (event.event === 'warning') watch.aside(event.reason);
        log?.after(event, how?.run);
      },
      printed: (line) => watch.printed(line),
      signal,
    }),
  );
}

/** Everybody who may be told. Their addresses and keys are secrets from here on. */
export function notificationsOf(
  { notify, connection }: KnownRun,
  env: NodeJS.ProcessEnv,
): readonly Notification[] {
  const all = [...(notify ?? []), ...(connection?.notify ?? [])];
  withholdFromPrograms(all, env);
  return all;
}

/** How summaries and metrics name it. */
export function identityOf({ job, connection, connectionName }: KnownRun): RunAbout {
  return {
    job: job?.name ?? '',
    operation: job?.operation ?? '',
    connection: connection?.name ?? connectionName ?? '',
  };
}

function refusal({ earlier }: KnownRun, { run }: HowEnded): { readonly refused?: true } {
  return earlier && run === undefined ? { refused: true } : {};
}
