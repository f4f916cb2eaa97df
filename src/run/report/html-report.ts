import { type Language, type Message, render } from '../../errors/message.js';
import type { Ledger } from '../../ledger/contract/ledger.js';
import type { Run } from '../../ledger/contract/runs.js';
import { DRIFT_STATUSES } from '../../model/comparison.js';
import type { Operation } from '../../model/operation.js';
import type { RunCounts, StepEnd } from '../../model/run-outcome.js';
import { STATUSES, type Status, WENT_THROUGH } from '../../model/status.js';
import type { PagePart, PageProblems, RunFacts, RunPage } from '../../pages/run-page.js';
import { isRunPage, writeRunPage } from '../../pages/write.js';
import { displayedFile } from '../../source/source.js';
import type { Clock } from '../../util/clock.js';
import { isPostgresUrl } from '../../util/ledger-address.js';
import { VERSION } from '../../util/own-package.js';
import { redactKnown } from '../../util/secrets.js';
import { ResultGuard, type ResultWriter } from '../../workbook/result-files.js';
import { type LiveState, liveStateOf } from '../live-state.js';
import { isAnyVerifiable } from '../resolve/verify-items.js';
import { retryChain, rowsAlreadySent } from '../retry-chain.js';
import { operationOf, refusePruned } from '../run-checks.js';
import type { RunServices } from '../run-context.js';
import { type RunSettings, unpackSettings } from '../settings.js';
import { hasSteps, type StepRun, stepEnds, stepRunsOf } from '../step-runs.js';
import { attemptTotals } from './html/attempt-totals.js';
import { nextSteps } from './html/next-steps.js';
import { MessageGroups, ProblemRows } from './html/page-rows.js';
import { heldByUnknown, reportRows } from './row-results.js';

const WARNINGS_SHOWN = 50;

interface PageParts {
  readonly ledger: Ledger;
  readonly language: Language;
  readonly clock: Pick<Clock, 'now'>;
}

interface HtmlReportParts extends PageParts, Pick<RunServices, 'resultNotes'> {
  /** Called if the page was written under another name than requested. */
  readonly warn: (warning: Message) => void;
}

/**
 * Writes a run's page from the ledger alone. Works for a run that is executing, was cut off, or has no input any more.
 * The page contains neither replies nor credentials.
 * @returns the path written
 * @throws ProductError usage for a reconciliation, a pruned run, or a location that cannot be written to
 */
export async function writeHtmlReport(parts: HtmlReportParts, run: Run, file: string): Promise<string> {
  const page = await gatherPage(parts, run);
  return writePage(parts, file, page, run.kind === 'run' && !page.run.rehearsal ? 'run' : 'check');
}

/** Writes a page with the same protection as a result. */
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

/** The result of a comparison. The ledger does not store it. */
export interface ComparedRows {
  /** The job's actions were run. */
  readonly applied: boolean;
  readonly problems: PageProblems;
  readonly warnings: readonly Message[];
}

