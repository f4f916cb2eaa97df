import type { Fill, Font, Style } from 'exceljs';
import type { TemplateColumn, TemplateSheet } from './template-sheet.js';

/** Colours of headers: dark for required columns, light for others, with a hue for each part of an order. */
interface Hue {
  readonly dark: string;
  readonly light: string;
}

const HUES: readonly Hue[] = [
  { dark: 'FF1F4E79', light: 'FFDDEBF7' },
  { dark: 'FF375623', light: 'FFE2EFDA' },
  { dark: 'FF833C0B', light: 'FFFBE5D6' },
  { dark: 'FF5B3A86', light: 'FFE9E1F2' },
  { dark: 'FF1B5E5E', light: 'FFD5EEEE' },
  { dark: 'FF404040', light: 'FFEDEDED' },
  { dark: 'FF7B2D4F', light: 'FFF6E0EA' },
  { dark: 'FF5F5A1F', light: 'FFF1F0D5' },
];
const KEY_BACKGROUND = 'FF8A6A00';
const WHITE = 'FFFFFFFF';
const DARK_TEXT = 'FF262626';

export const FONT = { name: 'Calibri', family: 2, size: 11 } as const;

export type HeaderLook = 'always' | 'group' | 'no' | 'key';

/** Assigns hues to tables in order of appearance; the request and its items share the first. */
export class Palette {
  readonly #order: readonly string[];

  constructor(sheets: readonly TemplateSheet[], top: readonly string[]) {
    const tables = sheets.flatMap((sheet) => sheet.columns.map((it) => it.table));
    this.#order = [...new Set(tables.filter((it) => !top.includes(it)))];
  }

  /** Wire paths of the tables with their own hue. */
  get parts(): readonly string[] {
    return this.#order;
  }

  header(column: TemplateColumn): Partial<Style> {
    return this.look(column.ties.length > 0 ? 'key' : column.need.kind, column.table);
  }

  look(kind: HeaderLook, table: string): Partial<Style> {
    const hue = this.#hue(table);
    const strong = kind === 'always' || kind === 'key';
    const background = kind === 'key' ? KEY_BACKGROUND : strong ? hue.dark : hue.light;
    return {
      font: { ...FONT, bold: kind !== 'no', color: { argb: strong ? WHITE : DARK_TEXT } },
      fill: solid(background),
      alignment: { wrapText: true, vertical: 'middle', horizontal: 'left' },
      border: {
        right: { style: 'thin', color: { argb: WHITE } },
        bottom: { style: strong ? 'thick' : 'thin', color: { argb: strong ? 'FFC00000' : hue.dark } },
      },
    };
  }

  #hue(table: string): Hue {
    const index = this.#order.indexOf(table) + 1;
    return HUES[index < HUES.length ? index : 1 + ((index - 1) % (HUES.length - 1))] ?? HUES[0]!;
  }
}

export function solid(argb: string): Fill {
  return { type: 'pattern', pattern: 'solid', fgColor: { argb } };
}

export function bold(size: number = FONT.size): Partial<Font> {
  return { ...FONT, size, bold: true };
}
