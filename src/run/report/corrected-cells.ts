import { type Language, type Message, message, render } from '../../errors/message.js';
import type { InputStore } from '../../ledger/contract/inputs.js';
import type { RowResult } from '../../ledger/contract/report.js';
import type { CorrectedBy } from '../../model/correction.js';
import { cellAddress } from '../../util/address.js';
import { cutText } from '../../util/cut-text.js';
import { zonedText } from '../../util/zoned-time.js';
import type { CorrectedCell, CorrectedCells } from '../corrections/corrected-table.js';
import { type Authors, keptAuthors } from '../corrections/overlay.js';
import type { OpenedInput } from '../input/opened-input.js';
import type { RunSettings } from '../settings.js';

const TEXT_BYTES = 200;

/** A corrected cell of a row, with who corrected it. */
export type ToldCorrection = CorrectedCell & Partial<CorrectedBy>;

/** What a run read otherwise than its file has it: taken on trust, so every page that tells of the row says so. */
export class ToldCorrections {
  readonly #cells: CorrectedCells;
  readonly #authors: Authors | undefined;

  private constructor(cells: CorrectedCells, authors: Authors | undefined) {
    this.#cells = cells;
    this.#authors = authors;
  }

  static async of(
    inputs: InputStore,
    { corrections }: Pick<RunSettings, 'corrections'>,
    { corrected }: Pick<OpenedInput, 'corrected'>,
  ): Promise<ToldCorrections> {
    return new ToldCorrections(corrected, corrections && (await keptAuthors(inputs, corrections)));
  }

  /** Of a row that was read. */
  of(row: number): readonly ToldCorrection[] {
    if (!this.#authors) return NONE;
    return this.#cells.of(row).map((it) => ({ ...it, ...this.#authors?.(it.row, it.column) }));
  }
}

const NONE: readonly ToldCorrection[] = [];

/** What is said of a corrected cell: `C7 corrected from "new" by os:wang@desk-7`. */
export function correctedMessage({ row, column, before, text, who }: ToldCorrection): Message {
  const cell = cellAddress(column, row);
  const params = { cell, before: shown(before), who: who || '-' };
  if (before === '') return message('corrections.told_filled', params);
  if (text === '') return message('corrections.told_emptied', params);
  return message('corrections.told', params);
}

/** The same as the note of its cell, with the time. */
export function correctedNote(it: ToldCorrection, language: Language, zone: string): string {
  const at = it.at ? zonedText(it.at, zone) : '-';
  return render(message('corrections.note', { what: correctedMessage(it), at }), language);
}

/** Adds to what is said of a row which of its cells were corrected; at its first step, where it has steps. */
export function withCorrections<R extends RowResult>(result: R, told: readonly ToldCorrection[]): R {
  if (told.length === 0) return result;
  const messages = told.map((it) => ({ text: correctedMessage(it) }));
  const [first, ...others] = stepsOf(result);
  if (first) return { ...result, steps: [adding(first, messages), ...others] };
  return adding(result, messages);
}

function stepsOf(result: RowResult & { readonly steps?: readonly (RowResult | undefined)[] }) {
  return result.steps ?? [];
}

function adding<R extends RowResult>(result: R, messages: RowResult['messages']): R {
  return { ...result, messages: [...result.messages, ...messages] };
}

function shown(text: string): string {
  return cutText(text.replace(/\s+/gu, ' ').trim(), TEXT_BYTES);
}
