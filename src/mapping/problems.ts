import type { Message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';

/** Whose fault a problem is: the job file's map, or the sheet's header. */
export type Blame = 'map' | 'sheet';

/** Gathers what keeps a map from being bound to a sheet, so that all of it is told at once. */
export class Problems {
  readonly #found: { readonly blame: Blame; readonly message: Message }[] = [];
  readonly #notes = new Map<string, Message>();

  add(blame: Blame, problem: Message): void {
    this.#found.push({ blame, message: problem });
  }

  /** Said once, after the problems: what would have been right. */
  note(about: string, note: Message): void {
    if (!this.#notes.has(about)) this.#notes.set(about, note);
  }

  get any(): boolean {
    return this.#found.length > 0;
  }

  /** @throws ProductError usage when the map itself is at fault, else input; nothing when all is well. */
  refuse(): void {
    const [first, ...others] = this.#found;
    if (!first) return;
    const kind = this.#found.some((it) => it.blame === 'map') ? 'usage' : 'input';
    throw new ProductError(kind, first.message, {
      others: [...others.map((it) => it.message), ...this.#notes.values()],
    });
  }
}
