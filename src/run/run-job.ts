import { type Language, type Message, message, render } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import type { Ledger, Run, RunKind, RunState } from '../ledger/contract.js';
import type { Connection } from '../model/connection.js';
import type { Job } from '../model/job.js';
import { RateLimiter } from '../platform/client/rate.js';
import { RetryBudget } from '../platform/client/retry-timing.js';
import { operationNamed } from '../platform/operations/index.js';
import type { Clock } from '../util/clock.js';
import { checkTarget } from '../workbook/write.js';
import type { CarrierParts } from './batch-carrier.js';
import { canaryConsent, canaryStand } from './canary.js';
import { type Ask, consent } from './consent.js';
import { execute } from './execute.js';
import { type InputCopy, keepInput, sameFile } from './input-copy.js';
import { logged, logPlan } from './log-run.js';
import type { RunAbout, RunObserver } from './observer.js';
import { plan, released } from './plan.js';
import { brokenLimit } from './plan-checks.js';
import { type PlanNow, planRefusal } from './plan-refusal.js';
import { openPlatform } from './platform.js';
import { outputPath, report } from './report.js';
import { EXIT, exitCode, type RunEnd } from './run-end.js';
import { newRunId } from './run-id.js';
import type { RunLog } from './run-log.js';
import { packSettings, type RunSettings, unpackSettings } from './settings.js';
import type { StopSignal } from './stop-signal.js';

export interface RunParts {
  readonly ledger: Ledger;
  /** Folder of the ledger; inputs are kept in it. */
  readonly stateFolder: string;
  readonly observer: RunObserver;
  readonly stop: StopSignal;
  readonly clock: Clock;
  readonly language: Language;
  /** How a yes is had: given beforehand, asked for, or not to be had. */
  readonly ask: Ask;
  /** Absent: nothing is logged. */
  readonly log?: RunLog;
}

interface Current {
  readonly parts: RunParts;
  readonly id: string;
  readonly kind: RunKind;
  readonly settings: RunSettings;
}

/**
 * Starts a run of a job: plan, execute, report; a dry run and a kept plan leave out execute.
 * @throws ProductError when nothing was sent and there is no result to write (usage, input, another run going on).
 */
export async function startRun(
  parts: RunParts,
  job: Job,
  connection: Connection,
  kind: RunKind,
  options: { readonly canary?: number } = {},
): Promise<RunEnd> {
  return begin(parts, { job, connection, ...options }, kind);
}

/**
 * Starts a run of rows of another one (`settings.retry`), from the copy of the input that that one keeps.
 * @throws ProductError as `startRun`.
 */
export function startRetry(parts: RunParts, parent: Run, settings: RunSettings): Promise<RunEnd> {
  const copy = { path: settings.inputCopy, sha256: parent.inputSha256 };
  return begin(parts, settings, 'run', { id: parent.id, copy });
}

async function begin(
  parts: RunParts,
  start: Omit<RunSettings, 'inputCopy'>,
  kind: RunKind,
  parent?: { readonly id: string; readonly copy: InputCopy },
): Promise<RunEnd> {
  const { ledger, clock } = parts;
  const { job, connection } = start;
  const { needsAppKey } = operationNamed(job.operation).endpoint;
  if (kind === 'run' && needsAppKey && connection.appKey === undefined) {
    const params = { connection: connection.name, operation: job.operation };
    throw new ProductError('usage', message('run.needs_app_key', params));
  }
  const id = newRunId(clock.now());
  await refuseTarget(job, id);
  const lock = kind === 'run' ? await ledger.lock(job.name, connection.name, id) : undefined;
  try {
    const copy = parent?.copy ?? (await keepInput(job.source.file, parts.stateFolder));
    const settings: RunSettings = { ...start, inputCopy: copy.path };
    await ledger.runs.create({
      id,
      kind,
      job: job.name,
      jobFile: job.file,
      jobSha256: job.sha256,
      operation: job.operation,
      connection: connection.name,
      scope: connection.name,
      inputFile: job.source.file,
      inputSha256: copy.sha256,
      settings: packSettings(settings),
      startedAt: clock.now(),
      ...(parent ? { parent: parent.id } : {}),
    });
    parts.observer.started(id, about(settings));
    return await goOn({ parts, id, kind, settings }, 'planning');
  } finally {
    await lock?.release();
  }
}

/**
 * Goes on with a run wherever it was left, from the ledger alone; `change` lets flags override limits and paths.
 * @throws ProductError usage when it is finished or another process works on it.
 */
