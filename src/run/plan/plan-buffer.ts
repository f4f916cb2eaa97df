import type { Message } from '../../errors/message.js';
import type { PlanStore, RowVerdict } from '../../ledger/contract/plan.js';
import type { PlannedItem, PlannedItems } from '../../model/item.js';
import type { Json, JsonObject } from '../../model/json.js';
import type { UndoneItemsOfRows } from '../revert/undone-items.js';

/** How much is written at once. Larger pieces live long enough to be moved to the old generation, and memory grows. */
const ITEMS_AT_ONCE = 500;
const CHARACTERS_AT_ONCE = 4 * 1024 * 1024;

/** Computed for each item; what is absent is not stored. */
interface ItemDigests {
  readonly touches?: ((body: Json) => string | undefined) | undefined;
  readonly things?: ((envelope: JsonObject, body: Json) => readonly number[]) | undefined;
}

/** Collects items, verdicts and warnings and writes them to the ledger in large pieces. */
export class PlanBuffer {
  readonly #plan: PlanStore;
  readonly #run: string;
  readonly #kept: 'invalid rows' | undefined;
  readonly #of: ItemDigests;
  readonly #undone: UndoneItemsOfRows | undefined;
  #items = emptyColumns();
  #characters = 0;
  #verdicts: RowVerdict[] = [];
  #warnings: Message[] = [];

  /**
   * @param kept what stays when the plan is discarded
   * @param of what the ledger stores of an item beside its content
   * @param undone what the rows take back, where that is what they are for
   */
  constructor(
    plan: PlanStore,
    run: string,
    kept?: 'invalid rows',
    of: ItemDigests = {},
    undone?: UndoneItemsOfRows,
  ) {
    this.#plan = plan;
    this.#run = run;
    this.#kept = kept;
    this.#of = of;
    this.#undone = undone;
  }

  /** Adds an item. Only what the ledger stores is kept of it. */
  item({
    rows,
    envelopeJson,
    bodyJson,
    key,
    content,
    subject,
    envelope,
    body,
  }: PlannedItem & { readonly envelope?: JsonObject; readonly body?: Json }): void {
    this.#items.rows.push(rows);
    this.#items.envelopeJson.push(envelopeJson);
    this.#items.bodyJson.push(bodyJson);
    const undoing = this.#undone?.take(rows[0]);
    this.#items.key.push(undoing ?? key);
    this.#items.content.push(content);
    this.#items.subject.push(subject);
    this.#items.touches.push(body === undefined ? undefined : this.#of.touches?.(body));
    const named = envelope && body !== undefined ? this.#of.things?.(envelope, body) : undefined;
    this.#items.things.push(named);
    this.#characters += bodyJson.length;
  }

  verdict(verdict: RowVerdict): void {
    this.#verdicts.push(verdict);
  }

  warn(warning: Message): void {
    this.#warnings.push(warning);
  }

  /** Writes if enough is collected. Call it between rows. */
  async writeIfFull(): Promise<void> {
    const gathered = this.#items.rows.length + this.#verdicts.length;
    if (gathered >= ITEMS_AT_ONCE || this.#characters >= CHARACTERS_AT_ONCE) await this.#write();
  }

  /** Writes what is left. */
  async flush(): Promise<void> {
    await this.#write();
  }

  /** Discards what is collected, and what was written of the run before. */
  async discard(): Promise<void> {
    this.#forget();
    await this.#plan.clear(this.#run, this.#kept);
  }

  /** Not an async function: that would keep its input alive until all is written. */
  #write(): Promise<unknown> {
    const writes: Promise<void>[] = [];
    if (this.#items.rows.length > 0) writes.push(this.#plan.addItems(this.#run, this.#items));
    if (this.#verdicts.length > 0) writes.push(this.#plan.addVerdicts(this.#run, this.#verdicts));
    if (this.#warnings.length > 0) writes.push(this.#plan.addWarnings(this.#run, this.#warnings));
    if (this.#undone) writes.push(this.#undone.write(this.#run));
    this.#forget();
    return Promise.all(writes);
  }

  #forget(): void {
    this.#items = emptyColumns();
    this.#characters = 0;
    this.#verdicts = [];
    this.#warnings = [];
  }
}

type Filling = { readonly [Name in keyof PlannedItems]: PlannedItems[Name][number][] };

function emptyColumns(): Filling {
  return {
    rows: [],
    envelopeJson: [],
    bodyJson: [],
    key: [],
    content: [],
    subject: [],
    touches: [],
    things: [],
  };
}
