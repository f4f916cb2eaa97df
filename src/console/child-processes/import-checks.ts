import { type AppContext, wordsOf } from '../../app/context.js';
import { keepFailure, lastCheck } from '../../app/imports/imports.js';
import { type ImportExecutor, ServedImports } from '../../app/imports/served-imports.js';
import { type Message, message, render } from '../../errors/message.js';
import type { Progress } from '../../run/observer.js';
import { WebRefusal } from '../problem.js';
import type { ConsoleContext } from '../route.js';
import type { ServiceRegistry } from '../service-registry.js';
import type { ChildFailure } from './child-messages.js';
import { errorFromChild, type RunProcess, RunProcesses } from './run-processes.js';

/** Concurrent checks: each one reads a whole sheet and uses one processor. */
const MAX_CONCURRENT = 2;
/** Corrections often come in groups: the sheet is checked when nothing was corrected for this time. */
const DEBOUNCE_MS = 1500;
/** Delay after no child could be started, or one crashed; doubled after each crash. */
const RETRY_MS = 2000;
/** After this many crashes without a recorded failure, a check is not retried automatically. */
const MAX_CRASHES = 3;

interface Checking {
  context: AppContext;
  /** `pausing`: waiting for more corrections or a retry; `waiting`: queued. */
  state: 'pausing' | 'waiting' | 'checking';
  child?: RunProcess;
  /** Cancelled before its child was started. */
  cancelled?: Message;
  /** A cell was corrected during the check. */
  again?: boolean;
  timer?: NodeJS.Timeout;
  progress?: Progress;
}

/** Checks imports in children, a few at a time, and again if they were corrected during the check. */
class ImportChecks implements ImportExecutor {
  readonly #processes: RunProcesses;
  readonly #all = new Map<string, Checking>();
  readonly #making = new Map<string, Promise<void>>();
  /** Crashes by import, since its last successful child. */
  readonly #crashes = new Map<string, number>();
  /** Time limit of a child. */
  limitMs = Number.POSITIVE_INFINITY;
  #closing = false;

