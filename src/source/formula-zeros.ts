import type { Cell } from '../model/cell.js';

/**
 * What a file says of its formulas' saved results: that Excel worked them out, nothing, or that they are still to be worked
 * out. Many programs write 0 for a formula that they don't work out, and LibreOffice, converting such a file, keeps it.
 */
export type Vouching = 'vouched' | 'silent' | 'denied';

/** The calculation engine of Excel 2002, whose number LibreOffice writes too. */
const OLD_ENGINE = 101_716;

/** @param engine the number of the engine that calculated the workbook; undefined where it names none */
export function vouchingOf(engine: number | undefined): Vouching {
  return engine !== undefined && engine > OLD_ENGINE ? 'vouched' : 'silent';
}

/** The formulas about which a workbook is silent: whether what is saved with them shows that somebody worked them out. */
export class SilentResults {
  /** One has another result than 0. */
  hasOther = false;
  /** One has 0 in place of a text. */
  hasLost = false;

  /** Whether a formula's saved 0 is no result. */
  isUnproven(vouching: Vouching): boolean {
    return vouching === 'denied' || (vouching === 'silent' && (!this.hasOther || this.hasLost));
  }
}

/** A formula without a result, which `raw` tells from one that has nothing in its place. */
export function unprovenZero(column: number): Cell {
  return { column, kind: 'no_result', text: '', raw: '0' };
}
