import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import type { JournalEntry } from '../platform/simulated/simulation.js';
import type { Timestamps } from '../platform/simulated/state.js';
import { syncFolder } from '../util/atomic-file.js';
import { exactParse, exactStringify } from '../util/exact-json.js';

const FORMAT = 'license-sync sandbox state';
const VERSION = 1;

interface Waiting {
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Effects in a file, one JSON line each, on disk before their reply is sent. Concurrent requests share a sync. */
export class Journal {
  readonly #handle: FileHandle;
  #lines: string[] = [];
  #waiting: Waiting[] = [];
  #writing: Promise<void> | undefined;
  #failure: unknown;

  private constructor(handle: FileHandle) {
    this.#handle = handle;
  }

  /**
   * Opens or creates the file, and passes every effect in it to `replay`, oldest first. An incomplete last line (the
   * process was killed while writing it) never had a reply and is removed.
   * @throws ProductError usage: unreadable, not a sandbox state, or stored in the other unit of time
   */
  static async open(
    file: string,
    timestamps: Timestamps,
    replay: (entry: JournalEntry) => void,
  ): Promise<Journal> {
    let handle: FileHandle | undefined;
    try {
      handle = await open(file, 'a+', 0o600);
      await restore(handle, file, timestamps, replay);
      return new Journal(handle);
    } catch (error) {
      await handle?.close();
      if (error instanceof ProductError) throw error;
      const reason = error instanceof Error ? error.message : String(error);
      throw new ProductError('usage', message('sandbox.state_unreadable', { file, reason }), {
        cause: error,
      });
    }
  }

  /** Resolves when the effect is on disk. After a failed write none is accepted: the file's content is uncertain. */
  append(entry: JournalEntry): Promise<void> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    return new Promise((resolve, reject) => {
      this.#lines.push(`${exactStringify(entry)}\n`);
      this.#waiting.push({ resolve, reject });
      this.#writing ??= this.#write();
    });
  }

  async close(): Promise<void> {
    await this.#writing;
    await this.#handle.close();
  }

  async #write(): Promise<void> {
    while (this.#lines.length > 0) {
      const text = this.#lines.join('');
      const waiting = this.#waiting;
      this.#lines = [];
      this.#waiting = [];
      try {
        if (this.#failure !== undefined) throw this.#failure;
        await this.#handle.appendFile(text);
        await this.#handle.datasync();
        for (const write of waiting) write.resolve();
      } catch (error) {
        this.#failure ??= error;
        for (const write of waiting) write.reject(error);
      }
    }
    this.#writing = undefined;
  }
}

async function restore(
  handle: FileHandle,
  file: string,
  timestamps: Timestamps,
  replay: (entry: JournalEntry) => void,
): Promise<void> {
  let number = 0;
  let whole = 0;
  for await (const { text, end } of wholeLines(handle)) {
    number += 1;
    if (number === 1) checkHeader(text, file, timestamps);
    else replayLine(text, file, number, replay);
    whole = end;
  }
  const { size } = await handle.stat();
  if (whole === 0 && size > 0) throw new ProductError('usage', message('sandbox.state_foreign', { file }));
  if (size > whole) await handle.truncate(whole);
  if (whole > 0) return;
  await handle.appendFile(`${JSON.stringify({ format: FORMAT, version: VERSION, timestamps })}\n`);
  await handle.datasync();
  // The new file's name must survive a crash as well as its content.
  await syncFolder(dirname(file));
}

function replayLine(text: string, file: string, line: number, replay: (entry: JournalEntry) => void): void {
  try {
    replay(exactParse(text) as JournalEntry);
  } catch (error) {
    throw new ProductError('usage', message('sandbox.state_broken', { file, line }), { cause: error });
  }
}

interface Header {
  readonly format?: unknown;
  readonly version?: unknown;
  readonly timestamps?: unknown;
}

function readHeader(text: string): Header {
  try {
    return (JSON.parse(text) ?? {}) as Header;
  } catch {
    return {};
  }
}

function checkHeader(text: string, file: string, timestamps: Timestamps): void {
  const header = readHeader(text);
  if (header.format !== FORMAT || header.version !== VERSION) {
    throw new ProductError('usage', message('sandbox.state_foreign', { file }));
  }
  if (header.timestamps !== timestamps) {
    const stored = String(header.timestamps);
    throw new ProductError('usage', message('sandbox.state_unit', { file, kept: stored, asked: timestamps }));
  }
}

/** Lines that end in a line feed, with the byte after it. */
async function* wholeLines(handle: FileHandle): AsyncGenerator<{ text: string; end: number }> {
  const chunk = Buffer.allocUnsafe(1 << 16);
  let rest: Buffer[] = [];
  let position = 0;
  for (;;) {
    const { bytesRead } = await handle.read(chunk, 0, chunk.length, position);
    if (bytesRead === 0) return;
    let start = 0;
    for (let at = chunk.indexOf(10); at >= 0 && at < bytesRead; at = chunk.indexOf(10, start)) {
      rest.push(Buffer.from(chunk.subarray(start, at)));
      yield { text: Buffer.concat(rest).toString('utf8'), end: position + at + 1 };
      rest = [];
      start = at + 1;
    }
    rest.push(Buffer.from(chunk.subarray(start, bytesRead)));
    position += bytesRead;
  }
}
