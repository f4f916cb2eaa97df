import { SilentResults, type Vouching } from '../formula-zeros.js';
import type { FormulaTally } from './formula-tally.js';
import { ROW_STRIDE, type RowBlock, ZERO_ROW } from './row-block.js';

/** What a workbook's formulas gave. All sheets are scanned for it, as far as needed, once a 0 is met that isn't vouched for. */
export class XlsxResults {
  readonly #vouching: Vouching;
  readonly #scan: () => AsyncIterable<FormulaTally>;
  readonly #silent = new SilentResults();
  #scanned: Promise<void> | undefined;

  /** @param scan tells, sheet by sheet and more than once for each, what formulas gave so far */
  constructor(vouching: Vouching, scan: () => AsyncIterable<FormulaTally>) {
    this.#vouching = vouching;
    this.#scan = scan;
  }

  /** Await it before any of the block's cells is asked about. */
  async prepare({ rows }: RowBlock): Promise<void> {
    if (this.#scanned || this.#vouching === 'denied') return this.#scanned;
    for (let at = 0; at < rows.length - ROW_STRIDE; at += ROW_STRIDE) {
      if ((rows[at + 1]! & ZERO_ROW) === 0) continue;
      this.#scanned = this.#search();
      return this.#scanned;
    }
  }

  /** @param isOdd the 0 is not written as Excel writes it: another program put it into a workbook of Excel */
  isUnproven(isOdd: boolean): boolean {
    return this.#silent.isUnproven(isOdd && this.#vouching === 'vouched' ? 'silent' : this.#vouching);
  }

  async #search(): Promise<void> {
    for await (const { hasPlain, hasOdd } of this.#scan()) {
      this.#silent.hasOther = hasOdd || (hasPlain && this.#vouching === 'silent');
      if (this.#silent.hasOther) return;
    }
  }
}
