import type { ConditionalFormattingOptions, Style } from 'exceljs';
import type { DriftStatus } from '../../model/drift.js';
import type { Status } from '../../model/status.js';

type Look = Partial<Style>;

const PLAIN: Look = {};
const FONT = { name: 'Calibri', family: 2, size: 11 };
export const HEADER: Look = {
  font: { ...FONT, bold: true },
  alignment: { vertical: 'top' },
  fill: { type: 'pattern', pattern: 'solid', fgColor: { argb: 'FFE7E6E6' } },
};
export const BANNER: Look = { font: { ...FONT, bold: true, size: 14, color: { argb: 'FFC00000' } } };
export const LABEL: Look = { font: { ...FONT, bold: true }, alignment: { vertical: 'top' } };
export const WRAPPED: Look = { alignment: { wrapText: true, vertical: 'top', horizontal: 'left' } };
const MARKED: Look = { fill: { type: 'pattern', pattern: 'solid', fgColor: { argb: 'FFFFC7CE' } } };

/** One object for each look: the writer knows a style again by its identity, else it is worked out per cell. */
export class Looks {
  readonly #plain = new Map<string, Look>();
  readonly #marked = new Map<string, Look>();

  of(format: string | undefined, marked: boolean): Look {
    if (format === undefined) return marked ? MARKED : PLAIN;
    const known = marked ? this.#marked : this.#plain;
    let look = known.get(format);
    if (!look) {
      look = { ...(marked ? MARKED : PLAIN), numFmt: format };
      known.set(format, look);
    }
    return look;
  }
}

const COLOURS: readonly {
  readonly statuses: readonly (Status | DriftStatus)[];
  readonly ground: string;
  readonly ink: string;
}[] = [
  { statuses: ['succeeded', 'accepted', 'valid', 'in_sync'], ground: 'FFC6EFCE', ink: 'FF006100' },
  { statuses: ['skipped', 'not_sent'], ground: 'FFEDEDED', ink: 'FF595959' },
  { statuses: ['invalid', 'rejected', 'different', 'extra'], ground: 'FFFFE0B2', ink: 'FF8A4B00' },
  { statuses: ['failed', 'unknown', 'missing', 'error'], ground: 'FFFFC7CE', ink: 'FF9C0006' },
];

/** Colours of the status column by rules, so that they follow when a status is edited or sorted. */
export function statusColours(letters: string, lastRow: number): ConditionalFormattingOptions {
  return {
    ref: `${letters}2:${letters}${Math.max(2, lastRow)}`,
    rules: COLOURS.map(({ statuses, ground, ink }, index) => ({
      type: 'expression',
      priority: index + 1,
      formulae: [`OR(${statuses.map((it) => `$${letters}2="${it}"`).join(',')})`],
      style: {
        fill: { type: 'pattern', pattern: 'solid', bgColor: { argb: ground } },
        font: { color: { argb: ink } },
      },
    })),
  };
}
