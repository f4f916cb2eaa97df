import type { Message } from '../../errors/message.js';
import type { Ledger } from '../../ledger/contract/ledger.js';
import type { RowVerdict } from '../../ledger/contract/plan.js';
import type { PlannedItem, PlannedItems } from '../../model/item.js';
import type { Json, JsonObject } from '../../model/json.js';
import type { RevertedItemsOfRows } from '../revert/reverted-items.js';

/** Items per write. Larger writes live long enough to be moved to the old generation, and memory grows. */
const ITEMS_AT_ONCE = 500;
const CHARACTERS_AT_ONCE = 4 * 1024 * 1024;

/** Computed for each item; what is absent is not stored. */
interface ItemDigests {
  readonly touches?: ((body: Json) => string | undefined) | undefined;
  readonly things?: ((envelope: JsonObject, body: Json) => readonly number[]) | undefined;
}

/** Collects items, verdicts and warnings, and writes them to the ledger in large batches. */
export class PlanBuffer {
  readonly #plan: Ledger['plan'];
  readonly #run: string;
  readonly #keep: 'invalid rows' | undefined;
  readonly #digests: ItemDigests;
  readonly #reverted: RevertedItemsOfRows | undefined;
  #items = emptyColumns();
  #characters = 0;
  #verdicts: RowVerdict[] = [];
  #warnings: Message[] = [];

  /**
   * @param keep what stays when the plan is discarded
   * @param digests what the ledger stores of an item in addition to its content
   * @param reverted what the rows revert, if they are for a revert
   */
  constructor(
    plan: Ledger['plan'],
    run: string,
    keep?: 'invalid rows',
    digests: ItemDigests = {},
    reverted?: RevertedItemsOfRows,
  ) {
    this.#plan = plan;
    this.#run = run;
    this.#keep = keep;
    this.#digests = digests;
    this.#reverted = reverted;
  }

  /** Adds an item. Retains only what the ledger stores. */
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
    const revertingKey = this.#reverted?.take(rows[0]);
    this.#items.key.push(revertingKey ?? key);
    this.#items.content.push(content);
    this.#items.subject.push(subject);
    this.#items.touches.push(body === undefined ? undefined : this.#digests.touches?.(body));
    const things = envelope && body !== undefined ? this.#digests.things?.(envelope, body) : undefined;
    this.#items.things.push(things);
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
    const count = this.#items.rows.length + this.#verdicts.length;
    if (count >= ITEMS_AT_ONCE || this.#characters >= CHARACTERS_AT_ONCE) await this.#write();
  }

  /** Writes what is left. */
  async flush(): Promise<void> {
    await this.#write();
  }

  /** Discards what was collected and what was written for the run before. */
  async discard(): Promise<void> {
    this.#forget();
    await this.#plan.clear(this.#run, this.#keep);
  }

  /** Not an async function: that would keep its input in memory until everything is written. */
  #write(): Promise<unknown> {
    const writes: Promise<void>[] = [];
    if (this.#items.rows.length > 0) writes.push(this.#plan.addItems(this.#run, this.#items));
    if (this.#verdicts.length > 0) writes.push(this.#plan.addVerdicts(this.#run, this.#verdicts));
    if (this.#warnings.length > 0) writes.push(this.#plan.addWarnings(this.#run, this.#warnings));
    if (this.#reverted) writes.push(this.#reverted.write(this.#run));
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