export async function resumeRun(
  parts: RunParts,
  run: Run,
  change: (settings: RunSettings) => RunSettings,
): Promise<RunEnd> {
  refusePruned(run);
  if (run.state === 'completed' || run.state === 'invalid') {
    throw new ProductError('usage', message('run.nothing_to_resume', { run: run.id, state: run.state }));
  }
  const lock = await parts.ledger.lock(run.job, run.connection, run.id);
  try {
    const settings = change(unpackSettings(run.settings));
    parts.observer.started(run.id, about(settings));
    return await goOn({ parts, id: run.id, kind: run.kind, settings }, run.state);
  } finally {
    await lock.release();
  }
}

/**
 * Carries out a kept plan, exactly as it was shown, once.
 * @throws ProductError usage when it was used, when job, input or connection changed since, or when it is too old.
 */
export async function applyPlan(
  parts: RunParts,
  run: Run,
  now: PlanNow,
  change: (settings: RunSettings) => RunSettings,
): Promise<RunEnd> {
  const lock = await parts.ledger.lock(run.job, run.connection, run.id);
  try {
    // Read again under the lock: of two applies at once, the second finds it used.
    const plan = await existing(parts.ledger, run.id);
    const refusal = planRefusal(plan, now, parts.clock.now());
    if (refusal) throw new ProductError('usage', refusal);
    const settings = change(unpackSettings(plan.settings));
    await parts.ledger.runs.patch(plan.id, { kind: 'run' });
    parts.observer.started(plan.id, about(settings));
    return await goOn({ parts, id: plan.id, kind: 'run', settings }, plan.state);
  } finally {
    await lock.release();
  }
}

function about({ job, connection }: RunSettings): RunAbout {
  return { job: job.name, operation: job.operation, connection: connection.name };
}

function goOn(current: Current, from: RunState): Promise<RunEnd> {
  return logged(current, from !== 'planning', () => stages(current, from));
}

async function stages(current: Current, from: RunState): Promise<RunEnd> {
  const { parts, id, kind, settings } = current;
  const operation = operationNamed(settings.job.operation);
  if (from === 'planning') {
    try {
      await plan({ run: id, settings, operation, ...parts });
    } catch (error) {
      await refuse(current, error);
    }
    if (parts.stop.cause) return interruptedPlan(current);
    await logPlan(current);
  }
  const toSend = from !== 'executed';
  let ended: Ended = { status: 'completed' };
  if (toSend) ended = await mayExecute(current);
  if (toSend && ended.status === 'completed' && kind === 'run') ended = await executeStage(current);
  // Ctrl-C at a question is no refusal.
  if (ended.status === 'stopped' && parts.stop.cause?.kind === 'interrupted') ended = endOf(parts.stop, id);
  return concludeRun(current, ended);
}

interface Ended {
  readonly status: RunEnd['status'];
  readonly reason?: Message;
  /** A fault of the program or its ledger, thrown again once the result is written. */
  readonly error?: unknown;
}

/** All that may forbid sending what was planned. */
async function mayExecute(current: Current): Promise<Ended> {
  const { parts, id, kind, settings } = current;
  const { ledger, observer } = parts;
  const { job, connection } = settings;
  const operation = operationNamed(job.operation);
  const counts = await ledger.runs.counts(id);
  if ((counts.invalid ?? 0) > 0 && job.run.onInvalid === 'abort') return { status: 'invalid' };
  if (job.safety.duplicates === 'abort') {
    const held = await heldByOthers(current);
    if (held) return { status: 'stopped', reason: held };
  }
  const { items } = await ledger.execution.remaining(id);
  const broken = await brokenLimit(ledger, id, operation, job, items);
  if (broken && kind !== 'run') observer.warn(broken);
  else if (broken) return { status: 'stopped', reason: broken };
  if (kind !== 'run' || items === 0) return { status: 'completed' };
  const { retry } = settings;
  const doubtful = retry && retry.unknown > 0 ? { run: retry.parent, rows: retry.unknown } : undefined;
  const intention = { operation, connection, items, job: job.name, ...(doubtful ? { doubtful } : {}) };
  const refusal = await consent(parts.ask, intention);
  return refusal ? { status: 'stopped', reason: refusal } : { status: 'completed' };
}

