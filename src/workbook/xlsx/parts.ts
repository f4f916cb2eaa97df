import type { Book, DefinedName } from '../../util/exceljs-private.js';
import type { Sink } from '../../util/streams.js';
import type { ResultTable } from '../result-line.js';
import type { ProblemList } from './problem-list.js';
import type { CellStyles } from './styles.js';

export interface BookParts {
  readonly book: Book;
  readonly sink: Sink;
  readonly styles: CellStyles;
  readonly table: ResultTable;
  /** Path of the result, for messages. */
  readonly file: string;
  /** Ranges that printed pages repeat; written with the workbook at the end. */
  readonly printTitles: DefinedName[];
  /** Filled while `Results` is written. */
  readonly problems: ProblemList;
}
