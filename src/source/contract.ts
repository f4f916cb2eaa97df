import type { Message } from '../errors/message.js';
import type { SecretSource } from '../model/notification.js';
import type { Row } from '../model/row.js';
import type { MergedRanges } from './merged-ranges.js';

export interface SheetInfo {
  readonly name: string;
  /** 1-based tab position among all sheets. */
  readonly position: number;
  readonly visibility: 'visible' | 'hidden' | 'very_hidden';
}

export interface SourceOptions {
  /** Text files: `auto` or an encoding name; default auto. */
  readonly encoding?: string;
  /** Text files: `auto` or one character; default auto. */
  readonly delimiter?: string;
  /** Text files: the record that the delimiter is found from, 1-based; default 1. */
  readonly headerRow?: number;
  /** Encrypted workbooks: where the password is found. */
  readonly password?: SecretSource | undefined;
  /** Where variables are looked up that `password` names; the process's own environment when absent. */
  readonly env?: NodeJS.ProcessEnv | undefined;
}

/**
 * An opened spreadsheet. A fault of the file stops the reading with a `ProductError` of kind input that names the file
 * and, where known, the sheet and the cell or line. No row is ever left out silently.
 */
export interface Source {
  /**
   * It holds sheets with names of their own: a job may choose one (`source.sheet`) and join others, and a result is its
   * sheet `Results`. Otherwise it is one table, whatever sheet a job names.
   */
  readonly isWorkbook: boolean;
  /** Worksheets in tab order (chart sheets are left out); a text file is one sheet named like the file. */
  readonly sheets: readonly SheetInfo[];
  /** Row number of the header, if the file itself names it (stored rows). It replaces the job's `headerRow`. */
  readonly headerRow?: number;
  /** Text files: what was found. */
  readonly encoding?: string;
  readonly delimiter?: string;
  /** Text files: their extension says the delimiter (.tsv), so that no other one need be tried. */
  readonly hasOwnDelimiter?: boolean;
  readonly warnings: readonly Message[];
  /**
   * Rows with at least one non-empty cell, in order, in chunks (one await per chunk, not per row). May be called
   * again, also for several sheets at a time. Ending the iteration early frees everything.
   */
  rows(sheet: SheetInfo): AsyncIterable<readonly Row[]>;
  /** Workbooks: the merged ranges of a sheet; its rows hold only what each cell has itself. */
  merges?(sheet: SheetInfo): Promise<MergedRanges>;
  close(): Promise<void>;
}

/** A source with its file's path, for messages. */
export interface FileSource extends Source {
  /** Path as it was given. */
  readonly file: string;
}
