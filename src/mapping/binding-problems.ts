import type { Message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';

/** What is at fault: the job file's map, or the sheet's header. */
type Blame = 'map' | 'sheet';

/** Collects the problems of binding a map to a sheet, so that all are reported at once. */
export class BindingProblems {
  readonly #found: { readonly blame: Blame; readonly message: Message }[] = [];
  readonly #notes = new Map<string, Message>();

  add(blame: Blame, problem: Message): void {
    this.#found.push({ blame, message: problem });
  }

  /** Adds a note about what would be right. Shown once for each subject, after the problems. */
  note(about: string, note: Message): void {
    if (!this.#notes.has(about)) this.#notes.set(about, note);
  }

  /** @throws ProductError if there are problems: usage if the map is at fault, else input */
  throwIfAny(): void {
    const [first, ...others] = this.#found;
    if (!first) return;
    const kind = this.#found.some((it) => it.blame === 'map') ? 'usage' : 'input';
    throw new ProductError(kind, first.message, {
      others: [...others.map((it) => it.message), ...this.#notes.values()],
    });
  }
}