/**
 * Writes a comparison's page. Call it while the result of the comparison is in memory.
 * @returns the path written
 * @throws ProductError usage for a location that cannot be written to
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
  const finalStates = ['completed', 'invalid', 'stopped', 'interrupted'] as const;
  const page: RunPage = {
    language,
    run: {
      ...factsOf(run, unpackSettings(run.settings), language, clock.now()),
      state: finalStates.find((final) => final === state) ?? 'going',
    },
    counts: inOrder(DRIFT_STATUSES, counts),
    messages: [],
    steps: [],
    figures: { kinds: [] },
    problems: {
      rows: problems.rows.map((problem) => ({ ...problem, message: redactKnown(problem.message) })),
      left: problems.left,
    },
    ...shownWarnings(warnings, language),
  };
  return writePage(parts, file, page, applied ? 'run' : 'check');
}

function shownWarnings(warnings: readonly Message[], language: Language) {
  return {
    warnings: warnings.slice(0, WARNINGS_SHOWN).map((warning) => redactKnown(render(warning, language))),
    warningsLeft: Math.max(0, warnings.length - WARNINGS_SHOWN),
  };
}

/** Collects the page's data, with memory independent of the number of rows and attempts. */
export async function gatherPage({ ledger, language, clock }: PageParts, run: Run): Promise<RunPage> {
  refusePruned(run);
  const parts = await stepRunsOf(ledger, run);
  const operation = parts.length > 0 ? asSinglePage(parts) : operationOf(run);
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
      liveState,
      firstRows,
      verifiable: counts.has('unknown') && (await mayBeVerified(ledger, run, parts)),
      held,
      retries: children.filter(({ kind, step }) => kind === 'run' && step === undefined).map(({ id }) => id),
    },
    language,
  );
  return {
    language,
    run: { ...factsOf(run, settings, language, clock.now()), state: stateOf(run, liveState) },
    counts: inOrder(STATUSES, Object.fromEntries(counts)),
    messages: rows.groups.list(language),
    steps: steps.map((step) => ({ text: redactKnown(step.text), commands: step.commands.map(redactKnown) })),
    parts: parts.length > 0 ? (await stepEnds(ledger, run)).map(partOf) : undefined,
    figures: await attemptTotals(ledger, hasSteps(run) ? parts.flatMap((it) => it.run?.id ?? []) : [run.id]),
    problems: rows.problems.problems(),
    ...shownWarnings(warnings, language),
  };
}

/** The properties of all steps together. In a job of steps every item has a key, so nothing is sent twice. */
function asSinglePage(parts: readonly StepRun[]): Pick<Operation, 'name' | 'repeatable' | 'key'> {
  const order = parts.find(({ operation }) => operation.name.startsWith('order.'));
  const { name } = (order ?? parts[0]!).operation;
  return { name, repeatable: parts.every((part) => part.operation.repeatable), key: [] };
}

async function mayBeVerified(ledger: Ledger, run: Run, parts: readonly StepRun[]): Promise<boolean> {
  if (!hasSteps(run)) return isAnyVerifiable(operationOf(run), ledger.resolutions.unknown(run.id));
  for (const { operation, run: stepRun } of parts) {
    if (stepRun && (await isAnyVerifiable(operation, ledger.resolutions.unknown(stepRun.id)))) return true;
  }
  return false;
}

function partOf({ name, operation, run, counts, requests }: StepEnd): PagePart {
  return { name, operation, run, counts: inOrder(STATUSES, counts), requests };
}

function inOrder<S extends keyof RunCounts>(statuses: readonly S[], counts: RunCounts) {
  return statuses.flatMap((status) => {
    const rows = counts[status];
    return rows === undefined ? [] : [{ status, rows }];
  });
}

async function gatherRows(ledger: Ledger, run: Run, language: Language) {
  const counts = new Map<Status, number>();
  const firstRows = new Map<Status, number>();
  const open = new Map<Status, number>();
  const sentLater = await rowsSentLater(ledger, run);
  const groups = new MessageGroups();
  const problems = new ProblemRows(language);
  let blocked: { rows: number; run: string } | undefined;
  for await (const page of reportRows(ledger, run)) {
    for (const result of page) {
      const { status, row } = result;
      counts.set(status, (counts.get(status) ?? 0) + 1);
      if (!sentLater.has(row)) open.set(status, (open.get(status) ?? 0) + 1);
      if (!firstRows.has(status)) firstRows.set(status, row);
      groups.add(result);
      const holder = status === 'skipped' ? heldByUnknown(result) : undefined;
      problems.add(result, holder !== undefined);
      if (holder) blocked = { rows: (blocked?.rows ?? 0) + 1, run: blocked?.run ?? holder.run };
    }
  }
  return { counts, firstRows, open, groups, problems, held: blocked };
}

/** Rows that later runs of the retry chain sent. They must not be sent again. */
async function rowsSentLater(ledger: Ledger, run: Run): Promise<ReadonlyMap<number, string>> {
  const later = (await retryChain(ledger, run)).filter((retry) => retry.startedAt > run.startedAt);
  return rowsAlreadySent(
    ledger,
    later.filter((retry) => retry.prunedAt === undefined),
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
    inputFile: redactKnown(displayedFile(run.inputFile)),
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

/** The state on the page. A stored plan is complete when it is planned; a run is not. */
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