  constructor(services: ServiceRegistry) {
    this.#processes = services.get(RunProcesses.of);
    services.onClose(() => {
      this.#closing = true;
      for (const { timer } of this.#all.values()) clearTimeout(timer);
      this.#all.clear();
    });
  }

  check({ allowed: _, ...context }: AppContext, id: string, when: 'now' | 'after a pause'): void {
    if (this.#closing) return;
    const active = this.#all.get(id);
    if (active?.state === 'checking') {
      active.again = true;
      active.context = context;
      return;
    }
    clearTimeout(active?.timer);
    const checking: Checking = { context, state: when === 'now' ? 'waiting' : 'pausing' };
    this.#all.set(id, checking);
    if (when === 'now') this.#next();
    else checking.timer = setTimeout(() => this.#enqueue(checking), DEBOUNCE_MS);
  }

  checking(id: string): { readonly progress?: Progress } | undefined {
    return this.#all.get(id);
  }

  /**
   * Cancels a running or waiting check. Only a user can start it again.
   * @param why reason that is stored and shown
   * @returns false if no check is in progress here
   */
  async cancel(context: AppContext, id: string, why: Message): Promise<boolean> {
    const checking = this.#all.get(id);
    if (!checking) return false;
    checking.again = false;
    if (checking.state === 'checking') {
      if (checking.child) checking.child.cancel(why);
      else checking.cancelled = why;
      return true;
    }
    clearTimeout(checking.timer);
    this.#all.delete(id);
    await keepFailure(context, id, [why]);
    return true;
  }

  makeCells(context: AppContext, run: string, id?: string): Promise<void> {
    const active = this.#making.get(run);
    if (active) return active;
    const making = this.#processes
      .start(context, { use: 'cells', input: [run] }, { limitMs: this.limitMs })
      .then(({ over }) => over)
      .then(async ({ failure }) => {
        if (!failure) return id === undefined ? undefined : void this.#crashes.delete(id);
        if (id !== undefined) await this.#crashed(context, id, failure);
        throw errorFromChild(failure);
      })
      .finally(() => this.#making.delete(run));
    this.#making.set(run, making);
    return making;
  }

  #enqueue(checking: Checking): void {
    checking.state = 'waiting';
    this.#next();
  }

  #next(): void {
    let room = MAX_CONCURRENT - [...this.#all.values()].filter(({ state }) => state === 'checking').length;
    for (const [id, checking] of this.#all) {
      if (room <= 0) return;
      if (checking.state !== 'waiting') continue;
      room -= 1;
      checking.state = 'checking';
      void this.#execute(id, checking);
    }
  }

  #pause(checking: Checking, ms: number): void {
    checking.state = 'pausing';
    checking.timer = setTimeout(() => this.#enqueue(checking), ms);
  }

  /** @returns true if this was one crash too many: the failure is stored, and the check is not retried automatically */
  async #crashed(context: AppContext, id: string, { product, text }: ChildFailure): Promise<boolean> {
    const times = (this.#crashes.get(id) ?? 0) + 1;
    this.#crashes.set(id, times);
    if (times < MAX_CRASHES) return false;
    this.#crashes.delete(id);
    const why = product ? render(product.detail, wordsOf(context)) : (text.split('\n')[0] ?? '');
    await keepFailure(context, id, [message('imports.check_died', { times, why })]);
    return true;
  }

  async #execute(id: string, checking: Checking): Promise<void> {
    const { context } = checking;
    try {
      const before = await lastCheck(context, id);
      const child = await this.#processes.start(
        context,
        { use: 'check_import', input: [id] },
        { limitMs: this.limitMs },
      );
      checking.child = child;
      if (checking.cancelled) child.cancel(checking.cancelled);
      child.subscribe((event) => {
        if (event.kind === 'progress') checking.progress = event.progress;
      });
      const { failure, exitCode } = await child.over;
      if (this.#closing) return;
      if (child.cancelled) {
        await keepFailure(context, id, [child.cancelled]);
        this.#all.delete(id);
        return this.#next();
      }
      // The ledger contains how the check ended.
      const after = await lastCheck(context, id);
      const isRecorded =
        after === undefined || after.checkRun !== before?.checkRun || after.failure !== undefined;
      if (isRecorded && (failure?.product || !failure)) this.#crashes.delete(id);
      else if (!(await this.#crashed(context, id, failure ?? { text: `exit code ${exitCode}` }))) {
        this.#pause(checking, RETRY_MS * 2 ** ((this.#crashes.get(id) ?? 1) - 1));
        return this.#next();
      }
    } catch (error) {
      if (this.#closing) return;
      // No other child could be started. On other errors the ledger is unavailable: the next page that is opened
      // starts the check again.
      if (error instanceof WebRefusal) return this.#pause(checking, RETRY_MS);
    }
    this.#all.delete(id);
    if (checking.again) this.check(checking.context, id, 'after a pause');
    this.#next();
  }
}

/** A singleton: the services for the routes of imports. */
interface ImportServices {
  readonly checks: ImportChecks;
  readonly imports: ServedImports;
}

const createImportServices = (services: ServiceRegistry) => {
  const checks = new ImportChecks(services);
  let served: ServedImports | undefined;
  services.onClose(() => served?.close());
  return {
    checks,
    imports: (stateFolder: string): ServedImports => {
      served ??= new ServedImports(stateFolder, checks);
      return served;
    },
  };
};

export async function importServices({ app, services, settings }: ConsoleContext): Promise<ImportServices> {
  const { checks, imports } = services.get(createImportServices);
  checks.limitMs = settings.checkTimeoutMs;
  const { stateFolder } = await app.opened!();
  return { checks, imports: imports(stateFolder) };
}
