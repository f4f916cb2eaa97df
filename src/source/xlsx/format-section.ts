import { type Decimals, DisplayedParts, type FormatPiece, type SectionDisplay } from './section-display.js';

const COMPARISONS: Readonly<Record<string, (value: number, than: number) => boolean>> = {
  '<': (value, than) => value < than,
  '<=': (value, than) => value <= than,
  '>': (value, than) => value > than,
  '>=': (value, than) => value >= than,
  '<>': (value, than) => value !== than,
  '=': (value, than) => value === than,
};

/** The condition of a format's section, `[>=100]`: its numbers. Undefined if the brackets contain something else. */
function formatCondition(inside: string): ((value: number) => boolean) | undefined {
  const [, sign = '', than] = /^(<=|>=|<>|<|>|=)\s*(-?\d+(?:\.\d+)?)$/.exec(inside) ?? [];
  const compare = COMPARISONS[sign];
  return compare && ((value) => compare(value, Number(than)));
}

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

export interface DateParts {
  readonly year: boolean;
  readonly month: boolean;
  readonly day: boolean;
  readonly clock: boolean;
  readonly seconds: boolean;
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
  readonly #displayed = new DisplayedParts();
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
    const isText = kind === 'text';
    const isNumber = kind === 'number' || kind === 'digits';
    const { pieces, wholeZeros, exponent } = this.#displayed;
    return {
      kind,
      condition: this.#condition,
      pieces,
      wholeZeros,
      exponent: isNumber ? exponent : undefined,
      ...(isNumber || isText ? this.#displayed.appearance(code.slice(start, this.at), isText) : {}),
      parts: {
        year: this.#year,
        month: this.#months > 0,
        day: this.#dayOfMonth,
        clock: this.#clock || this.#minutes > 0,
        seconds: this.#seconds,
      },
    };
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
      this.#displayed.general();
      this.at += general[0].length;
      return;
    }
    if (EXPONENT.test(rest)) {
      this.#displayed.beginExponent();
      this.at += 2;
      return;
    }
    this.at += 1;
    const next = this.#code[this.at] ?? '';
    if (char === '\\') {
      this.#displayed.literal(next);
      this.at += 1;
    } else if (char === '_' || char === '*') {
      this.at += 1;
    } else if (char === '@') {
      this.#text = true;
      this.#displayed.plain = false;
      this.#displayed.value();
    } else if ('0#?'.includes(char)) this.#displayed.place(char);
    else if (char === '.' || char === ',') this.#displayed.separator(char, next);
    else if (char === '%' || char === '/') {
      // In a date, a slash separates; otherwise it is that of a fraction, `# ?/?`.
      if (char === '%' || (this.#displayed.zeros > 0 && !this.#day)) this.#displayed.plain = false;
      this.#displayed.scaled(char);
    } else if (/[a-z]/i.test(char)) this.#letter(char.toLowerCase());
    else this.#displayed.literal(char);
  }

  #letter(letter: string): void {
    let length = 1;
    while (this.#code[this.at]?.toLowerCase() === letter) {
      this.at += 1;
      length += 1;
    }
    this.#displayed.plain = false;
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
    this.#displayed.literal(this.#code.slice(this.at + 1, end));
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
    } else if (/^\$[^-]/.test(inside)) this.#displayed.literal(inside.slice(1).replace(/-[^-]*$/, ''));
  }

  #wholeDay(): void {
    this.#day = true;
    this.#year = true;
    this.#months += 1;
    this.#dayOfMonth = true;
  }

  #kind(): FormatSection['kind'] {
    if (this.#elapsed) return 'duration';
    const { pieces, plain, zeros } = this.#displayed;
    const places = pieces.some((it) => it.kind === 'place');
    // Only a date with a time has digit places (parts of a second). In other formats the letters are an unquoted unit.
    if ((this.#day || this.#months > 0) && (this.#clock || !places)) return 'date';
    if (this.#clock || this.#minutes > 0) return 'time';
    if (this.#text) return 'text';
    const zeroText = pieces.some((it) => it.kind === 'literal' && it.text.includes('0'));
    return plain && places && (zeros > 1 || zeroText) ? 'digits' : 'number';
  }
}
