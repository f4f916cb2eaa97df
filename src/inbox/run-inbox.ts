import { type Message, message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import { onPlatform } from '../ledger/rules/scopes.js';
import { workOf } from '../model/job.js';
import { EXIT, worstExitCode } from '../model/run-outcome.js';
import { findUncertainRuns } from '../run/live-state.js';
import type { RunServices } from '../run/run-context.js';
import type { RunEnd } from '../run/run-end.js';
import { startRun } from '../run/start-run.js';
import { takeBackChanged } from './done-files.js';
import { type FoundFile, findFiles, forgetGone, type LeftFile } from './find-files.js';
import type { InboxEnd, InboxOptions, InboxRun, MovedFile } from './inbox.js';
import { type Inbox, lockJob, openInbox } from './open-inbox.js';
import { type FileEnd, processFile } from './process-file.js';
import { runFile } from './run-file.js';

/**
 * Runs the files that are currently in an input folder, one after the other, by name. Each is a separate run and is moved to
 * `done` or `failed`. A dry run checks each and moves none.
 * @throws ProductError if no file could be processed (usage; internal: the ledger)
 */
export async function runInbox(services: RunServices, options: InboxOptions): Promise<InboxEnd> {
  const inbox = await openInbox(options);
  if (options.kind !== 'run') return processAll(services, options, inbox);
  const lock = await lockJob(services.ledger, options.job.name, onPlatform(options.connection));
  if ('busy' in lock) return processAll(services, options, inbox, lock.busy);
  try {
    return await processAll(services, options, inbox);
  } finally {
    await lock.release();
  }
}

/** @param busy why no file may be processed */
async function processAll(
  services: RunServices,
  options: InboxOptions,
  inbox: Inbox,
  busy?: Message,
): Promise<InboxEnd> {
  await forgetGone(services.ledger, inbox.folder);
  if (options.kind === 'run' && !busy) await takeBackChanged(services, inbox, options.job);
  const listed = await findFiles(inbox.folder, inbox.pattern, {
    clock: services.clock,
    signal: services.stop.signal,
    settleMs: options.job.source.settleMs,
  });
  const runs: InboxRun[] = [];
  const moved: MovedFile[] = [];
  const left: LeftFile[] = [...listed.left];
  let failure: unknown;
  let rest: Message | undefined = busy;
  for (const found of listed.ready) {
    if (services.stop.cause) rest ??= message('inbox.not_begun');
    if (rest) {
      left.push({ file: found.file, reason: rest });
      continue;
    }
    try {
      const end = await (options.kind === 'run' ? processFile : checkFile)(services, options, inbox, found);
      if (end.moved) moved.push(end.moved);
      if (end.left) left.push(end.left);
      if (end.run) runs.push(end.run);
      if (end.run) await options.ended?.(end.run);
      if (end.ends) rest = (!end.run && end.left?.reason) || message('inbox.not_begun');
    } catch (error) {
      if (runs.length + moved.length === 0) throw error;
      failure = error;
      rest = message('inbox.not_begun');
      left.push({ file: found.file, reason: rest });
    }
  }
  const { job, connection, kind } = options;
  const scope = { job: job.name, ...onPlatform(connection) };
  const uncertainRuns = kind === 'run' ? await findUncertainRuns(services.ledger, scope) : [];
  const interrupted = services.stop.cause?.kind === 'interrupted' && rest !== undefined && rest !== busy;
  const exitCode = worstExitCode([
    ...runs.map((it) => it.end.exitCode),
    ...moved.map((it) => it.exitCode),
    ...left.map((it) => it.exitCode ?? EXIT.ok),
    ...(uncertainRuns.length > 0 ? [EXIT.unknown] : []),
    ...(interrupted ? [EXIT.interrupted] : []),
    ...(failure === undefined ? [] : [failure instanceof ProductError ? failure.exitCode : EXIT.internal]),
  ]);
  return {
    pattern: job.source.file,
    job: job.name,
    operation: workOf(job),
    connection: connection.name,
    sandbox: connection.sandbox,
    kind,
    status: interrupted ? 'interrupted' : statusOf(runs, failure),
    runs,
    moved,
    left,
    uncertainRuns,
    exitCode,
    failure,
  };
}

async function checkFile(
  services: RunServices,
  options: InboxOptions,
  inbox: Inbox,
  { file }: FoundFile,
): Promise<FileEnd> {
  const result = await runFile(services, options, file, (fileServices) =>
    startRun(fileServices, inbox.jobOf(file), options.connection, 'dry_run', { offline: options.offline }),
  );
  if (result.kind === 'not_run') return { left: { file, reason: result.reason }, ends: result.ends };
  return { run: result.run, ends: result.ends };
}

const WORST_FIRST: readonly RunEnd['status'][] = ['interrupted', 'stopped', 'invalid', 'completed'];

function statusOf(runs: readonly InboxRun[], failure: unknown): RunEnd['status'] {
  const statuses = new Set<RunEnd['status']>(runs.map((it) => it.end.status));
  if (failure !== undefined) statuses.add('stopped');
  return WORST_FIRST.find((it) => statuses.has(it)) ?? 'completed';
}
