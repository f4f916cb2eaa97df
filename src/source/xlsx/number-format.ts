import { type DateParts, type FormatSection, formatSections } from './format-section.js';
import type { Decimals } from './section-display.js';

/** How a format shows a number. */
type NumberShape =
  | { readonly kind: 'number'; readonly decimals?: undefined; readonly section?: undefined }
  | ({ readonly kind: 'number'; readonly decimals?: Decimals } & SignedSection)
  | { readonly kind: 'date'; readonly parts: DateParts }
  | { readonly kind: 'time'; readonly parts: DateParts }
  | { readonly kind: 'duration' }
  /** Whole numbers are shown digit by digit: `0000`, `000-0000`. */
  | ({ readonly kind: 'digits' } & SignedSection);

export interface SignedSection {
  readonly section: FormatSection;
  /** A minus sign precedes the section's text. */
  readonly sign: boolean;
}

const NUMBER: NumberShape = { kind: 'number' };
/** Blanks and currencies around a text add no information. */
const WORD = /[^\s\p{Sc}]/u;

/** A number format (§ 18.8.31 of ECMA-376): up to four sections, of which the value selects one. */
export class NumberFormat {
  readonly code: string;
  readonly #sections: readonly FormatSection[];
  /** The sections for numbers, without the section for text (the fourth, or one with @). */
  readonly #numeric: readonly FormatSection[];
  readonly #conditional: boolean;
  readonly #text: FormatSection | undefined;

  constructor(code: string) {
    this.code = code;
    this.#sections = formatSections(code);
    this.#numeric = this.#sections.slice(0, 3).filter((it) => it.kind !== 'text');
    this.#text = this.#sections[3] ?? this.#sections.find((it) => it.kind === 'text');
    this.#conditional = this.#numeric.some((it) => it.condition);
  }

  shape(value: number): NumberShape {
    const at = this.#choose(value);
    const section = this.#sections[at];
    if (!section) return NUMBER;
    const { kind, decimals } = section;
    if (kind === 'date' || kind === 'time') return { kind, parts: section.parts };
    if (kind === 'duration') return { kind };
    // A second section formats negative numbers itself; otherwise the sign precedes the text.
    const sign = value < 0 && (at === 0 || section.condition !== undefined);
    if (kind === 'digits') return { kind, section, sign };
    return { kind: 'number', section, sign, ...(decimals ? { decimals } : {}) };
  }

  /** The displayed text, if it differs from the text: `KH-17` for `17` with `"KH-"@`. */
  seenText(text: string): string | undefined {
    const display = this.#text?.display;
    if (!display || (display.hasDigits && !WORD.test(display.before + display.after))) return undefined;
    return display.hasDigits ? `${display.before}${text}${display.after}` : display.before;
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

/** Inserts a whole number's digits into a format's places, from the right, between its literals. */
export function showDigits(digits: string, { section, sign }: SignedSection): string {
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
