import type { EventEmitter } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import type { Style, stream, Worksheet } from 'exceljs';
import type { Sink } from '../sink.js';
import type { Written } from './cell-value.js';
import type { Looks } from './look.js';

export type Book = stream.xlsx.WorkbookWriter;

/** Rows of a worksheet, the header among them. */
export const SHEET_ROWS = 1_048_576;
export const SHEET_COLUMNS = 16_384;
/** XML that may wait for the compressor before the next rows are asked for. */
const WAITING_BYTES = 1 << 20;

export interface SheetLook {
  readonly name: string;
  readonly widths: readonly number[];
  readonly frozen: boolean;
  readonly sandbox: boolean;
}

export interface SheetCell extends Written {
  readonly style?: Partial<Style>;
  /** Shows the cell as faulty, with this note. */
  readonly mark?: string;
}

/** What the library keeps to itself and the flow of memory depends on. */
interface Inner {
  /** Number of the next row while all rows are committed. */
  _rowZero: number;
  readonly stream: { readonly pipes: readonly WaitingStream[] };
}

/** Of an older stream library, which has no `writableLength`. */
interface WaitingStream extends EventEmitter {
  readonly _writableState: { readonly length: number };
}

/** One worksheet written row by row; a row is gone from memory once it is added. */
export class SheetStream {
  readonly #sheet: Worksheet;
  readonly #sink: Sink;
  readonly #looks: Looks;
  #last = 0;

  constructor(book: Book, sink: Sink, looks: Looks, look: SheetLook) {
    this.#sink = sink;
    this.#looks = looks;
    const banner = look.sandbox ? '&C&"-,Bold"SANDBOX' : '';
    this.#sheet = book.addWorksheet(look.name, {
      views: look.frozen ? [{ state: 'frozen', ySplit: 1 }] : [],
      pageSetup: { orientation: 'landscape', fitToPage: true, fitToWidth: 1, fitToHeight: 0 },
      headerFooter: { oddHeader: `&L&A${banner}&R&D`, oddFooter: '&R&P / &N' },
      properties: look.sandbox ? { tabColor: { argb: 'FFC00000' } } : {},
    });
    if (look.widths.length > 0) this.#sheet.columns = look.widths.map((width) => ({ width }));
  }

  /** The library's sheet, for what is set once. */
  get sheet(): Worksheet {
    return this.#sheet;
  }

  /** Number of the last row added. */
  get last(): number {
    return this.#last;
  }

  /** @param at row number, above all before it; the next one when absent */
  add(cells: readonly (SheetCell | undefined)[], at = this.#last + 1, hidden = false): void {
    // The rows left out are never made: a sheet may have its next row a million further down.
    (this.#sheet as unknown as Inner)._rowZero = at;
    const row = this.#sheet.getRow(at);
    for (let index = 0; index < cells.length; index += 1) {
      const written = cells[index];
      if (!written) continue;
      const cell = row.getCell(index + 1);
      cell.value = written.value;
      cell.style = written.style ?? this.#looks.of(written.format, written.mark !== undefined);
      if (written.mark) cell.note = written.mark;
    }
    if (hidden) row.hidden = true;
    row.commit();
    this.#last = at;
  }

  /** Waits while the compressor or the disk is behind. */
  async settle(): Promise<void> {
    // Compressed pieces come back by the event loop.
    await setImmediate();
    const pipe = (this.#sheet as unknown as Inner).stream.pipes[0];
    while (pipe && pipe._writableState.length > WAITING_BYTES) {
      if (this.#sink.errored) throw this.#sink.errored;
      if (this.#sink.destroyed) return;
      await new Promise<void>((resolve) => {
        const done = (): void => {
          pipe.off('drain', done);
          this.#sink.off('close', done);
          resolve();
        };
        pipe.once('drain', done);
        this.#sink.once('close', done);
      });
    }
  }

  end(): void {
    this.#sheet.commit();
  }
}
