import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Language, type Message, message, render } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import { columnsFor } from '../guess/columns-for.js';
import { loadConnections } from '../job/connections.js';
import { loadSendingJob } from '../job/load.js';
import type { Ledger } from '../ledger/contract/ledger.js';
import { checkedInputOf, keptInputsOf } from '../ledger/inputs.js';
import { openExistingLedger, openLedger } from '../ledger/open.js';
import { onPlatform } from '../ledger/rules/scopes.js';
import { timezoneOf } from '../ledger/stored-settings.js';
import { makeLedgerWithKeys } from '../ledger/upkeep/copy-keys.js';
import type { Header } from '../model/row.js';
import { EXIT } from '../model/run-outcome.js';
import { operationNamed } from '../platform/operations/catalogue.js';
import { compareRows, type RowDifference } from '../rehearse/compare.js';
import { type Rehearsal, rehearse, yesNeeded } from '../rehearse/rehearse.js';
import {
  keepRehearsal,
  keptResult,
  makeKeptFolder,
  refuseUnrehearsable,
  rehearsalOf,
} from '../rehearse/stored-rehearsals.js';
import { cutOffRuns, uncertainRunsWarning } from '../run/live-state.js';
import { requireRun } from '../run/run-checks.js';
import { connectionOfRun } from '../run/run-connection.js';
import type { RunServices } from '../run/run-context.js';
import type { RunEnd } from '../run/run-end.js';
import { unpackAny } from '../run/settings.js';
import { distinctMessages } from '../util/error-detail.js';
import { stateFolderOf } from '../util/ledger-address.js';
import type { AppContext, RunChanges, RunCommandResult, WatchedContext } from './context.js';
import { changedJob, jobReading } from './job-input.js';
import { permittedIfAny } from './permit.js';
import { RunFrame } from './run-frame.js';
import { ledgerOf, type OpenedLedger, runNamed, withLedger } from './with-ledger.js';

export interface RehearseInput extends RunChanges {
  /** Confirmed in advance: no warning that the run will require a confirmation. */
  readonly yes?: boolean;
}

/**
 * `rehearse JOB`: simulates a run in a sandbox that is filled from the platform. Only reading requests are sent to the
 * platform. The ledger records only an audit entry.
 */
export function rehearseJob(
  context: WatchedContext,
  jobFile: string,
  input: RehearseInput,
): Promise<RunCommandResult> {
  return RunFrame.run(context, input, async (frame) => {
    const changed = await changedJob(context, jobFile, input);
    const { pattern, file } = changed.source;
    if (pattern) throw new ProductError('usage', message('inbox.plan_one', { pattern: file }));
    const job = input.output === undefined ? { ...changed, output: separateResult(changed.output) } : changed;
    const { connection, location } = await frame.resolvePlace(job, false);
    const { folder, ledgerFile } = await scratchFolder(frame);
    let uncertain: readonly Message[];
    const real = await openExistingLedger(location, { note: context.found ?? context.watch.note });
    try {
      const actor = await permittedIfAny(context, real, 'rehearse');
      const detail = { job: job.name, connection: connection.name };
      if (actor) await real?.audit.append({ who: actor.who, act: 'rehearse', detail });
      await makeLedgerWithKeys(real, connection, ledgerFile);
      uncertain = await uncertainWarnings(real, { job: job.name, ...onPlatform(connection) });
    } finally {
      await real?.close();
    }
    const stateFolder = stateFolderOf(location);
    const parts = await frame.openForNewRun(ledgerFile, { resultNotes: stateFolder });
    const rehearsal = { job, connection, stateFolder, folder, enterpriseColumn, yes: input.yes };
    return rehearseAndKeep(parts, rehearsal, uncertain, context.language);
  });
}

/**
 * Rehearses a stored plan: its job, input and corrections, as it would be sent now. The result is stored, and shown with
 * the plan and later with the run.
 */
export function rehearseRun(context: WatchedContext, id: string): Promise<RunCommandResult> {
  return RunFrame.run(context, {}, async (frame) => {
    const { folder, ledgerFile } = await scratchFolder(frame);
    const prepare = async ({ ledger: real, actor }: OpenedLedger) => {
      const run = await runNamed(real, id);
      refuseUnrehearsable(run);
      const connection = await connectionOfRun(run, context);
      await checkedInputOf(real.inputs, run);
      const { job, corrections } = unpackAny(run.settings);
      await real.audit.append({ who: actor.who, act: 'rehearse', run: id });
      await makeLedgerWithKeys(real, connection, ledgerFile);
      const scratch = await openLedger(ledgerFile);
      try {
        for (const input of keptInputsOf(run)) await scratch.inputs.put(input.name, real.inputs.bytes(input));
      } finally {
        await scratch.close();
      }
      const { stateFolder } = real;
      await makeKeptFolder(stateFolder);
      const origin = {
        inputSha256: run.inputSha256,
        ...(corrections ? { corrections: { kept: corrections } } : {}),
      };
      return {
        uncertain: await uncertainWarnings(real, run),
        rehearsal: {
          job: { ...job, output: { file: keptResult(stateFolder) } },
          ...{ connection, stateFolder, folder, enterpriseColumn, origin },
          of: { of: id, by: actor.who },
        },
      };
    };
    const { rehearsal, uncertain } = await withLedger(context, prepare, { act: 'rehearse', run: id });
    const parts = await frame.openForNewRun(ledgerFile, { resultNotes: rehearsal.stateFolder });
    return rehearseAndKeep(parts, rehearsal, uncertain, context.language);
  });
}

/** A folder that is removed with its ledger after the rehearsal. */
async function scratchFolder(
  frame: RunFrame,
): Promise<{ readonly folder: string; readonly ledgerFile: string }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'license-sync-rehearsal-'));
  frame.defer(() => rm(folder, { recursive: true, force: true }));
  return { folder, ledgerFile: path.join(folder, 'ledger.db') };
}

