import type { Message } from '../errors/message.js';
import type { PlanStore, RowVerdict } from '../ledger/contract.js';
import type { MappedItem } from '../model/item.js';

const ITEMS_AT_ONCE = 500;

/** Gathers what the plan finds and hands it to the ledger in large pieces. */
export class PlanBuffer {
  readonly #plan: PlanStore;
  readonly #run: string;
  #items: MappedItem[] = [];
  #verdicts: RowVerdict[] = [];
  #warnings: Message[] = [];

  constructor(plan: PlanStore, run: string) {
    this.#plan = plan;
    this.#run = run;
  }

  item(item: MappedItem): void {
    this.#items.push(item);
  }

  verdict(verdict: RowVerdict): void {
    this.#verdicts.push(verdict);
  }

  warn(warning: Message): void {
    this.#warnings.push(warning);
  }

  /** Call between rows: writes when enough is gathered. */
  async settle(): Promise<void> {
    if (this.#items.length + this.#verdicts.length >= ITEMS_AT_ONCE) await this.flush();
  }

  async flush(): Promise<void> {
    if (this.#items.length > 0) await this.#plan.addItems(this.#run, this.#items);
    if (this.#verdicts.length > 0) await this.#plan.addVerdicts(this.#run, this.#verdicts);
    if (this.#warnings.length > 0) await this.#plan.addWarnings(this.#run, this.#warnings);
    this.#items = [];
    this.#verdicts = [];
    this.#warnings = [];
  }
}
