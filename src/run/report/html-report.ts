import { type Language, type Message, render } from '../../errors/message.js';
import type { Ledger } from '../../ledger/contract/ledger.js';
import type { Run } from '../../ledger/contract/run.js';
import { DRIFT_STATUSES } from '../../model/drift.js';
import type { Operation } from '../../model/operation.js';
import type { RunCounts, StepEnd } from '../../model/run-outcome.js';
import { STATUSES, type Status, WENT_THROUGH } from '../../model/status.js';
import type { PagePart, PageProblems, RunFacts, RunPage } from '../../pages/contract.js';
import { isRunPage, writeRunPage } from '../../pages/write.js';
import { toldFile } from '../../source/original-name.js';
import type { Clock } from '../../util/clock.js';
import { redactKnown } from '../../util/known-secrets.js';
import { VERSION } from '../../util/own-package.js';
import { isPostgresUrl } from '../../util/postgres-url.js';
import { ResultGuard, type ResultWriter } from '../../workbook/result-notes.js';
import { type LiveState, liveStateOf } from '../live-state.js';
import { retryChain, rowsAlreadySent } from '../retry-chain.js';
import { operationOf, refusePruned } from '../run-checks.js';
import type { RunServices } from '../run-context.js';
import { type RunSettings, unpackSettings } from '../settings.js';
import { isAnyVerifiable } from '../settle/verify-question.js';
import { hasSteps, type StepRun, stepEnds, stepRunsOf } from '../step-runs.js';
import { heldByUnknown } from './held-rows.js';
import { attemptTotals } from './html/attempts.js';
import { MessageGroups } from './html/message-groups.js';
import { ProblemRows } from './html/problem-rows.js';
import { nextSteps } from './html/steps.js';
import { reportRows } from './steps/steps-rows.js';

const WARNINGS_SHOWN = 50;

interface PageParts {
  readonly ledger: Ledger;
  readonly language: Language;
  readonly clock: Pick<Clock, 'now'>;
}

interface HtmlReportParts extends PageParts, Pick<RunServices, 'resultNotes'> {
  /** Warned if the page is not where it was asked for. */
  readonly warn: (warning: Message) => void;
}

/**
 * Writes a run's page from the ledger alone, also for a run that is going on, was cut off, or has no input any more. It
 * contains neither replies nor credentials.
 * @returns the path written
 * @throws ProductError usage for a reconciliation, a pruned run, or a place that can't be written to
 */
export async function writeHtmlReport(parts: HtmlReportParts, run: Run, file: string): Promise<string> {
  const page = await gatherPage(parts, run);
  return writePage(parts, file, page, run.kind === 'run' && !page.run.rehearsal ? 'run' : 'check');
}

/** A page is protected as a result is. */
async function writePage(
  { ledger, warn, resultNotes }: HtmlReportParts,
  file: string,
  page: RunPage,
  by: ResultWriter,
): Promise<string> {
  const stateFolder = resultNotes ?? ledger.stateFolder;
  const isOfServer = isPostgresUrl(ledger.location);
  const guard = new ResultGuard({ stateFolder, isOfServer, by, isResult: isRunPage, warn });
  const written = await writeRunPage(file, page, guard);
  guard.warnOfOtherName(file, written, 'html.renamed');
  return written;
}

/** What a comparison found. The ledger doesn't keep it. */
export interface ComparedRows {
  /** The job's actions were run. */
  readonly applied: boolean;
  readonly problems: PageProblems;
  readonly warnings: readonly Message[];
}

/**
 * Writes a comparison's page. Call it while what was found is still in memory.
 * @returns the path written
 * @throws ProductError usage for a place that can't be written to
 */
export async function writeComparisonPage(
  parts: HtmlReportParts,
  run: Run,
  { applied, problems, warnings }: ComparedRows,
  file: string,
): Promise<string> {
  const { ledger, language, clock } = parts;
  const counts = await ledger.runs.counts(run.id);
  const state = run.endedAt === undefined ? 'going' : run.state === 'executed' ? 'completed' : run.state;
  const settled = ['completed', 'invalid', 'stopped', 'interrupted'] as const;
  const page: RunPage = {
    language,
    run: {
      ...factsOf(run, unpackSettings(run.settings), language, clock.now()),
      state: settled.find((it) => it === state) ?? 'going',
    },
    counts: DRIFT_STATUSES.flatMap((status) => {
      const rows = counts[status];
      return rows === undefined ? [] : [{ status, rows }];
    }),
    messages: [],
    steps: [],
    figures: { kinds: [] },
    problems: {
      rows: problems.rows.map((it) => ({ ...it, message: redactKnown(it.message) })),
      left: problems.left,
    },
    ...shownWarnings(warnings, language),
  };
  return writePage(parts, file, page, applied ? 'run' : 'check');
}

function shownWarnings(warnings: readonly Message[], language: Language) {
  return {
    warnings: warnings.slice(0, WARNINGS_SHOWN).map((it) => redactKnown(render(it, language))),
    warningsLeft: Math.max(0, warnings.length - WARNINGS_SHOWN),
  };
}

