import type { SerializedError } from '../../errors/serialized-error.js';
import type { SheetInfo } from '../contract.js';
import type { GivenPassword } from '../encrypted/decrypt.js';

/** What the process that reads is told to open. */
export interface FileToRead {
  /** Where the file lies. */
  readonly path: string;
  /** What messages call it. */
  readonly file: string;
  /** Of an encrypted workbook. It goes by the pipe: arguments and environment can be seen by others. */
  readonly password?: GivenPassword | undefined;
}

/** What a reading process is asked. */
export type ReadingQuestion =
  | ({ readonly ask: 'open' } & FileToRead)
  /** The next page of rows; the first one of a stream begins at the sheet's top. */
  | { readonly ask: 'next'; readonly stream: number; readonly position: number }
  | { readonly ask: 'stop'; readonly stream: number }
  | { readonly ask: 'merges'; readonly position: number };

/** What it answers to each of them. */
export interface Answers {
  readonly open: readonly SheetInfo[];
  /** Packed rows; none at the sheet's end. */
  readonly next: readonly string[];
  readonly stop: undefined;
  /** Top, left, bottom and right of each range. */
  readonly merges: readonly number[];
}

export interface Asked {
  readonly id: number;
  readonly question: ReadingQuestion;
}

export interface Answered {
  readonly id: number;
  /** For how long the process worked on it, in milliseconds. */
  readonly worked: number;
  readonly value?: Answers[keyof Answers];
  readonly error?: SerializedError;
}
