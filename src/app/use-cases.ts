import type { RunCommandResult, WatchedContext } from './context.js';

/** The use cases that plan, send or follow a run, for the commands, the library and the console. Loaded when called. */
const USE_CASES = {
  run: async () => (await import('./run.js')).runJob,
  rehearse: async () => (await import('./rehearse.js')).rehearseJob,
  rehearse_plan: async () => (await import('./rehearse.js')).rehearseRun,
  apply: async () => (await import('./continue-run.js')).applyPlan,
  resume: async () => (await import('./continue-run.js')).resumeRun,
  retry: async () => (await import('./continue-run.js')).retryRun,
  revert: async () => (await import('./continue-run.js')).revertRun,
  reconcile: async () => (await import('./reconcile.js')).reconcileJob,
  submit: async () => (await import('./submit.js')).submitJob,
  wait: async () => (await import('./submit.js')).waitRun,
  check_import: async () => (await import('./imports/process-import.js')).checkImport,
  plan_import: async () => (await import('./imports/process-import.js')).planImport,
};

export type UseCase = keyof typeof USE_CASES;

type Arguments<Work> = Work extends (context: never, ...args: infer Args) => unknown ? Args : never;

/** The arguments of a use case after the context. */
export type UseCaseInput<Use extends UseCase> = Arguments<Awaited<ReturnType<(typeof USE_CASES)[Use]>>>;

/** Executes a use case by its name. */
export async function execute<Use extends UseCase>(
  context: WatchedContext,
  use: Use,
  ...input: UseCaseInput<Use>
): Promise<RunCommandResult> {
  const work: (context: WatchedContext, ...input: never) => Promise<RunCommandResult> =
    await USE_CASES[use]();
  return work(context, ...(input as never));
}

/** Work for the console that starts no run. */
const UTILITIES = {
  match_columns: async () => (await import('./imports/match-columns.js')).matchColumns,
  import_file: async () => (await import('./imports/process-import.js')).writeImportFile,
  /** Prepares a run's rows for the grid. */
  cells: async () => (await import('./imports/process-import.js')).cellsOfRun,
  result: async () => (await import('./export.js')).exportRun,
  report: async () => (await import('./export.js')).reportRun,
};

type UtilityWork<Use extends Utility> = Awaited<ReturnType<(typeof UTILITIES)[Use]>>;

export type Utility = keyof typeof UTILITIES;
export type UtilityInput<Use extends Utility> = Arguments<UtilityWork<Use>>;
export type UtilityResult<Use extends Utility> = Awaited<ReturnType<UtilityWork<Use>>>;

export function isUtility(use: UseCase | Utility): use is Utility {
  return use in UTILITIES;
}

export async function runUtility<Use extends Utility>(
  context: WatchedContext,
  use: Use,
  ...input: UtilityInput<Use>
): Promise<unknown> {
  const work: (context: WatchedContext, ...input: never) => Promise<unknown> = await UTILITIES[use]();
  return work(context, ...(input as never));
}