async function heldByOthers({ parts, id }: Current): Promise<Message | undefined> {
  let count = 0;
  let first = '';
  for await (const page of parts.ledger.report.rows(id, 'not_sent')) {
    for (const { messages } of page) {
      for (const { text } of messages) {
        if (typeof text === 'string' || !text.code.startsWith('run.held_')) continue;
        count += 1;
        first ||= String(text.params.run);
      }
    }
  }
  return count === 0 ? undefined : message('run.held_abort', { count, run: first });
}

async function executeStage(current: Current): Promise<Ended> {
  const { parts, id, settings } = current;
  const { ledger, clock, stop, observer } = parts;
  const { job, connection } = settings;
  const over = released(settings);
  const operation = operationNamed(job.operation);
  const lost = { status: 'unknown', message: message('run.died') } as const;
  await ledger.execution.recover(id, operation.repeatable, lost);
  const { items } = await ledger.execution.remaining(id);
  if (items > 0) {
    const platform = await openPlatform(connection, job, parts.stateFolder);
    const began = clock.monotonic();
    try {
      await ledger.runs.patch(id, { state: 'executing' });
      const rates = [job.run.requestsPerSecond, connection.requestsPerSecond].filter(
        (it) => it !== undefined,
      );
      const carrier = {
        run: id,
        job,
        operation,
        connection,
        ledger,
        client: platform.client,
        rate: new RateLimiter(rates.length > 0 ? Math.min(...rates) : undefined, clock),
        budget: new RetryBudget(),
        clock,
        stop,
        warn: (warning: Message) => observer.warn(warning),
        ...(parts.log ? { log: parts.log } : {}),
        ...(over === undefined ? {} : { over }),
      };
      const waits = await canaryFirst(current, carrier);
      if (waits) return { status: 'stopped', reason: waits };
      await execute(carrier, observer);
      // What waited for a retry when the run stopped may have been carried out: it must not be told as not sent.
      if (stop.cause && stop.cause.kind !== 'error')
        await ledger.execution.recover(id, operation.repeatable, lost);
    } finally {
      await platform.close();
      await ledger.runs.patch(id, { addExecuteMs: Math.round(clock.monotonic() - began) });
    }
  }
  return endOf(stop, id);
}

/** Sends the canary, if the run has one that isn't through; gives why the rest may not follow, if so. */
async function canaryFirst(current: Current, carrier: CarrierParts): Promise<Message | undefined> {
  const { parts, id, settings } = current;
  const { ledger, stop } = parts;
  const planned = (await existing(ledger, id)).items;
  const stand = await canaryStand(ledger, id, planned, settings.canary);
  if (stand.kind === 'none') return undefined;
  if (stand.kind === 'sending') await execute(carrier, parts.observer, stand.left);
  if (stop.cause) return undefined;
  const { items } = await ledger.execution.remaining(id);
  const intention = {
    operation: carrier.operation,
    connection: carrier.connection,
    items,
    job: settings.job.name,
  };
  return canaryConsent(ledger, id, parts.ask, intention, stand.kind === 'sending');
}

function endOf(stop: StopSignal, run: string): Ended {
  const cause = stop.cause;
  if (!cause) return { status: 'completed' };
  if (cause.kind === 'interrupted')
    return { status: 'interrupted', reason: message('run.interrupted', { run }) };
  if (cause.kind === 'safety') return { status: 'stopped', reason: cause.reason };
  return { status: 'stopped', error: cause.error };
}

const FINAL_STATE: Readonly<Record<RunEnd['status'], RunState>> = {
  completed: 'completed',
  invalid: 'invalid',
  stopped: 'stopped',
  interrupted: 'interrupted',
};

