import { promisify } from 'node:util';
import { constants, deflateRaw } from 'node:zlib';
import type { RowResult } from '../../ledger/contract/report.js';
import type { Row } from '../../model/row.js';
import type { Status } from '../../model/status.js';
import { packRow } from '../../source/rows/stored-row.js';
import { type Sink, write } from '../../util/sink.js';
import {
  CELLS_END,
  CELLS_MAGIC,
  type CellsFacts,
  type CellsKind,
  PAGE_ENTRY,
  PAGE_ROWS,
  type PackedResult,
  statusNumber,
} from './format.js';
import { CellsKinds, isFaulty, RowList } from './kinds.js';

const deflate = promisify(deflateRaw);
/** Pages that are deflated beside the one that is being filled. */
const AHEAD = 3;

/** Writes a file of cells, in one go and in flat memory; rows come in order. */
export class CellsWriter {
  readonly #sink: Sink;
  readonly #counts: Partial<Record<Status, number>> = {};
  readonly #faulty = new RowList();
  readonly #kinds = new CellsKinds();
  readonly #pages: Buffer[] = [];
  readonly #waiting: { readonly firstRow: number; readonly bytes: Promise<Buffer> }[] = [];
  #numbers: number[] = [];
  #lines: string[] = [];
  #rows = 0;
  #last = 0;
  #at = 0;

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  /** @param row as the file has it */
  async add(row: Row, result: RowResult): Promise<void> {
    const { status } = result;
    this.#counts[status] = (this.#counts[status] ?? 0) + 1;
    if (isFaulty(result)) {
      this.#faulty.add(this.#rows);
      this.#kinds.add(this.#rows, result, row.sheet);
    }
    this.#numbers.push(row.number);
    this.#lines.push(packRow(row), JSON.stringify(packed(result)));
    this.#rows += 1;
    this.#last = row.number;
    if (this.#numbers.length === PAGE_ROWS) await this.#page();
  }

  /** Writes what comes behind the rows. */
  async end(about: Pick<CellsFacts, 'run' | 'sheet' | 'headerRow' | 'headers'>): Promise<CellsFacts> {
    if (this.#numbers.length > 0) await this.#page();
    while (this.#waiting.length > 0) await this.#writePage();
    const pages = { count: this.#pages.length, at: await this.#write(Buffer.concat(this.#pages)) };
    const faulty = { rows: this.#faulty.length, at: await this.#write(this.#faulty.bytes()) };
    const kinds: CellsKind[] = [];
    for (const { list, ...kind } of this.#kinds.list())
      kinds.push({ ...kind, at: await this.#write(list.bytes()) });
    const facts: CellsFacts = {
      ...about,
      rows: this.#rows,
      last: Math.max(this.#last, about.headerRow),
      counts: this.#counts,
      faulty,
      kinds,
      pages,
    };
    const text = Buffer.from(JSON.stringify(facts));
    const end = Buffer.alloc(CELLS_END);
    end.writeDoubleLE(await this.#write(text), 0);
    end.writeUInt32LE(text.length, 8);
    CELLS_MAGIC.copy(end, 12);
    await this.#write(end);
    return facts;
  }

  async #page(): Promise<void> {
    const text = `${JSON.stringify(this.#numbers)}\n${this.#lines.join('\n')}`;
    const bytes = deflate(text, { level: constants.Z_BEST_SPEED });
    // Awaited when it is its turn; until then it must not end the process as an unhandled rejection.
    bytes.catch(() => {});
    this.#waiting.push({ firstRow: this.#numbers[0]!, bytes });
    this.#numbers = [];
    this.#lines = [];
    if (this.#waiting.length > AHEAD) await this.#writePage();
  }

  async #writePage(): Promise<void> {
    const { firstRow, bytes } = this.#waiting.shift()!;
    const deflated = await bytes;
    const entry = Buffer.alloc(PAGE_ENTRY);
    entry.writeDoubleLE(await this.#write(deflated), 0);
    entry.writeUInt32LE(deflated.length, 8);
    entry.writeUInt32LE(firstRow, 12);
    this.#pages.push(entry);
  }

  /** Gives where it begins. */
  async #write(bytes: Buffer): Promise<number> {
    const at = this.#at;
    this.#at += bytes.length;
    await write(this.#sink, bytes);
    return at;
  }
}

function packed({ status, faults, messages, code }: RowResult): PackedResult {
  const number = statusNumber(status);
  if (faults.length === 0 && messages.length === 0 && code === undefined) return number;
  const said = messages.map(({ item, text }) =>
    item === undefined || typeof text !== 'string' ? text : `${item}: ${text}`,
  );
  return code === undefined ? [number, faults, said] : [number, faults, said, code];
}
