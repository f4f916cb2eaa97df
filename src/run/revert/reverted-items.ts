import { message } from '../../errors/message.js';
import type { Ledger } from '../../ledger/contract/ledger.js';
import { reversalKey } from '../../mapping/digest.js';
import type { RevertedItems } from '../../model/job.js';
import type { Header, Row } from '../../model/row.js';
import type { LeftOut } from '../../source/non-data-rows.js';
import { fold } from '../../util/text.js';

/** Links the rows of a revert, during planning, to the items that they revert. */
export class RevertedItemsOfRows {
  readonly #ledger: Pick<Ledger, 'reversals'>;
  readonly #undoes: RevertedItems;
  readonly #item: number | undefined;
  readonly #reason: number | undefined;
  /** Reverted items of rows that were read and have no item yet. */
  readonly #numbers = new Map<number, number>();
  #links: { readonly row: number; readonly undone: { readonly run: string; readonly item: number } }[] = [];

  constructor(ledger: Pick<Ledger, 'reversals'>, undoes: RevertedItems, headers: readonly Header[]) {
    const columnOf = (header: string) => headers.find(({ folded }) => folded === fold(header))?.column;
    this.#ledger = ledger;
    this.#undoes = undoes;
    this.#item = columnOf(undoes.item);
    this.#reason = columnOf(undoes.reason);
  }

  /** Called before a row is mapped. A row that is only listed is skipped. */
  leftOut(row: Row): LeftOut | undefined {
    const text = (column: number | undefined) => (column === undefined ? undefined : row.cell(column)?.text);
    const reason = text(this.#reason);
    if (reason !== undefined) return { kind: 'skipped', message: message('revert.stays', { reason }) };
    this.#numbers.set(row.number, Number(text(this.#item)));
    return undefined;
  }

  /**
   * Called when an item was created from a row.
   * @returns the key that prevents a second revert; licence orders may have the same number twice
   */
  take(row: number | undefined): string | undefined {
    const item = row === undefined ? undefined : this.#numbers.get(row);
    if (row === undefined || item === undefined) return undefined;
    this.#numbers.delete(row);
    const { itemsOf: run } = this.#undoes;
    this.#links.push({ row, undone: { run, item } });
    return reversalKey(run, item);
  }

  /** Stores the links between the rows and the items that they revert, for created items. */
  async write(run: string): Promise<void> {
    const links = this.#links;
    this.#links = [];
    if (links.length > 0) await this.#ledger.reversals.link(run, links);
  }
}
