import { type Message, message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import type { Run } from '../ledger/contract/runs.js';
import { InputNotKeptError } from '../ledger/inputs.js';
import { RunInProgressError } from '../ledger/take-lock.js';
import { workOf } from '../model/job.js';
import { EXIT } from '../model/run-outcome.js';
import { observerWith } from '../run/observer.js';
import type { RunServices } from '../run/run-context.js';
import { type RunEnd, runEnd } from '../run/run-end.js';
import { follow, StopSignal } from '../util/stop-signal.js';
import { isOver } from './finish-file.js';
import type { InboxOptions, InboxRun } from './inbox.js';

/** The outcome of a file's run. */
type FileRun =
  /** `over`: the run has ended. `ends`: what stopped it would stop the next one too. */
  | { readonly kind: 'run'; readonly run: InboxRun; readonly over: boolean; readonly ends: boolean }
  /** No run was created. */
  | { readonly kind: 'not_run'; readonly reason: Message; readonly ends: boolean };

/**
 * Runs one file with its own stop signal: what stops its run does not stop the other files.
 * @throws errors that prevent every run of the job
 */
export async function runFile(
  services: RunServices,
  { job, connection, kind }: InboxOptions,
  file: string,
  work: (services: RunServices) => Promise<RunEnd>,
): Promise<FileRun> {
  const { ledger, clock, observer } = services;
  const startedAt = clock.now();
  const began = clock.monotonic();
  const stop = new StopSignal();
  const release = follow(stop, services.stop);
  let id: string | undefined;
  const fileServices: RunServices = {
    ...services,
    stop,
    observer: observerWith(observer, {
      started: (run, about) => {
        id = run;
        observer.started(run, about);
      },
    }),
  };
  const timed = (end: RunEnd) => ({
    input: file,
    end,
    startedAt,
    durationMs: clock.monotonic() - began,
  });
  try {
    const end = await work(fileServices);
    const run = await ledger.runs.get(end.run);
    const over = run !== undefined && isOver(run);
    // If the result could not be written, the next one could not either.
    const unreported = !over && end.status === 'completed';
    return { kind: 'run', run: timed(end), over, ends: stop.cause !== undefined || unreported };
  } catch (error) {
    if (id === undefined) return notRun(error);
    const run = await ledger.runs.get(id).catch(() => undefined);
    const over = run !== undefined && isOver(run);
    const unread = { rows: 0, items: 0, requests: 0, retries: 0, executeMs: 0 };
    const known = run ?? {
      id,
      job: job.name,
      operation: workOf(job),
      connection: connection.name,
      kind,
      ...unread,
    };
    const end = runEnd(known, connection.sandbox, await endByError(services, run, over, error));
    return { kind: 'run', run: { ...timed(end), error }, over, ends: !over };
  } finally {
    release();
  }
}

function notRun(error: unknown): FileRun {
  if (error instanceof RunInProgressError) return { kind: 'not_run', reason: error.detail, ends: true };
  if (!(error instanceof InputNotKeptError)) throw error;
  const reason = message(error.why === 'changed' ? 'inbox.changing' : 'inbox.gone');
  return { kind: 'not_run', reason, ends: false };
}

/** The end of a run that failed with an error. A run that could not be planned (`over`) has no rows. */
async function endByError({ ledger }: RunServices, run: Run | undefined, over: boolean, error: unknown) {
  const { detail: reason, exitCode = EXIT.internal } = error instanceof ProductError ? error : {};
  if (run && over) {
    const none = { rows: 0, items: 0, counts: {} };
    return { status: 'invalid', ...none, exitCode: run.exitCode ?? exitCode, reason } as const;
  }
  const counts = run ? await ledger.runs.counts(run.id).catch(() => ({})) : {};
  return { status: 'stopped', counts, exitCode, reason } as const;
}
