import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Language, type Message, message, render } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import { columnsFor } from '../guess/columns-for.js';
import { loadConnections } from '../job/connections.js';
import { applyChanges } from '../job/job-changes.js';
import { loadSendingJob } from '../job/load.js';
import type { Ledger } from '../ledger/contract/ledger.js';
import { checkedInputOf, keptInputsOf } from '../ledger/inputs.js';
import { openExistingLedger, openLedger } from '../ledger/open.js';
import { onPlatform } from '../ledger/rules/scopes.js';
import { makeLedgerWithKeys } from '../ledger/upkeep/copy-keys.js';
import { EXIT } from '../model/exit-code.js';
import type { Header } from '../model/row.js';
import { operationNamed } from '../platform/operations/index.js';
import { compareRows, type RowDifference } from '../rehearse/compare.js';
import { keepRehearsal, keptResult, makeKeptFolder, rehearsalOf } from '../rehearse/kept.js';
import { refuseUnrehearsable } from '../rehearse/rehearsable.js';
import { type Rehearsal, rehearse, yesNeeded } from '../rehearse/rehearse.js';
import { cutOffRuns, doubtWarning } from '../run/cut-off-runs.js';
import { requireRun } from '../run/run-checks.js';
import { connectionOfRun } from '../run/run-connection.js';
import type { RunServices } from '../run/run-context.js';
import type { RunEnd } from '../run/run-end.js';
import { unpackAny } from '../run/settings.js';
import { distinctMessages } from '../util/distinct-messages.js';
import { stateFolderOf } from '../util/ledger-place.js';
import type { AppContext, CarriedRun, RunChanges, WatchedContext } from './context.js';
import { jobReading } from './job-reading.js';
import { ledgerOf, type OpenedLedger, runNamed, withLedger } from './open.js';
import { permittedIfAny } from './people/permit.js';
import { inRunFrame } from './run-frame.js';

export interface RehearseInput extends RunChanges {
  /** As `--set`: `run.retries=2`. */
  readonly set?: readonly string[];
  /** Beforehand: then nobody need be told that the run will want one. */
  readonly yes?: boolean;
}

/**
 * `rehearse JOB`: what would come of a run, carried out in a sandbox that is filled from the platform. Only reading
 * requests reach the platform, and nothing stays in the ledger.
 */
export function rehearseJob(
  context: WatchedContext,
  jobFile: string,
  input: RehearseInput,
): Promise<CarriedRun> {
  return inRunFrame(context, input, async (frame) => {
    const { cwd } = context;
    const loaded = await loadSendingJob(path.resolve(cwd, jobFile), jobReading(context, input.set));
    const changed = applyChanges(loaded, input, cwd);
    const { pattern, file } = changed.source;
    if (pattern) throw new ProductError('usage', message('inbox.plan_one', { pattern: file }));
    const job = input.output === undefined ? { ...changed, output: apart(changed.output) } : changed;
    const { connection, location } = await frame.resolvePlace(job, false);
    return inScratch(async (folder) => {
      const own = path.join(folder, 'ledger.db');
      let doubts: readonly Message[];
      const real = await openExistingLedger(location, { note: context.found ?? context.watch.note });
      try {
        const actor = await permittedIfAny(context, real, 'rehearse');
        const detail = { job: job.name, connection: connection.name };
        if (actor) await real?.audit.append({ who: actor.who, act: 'rehearse', detail });
        await makeLedgerWithKeys(real, connection, own);
        doubts = await doubtsOf(real, { job: job.name, ...onPlatform(connection) });
      } finally {
        await real?.close();
      }
      const rehearsal = {
        ...{ job, connection, stateFolder: stateFolderOf(location), folder, enterpriseColumn },
        ...(input.yes ? { yes: true } : {}),
      };
      return frame.withLedgerForNewRun(own, { resultNotes: rehearsal.stateFolder }, (parts) =>
        carry(parts, rehearsal, doubts, context.language),
      );
    });
  });
}

/**
 * The same for a kept plan: its job, its input and its corrections, as it would be sent now. What came of it is kept for
 * whoever looks at the plan, and later at the run.
 */
