import type { Message } from '../errors/message.js';

/** One thing that is wrong with a row, at a cell if there is one. Data, never thrown. */
export interface Fault {
  readonly sheet: string;
  /** Row number as Excel shows it. */
  readonly row: number;
  /** 1-based; absent when no single cell is at fault. */
  readonly column?: number;
  /** Target field by its wire path without indexes, `orderList.assets.assetNos`. */
  readonly field?: string;
  readonly message: Message;
}
