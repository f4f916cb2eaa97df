/** A place for a digit, or literal text. */
export type FormatPiece =
  | { readonly kind: 'place'; readonly zero: boolean }
  | { readonly kind: 'literal'; readonly text: string };

/** How a section shows a number or a text. */
export interface SectionDisplay {
  /** Literal text before and after the value. */
  readonly before: string;
  readonly after: string;
  readonly hasDigits: boolean;
  /** Thousands are separated by commas. */
  readonly grouped: boolean;
  /** A zero is shown, too: `#` and `?` omit it. */
  readonly zero: boolean;
  /** Only places and literals: the digits are inserted between them. */
  readonly plain: boolean;
  /** The power of ten that the shown number is multiplied by: 2 for a percentage. */
  readonly scale: number;
  readonly places: Decimals | undefined;
}

export interface Decimals {
  readonly least: number;
  readonly most: number;
}

/** Collects the places and literals of a section, from which follows how a number appears. */
export class DisplayedParts {
  readonly pieces: FormatPiece[] = [];
  zeros = 0;
  /** Digits before the point that are always shown. */
  wholeZeros = 0;
  /** Decimal places of the mantissa; undefined without an exponent. */
  exponent: number | undefined;
  /** Only places and literals. */
  plain = true;
  #grouped = false;
  /** The number itself is shown: no percentage, no multiple, and not with General's own number of places. */
  #unscaled = true;
  /** The power of ten that the shown number is multiplied by; undefined for an exponent or a fraction. */
  #scale: number | undefined = 0;
  /** Number of pieces before the first digit, and before the part after the last one; -1 without digits. */
  #firstDigit = -1;
  #afterDigits = -1;
  #point = false;
  #places = 0;
  #least = 0;
  #most = 0;

  literal(text: string): void {
    if (text !== '') this.pieces.push({ kind: 'literal', text });
  }

  /** The number or the text is inserted here. */
  value(): void {
    if (this.#firstDigit < 0) this.#firstDigit = this.pieces.length;
    this.#afterDigits = this.pieces.length;
  }

  /** @param char `0`, `#` or `?` */
  place(char: string): void {
    if (char === '0') {
      this.zeros += 1;
      if (!this.#point && this.exponent === undefined) this.wholeZeros += 1;
    }
    this.#places += 1;
    if (this.#point) {
      this.#most += 1;
      if (char === '0') this.#least = this.#most;
    }
    if (char === '?') this.plain = false;
    else this.pieces.push({ kind: 'place', zero: char === '0' });
    this.value();
  }

  general(): void {
    this.plain = false;
    this.#unscaled = false;
    this.value();
  }

  beginExponent(): void {
    this.plain = false;
    this.#unscaled = false;
    this.#scale = undefined;
    this.exponent = this.#most;
  }

  /** A decimal point, or a comma, which separates thousands if a place follows. */
  separator(char: string, next: string): void {
    this.plain = false;
    if (char === '.') this.#point = true;
    else if (this.#places > 0 && /[0#?]/.test(next)) this.#grouped = true;
  }

  /** A percentage, or a fraction. */
  scaled(char: string): void {
    this.#unscaled = false;
    if (char === '/') this.#scale = undefined;
    else if (this.#scale !== undefined) this.#scale += 2;
    this.literal(char);
  }

  /**
   * @param code of the section
   * @param isText the section is for texts
   */
  appearance(code: string, isText: boolean) {
    // A comma after the last place divides by a thousand.
    const divided = /[0#?](,+)(?:[^0#?,]|$)/.exec(code.replace(/"[^"]*"/g, ''));
    const places = this.#places > 0 && !isText ? { least: this.#least, most: this.#most } : undefined;
    return {
      decimals: this.#unscaled && !divided ? places : undefined,
      display: this.#displayOf(3 * (divided?.[1]?.length ?? 0), places),
    };
  }

  #displayOf(divided: number, places: Decimals | undefined): SectionDisplay | undefined {
    if (this.#scale === undefined) return undefined;
    const hasDigits = this.#firstDigit >= 0;
    const words = (from: number, to?: number): string =>
      this.pieces
        .slice(from, to)
        .map((it) => (it.kind === 'literal' ? it.text : ''))
        .join('');
    return {
      before: words(0, hasDigits ? this.#firstDigit : undefined),
      after: hasDigits ? words(this.#afterDigits) : '',
      hasDigits,
      grouped: this.#grouped,
      zero: this.zeros > 0 || this.#places === 0,
      plain: this.plain,
      scale: this.#scale - divided,
      places,
    };
  }
}
