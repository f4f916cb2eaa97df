import { type Language, type Message, message, render } from '../../errors/message.js';
import type { InputStore } from '../../ledger/contract/inputs.js';
import type { RowResult } from '../../ledger/contract/report.js';
import type { CorrectedBy } from '../../model/row.js';
import { cellAddress } from '../../util/spreadsheet-text.js';
import { cutText } from '../../util/text.js';
import { zonedText } from '../../util/zoned-time.js';
import type { CorrectedCell, CorrectedCells } from '../corrections/corrected-table.js';
import { type Authors, keptAuthors } from '../corrections/overlay.js';
import type { OpenedInput } from '../input/opened-input.js';
import type { RunSettings } from '../settings.js';

const TEXT_BYTES = 200;

/** A corrected cell of a row, with its author. */
export type CorrectionView = CorrectedCell & Partial<CorrectedBy>;

/** The cells that a run read differently from its file. Every page that shows the row reports them. */
export class CorrectionViews {
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
  ): Promise<CorrectionViews> {
    return new CorrectionViews(corrected, corrections && (await keptAuthors(inputs, corrections)));
  }

  of(row: number): readonly CorrectionView[] {
    if (!this.#authors) return NONE;
    return this.#cells.of(row).map((cell) => ({ ...cell, ...this.#authors?.(cell.row, cell.column) }));
  }
}

const NONE: readonly CorrectionView[] = [];

/** The message for a corrected cell: `C7 corrected from "new" by os:wang@desk-7`. */
export function correctedMessage({ row, column, before, text, who }: CorrectionView): Message {
  const cell = cellAddress(column, row);
  const params = { cell, before: shown(before), who: who || '-' };
  if (before === '') return message('corrections.told_filled', params);
  if (text === '') return message('corrections.told_emptied', params);
  return message('corrections.told', params);
}

/** The same message with the time, as the note of the cell. */
export function correctedNote(correction: CorrectionView, language: Language, zone: string): string {
  const time = correction.at ? zonedText(correction.at, zone) : '-';
  return render(message('corrections.note', { what: correctedMessage(correction), at: time }), language);
}

/** Adds the corrected cells to the messages of a row; in a run of several steps to the first step. */
export function withCorrections<R extends RowResult>(result: R, corrections: readonly CorrectionView[]): R {
  if (corrections.length === 0) return result;
  const messages = corrections.map((correction) => ({ text: correctedMessage(correction) }));
  const [first, ...laterSteps] = stepsOf(result);
  if (first) return { ...result, steps: [adding(first, messages), ...laterSteps] };
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
