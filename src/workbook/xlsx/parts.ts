import type { ResultTable } from '../contract.js';
import type { Sink } from '../sink.js';
import type { Looks } from './look.js';
import type { Book } from './sheet.js';

/** What all sheets of one workbook share. */
export interface BookParts {
  readonly book: Book;
  readonly sink: Sink;
  readonly looks: Looks;
  readonly table: ResultTable;
  /** Of the result, for messages. */
  readonly file: string;
}