async function uncertainWarnings(
  real: Ledger | undefined,
  of: Parameters<typeof cutOffRuns>[1],
): Promise<readonly Message[]> {
  const cutOff = real ? await cutOffRuns(real, of) : [];
  return cutOff.filter((it) => it.unknown > 0).map(uncertainRunsWarning);
}

/** Runs the rehearsal and stores its result. */
async function rehearseAndKeep(
  parts: RunServices,
  rehearsal: Rehearsal & {
    readonly of?: { readonly of: string; readonly by: string };
    readonly yes?: boolean;
  },
  uncertain: readonly Message[],
  language: Language,
): Promise<RunEnd> {
  const { observer, ledger } = parts;
  const end = await rehearse(parts, rehearsal);
  const confirmation = rehearsal.yes ? undefined : yesNeeded(rehearsal);
  const more = confirmation ? [...uncertain, confirmation] : uncertain;
  const result = withWarnings(end, more, uncertain.length > 0, observer.warn);
  const run = await requireRun(ledger, end.run);
  // An interrupted rehearsal would differ from the run in every row that it did not reach.
  if (run.kind === 'run' && end.status !== 'interrupted') {
    const warnings = distinctMessages(result.warnings ?? []).map((it) => render(it, language));
    await keepRehearsal(rehearsal.stateFolder, ledger, run, language, { ...rehearsal.of, warnings });
  }
  return result;
}

/** A separate result file: it must not replace the result of a run. */
function separateResult<T extends { readonly file: string }>(output: T): T {
  const { dir, name, ext } = path.parse(output.file);
  return { ...output, file: path.join(dir, `${name}-rehearsal${ext}`) };
}

/** @param hasUncertain interrupted earlier runs have unknown rows, and the run's exit code would reflect them */
function withWarnings(
  end: RunEnd,
  more: readonly Message[],
  hasUncertain: boolean,
  warn: (warning: Message) => void,
): RunEnd {
  for (const warning of more) warn(warning);
  const outranked = hasUncertain && (end.status === 'completed' || end.status === 'stopped');
  const isInterrupted = end.status === 'interrupted';
  return {
    ...end,
    // There is nothing to resume.
    ...(isInterrupted ? { reason: message('rehearse.interrupted') } : {}),
    warnings: [...(end.warnings ?? []), ...more],
    exitCode: outranked ? EXIT.unknown : end.exitCode,
  };
}

/** The column that names enterprises; the job's map may not read it. */
function enterpriseColumn(headers: readonly Header[], sheet: string): Header | undefined {
  try {
    return columnsFor(operationNamed('asset.list'), ['enterpriseGlobalId'], headers, sheet).get(
      'enterpriseGlobalId',
    );
  } catch (error) {
    if (error instanceof ProductError && error.code.startsWith('guess.no_column')) return undefined;
    throw error;
  }
}

interface ComparedRehearsal {
  readonly run: string;
  readonly rehearsal: string;
  /** When the rehearsal ended, in milliseconds since 1970. */
  readonly rehearsedAt: number;
  /** The zone of the run's connection. */
  readonly timezone: string;
  readonly rows: number;
  readonly differing: number;
  readonly exitCode: number;
}

/**
 * `rehearse --compare RUN`: the rows whose outcome differs from the rehearsal.
 * @param input.jobFile the run must be of this job; its settings locate the ledger
 * @param onDifference receives each row that differs, in order
 * @throws ProductError usage if no rehearsal of what the run executed is stored
 */
export async function compareRehearsal(
  context: AppContext,
  input: { readonly run: string; readonly jobFile?: string },
  onDifference: (difference: RowDifference) => void,
): Promise<ComparedRehearsal> {
  const { env, cwd } = context;
  const { jobFile } = input;
  const settings = jobFile === undefined ? undefined : await loadConnections(jobFile, { env, cwd });
  const ledger = settings ? await ledgerOf(context, settings) : context.ledger;
  return withLedger({ ...context, ledger }, async (opened) => {
    const run = await runNamed(opened.ledger, input.run);
    if (jobFile !== undefined) {
      const { name } = await loadSendingJob(path.resolve(cwd, jobFile), jobReading(context));
      const params = { run: run.id, own: run.job, asked: name };
      if (name !== run.job) throw new ProductError('usage', message('rehearse.other_job', params));
    }
    if (run.kind !== 'run') {
      throw new ProductError('usage', message('rehearse.no_run', { run: run.id, kind: run.kind }));
    }
    const stored = await rehearsalOf(opened.ledger.stateFolder, run);
    if (!stored) {
      const params = { run: run.id, job: run.job, connection: run.connection };
      throw new ProductError('usage', message('rehearse.nothing_kept', params));
    }
    let rows = 0;
    let differing = 0;
    for await (const { difference } of compareRows(opened.ledger, run, stored.file, context.language)) {
      rows += 1;
      if (!difference) continue;
      differing += 1;
      onDifference(difference);
    }
    const { id: rehearsal, endedAt: rehearsedAt } = stored.facts;
    const exitCode = differing > 0 ? EXIT.someRowsWrong : EXIT.ok;
    return { run: run.id, rehearsal, rehearsedAt, timezone: timezoneOf(run), rows, differing, exitCode };
  });
}

/** The object that `--json` prints. */
export function comparedData(
  { exitCode: _, timezone: __, rehearsedAt, ...compared }: ComparedRehearsal,
  differences: readonly RowDifference[],
) {
  return { ...compared, rehearsedAt: new Date(rehearsedAt).toISOString(), differences };
}

export type { RowDifference };
