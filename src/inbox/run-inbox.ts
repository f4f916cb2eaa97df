import { type Message, message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import { onPlatform } from '../ledger/rules/scopes.js';
import { EXIT, worstExitCode } from '../model/exit-code.js';
import { workOf } from '../model/job.js';
import { doubtfulRuns } from '../run/cut-off-runs.js';
import type { RunServices } from '../run/run-context.js';
import type { RunEnd } from '../run/run-end.js';
import { startRun } from '../run/run-job.js';
import type { InboxEnd, InboxOptions, InboxRun, MovedFile } from './contract.js';
import { takeBackChanged } from './done-files.js';
import { type FoundFile, findFiles, type LeftFile } from './find-files.js';
import { lockJob } from './lock.js';
import { type Inbox, openInbox } from './open-inbox.js';
import { forgetGone } from './pending-files.js';
import { type FileEnd, processFile } from './process-file.js';
import { runFile } from './run-file.js';

/**
 * Runs the files that are in an input folder now, one after the other, by name. Each is a run of its own and is in
 * `done` or `failed` afterwards. A dry run checks each and moves none.
 * @throws ProductError when not one file could be processed (usage; internal: the ledger)
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

/** @param busy why no file may be taken up */
async function processAll(
  services: RunServices,
  options: InboxOptions,
  inbox: Inbox,
  busy?: Message,
): Promise<InboxEnd> {
  await forgetGone(services.ledger, inbox.folder);
  if (options.kind === 'run' && !busy) await takeBackChanged(services, inbox, options.job);
  const looked = await findFiles(inbox.folder, inbox.pattern, {
    clock: services.clock,
    signal: services.stop.signal,
    settleMs: options.job.source.settleMs,
  });
  const runs: InboxRun[] = [];
  const moved: MovedFile[] = [];
  const left: LeftFile[] = [...looked.left];
  let failure: unknown;
  let rest: Message | undefined = busy;
  for (const found of looked.ready) {
    if (services.stop.cause) rest ??= message('inbox.not_begun');
    if (rest) {
      left.push({ file: found.file, reason: rest });
      continue;
    }
    try {
      const it = await (options.kind === 'run' ? processFile : checkFile)(services, options, inbox, found);
      if (it.moved) moved.push(it.moved);
      if (it.left) left.push(it.left);
      if (it.run) runs.push(it.run);
      if (it.run) await options.ended?.(it.run);
      if (it.ends) rest = (!it.run && it.left?.reason) || message('inbox.not_begun');
    } catch (error) {
      if (runs.length + moved.length === 0) throw error;
      failure = error;
      rest = message('inbox.not_begun');
      left.push({ file: found.file, reason: rest });
    }
  }
  const { job, connection, kind } = options;
  const of = { job: job.name, ...onPlatform(connection) };
  const doubts = kind === 'run' ? await doubtfulRuns(services.ledger, of) : [];
  const interrupted = services.stop.cause?.kind === 'interrupted' && rest !== undefined && rest !== busy;
  const exitCode = worstExitCode([
    ...runs.map((it) => it.end.exitCode),
    ...moved.map((it) => it.exitCode),
    ...left.map((it) => it.exitCode ?? EXIT.ok),
    ...(doubts.length > 0 ? [EXIT.unknown] : []),
    ...(interrupted ? [EXIT.interrupted] : []),
    ...(failure === undefined ? [] : [failureCode(failure)]),
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
    doubts,
    exitCode,
    failure,
  };
}

/** Checks a file in a dry run. */
async function checkFile(
  services: RunServices,
  options: InboxOptions,
  inbox: Inbox,
  { file }: FoundFile,
): Promise<FileEnd> {
  const given = await runFile(services, options, file, (own) =>
    startRun(own, inbox.jobOf(file), options.connection, 'dry_run', { offline: options.offline }),
  );
  if (given.kind === 'not_run') return { left: { file, reason: given.reason }, ends: given.ends };
  return { run: given.run, ends: given.ends };
}

const WORST_FIRST: readonly RunEnd['status'][] = ['interrupted', 'stopped', 'invalid', 'completed'];

function statusOf(runs: readonly InboxRun[], failure: unknown): RunEnd['status'] {
  const there = new Set<RunEnd['status']>(runs.map((it) => it.end.status));
  if (failure !== undefined) there.add('stopped');
  return WORST_FIRST.find((it) => there.has(it)) ?? 'completed';
}

function failureCode(failure: unknown): number {
  return failure instanceof ProductError ? failure.exitCode : EXIT.internal;
}
