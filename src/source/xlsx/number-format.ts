import { type Decimals, type FormatSection, formatSections } from './format-section.js';

/** What a format shows a number as. */
type NumberShape =
  | { readonly kind: 'number'; readonly decimals?: Decimals }
  | { readonly kind: 'date' }
  | { readonly kind: 'time' }
  | { readonly kind: 'duration' }
  /** Whole numbers are shown digit by digit: `0000`, `000-0000`. */
  | { readonly kind: 'digits'; readonly section: FormatSection; readonly sign: boolean };

const NUMBER: NumberShape = { kind: 'number' };

/** A number format (§ 18.8.31 of ECMA-376): up to four sections, of which the value chooses one. */
export class NumberFormat {
  readonly code: string;
  readonly #sections: readonly FormatSection[];
  /** The sections for numbers, without the section for text (the fourth, or one with @). */
  readonly #numeric: readonly FormatSection[];
  readonly #conditional: boolean;

  constructor(code: string) {
    this.code = code;
    this.#sections = formatSections(code);
    this.#numeric = this.#sections.slice(0, 3).filter((it) => it.kind !== 'text');
    this.#conditional = this.#numeric.some((it) => it.condition);
  }

  shape(value: number): NumberShape {
    const at = this.#choose(value);
    const section = this.#sections[at];
    if (!section) return NUMBER;
    if (section.kind !== 'digits') {
      if (section.kind === 'text') return NUMBER;
      if (section.kind !== 'number') return { kind: section.kind };
      return section.decimals ? { kind: 'number', decimals: section.decimals } : NUMBER;
    }
    // A second section shows negative numbers in its own way; otherwise the sign is put in front.
    const signed = value < 0 && (at === 0 || section.condition !== undefined);
    return { kind: 'digits', section, sign: signed };
  }

  #choose(value: number): number {
    const sections = this.#numeric;
    if (this.#conditional) {
      const fits = sections.findIndex((it) => !it.condition || it.condition(value));
      return fits < 0 ? this.#sections.length : fits;
    }
    if (value < 0 && sections.length > 1) return 1;
    return value === 0 && sections.length > 2 ? 2 : 0;
  }
}

/** Puts a whole number's digits into a format's places, from the right, between its literals. */
export function showDigits(digits: string, { section, sign }: NumberShape & { kind: 'digits' }): string {
  let rest = digits === '0' ? '' : digits;
  let shown = '';
  const first = section.pieces.findIndex((it) => it.kind === 'place');
  for (let i = section.pieces.length - 1; i >= 0; i -= 1) {
    const piece = section.pieces[i]!;
    if (piece.kind === 'literal') {
      shown = piece.text + shown;
      continue;
    }
    const digit = rest.at(-1) ?? (piece.zero ? '0' : '');
    rest = rest.slice(0, -1);
    shown = digit + shown;
    if (i === first) {
      shown = rest + shown;
      rest = '';
    }
  }
  return sign ? `-${shown}` : shown;
}
