/** The condition of a format's section, `[>=100]`: its numbers. Undefined if the brackets contain something else. */
function formatCondition(inside: string): ((value: number) => boolean) | undefined {
  const parts = /^(<=|>=|<>|<|>|=)\s*(-?\d+(?:\.\d+)?)$/.exec(inside);
  return parts ? comparison(parts[1]!, Number(parts[2])) : undefined;
}

function comparison(sign: string, than: number): (value: number) => boolean {
  switch (sign) {
    case '<':
      return (value) => value < than;
    case '<=':
      return (value) => value <= than;
    case '>':
      return (value) => value > than;
    case '>=':
      return (value) => value >= than;
    case '<>':
      return (value) => value !== than;
    default:
      return (value) => value === than;
  }
}

/** A place for a digit, or literal text. */
type FormatPiece =
  | { readonly kind: 'place'; readonly zero: boolean }
  | { readonly kind: 'literal'; readonly text: string };

export interface FormatSection {
  /** `digits`: only places and literals, with leading zeros to show. `text`: the section for text cells. */
  readonly kind: 'number' | 'date' | 'time' | 'duration' | 'digits' | 'text';
  readonly condition?: (value: number) => boolean;
  readonly pieces: readonly FormatPiece[];
  /** Decimal places shown; undefined if the format does not show the number itself (`0%`, `E+00`). */
  readonly decimals?: Decimals;
  /** How a number or a text is shown; undefined for fractions and exponents. */
  readonly display?: SectionDisplay;
  /** Digits before the point that are always shown. */
  readonly wholeZeros: number;
  /** Decimal places of the mantissa, if the number is shown with an exponent. */
  readonly exponent?: number;
  readonly parts: DateParts;
}

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

export interface DateParts {
  readonly year: boolean;
  readonly month: boolean;
  readonly day: boolean;
  readonly clock: boolean;
  readonly seconds: boolean;
}

export interface Decimals {
  readonly least: number;
  readonly most: number;
}

/** Splits a format code at `;` and determines what each section shows. */
export function formatSections(code: string): readonly FormatSection[] {
  const sections: FormatSection[] = [];
  for (let at = 0; at <= code.length; ) {
    const reader = new SectionReader(code, at);
    sections.push(reader.section());
    at = reader.at + 1;
  }
  return sections;
}

/** AM/PM, A/P, and the Chinese forms. */
const HALF_DAY = /^(?:am\/pm|a\/p|上午\/下午)/i;
/** Chinese and Korean programs also write it in their own language. */
const GENERAL = /^(?:general|g\/(?:通用格式|표준))/i;
/** Exponent: `E+00`. Without a sign, `e` is a year. */
const EXPONENT = /^e[+-]/i;
class SectionReader {
  at: number;
  readonly #code: string;
  readonly #pieces: FormatPiece[] = [];
  #condition: ((value: number) => boolean) | undefined;
  #day = false;
  #year = false;
  #dayOfMonth = false;
  #clock = false;
  #seconds = false;
  #months = 0;
  #minutes = 0;
  #elapsed = false;
  #text = false;
  #zeros = 0;
  #wholeZeros = 0;
  #grouped = false;
  /** Decimal places of the mantissa; undefined without an exponent. */
  #exponent: number | undefined;
  #plain = true;
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
  /** The last relevant letter, to distinguish minutes from months. */
  #last = '';

  constructor(code: string, at: number) {
    this.#code = code;
    this.at = at;
  }

