import { message } from '../../errors/message.js';
import type { Ledger } from '../../ledger/contract/ledger.js';
import { undoingKey } from '../../mapping/digest.js';
import type { UndoneItems } from '../../model/job.js';
import type { Header, Row } from '../../model/row.js';
import type { LeftOut } from '../../source/non-data-row.js';
import { fold } from '../../util/fold.js';

/** Rows that take back what another run did, while they are planned: what each takes back, and what it is told of it. */
export class UndoneItemsOfRows {
  readonly #ledger: Pick<Ledger, 'undoings'>;
  readonly #undoes: UndoneItems;
  readonly #item: number | undefined;
  readonly #reason: number | undefined;
  /** Of rows that are read and have no item yet. */
  readonly #numbers = new Map<number, number>();
  #links: { readonly row: number; readonly undone: { readonly run: string; readonly item: number } }[] = [];

  constructor(ledger: Pick<Ledger, 'undoings'>, undoes: UndoneItems, headers: readonly Header[]) {
    const columnOf = (header: string) => headers.find((it) => it.folded === fold(header))?.column;
    this.#ledger = ledger;
    this.#undoes = undoes;
    this.#item = columnOf(undoes.item);
    this.#reason = columnOf(undoes.reason);
  }

  /** Looks at a row before it is mapped; a row that is only told of is left out. */
  leftOut(row: Row): LeftOut | undefined {
    const text = (column: number | undefined) => (column === undefined ? undefined : row.cell(column)?.text);
    const reason = text(this.#reason);
    if (reason !== undefined) return { kind: 'skipped', message: message('revert.stays', { reason }) };
    this.#numbers.set(row.number, Number(text(this.#item)));
    return undefined;
  }

  /** An item was made of a row. Gives the key by which each is taken back only once: licence orders may bear one number twice. */
  take(row: number | undefined): string | undefined {
    const item = row === undefined ? undefined : this.#numbers.get(row);
    if (row === undefined || item === undefined) return undefined;
    this.#numbers.delete(row);
    const { itemsOf: run } = this.#undoes;
    this.#links.push({ row, undone: { run, item } });
    return undoingKey(run, item);
  }

  /** Writes down which rows take back what, as far as items were made. */
  async write(run: string): Promise<void> {
    const links = this.#links;
    this.#links = [];
    if (links.length > 0) await this.#ledger.undoings.link(run, links);
  }
}
