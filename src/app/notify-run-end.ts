import path from 'node:path';
import { type Message, message, render } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import { loadJobFile } from '../job/load.js';
import type { Run } from '../ledger/contract/runs.js';
import { openLedger } from '../ledger/open.js';
import type { Connection, Notification } from '../model/connection.js';
import { type AnyJob, workOf } from '../model/job.js';
import type { CommandEnd } from '../notify/notification-types.js';
import { withholdFromPrograms } from '../notify/secret.js';
import type { RunAbout } from '../run/observer.js';
import { unpackSettings } from '../run/settings.js';
import { systemClock } from '../util/clock.js';
import type { AppContext, WatchedContext } from './context.js';
import { jobReading } from './job-input.js';
import type { LogFile } from './log-file.js';

/** Known facts of the run, recorded step by step. Without a job no notification is sent. */
export interface NotificationContext {
  readonly job?: { readonly name: string; readonly operation: string };
  /** The requested connection, before it is known to exist. */
  readonly connectionName?: string;
  readonly connection?: Connection;
  /** Of the job; the connection has its own. */
  readonly notify?: readonly Notification[];
  /** Its address, as `openLedger` takes it. */
  readonly ledger?: string;
  /** The command continues an earlier run. If it is refused, that is not a failed run. */
  readonly earlier?: boolean;
}

/** Facts from a job file and `--connection`. */
export function knownFromJob(job: AnyJob, flag?: string): NotificationContext {
  const connectionName = flag ?? job.connection;
  return {
    job: { name: job.name, operation: workOf(job) },
    notify: job.notify,
    connectionName,
  };
}

/**
 * Facts about a run in the ledger. The ledger does not store recipients: they are read from the current job file.
 * @param connection as currently configured; absent: as stored in the ledger, without recipients
 * @param warn called if the job file cannot be read; the run continues
 */
export async function knownFromLedger(
  run: Run,
  connection: Connection | undefined,
  context: AppContext,
  warn: (warning: Message) => void,
): Promise<NotificationContext> {
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

/** The end of a run, or of a use case that created none. */
export type RunOutcome = Pick<CommandEnd, 'run' | 'exitCode' | 'startedAt' | 'endedAt' | 'summary'>;

/**
 * Writes metrics, then sends notifications. Call it after the ledger is closed, or at least after the run's end is stored.
 * Never rejects and never changes the run's outcome.
 * @param outcome undefined: there was nothing to do
 */
export async function followUp(
  known: NotificationContext,
  outcome: RunOutcome | undefined,
  context: Pick<WatchedContext, 'env' | 'cwd' | 'language' | 'watch'>,
  { metricsFile, log }: { readonly metricsFile?: string; readonly log?: LogFile },
): Promise<void> {
  const { env, cwd, language, watch } = context;
  const { job, connection, ledger, earlier } = known;
  if (!job) return;
  const notify = notificationsOf(known, env);
  if (notify.length === 0 && metricsFile === undefined) return;
  const identity = identityOf(known);
  const { token } = connection ?? {};
  const { afterRun } = await import('../notify/after-run.js');
  await watch.following((signal) =>
    afterRun(outcome && { ...outcome, ...identity, ...refusal(known, outcome) }, {
      notify,
      ...(metricsFile !== undefined && ledger !== undefined
        ? {
            metrics: {
              file: path.resolve(cwd, metricsFile),
              openLedger: () => openLedger(ledger),
              recovered: outcome || earlier ? undefined : identity,
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
      onEvent: (event) => {
        if (event.event === 'warning') watch.aside(event.reason);
        log?.after(event, outcome?.run);
      },
      printed: (line) => watch.printed(line),
      signal,
    }),
  );
}

/** All notifications of the job and the connection. Their addresses and keys are treated as secrets from then on. */
export function notificationsOf(
  { notify, connection }: NotificationContext,
  env: NodeJS.ProcessEnv,
): readonly Notification[] {
  const all = [...(notify ?? []), ...(connection?.notify ?? [])];
  withholdFromPrograms(all, env);
  return all;
}

/** Job, operation and connection for summaries and metrics. */
export function identityOf({ job, connection, connectionName }: NotificationContext): RunAbout {
  return {
    job: job?.name ?? '',
    operation: job?.operation ?? '',
    connection: connection?.name ?? connectionName ?? '',
  };
}

function refusal({ earlier }: NotificationContext, { run }: RunOutcome): { readonly refused?: true } {
  return earlier && run === undefined ? { refused: true } : {};
}
