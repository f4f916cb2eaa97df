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
  const process = new ReadingProcess(shown, limits);
  try {
    const given = { ask: 'open', path: file, file: shown } as const;
    const sheets = await process.ask(given).catch(async (error: unknown) => {
      if (!password || !(error instanceof ProductError) || error.code !== 'source.xlsx_encrypted')
        throw error;
      return process.ask({ ...given, password: await sourcePassword(password, shown, env) });
    });
    return new OtherSource(process, sheets);
  } catch (error) {
    process.end();
    throw error;
  }
}

/** What the other process reads, page by page: it works on the next one while this one is taken. */
class OtherSource implements Source {
  readonly isWorkbook = true;
  readonly warnings = [];
  readonly sheets: readonly SheetInfo[];
  readonly #process: ReadingProcess;
  #streams = 0;

  constructor(process: ReadingProcess, sheets: readonly SheetInfo[]) {
    this.#process = process;
    this.sheets = sheets;
  }

  async *rows({ position }: SheetInfo): AsyncGenerator<readonly Row[]> {
    this.#streams += 1;
    const stream = this.#streams;
    let done = false;
    try {
      for (;;) {
        const page = await this.#process.ask({ ask: 'next', stream, position });
        done = page.length === 0;
        if (done) return;
        yield page.map(unpackWholeRow);
      }
    } finally {
      // Where the process is gone there is nothing left to stop.
      if (!done) await this.#process.ask({ ask: 'stop', stream }).catch(() => undefined);
    }
  }

  async merges({ position }: SheetInfo): Promise<MergedRanges> {
    return MergedRanges.of(await this.#process.ask({ ask: 'merges', position }));
  }

  async close(): Promise<void> {
    this.#process.end();
  }
}
