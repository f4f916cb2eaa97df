import { type AppContext, wordsOf } from '../../app/context.js';
import { keepFailure, lastCheck } from '../../app/imports/imports.js';
import { type ImportCarrier, ServedImports } from '../../app/imports/served-imports.js';
import { type Message, message, render } from '../../errors/message.js';
import type { Progress } from '../../run/observer.js';
import { type Carried, Carriers, errorOf } from '../carrying/carriers.js';
import type { ChildFailure } from '../carrying/messages.js';
import type { ConsoleContext } from '../context.js';
import type { House } from '../house.js';
import { WebRefusal } from '../problem.js';

/** Checks at a time: each reads a whole sheet, and wants a processor for itself. */
const AT_ONCE = 2;
/** A correction seldom comes alone: the whole is checked when nothing was corrected for so long. */
const PAUSE_MS = 1500;
/** Where there was no room for a child, or one died; after each that did, twice as long. */
const AGAIN_MS = 2000;
/** A check that dies so often without having said why would die for ever. */
const MOST_DEATHS = 3;

interface Checking {
  context: AppContext;
  /** It waits for a pause, for room, or is under way. */
  state: 'pausing' | 'waiting' | 'checking';
  child?: Carried;
  /** It was cancelled before its child was there. */
  cancelled?: Message;
  /** Something was corrected since it began. */
  again?: boolean;
  timer?: NodeJS.Timeout;
  progress?: Progress;
}

/** Checks imports in children, a few at a time, and each again where it was corrected meanwhile. */
export class ImportChecks implements ImportCarrier {
  readonly #carriers: Carriers;
  readonly #all = new Map<string, Checking>();
  readonly #making = new Map<string, Promise<void>>();
  /** Of imports, since something of them came to its end. */
  readonly #deaths = new Map<string, number>();
  /** How long a child may take. */
  limitMs = Number.POSITIVE_INFINITY;
  #closing = false;

  constructor(house: House) {
    this.#carriers = house.single(Carriers.of);
    house.onClose(() => {
      this.#closing = true;
      for (const { timer } of this.#all.values()) clearTimeout(timer);
      this.#all.clear();
    });
  }

  check(context: AppContext, id: string, when: 'now' | 'after a pause'): void {
    if (this.#closing) return;
    const under = this.#all.get(id);
    if (under?.state === 'checking') {
      under.again = true;
      under.context = context;
      return;
    }
    clearTimeout(under?.timer);
    const checking: Checking = { context, state: when === 'now' ? 'waiting' : 'pausing' };
    this.#all.set(id, checking);
    if (when === 'now') this.#next();
    else checking.timer = setTimeout(() => this.#wait(checking), PAUSE_MS);
  }

  checking(id: string): { readonly progress?: Progress } | undefined {
    return this.#all.get(id);
  }

  /**
   * Ends a check, or one that waits, so that nothing begins it again but a person.
   * @param why is shown in its place
   * @returns false when no check is in progress here
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

  makeCells(context: AppContext, run: string, id: string): Promise<void> {
    const under = this.#making.get(run);
    if (under) return under;
    const making = this.#carriers
      .start(context, { use: 'cells', run }, { limitMs: this.limitMs })
      .then(({ over }) => over)
      .then(async ({ failure }) => {
        if (!failure) return void this.#deaths.delete(id);
        await this.#died(context, id, failure);
        throw errorOf(failure);
      })
      .finally(() => this.#making.delete(run));
    this.#making.set(run, making);
    return making;
  }

  #wait(checking: Checking): void {
    checking.state = 'waiting';
    this.#next();
  }

  #next(): void {
    let room = AT_ONCE - [...this.#all.values()].filter(({ state }) => state === 'checking').length;
    for (const [id, checking] of this.#all) {
      if (room <= 0) return;
      if (checking.state !== 'waiting') continue;
      room -= 1;
      checking.state = 'checking';
      void this.#carry(id, checking);
    }
  }

  #pause(checking: Checking, ms: number): void {
    checking.state = 'pausing';
    checking.timer = setTimeout(() => this.#wait(checking), ms);
  }

  /** @returns whether that was once too often: then it is kept, and nothing is tried again until somebody asks */
  async #died(context: AppContext, id: string, { product, text }: ChildFailure): Promise<boolean> {
    const times = (this.#deaths.get(id) ?? 0) + 1;
    this.#deaths.set(id, times);
    if (times < MOST_DEATHS) return false;
    this.#deaths.delete(id);
    const why = product ? render(product.detail, wordsOf(context)) : (text.split('\n')[0] ?? '');
    await keepFailure(context, id, [message('imports.check_died', { times, why })]);
    return true;
  }

  async #carry(id: string, checking: Checking): Promise<void> {
    const { context } = checking;
    try {
      const before = await lastCheck(context, id);
      const child = await this.#carriers.start(
        context,
        { use: 'check_import', import: id },
        { limitMs: this.limitMs },
      );
      checking.child = child;
      if (checking.cancelled) child.cancel(checking.cancelled);
      child.hear((news) => {
        if (news.kind === 'progress') checking.progress = news.progress;
      });
      const { failure, exitCode } = await child.over;
      if (this.#closing) return;
      if (child.cancelled) {
        await keepFailure(context, id, [child.cancelled]);
        this.#all.delete(id);
        return this.#next();
      }
      // How it ended is in the ledger.
      const after = await lastCheck(context, id);
      const isTold =
        after === undefined || after.checkRun !== before?.checkRun || after.failure !== undefined;
      if (isTold && (failure?.product || !failure)) this.#deaths.delete(id);
      else if (!(await this.#died(context, id, failure ?? { text: `exit code ${exitCode}` }))) {
        this.#pause(checking, AGAIN_MS * 2 ** ((this.#deaths.get(id) ?? 1) - 1));
        return this.#next();
      }
    } catch (error) {
      if (this.#closing) return;
      // There was no room for one more child. Else the ledger is out of reach: whoever looks next begins it again.
      if (error instanceof WebRefusal) return this.#pause(checking, AGAIN_MS);
    }
    this.#all.delete(id);
    if (checking.again) this.check(checking.context, id, 'after a pause');
    this.#next();
  }
}

/** What the routes of imports work with; there is one in a console. */
export interface ImportHouse {
  readonly checks: ImportChecks;
  readonly desk: ServedImports;
}

const importHouse = (house: House) => {
  const checks = new ImportChecks(house);
  let made: ServedImports | undefined;
  house.onClose(() => made?.close());
  return {
    checks,
    desk: (stateFolder: string): ServedImports => {
      made ??= new ServedImports(stateFolder, checks);
      return made;
    },
  };
};

export async function importsOf({ app, house, settings }: ConsoleContext): Promise<ImportHouse> {
  const { checks, desk } = house.single(importHouse);
  checks.limitMs = settings.checkTimeoutMs;
  const { stateFolder } = await app.opened!();
  return { checks, desk: desk(stateFolder) };
}
