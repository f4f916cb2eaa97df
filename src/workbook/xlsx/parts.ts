import type { Sink } from '../../util/sink.js';
import type { ResultTable } from '../contract.js';
import type { Book, DefinedName } from './library.js';
import type { Looks } from './look.js';
import type { ProblemList } from './problem-list.js';

/** What all sheets of one workbook share. */
export interface BookParts {
  readonly book: Book;
  readonly sink: Sink;
  readonly looks: Looks;
  readonly table: ResultTable;
  /** Of the result, for messages. */
  readonly file: string;
  /** What every printed page repeats; known to the workbook when its sheets are done. */
  readonly printTitles: DefinedName[];
  /** Filled while `Results` is written. */
  readonly problems: ProblemList;
}
