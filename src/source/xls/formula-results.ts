import { SilentResults, type Vouching, vouchingOf } from '../formula-zeros.js';
import { hasLostText } from './lost-text.js';

const RESULT = 6;
/** In place of a number: the result is of another kind, which a byte tells. */
const NO_NUMBER = 0xffff;
const EMPTY_TEXT = 3;
/** The formula is to be calculated when the file is opened: Java's and PHP's writers set it, Excel never does. */
const ON_LOAD = 0x02;

/** The saved results of a workbook's formulas. */
export class XlsResults {
  readonly #engine: number | undefined;
  readonly #silent = new SilentResults();

  /** @param engine which calculated the workbook, if it names one */
  constructor(engine: number | undefined) {
    this.#engine = engine;
  }

  /** Takes a formula's record, before any is asked about. */
  see(record: Buffer): void {
    if (this.#vouching(record) !== 'silent') return;
    if (hasLostText(record)) this.#silent.hasLost = true;
    else if (!this.#isNothing(record)) this.#silent.hasOther = true;
  }

  /** @param isDenied its sheet says that its formulas weren't calculated */
  isUnproven(record: Buffer, isDenied: boolean): boolean {
    if (!this.#isNothing(record)) return false;
    return hasLostText(record) || this.#silent.isUnproven(isDenied ? 'denied' : this.#vouching(record));
  }

  #vouching(record: Buffer): Vouching {
    const isOnLoad = record.length > 14 && (record[14]! & ON_LOAD) !== 0;
    return isOnLoad ? 'silent' : vouchingOf(this.#engine);
  }

  /** A zero; or an empty text, which Python's writer leaves with every formula. It names no engine. */
  #isNothing(record: Buffer): boolean {
    if (record.readUInt16LE(12) !== NO_NUMBER) return record.readDoubleLE(RESULT) === 0;
    return this.#engine === undefined && record[RESULT] === EMPTY_TEXT;
  }
}