/** Collects what the page shows, in bounded memory whatever the number of rows and attempts. */
export async function gatherPage({ ledger, language, clock }: PageParts, run: Run): Promise<RunPage> {
  refusePruned(run);
  const parts = await stepRunsOf(ledger, run);
  const operation = parts.length > 0 ? asWhole(parts) : operationOf(run);
  const settings = unpackSettings(run.settings);
  const liveState = await liveStateOf(ledger, run);
  const rows = await gatherRows(ledger, run, language);
  const { counts, firstRows, held, open } = rows;
  const warnings = await ledger.plan.warnings(run.id);
  const children = await ledger.runs.children(run.id);
  const steps = nextSteps(
    {
      run,
      operation,
      duplicates: settings.job.safety.duplicates,
      counts,
      open,
      liveState: liveState,
      firstRows,
      verifiable: counts.has('unknown') && (await mayBeVerified(ledger, run, parts)),
      held,
      retries: children.filter((it) => it.kind === 'run' && it.step === undefined).map((it) => it.id),
    },
    language,
  );
  return {
    language,
    run: { ...factsOf(run, settings, language, clock.now()), state: stateOf(run, liveState) },
    counts: inOrder(Object.fromEntries(counts)),
    messages: rows.sayings.list(language),
    steps: steps.map((it) => ({ text: redactKnown(it.text), commands: it.commands.map(redactKnown) })),
    ...(parts.length > 0 && { parts: (await stepEnds(ledger, run)).map(partOf) }),
    figures: await attemptTotals(ledger, hasSteps(run) ? parts.flatMap((it) => it.run?.id ?? []) : [run.id]),
    problems: rows.problems.problems(),
    ...shownWarnings(warnings, language),
  };
}

/** What holds for all steps together. Within a job of steps every item has a key, so that nothing is done twice. */
function asWhole(parts: readonly StepRun[]): Pick<Operation, 'name' | 'repeatable' | 'key'> {
  const order = parts.find(({ operation }) => operation.name.startsWith('order.'));
  const { name } = (order ?? parts[0]!).operation;
  return { name, repeatable: parts.every((it) => it.operation.repeatable), key: [] };
}

async function mayBeVerified(ledger: Ledger, run: Run, parts: readonly StepRun[]): Promise<boolean> {
  if (!hasSteps(run)) return isAnyVerifiable(operationOf(run), ledger.resolutions.unknown(run.id));
  for (const { operation, run: of } of parts) {
    if (of && (await isAnyVerifiable(operation, ledger.resolutions.unknown(of.id)))) return true;
  }
  return false;
}

function partOf({ name, operation, run, counts, requests }: StepEnd): PagePart {
  return { name, operation, ...(run !== undefined && { run }), counts: inOrder(counts), requests };
}

function inOrder(counts: RunCounts): PagePart['counts'] {
  return STATUSES.flatMap((status) => {
    const rows = counts[status];
    return rows === undefined ? [] : [{ status, rows }];
  });
}

async function gatherRows(ledger: Ledger, run: Run, language: Language) {
  const counts = new Map<Status, number>();
  const firstRows = new Map<Status, number>();
  const open = new Map<Status, number>();
  const taken = await takenLater(ledger, run);
  const sayings = new MessageGroups();
  const problems = new ProblemRows(language);
  let held: { rows: number; run: string } | undefined;
  for await (const page of reportRows(ledger, run)) {
    for (const result of page) {
      const { status, row } = result;
      counts.set(status, (counts.get(status) ?? 0) + 1);
      if (!taken.has(row)) open.set(status, (open.get(status) ?? 0) + 1);
      if (!firstRows.has(status)) firstRows.set(status, row);
      sayings.add(result);
      const waitsFor = status === 'skipped' ? heldByUnknown(result) : undefined;
      problems.add(result, waitsFor !== undefined);
      if (waitsFor) held = { rows: (held?.rows ?? 0) + 1, run: held?.run ?? waitsFor.run };
    }
  }
  return { counts, firstRows, open, sayings, problems, held };
}

/** Rows that later runs of the retry chain carried out. They must not be sent again. */
async function takenLater(ledger: Ledger, run: Run): Promise<ReadonlyMap<number, string>> {
  const later = (await retryChain(ledger, run)).filter((it) => it.startedAt > run.startedAt);
  return rowsAlreadySent(
    ledger,
    later.filter((it) => it.prunedAt === undefined),
    WENT_THROUGH,
  );
}

function factsOf(
  run: Run,
  settings: RunSettings,
  language: Language,
  madeAt: number,
): Omit<RunFacts, 'state'> {
  const { connection, retry } = settings;
  return {
    id: run.id,
    kind: run.kind,
    job: redactKnown(run.job),
    jobFile: redactKnown(run.jobFile),
    operation: run.operation,
    connection: redactKnown(run.connection),
    sandbox: connection.sandbox,
    rehearsal: settings.rehearsal,
    timezone: connection.timezone,
    parent: run.parent === undefined ? undefined : { id: run.parent, as: roleOf(run, retry !== undefined) },
    inputFile: redactKnown(toldFile(run.inputFile)),
    inputSha256: run.inputSha256,
    output: run.output && redactKnown(run.output),
    startedAt: run.startedAt,
    appliedAt: run.appliedAt,
    endedAt: run.endedAt,
    executeMs: run.executeMs,
    requests: run.requests,
    retries: run.retries,
    items: run.items,
    reason: run.reason && redactKnown(render(run.reason, language)),
    version: VERSION,
    madeAt,
  };
}

function roleOf({ step }: Run, isRetry: boolean): NonNullable<RunFacts['parent']>['as'] {
  if (step !== undefined) return 'step';
  return isRetry ? 'retry' : 'action';
}

/** A kept plan is complete when it is planned; a run isn't. */
function stateOf({ state, kind }: Run, liveState: LiveState): RunFacts['state'] {
  if (liveState === 'cut off') return 'cut_off';
  switch (state) {
    case 'completed':
    case 'invalid':
    case 'stopped':
    case 'interrupted':
      return state;
    case 'planned':
      return kind === 'plan' ? 'completed' : 'going';
    default:
      return 'going';
  }
}
