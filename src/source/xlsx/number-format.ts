import { type DateParts, type Decimals, type FormatSection, formatSections } from './format-section.js';

/** What a format shows a number as. */
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
  /** A minus sign is put before what the section shows. */
  readonly sign: boolean;
}

const NUMBER: NumberShape = { kind: 'number' };
/** Blanks and currencies around a text say nothing else than the text does. */
const WORD = /[^\s\p{Sc}]/u;

/** A number format (§ 18.8.31 of ECMA-376): up to four sections, of which the value chooses one. */
export class NumberFormat {
  readonly code: string;
  readonly #sections: readonly FormatSection[];
  /** The sections for numbers, without the section for text (the fourth, or one with @). */
  readonly #numeric: readonly FormatSection[];
  readonly #conditional: boolean;
  /** The section that shows texts. */
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
    // A second section shows negative numbers in its own way; otherwise the sign is put in front.
    const sign = value < 0 && (at === 0 || section.condition !== undefined);
    if (kind === 'digits') return { kind, section, sign };
    return { kind: 'number', section, sign, ...(decimals ? { decimals } : {}) };
  }

  /** What is shown of a text, if it is more or less than the text: `KH-17` for `17` through `"KH-"@`. */
  seenText(text: string): string | undefined {
    const telling = this.#text?.telling;
    if (!telling || (telling.hasDigits && !WORD.test(telling.before + telling.after))) return undefined;
    return telling.hasDigits ? `${telling.before}${text}${telling.after}` : telling.before;
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