/** The report stage, and the run's last word in the ledger. */
async function concludeRun(current: Current, ended: Ended): Promise<RunEnd> {
  const { parts, id, kind, settings } = current;
  const { ledger, clock } = parts;
  await ledger.runs.patch(id, {
    state:
      ended.status === 'completed' ? (kind === 'plan' ? 'planned' : 'executed') : FINAL_STATE[ended.status],
    endedAt: clock.now(),
    ...(ended.reason ? { reason: ended.reason } : {}),
  });
  const before = await existing(ledger, id);
  const reported = await report({
    ...parts,
    run: before,
    settings,
    operation: operationNamed(settings.job.operation),
    pendingAs: kind === 'run' ? 'not_sent' : 'valid',
  }).catch(async (error: unknown) => {
    // What was sent was sent: the counts are told although there is no result to hold them.
    if (kind !== 'run' || ended.error !== undefined || !(error instanceof ProductError))
      throw ended.error ?? error;
    return { failure: message('run.report_failed', { why: render(error.detail, parts.language), run: id }) };
  });
  if ('failure' in reported) return unreported(current, ended, reported.failure);
  const { output, rows, counts } = reported;
  parts.log?.add({ run: id, event: 'report_written', output, rows, counts });
  if (ended.error !== undefined) throw ended.error;
  const code = exitCode({ status: ended.status, ...reported });
  await ledger.runs.patch(id, {
    ...(kind === 'plan' ? {} : { state: FINAL_STATE[ended.status] }),
    exitCode: code,
    output: reported.output,
  });
  const run = await existing(ledger, id);
  return {
    run: id,
    job: run.job,
    operation: run.operation,
    connection: run.connection,
    sandbox: settings.connection.sandbox,
    status: ended.status,
    rows: reported.rows,
    items: run.items,
    counts: reported.counts,
    requests: run.requests,
    retries: run.retries,
    output: reported.output,
    executeMs: run.executeMs,
    exitCode: code,
    ...(ended.reason ? { reason: ended.reason } : {}),
    ...(run.parent === undefined ? {} : { parent: run.parent }),
    kind,
  };
}

/** The end of a run whose result could not be written; the ledger has all outcomes. */
async function unreported(
  { parts, id, settings, kind }: Current,
  ended: Ended,
  reason: Message,
): Promise<RunEnd> {
  const run = await existing(parts.ledger, id);
  const counts = await parts.ledger.runs.counts(id);
  parts.log?.add({ run: id, event: 'report_failed', reason });
  return {
    run: id,
    job: run.job,
    operation: run.operation,
    connection: run.connection,
    sandbox: settings.connection.sandbox,
    status: ended.status,
    rows: run.rows,
    items: run.items,
    counts,
    requests: run.requests,
    retries: run.retries,
    executeMs: run.executeMs,
    exitCode: (counts.unknown ?? 0) > 0 ? EXIT.unknown : EXIT.internal,
    reason,
    kind,
  };
}

/** Writes the result of a run again, elsewhere; the run itself is left as it is. Gives the path written. */
export async function exportResult(
  parts: Pick<RunParts, 'ledger' | 'language' | 'observer'>,
  run: Run,
  output: string,
): Promise<string> {
  refusePruned(run);
  const settings = unpackSettings(run.settings);
  const reported = await report({
    ...parts,
    run,
    settings: { ...settings, job: { ...settings.job, output: { file: output } } },
    operation: operationNamed(settings.job.operation),
    pendingAs: run.kind === 'run' ? 'not_sent' : 'valid',
  });
  return reported.output;
}

export /** A result that can't be written, or that would replace what it is made from, is told before anything is sent. */
async function refuseTarget(job: Job, run: string): Promise<void> {
  const target = outputPath(job, run);
  for (const file of [job.source.file, job.file]) {
    if (await sameFile(target, file))
      throw new ProductError('usage', message('run.output_is_input', { file }));
  }
  await checkTarget(target);
}

export function refusePruned(run: Run): void {
  if (run.prunedAt !== undefined) throw new ProductError('usage', message('run.pruned', { run: run.id }));
}

async function existing(ledger: Ledger, id: string): Promise<Run> {
  const run = await ledger.runs.get(id);
  if (!run)
    throw new ProductError('internal', message('run.no_such_run', { location: ledger.location, run: id }));
  return run;
}

/** A plan that can't be made: the ledger remembers that nothing came of the run. */
async function refuse({ parts, id }: Current, error: unknown): Promise<never> {
  if (error instanceof ProductError && (error.kind === 'input' || error.kind === 'usage')) {
    await parts.ledger.plan.clear(id);
    await parts.ledger.runs.patch(id, {
      state: 'invalid',
      endedAt: parts.clock.now(),
      exitCode: error.kind === 'input' ? EXIT.input : EXIT.usage,
      reason: error.detail,
    });
  }
  throw error;
}

function interruptedPlan({ id, kind, settings }: Current): RunEnd {
  return {
    run: id,
    job: settings.job.name,
    operation: settings.job.operation,
    connection: settings.connection.name,
    sandbox: settings.connection.sandbox,
    status: 'interrupted',
    rows: 0,
    items: 0,
    counts: {},
    requests: 0,
    retries: 0,
    executeMs: 0,
    exitCode: EXIT.interrupted,
    reason: message('run.interrupted', { run: id }),
    kind,
  };
}
