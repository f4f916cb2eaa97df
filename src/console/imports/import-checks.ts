import type { AppContext } from '../../app/context.js';
import { type ImportCarrier, ServedImports } from '../../app/imports/served-imports.js';
import type { Progress } from '../../run/observer.js';
import { Carriers, errorOf } from '../carrying/carriers.js';
import type { ConsoleContext } from '../context.js';
import type { House } from '../house.js';

/** Checks at a time: each reads a whole sheet, and wants a processor for itself. */
const AT_ONCE = 2;
/** A correction seldom comes alone: the whole is checked when nothing was corrected for so long. */
const PAUSE_MS = 1500;
/** Where there was no room for a child. */
const AGAIN_MS = 2000;

interface Checking {
  context: AppContext;
  /** It waits for a pause, for room, or is under way. */
  state: 'pausing' | 'waiting' | 'checking';
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

  makeCells(context: AppContext, run: string): Promise<void> {
    const under = this.#making.get(run);
    if (under) return under;
    const making = this.#carriers
      .start(context, { use: 'cells', run })
      .then(({ over }) => over)
      .then(({ failure }) => {
        if (failure) throw errorOf(failure);
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

  async #carry(id: string, checking: Checking): Promise<void> {
    try {
      const child = await this.#carriers.start(checking.context, { use: 'check_import', import: id });
      child.hear((news) => {
        if (news.kind === 'progress') checking.progress = news.progress;
      });
      // How it ended is in the ledger.
      await child.over;
    } catch {
      // There was no room for one more child.
      if (this.#closing) return;
      checking.state = 'pausing';
      checking.timer = setTimeout(() => this.#wait(checking), AGAIN_MS);
      return;
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

export async function importsOf({ app, house }: ConsoleContext): Promise<ImportHouse> {
  const { checks, desk } = house.single(importHouse);
  const { stateFolder } = await app.opened!();
  return { checks, desk: desk(stateFolder) };
}
