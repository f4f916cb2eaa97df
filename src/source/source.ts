import path from 'node:path';
import type { Message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import type { Row } from '../model/row.js';
import type { SecretSource } from '../util/secret-source.js';
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
  /** Text files: the record in which the delimiter is detected, 1-based; default 1. */
  readonly headerRow?: number;
  /** Encrypted workbooks: source of the password. */
  readonly password?: SecretSource | undefined;
  /** Variables that `password` may name; default the process's environment. */
  readonly env?: NodeJS.ProcessEnv | undefined;
}

/**
 * An opened spreadsheet. An error in the file ends the reading with a `ProductError` of kind input that names the file
 * and, if known, the sheet and the cell or line. No row is ever dropped silently.
 */
export interface Source {
  /**
   * It has named sheets: a job may choose one (`source.sheet`) and join others, and a result is its sheet `Results`.
   * Otherwise it is one table, and a sheet named by the job is ignored.
   */
  readonly isWorkbook: boolean;
  /** Worksheets in tab order (chart sheets are excluded); a text file is one sheet named like the file. */
  readonly sheets: readonly SheetInfo[];
  /** Row number of the header, if the file names it (stored rows). It replaces the job's `headerRow`. */
  readonly headerRow?: number;
  /** Text files: the detected format. */
  readonly encoding?: string;
  readonly delimiter?: string;
  /** Text files: the extension determines the delimiter (.tsv), so that no other one has to be tried. */
  readonly hasOwnDelimiter?: boolean;
  readonly warnings: readonly Message[];
  /**
   * Rows with at least one non-empty cell, in order, in chunks (one await per chunk, not per row). May be called
   * again, also for several sheets at a time. Ending the iteration early releases all resources.
   */
  rows(sheet: SheetInfo): AsyncIterable<readonly Row[]>;
  /** Workbooks: the merged ranges of a sheet; its rows have only each cell's own value. */
  merges?(sheet: SheetInfo): Promise<MergedRanges>;
  close(): Promise<void>;
}

export interface FileSource extends Source {
  /** Path as given by the user. */
  readonly file: string;
}

/** Path of a stored input: `inputs`, a folder named by its SHA-256, and the original file name. */
const KEPT = /(?:^|[\\/])inputs[\\/][0-9a-f]{64}$/;

/**
 * The name of a run's file for users. A file uploaded at the console is stored in the ledger's folder, and only its
 * name is shown.
 */
export function displayedFile(file: string): string {
  return KEPT.test(path.dirname(file)) ? path.basename(file) : file;
}

/** Runs `work`, which reads the stored copy, and names the user's file in its errors. */
export async function withOriginalName<T>(copy: string, file: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ProductError)) throw error;
    const renamed = (detail: Message): Message => originalName(detail, copy, file);
    throw new ProductError(error.kind, renamed(error.detail), {
      cause: error,
      others: error.others.map(renamed),
    });
  }
}

/** The message with the user's file in place of the stored copy. */
export function originalName(original: Message, copy: string, file: string): Message {
  const params = Object.entries(original.params).map(
    ([name, value]) => [name, value === copy ? file : value] as const,
  );
  return { code: original.code, params: Object.fromEntries(params) };
}
