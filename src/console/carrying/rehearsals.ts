import { type AppContext, wordsOf } from '../../app/context.js';
import { message, render } from '../../errors/message.js';
import type { Progress } from '../../run/observer.js';
import type { House } from '../house.js';
import { WebRefusal } from '../problem.js';
import { type Carried, Carriers } from './carriers.js';
import type { ChildOver } from './messages.js';

/** How a rehearsal stands that this console carries, or carried out in vain. */
export interface RehearsalUnderWay {
  readonly state: 'running' | 'failed';
  readonly progress?: Pick<Progress, 'stage' | 'done' | 'total'>;
  /** Why nothing was rehearsed. */
  readonly failure?: string;
}

interface Under {
  /** undefined while its process is being started. */
  child?: Carried;
  isStopped?: boolean;
  told: RehearsalUnderWay;
}

/**
 * Rehearsals by the plan that is rehearsed: they are in no ledger while they go on. What came of one is kept by whoever
 * carries it; of one that failed it is told here, until it is tried again.
 */
export class Rehearsals {
  readonly #house: House;
  readonly #byRun = new Map<string, Under>();

  /** There is one in a console: `context.house.single(Rehearsals.of)`. */
  static readonly of = (house: House): Rehearsals => new Rehearsals(house);

  private constructor(house: House) {
    this.#house = house;
  }

  /** Lets a child carry it out; another one of the same plan at a time is refused. */
  async begin(app: AppContext, run: string): Promise<void> {
    const before = this.#byRun.get(run);
    if (before?.told.state === 'running') throw new WebRefusal(409, message('rehearse.under_way', { run }));
    // Before anything is waited for: of two clicks at a time the second is refused.
    const under: Under = { told: { state: 'running' } };
    this.#byRun.set(run, under);
    const starting = this.#house.single(Carriers.of).start(app, { use: 'rehearse', run });
    const child = await starting.catch((error: unknown) => {
      if (before) this.#byRun.set(run, before);
      else this.#byRun.delete(run);
      throw error;
    });
    under.child = child;
    if (under.isStopped) child.stop();
    child.hear((news) => {
      if (news.kind !== 'progress') return;
      const { stage, done, total } = news.progress;
      under.told = { state: 'running', progress: { stage, done, ...(total === undefined ? {} : { total }) } };
    });
    void child.over.then((over) => {
      const failure = failureOf(over, app);
      if (failure === undefined) this.#byRun.delete(run);
      else under.told = { state: 'failed', failure };
    });
  }

  of(run: string): RehearsalUnderWay | undefined {
    return this.#byRun.get(run)?.told;
  }

  /** As Ctrl-C: what was rehearsed so far is thrown away. */
  stop(run: string): void {
    const under = this.#byRun.get(run);
    if (!under) return;
    under.isStopped = true;
    under.child?.stop();
  }
}

/** Why nothing is kept of it; undefined where it was carried out. */
function failureOf({ failure, summary }: ChildOver, context: AppContext): string | undefined {
  if (failure) return failure.product ? render(failure.product.detail, wordsOf(context)) : failure.text;
  return summary.status === 'interrupted'
    ? render(message('rehearse.interrupted'), wordsOf(context))
    : undefined;
}
