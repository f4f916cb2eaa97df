import { type AppContext, wordsOf } from '../../app/context.js';
import { message, render } from '../../errors/message.js';
import type { Progress } from '../../run/observer.js';
import { WebRefusal } from '../problem.js';
import type { ServiceRegistry } from '../service-registry.js';
import type { ChildOver } from './child-messages.js';
import { type RunProcess, RunProcesses } from './run-processes.js';

/** A rehearsal that runs in this console or has failed here. */
interface RunningRehearsal {
  readonly state: 'running' | 'failed';
  readonly progress?: Pick<Progress, 'stage' | 'done' | 'total'>;
  /** Why the rehearsal failed. */
  readonly failure?: string;
}

interface RehearsalEntry {
  /** undefined while the process is being started. */
  child?: RunProcess;
  isStopped?: boolean;
  status: RunningRehearsal;
}

/**
 * Rehearsals by the plan's id. The ledger does not contain them while they run. The child stores the result; a
 * failure is kept here until the next try.
 */
export class Rehearsals {
  readonly #services: ServiceRegistry;
  readonly #byRun = new Map<string, RehearsalEntry>();

  /** A singleton: `context.services.get(Rehearsals.of)`. */
  static readonly of = (services: ServiceRegistry): Rehearsals => new Rehearsals(services);

  private constructor(services: ServiceRegistry) {
    this.#services = services;
  }

  /** Starts a rehearsal in a child. @throws WebRefusal if the plan is already being rehearsed */
  async begin(app: AppContext, run: string): Promise<void> {
    const before = this.#byRun.get(run);
    if (before?.status.state === 'running') throw new WebRefusal(409, message('rehearse.under_way', { run }));
    // Set before the first `await`, so that the second of two simultaneous clicks is rejected.
    const entry: RehearsalEntry = { status: { state: 'running' } };
    this.#byRun.set(run, entry);
    const starting = this.#services.get(RunProcesses.of).start(app, { use: 'rehearse_plan', input: [run] });
    const child = await starting.catch((error: unknown) => {
      if (before) this.#byRun.set(run, before);
      else this.#byRun.delete(run);
      throw error;
    });
    entry.child = child;
    if (entry.isStopped) child.stop();
    child.subscribe((event) => {
      if (event.kind !== 'progress') return;
      const { stage, done, total } = event.progress;
      entry.status = {
        state: 'running',
        progress: { stage, done, ...(total === undefined ? {} : { total }) },
      };
    });
    void child.over.then((over) => {
      const failure = failureOf(over, app);
      if (failure === undefined) this.#byRun.delete(run);
      else entry.status = { state: 'failed', failure };
    });
  }

  of(run: string): RunningRehearsal | undefined {
    return this.#byRun.get(run)?.status;
  }

  /** Same as Ctrl-C; the results so far are discarded. */
  stop(run: string): void {
    const entry = this.#byRun.get(run);
    if (!entry) return;
    entry.isStopped = true;
    entry.child?.stop();
  }
}

/** Why the rehearsal failed; undefined if it succeeded. */
function failureOf({ failure, summary }: ChildOver, context: AppContext): string | undefined {
  if (failure) return failure.product ? render(failure.product.detail, wordsOf(context)) : failure.text;
  return summary.status === 'interrupted'
    ? render(message('rehearse.interrupted'), wordsOf(context))
    : undefined;
}
