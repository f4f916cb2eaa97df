import type { ConditionalFormattingOptions, Style } from 'exceljs';
import type { DriftStatus } from '../../model/comparison.js';
import type { Status } from '../../model/status.js';
import type { StyleSheet } from '../../util/exceljs-private.js';

type Look = Partial<Style>;

const FONT = { name: 'Calibri', family: 2, size: 11 };
export const HEADER: Look = {
  font: { ...FONT, bold: true },
  alignment: { wrapText: true, vertical: 'top' },
  fill: { type: 'pattern', pattern: 'solid', fgColor: { argb: 'FFE7E6E6' } },
};
export const HEADLINE: Look = { font: { ...FONT, bold: true, size: 14 }, alignment: { vertical: 'middle' } };
export const HINT: Look = {
  font: { ...FONT, italic: true, color: { argb: 'FF595959' } },
  alignment: { vertical: 'top' },
};
export const LINK: Look = {
  font: { ...FONT, underline: true, color: { argb: 'FF0563C1' } },
  alignment: { vertical: 'top' },
};
export const BANNER: Look = { font: { ...FONT, bold: true, size: 14, color: { argb: 'FFC00000' } } };
export const LABEL: Look = { font: { ...FONT, bold: true }, alignment: { vertical: 'top' } };
export const WRAPPED: Look = { alignment: { wrapText: true, vertical: 'top', horizontal: 'left' } };
/** The same for text that a spreadsheet would convert when it is edited. */
export const WRAPPED_TEXT: Look = { ...WRAPPED, numFmt: '@' };
/** Look of a marked cell: red if it is invalid, yellow if a user corrected it. */
export type MarkTone = 'invalid' | 'corrected';

const TONES: Readonly<Record<MarkTone | 'none', Look>> = {
  none: {},
  invalid: { fill: { type: 'pattern', pattern: 'solid', fgColor: { argb: 'FFFFC7CE' } } },
  corrected: { fill: { type: 'pattern', pattern: 'solid', fgColor: { argb: 'FFFFEB9C' } } },
};

/** Alignment within the cell: `top…` and `wrapped` in rows that are several lines high. */
export type Placing = 'plain' | 'left' | 'top' | 'topLeft' | 'wrapped';

const PLACED: Readonly<Record<Placing, Look>> = {
  plain: {},
  left: { alignment: { horizontal: 'left' } },
  top: { alignment: { vertical: 'top' } },
  topLeft: { alignment: { vertical: 'top', horizontal: 'left' } },
  wrapped: { alignment: { vertical: 'top', wrapText: true } },
};

/** Style numbers of cells, each requested from the library once. */
export class CellStyles {
  readonly #styles: StyleSheet;
  readonly #known = { none: emptyMaps(), invalid: emptyMaps(), corrected: emptyMaps() };

  constructor(styles: StyleSheet) {
    this.#styles = styles;
  }

  /** The number of a shared style object, which the library recognises by identity. */
  fixed(look: Look): number {
    return this.#styles.addStyleModel(look);
  }

  of(format: string | undefined, tone: MarkTone | 'none', placing: Placing = 'plain'): number {
    const known = this.#known[tone][placing];
    let style = known.get(format);
    if (style === undefined) {
      style = this.#styles.addStyleModel({
        ...PLACED[placing],
        ...TONES[tone],
        ...(format === undefined ? {} : { numFmt: format }),
      });
      known.set(format, style);
    }
    return style;
  }
}

function emptyMaps(): Readonly<Record<Placing, Map<string | undefined, number>>> {
  return { plain: new Map(), left: new Map(), top: new Map(), topLeft: new Map(), wrapped: new Map() };
}

/** Fill and ink as alpha, red, green, blue. */
interface StatusColours {
  readonly statuses: readonly (Status | DriftStatus)[];
  readonly ground: string;
  readonly ink: string;
}

const COLOURS: readonly StatusColours[] = [
  { statuses: ['succeeded', 'accepted', 'valid', 'in_sync'], ground: 'FFC6EFCE', ink: 'FF006100' },
  { statuses: ['skipped', 'not_sent'], ground: 'FFEDEDED', ink: 'FF595959' },
  { statuses: ['invalid', 'rejected', 'different', 'extra'], ground: 'FFFFE0B2', ink: 'FF8A4B00' },
  { statuses: ['failed', 'unknown', 'missing', 'error'], ground: 'FFFFC7CE', ink: 'FF9C0006' },
];

/**
 * Colours of a status column by rules, so that they follow when a status is edited or sorted.
 * @param nth index of the sheet's status column, from 0: no two rules of a sheet may have the same priority
 */
export function statusColours(letters: string, lastRow: number, nth: number): ConditionalFormattingOptions {
  return {
    ref: `${letters}2:${letters}${Math.max(2, lastRow)}`,
    rules: COLOURS.map(({ statuses, ground, ink }, index) => ({
      type: 'expression',
      priority: nth * COLOURS.length + index + 1,
      formulae: [`OR(${statuses.map((it) => `$${letters}2="${it}"`).join(',')})`],
      style: {
        fill: { type: 'pattern', pattern: 'solid', bgColor: { argb: ground } },
        font: { color: { argb: ink } },
      },
    })),
  };
}

/** The fixed colours of a status, also in charts. */
export function coloursOf(status: Status | DriftStatus): Pick<StatusColours, 'ground' | 'ink'> {
  return COLOURS.find(({ statuses }) => statuses.includes(status))!;
}

const BADGES = new Map(
  COLOURS.map(({ ground, ink }): [string, Look] => [
    ground,
    {
      font: { ...FONT, bold: true, color: { argb: ink } },
      alignment: { vertical: 'top' },
      fill: { type: 'pattern', pattern: 'solid', fgColor: { argb: ground } },
    },
  ]),
);

/** The look of a cell with a fixed status. */
export function statusStyle(status: Status | DriftStatus): Look {
  return BADGES.get(coloursOf(status).ground)!;
}
