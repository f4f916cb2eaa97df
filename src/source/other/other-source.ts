import { stat } from 'node:fs/promises';
import path from 'node:path';
import { message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import type { Row } from '../../model/row.js';
import { readSecret } from '../../util/read-secret.js';
import type { SecretSource } from '../../util/secret-source.js';
import { MergedRanges } from '../merged-ranges.js';
import type { SheetInfo, Source, SourceOptions } from '../source.js';
import { unpackWholeRow } from '../stored-row.js';
import type { GivenPassword } from './decrypt-package.js';
import { type ReadingLimits, ReadingProcess } from './reading-process.js';

/**
 * The password of an encrypted workbook. It is requested only if the workbook turns out to be encrypted.
 * @param file name for messages
 * @throws ProductError usage that names the source, never the value
 */
async function sourcePassword(
  source: SecretSource,
  file: string,
  env: NodeJS.ProcessEnv = process.env,
): Promise<GivenPassword> {
  const found = await readSecret(source, env);
  if (found.kind === 'text')
    return { value: found.text, from: source.kind === 'env' ? source.name : source.path };
  throw new ProductError('usage', message(`source.password_${found.why}`, { file, ...found.params }));
}

const LIMITS: ReadingLimits = { memoryMb: 1024, seconds: 60 };

/**
 * Opens a spreadsheet of a format other than .xlsx, or an encrypted one, in a separate process.
 * @param file its path
 * @param password source of the password of an encrypted workbook, and the environment
 * @throws ProductError input if the file is not a workbook, is damaged or unsafe, or exceeds a limit; usage if the
 *   password is missing or wrong.
 */
export async function openOther(
  file: string,
  {
    password,
    env,
    limits = LIMITS,
  }: Pick<SourceOptions, 'password' | 'env'> & { readonly limits?: ReadingLimits } = {},
): Promise<Source> {
  const fileName = path.basename(file);
  const identity = limits === LIMITS ? await identityOf(file) : undefined;
  const request = { ask: 'open', path: file, file: fileName } as const;
  const start = async (): Promise<Opened> => {
    const process = new ReadingProcess(fileName, limits);
    try {
      const opened = await process.ask(request).then(
        (sheets) => ({ process, sheets, isEncrypted: false }),
        async (error: unknown) => {
          if (!password || !(error instanceof ProductError) || error.code !== 'source.xlsx_encrypted')
            throw error;
          const secret = await sourcePassword(password, fileName, env);
          return { process, sheets: await process.ask({ ...request, password: secret }), isEncrypted: true };
        },
      );
      return opened;
    } catch (error) {
      process.end();
      throw error;
    }
  };
  if (identity !== undefined && last?.file === identity) return new OtherSource(last.sheets, start, last);
  const opened = await start();
  const { sheets, isEncrypted } = opened;
  if (identity === undefined || isEncrypted) return new OtherSource(sheets, opened);
  last = { file: identity, sheets, pages: new Map(), merges: new Map(), room: CACHED_CHARACTERS };
  return new OtherSource(sheets, opened, last);
}

interface Opened {
  readonly process: ReadingProcess;
  readonly sheets: readonly SheetInfo[];
  readonly isEncrypted: boolean;
}

/** Cache size for one file, in memory; larger files are read by a process each time. */
const CACHED_CHARACTERS = 8 * 1024 ** 2;

interface CachedReading {
  readonly file: string;
  readonly sheets: readonly SheetInfo[];
  readonly pages: Map<number, readonly (readonly string[])[]>;
  readonly merges: Map<number, readonly number[]>;
  /** Characters that may still be cached. */
  room: number;
}

/**
 * The file that was read last. A run reads its input several times (planning, the result, each step), and starting a
 * process takes longer than reading most sheets. Decrypted data is never cached.
 */
let last: CachedReading | undefined;

/** Changes if the path leads to another file or the file was written to; undefined if it cannot be determined. */
async function identityOf(file: string): Promise<string | undefined> {
  const stats = await stat(file, { bigint: true }).catch(() => undefined);
  return (
    stats && [path.resolve(file), stats.dev, stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].join(' ')
  );
}

/** Rows from the other process, page by page: it prepares the next page while the current one is used. */
class OtherSource implements Source {
  readonly isWorkbook = true;
  readonly warnings = [];
  readonly sheets: readonly SheetInfo[];
  readonly #start: () => Promise<Opened>;
  readonly #cache: CachedReading | undefined;
  #opened: Promise<Opened> | undefined;
  #isClosed = false;
  #streams = 0;

  /** @param opened the running process, or a function that starts it when uncached data is read */
  constructor(sheets: readonly SheetInfo[], opened: Opened | (() => Promise<Opened>), cache?: CachedReading) {
    this.sheets = sheets;
    this.#cache = cache;
    this.#start = typeof opened === 'function' ? opened : async () => opened;
    if (typeof opened !== 'function') this.#opened = Promise.resolve(opened);
  }

  async *rows({ position }: SheetInfo): AsyncGenerator<readonly Row[]> {
    const cached = this.#cache?.pages.get(position);
    if (cached) {
      for (const page of cached) yield page.map(unpackWholeRow);
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
        if (characters <= (this.#cache?.room ?? 0)) pages.push(page);
        else pages.length = 0;
        yield page.map(unpackWholeRow);
      }
      this.#keep(position, pages, characters);
    } finally {
      // If the process has exited, there is nothing to stop.
      if (!done) await process.ask({ ask: 'stop', stream }).catch(() => undefined);
    }
  }

  async merges({ position }: SheetInfo): Promise<MergedRanges> {
    const cached = this.#cache?.merges.get(position);
    if (cached) return MergedRanges.of(cached);
    const ranges = await (await this.#process()).ask({ ask: 'merges', position });
    if (this.#cache && ranges.length <= this.#cache.room) {
      this.#cache.room -= ranges.length;
      this.#cache.merges.set(position, ranges);
    }
    return MergedRanges.of(ranges);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const opened = await this.#opened?.catch(() => undefined);
    opened?.process.end();
  }

  /** Caches a sheet completely or not at all. */
  #keep(position: number, pages: readonly (readonly string[])[], characters: number): void {
    const cache = this.#cache;
    if (!cache || characters > cache.room || cache.pages.has(position)) return;
    cache.room -= characters;
    cache.pages.set(position, pages);
  }

  async #process(): Promise<ReadingProcess> {
    if (this.#isClosed) throw new Error('read of a source after close');
    this.#opened ??= this.#start();
    return (await this.#opened).process;
  }
}