  /** Reads up to the next `;` and stops there. */
  section(): FormatSection {
    const code = this.#code;
    const start = this.at;
    while (this.at < code.length && code[this.at] !== ';') this.#step(code[this.at]!);
    const kind = this.#kind();
    // A comma after the last place divides by a thousand.
    const divided = /[0#?](,+)(?:[^0#?,]|$)/.exec(code.slice(start, this.at).replace(/"[^"]*"/g, ''));
    const isNumber = kind === 'number' || kind === 'digits';
    const places = this.#places > 0 && isNumber ? { least: this.#least, most: this.#most } : undefined;
    const decimals = this.#unscaled && !divided && places ? { decimals: places } : {};
    const display =
      isNumber || kind === 'text' ? this.#displayOf(3 * (divided?.[1]?.length ?? 0), places) : undefined;
    const parts = {
      year: this.#year,
      month: this.#months > 0,
      day: this.#dayOfMonth,
      clock: this.#clock || this.#minutes > 0,
      seconds: this.#seconds,
    };
    const found = {
      kind,
      pieces: this.#pieces,
      parts,
      wholeZeros: this.#wholeZeros,
      ...decimals,
      ...(display ? { display } : {}),
      ...(this.#exponent !== undefined && isNumber ? { exponent: this.#exponent } : {}),
    };
    return this.#condition ? { ...found, condition: this.#condition } : found;
  }

  #step(char: string): void {
    const rest = this.#code.slice(this.at, this.at + 8);
    const halfDay = HALF_DAY.exec(rest);
    if (char === '"') {
      this.#quoted();
      return;
    }
    if (char === '[') {
      this.#bracket();
      return;
    }
    if (halfDay) {
      this.#clock = true;
      this.#last = 'h';
      this.at += halfDay[0].length;
      return;
    }
    const general = GENERAL.exec(rest);
    if (general) {
      this.#plain = false;
      this.#unscaled = false;
      this.#digit();
      this.at += general[0].length;
      return;
    }
    if (EXPONENT.test(rest)) {
      this.#plain = false;
      this.#unscaled = false;
      this.#scale = undefined;
      this.#exponent = this.#most;
      this.at += 2;
      return;
    }
    this.at += 1;
    if (char === '\\') {
      this.#literal(this.#code[this.at] ?? '');
      this.at += 1;
    } else if (char === '_' || char === '*') {
      this.at += 1;
    } else if (char === '@') {
      this.#text = true;
      this.#digit();
    } else if (char === '0' || char === '#') {
      if (char === '0') this.#zeros += 1;
      if (char === '0' && !this.#point && this.#exponent === undefined) this.#wholeZeros += 1;
      this.#place(char);
      this.#pieces.push({ kind: 'place', zero: char === '0' });
      this.#digit();
    } else if ('?.,%'.includes(char) || (char === '/' && this.#zeros > 0 && !this.#day)) {
      this.#plain = false;
      if (char === ',' && this.#places > 0 && /[0#?]/.test(this.#code[this.at] ?? '')) this.#grouped = true;
      if (char === '.') this.#point = true;
      else if (char === '?') {
        this.#place(char);
        this.#digit();
      } else if (char !== ',') this.#scaled(char);
    } else if (/[a-z]/i.test(char)) {
      this.#letter(char.toLowerCase());
    } else {
      // A fraction, `# ?/?`.
      if (char === '/') this.#scaled(char);
      else this.#literal(char);
    }
  }

  /** A percentage, or a fraction. */
  #scaled(char: string): void {
    this.#unscaled = false;
    if (char === '/') this.#scale = undefined;
    else if (this.#scale !== undefined) this.#scale += 2;
    this.#literal(char);
  }

  #digit(): void {
    if (this.#firstDigit < 0) this.#firstDigit = this.#pieces.length;
    this.#afterDigits = this.#pieces.length;
  }

  #displayOf(divided: number, places: Decimals | undefined): SectionDisplay | undefined {
    if (this.#scale === undefined) return undefined;
    const scale = this.#scale - divided;
    const hasDigits = this.#firstDigit >= 0;
    const words = (from: number, to: number): string =>
      this.#pieces
        .slice(from, to)
        .map((it) => (it.kind === 'literal' ? it.text : ''))
        .join('');
    const before = hasDigits ? words(0, this.#firstDigit) : words(0, this.#pieces.length);
    const after = hasDigits ? words(this.#afterDigits, this.#pieces.length) : '';
    return {
      before,
      after,
      hasDigits,
      grouped: this.#grouped,
      zero: this.#zeros > 0 || this.#places === 0,
      plain: this.#plain && !this.#text,
      scale,
      places,
    };
  }

  #place(char: string): void {
    this.#places += 1;
    if (!this.#point) return;
    this.#most += 1;
    if (char === '0') this.#least = this.#most;
  }

  #letter(letter: string): void {
    let length = 1;
    while (this.#code[this.at]?.toLowerCase() === letter) {
      this.at += 1;
      length += 1;
    }
    this.#plain = false;
    if (letter === 'm') {
      // After hours `m` means minutes. Before seconds, too, but these are only found later.
      const minutes = this.#last === 'h' && length <= 2;
      if (minutes) this.#minutes += 1;
      else this.#months += 1;
      this.#last = minutes || length > 2 ? '' : 'm';
    } else if (letter === 's') {
      if (this.#last === 'm') {
        this.#months -= 1;
        this.#minutes += 1;
      }
      this.#clock = true;
      this.#seconds = true;
      this.#last = 's';
    } else if (letter === 'h') {
      this.#clock = true;
      this.#last = 'h';
    } else if ('ydegba'.includes(letter)) {
      this.#day = true;
      if ('yeb'.includes(letter)) this.#year = true;
      if (letter === 'd' && length <= 2) this.#dayOfMonth = true;
      this.#last = letter;
    }
  }

  #quoted(): void {
    const close = this.#code.indexOf('"', this.at + 1);
    const end = close < 0 ? this.#code.length : close;
    this.#literal(this.#code.slice(this.at + 1, end));
    this.at = end + 1;
  }

  /** Elapsed units, conditions and system formats are relevant; colours and locales are not. */
  #bracket(): void {
    const close = this.#code.indexOf(']', this.at);
    const end = close < 0 ? this.#code.length : close;
    const inside = this.#code.slice(this.at + 1, end);
    this.at = end + 1;
    const condition = formatCondition(inside);
    if (condition) this.#condition = condition;
    else if (/^(h+|m+|s+)$/i.test(inside)) {
      this.#elapsed = true;
      this.#last = 'h';
    } else if (/^\$-[0-9a-f]*f800$/i.test(inside)) this.#wholeDay();
    else if (/^\$-[0-9a-f]*f400$/i.test(inside)) {
      this.#clock = true;
      this.#seconds = true;
    } else if (/^\$[^-]/.test(inside)) this.#literal(inside.slice(1).replace(/-[^-]*$/, ''));
  }

  #wholeDay(): void {
    this.#day = true;
    this.#year = true;
    this.#months += 1;
    this.#dayOfMonth = true;
  }

  #literal(text: string): void {
    if (text !== '') this.#pieces.push({ kind: 'literal', text });
  }

  #kind(): FormatSection['kind'] {
    if (this.#elapsed) return 'duration';
    const places = this.#pieces.some((it) => it.kind === 'place');
    // Only a date with a time has digit places (parts of a second). In other formats the letters are an unquoted unit.
    if ((this.#day || this.#months > 0) && (this.#clock || !places)) return 'date';
    if (this.#clock || this.#minutes > 0) return 'time';
    if (this.#text) return 'text';
    const zeroText = this.#pieces.some((it) => it.kind === 'literal' && it.text.includes('0'));
    return this.#plain && places && (this.#zeros > 1 || zeroText) ? 'digits' : 'number';
  }
}
