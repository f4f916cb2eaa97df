import { stat } from 'node:fs/promises';
import path from 'node:path';
import { ProductError } from '../../errors/product-error.js';
import type { Row } from '../../model/row.js';
import type { SheetInfo, Source, SourceOptions } from '../contract.js';
import { MergedRanges } from '../merged-ranges.js';
import { unpackWholeRow } from '../rows/stored-row.js';
import { sourcePassword } from './password.js';
import { type ReadingLimits, ReadingProcess } from './reading-process.js';

const LIMITS: ReadingLimits = { memoryMb: 1024, seconds: 60 };

/**
 * Opens a spreadsheet of another format than .xlsx, or an encrypted one, in a process of its own.
 * @param file its path
 * @param password where that of an encrypted workbook is found, in which environment
 * @throws ProductError input when the file is no workbook, or is damaged or unsafe, or reading it takes too much; usage
 *   when the password is missing or wrong.
 */
export async function openOther(
  file: string,
  {
    password,
    env,
    limits = LIMITS,
  }: Pick<SourceOptions, 'password' | 'env'> & { readonly limits?: ReadingLimits } = {},
): Promise<Source> {
  const shown = path.basename(file);
  const known = limits === LIMITS ? await identityOf(file) : undefined;
  const given = { ask: 'open', path: file, file: shown } as const;
  const start = async (): Promise<Opened> => {
    const process = new ReadingProcess(shown, limits);
    try {
      const opened = await process.ask(given).then(
        (sheets) => ({ process, sheets, isEncrypted: false }),
        async (error: unknown) => {
          if (!password || !(error instanceof ProductError) || error.code !== 'source.xlsx_encrypted')
            throw error;
          const secret = await sourcePassword(password, shown, env);
          return { process, sheets: await process.ask({ ...given, password: secret }), isEncrypted: true };
        },
      );
      return opened;
    } catch (error) {
      process.end();
      throw error;
    }
  };
  if (known !== undefined && last?.file === known) return new OtherSource(last.sheets, start, last);
  const opened = await start();
  const { sheets, isEncrypted } = opened;
  if (known === undefined || isEncrypted) return new OtherSource(sheets, opened);
  last = { file: known, sheets, pages: new Map(), merges: new Map(), room: KEPT_CHARACTERS };
  return new OtherSource(sheets, opened, last);
}

interface Opened {
  readonly process: ReadingProcess;
  readonly sheets: readonly SheetInfo[];
  readonly isEncrypted: boolean;
}

/** Of one file, in memory; a larger one is read by a process each time. */
const KEPT_CHARACTERS = 8 * 1024 ** 2;

/** What was read of a file, by the sheets' positions. */
interface KeptReading {
  readonly file: string;
  readonly sheets: readonly SheetInfo[];
  readonly pages: Map<number, readonly (readonly string[])[]>;
  readonly merges: Map<number, readonly number[]>;
  /** Characters that may still be kept. */
  room: number;
}

/**
 * The file that was read last. A run reads its input several times (planning, the result; each step anew), and starting a
 * process takes longer than most sheets. What was encrypted is never kept.
 */
let last: KeptReading | undefined;

/** Another text where the file at the path is another one, or was written to; undefined where that can't be told. */
async function identityOf(file: string): Promise<string | undefined> {
  const it = await stat(file, { bigint: true }).catch(() => undefined);
  return it && [path.resolve(file), it.dev, it.ino, it.size, it.mtimeNs, it.ctimeNs].join(' ');
}

/** What the other process reads, page by page: it works on the next one while this one is taken. */
class OtherSource implements Source {
  readonly isWorkbook = true;
  readonly warnings = [];
  readonly sheets: readonly SheetInfo[];
  readonly #start: () => Promise<Opened>;
  readonly #kept: KeptReading | undefined;
  #opened: Promise<Opened> | undefined;
  #isClosed = false;
  #streams = 0;

  /** @param opened what opens it when something is read that isn't kept; or has already */
  constructor(sheets: readonly SheetInfo[], opened: Opened | (() => Promise<Opened>), kept?: KeptReading) {
    this.sheets = sheets;
    this.#kept = kept;
    this.#start = typeof opened === 'function' ? opened : async () => opened;
    if (typeof opened !== 'function') this.#opened = Promise.resolve(opened);
  }

  async *rows({ position }: SheetInfo): AsyncGenerator<readonly Row[]> {
    const kept = this.#kept?.pages.get(position);
    if (kept) {
      for (const page of kept) yield page.map(unpackWholeRow);
      return;
    }
    const process = await this.#process();
    this.#streams += 1;
    const stream = this.#streams;
    const pages: (readonly string[])[] = [];
    let characters = 0;
    let done = false;
    try {
      for (;;) {
        const page = await process.ask({ ask: 'next', stream, position });
        done = page.length === 0;
        if (done) break;
        characters += page.reduce((sum, it) => sum + it.length, 0);
        if (characters <= (this.#kept?.room ?? 0)) pages.push(page);
        else pages.length = 0;
        yield page.map(unpackWholeRow);
      }
      this.#keep(position, pages, characters);
    } finally {
      // Where the process is gone there is nothing left to stop.
      if (!done) await process.ask({ ask: 'stop', stream }).catch(() => undefined);
    }
  }

  async merges({ position }: SheetInfo): Promise<MergedRanges> {
    const kept = this.#kept?.merges.get(position);
    if (kept) return MergedRanges.of(kept);
    const ranges = await (await this.#process()).ask({ ask: 'merges', position });
    if (this.#kept && ranges.length <= this.#kept.room) {
      this.#kept.room -= ranges.length;
      this.#kept.merges.set(position, ranges);
    }
    return MergedRanges.of(ranges);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const opened = await this.#opened?.catch(() => undefined);
    opened?.process.end();
  }

  /** A sheet is kept whole or not at all. */
  #keep(position: number, pages: readonly (readonly string[])[], characters: number): void {
    const kept = this.#kept;
    if (!kept || characters > kept.room || kept.pages.has(position)) return;
    kept.room -= characters;
    kept.pages.set(position, pages);
  }

  async #process(): Promise<ReadingProcess> {
    if (this.#isClosed) throw new Error('read of a source after close');
    this.#opened ??= this.#start();
    return (await this.#opened).process;
  }
}