export function rehearseRun(context: WatchedContext, id: string): Promise<CarriedRun> {
  return inRunFrame(context, {}, async (frame) =>
    inScratch(async (folder) => {
      const own = path.join(folder, 'ledger.db');
      const prepare = async ({ ledger: real, actor }: OpenedLedger) => {
        const run = await runNamed(real, id);
        refuseUnrehearsable(run);
        const connection = await connectionOfRun(run, context);
        await checkedInputOf(real.inputs, run);
        const { job, corrections } = unpackAny(run.settings);
        await real.audit.append({ who: actor.who, act: 'rehearse', run: id });
        await makeLedgerWithKeys(real, connection, own);
        const scratch = await openLedger(own);
        try {
          for (const it of keptInputsOf(run)) await scratch.inputs.put(it.name, real.inputs.bytes(it));
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
          doubts: await doubtsOf(real, run),
          rehearsal: {
            job: { ...job, output: { file: keptResult(stateFolder) } },
            ...{ connection, stateFolder, folder, enterpriseColumn, origin },
            of: { of: id, by: actor.who },
          },
        };
      };
      const { rehearsal, doubts } = await withLedger(context, prepare, { act: 'rehearse', run: id });
      return frame.withLedgerForNewRun(own, { resultNotes: rehearsal.stateFolder }, (parts) =>
        carry(parts, rehearsal, doubts, context.language),
      );
    }),
  );
}

/** Gives a folder that goes with all that is in it. */
async function inScratch<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(path.join(tmpdir(), 'license-sync-rehearsal-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function doubtsOf(
  real: Ledger | undefined,
  of: Parameters<typeof cutOffRuns>[1],
): Promise<readonly Message[]> {
  const cutOff = real ? await cutOffRuns(real, of) : [];
  return cutOff.filter((it) => it.unknown > 0).map(doubtWarning);
}

/** Carries it out, and keeps what came of it. */
async function carry(
  parts: RunServices,
  rehearsal: Rehearsal & {
    readonly of?: { readonly of: string; readonly by: string };
    readonly yes?: boolean;
  },
  doubts: readonly Message[],
  language: Language,
): Promise<RunEnd> {
  const { observer, ledger } = parts;
  const end = await rehearse(parts, rehearsal);
  const asked = rehearsal.yes ? undefined : yesNeeded(rehearsal);
  const told = withWarnings(end, [...doubts, ...(asked ? [asked] : [])], doubts.length > 0, observer.warn);
  const run = await requireRun(ledger, end.run);
  // Half of one would differ from the run in what it didn't come to.
  if (run.kind === 'run' && end.status !== 'interrupted') {
    const warnings = distinctMessages(told.warnings ?? []).map((it) => render(it, language));
    await keepRehearsal(rehearsal.stateFolder, ledger, run, language, { ...rehearsal.of, warnings });
  }
  return told;
}

/** A result of its own: it must not stand in the place of a run's. */
function apart<T extends { readonly file: string }>(output: T): T {
  const { dir, name, ext } = path.parse(output.file);
  return { ...output, file: path.join(dir, `${name}-rehearsal${ext}`) };
}

/** @param doubts earlier runs were cut off and have unknown rows: the run would end by them */
function withWarnings(
  end: RunEnd,
  more: readonly Message[],
  doubts: boolean,
  warn: (warning: Message) => void,
): RunEnd {
  for (const it of more) warn(it);
  const outranked = doubts && (end.status === 'completed' || end.status === 'stopped');
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
  readonly rows: number;
  readonly differing: number;
  readonly exitCode: number;
}

/**
 * `rehearse --compare RUN`: what came out otherwise than it was rehearsed.
 * @param input.jobFile the run must be of this job; its settings say where the ledger is
 * @param tell each row that differs, in order
 * @throws ProductError usage where no rehearsal of what the run carried out is kept
 */
export async function compareRehearsal(
  context: AppContext,
  input: { readonly run: string; readonly jobFile?: string },
  tell: (difference: RowDifference) => void,
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
    const kept = await rehearsalOf(opened.ledger.stateFolder, run);
    if (!kept) {
      const params = { run: run.id, job: run.job, connection: run.connection };
      throw new ProductError('usage', message('rehearse.nothing_kept', params));
    }
    let rows = 0;
    let differing = 0;
    for await (const { difference } of compareRows(opened.ledger, run, kept.file, context.language)) {
      rows += 1;
      if (!difference) continue;
      differing += 1;
      tell(difference);
    }
    const { id: rehearsal, endedAt: rehearsedAt } = kept.facts;
    const exitCode = differing > 0 ? EXIT.someRowsWrong : EXIT.ok;
    return { run: run.id, rehearsal, rehearsedAt, rows, differing, exitCode };
  });
}

/** The object that `--json` prints. */
export function comparedData(
  { exitCode: _, rehearsedAt, ...compared }: ComparedRehearsal,
  differences: readonly RowDifference[],
) {
  return { ...compared, rehearsedAt: new Date(rehearsedAt).toISOString(), differences };
}

export type { RowDifference };
