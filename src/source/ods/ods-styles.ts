import { formatOf, type Styles } from '../xlsx/xlsx-styles.js';
import type { Attributes, OdsVisitor } from './ods-scan.js';

type Format = Styles[number];

interface CellStyle {
  /** Whether it strikes out; undefined: as its parent. */
  struck?: boolean;
  readonly data: string | undefined;
  readonly parent: string | undefined;
}

interface DataStyle {
  /** In the form of a format code. */
  code: string;
  /** Conditions under which other styles apply. */
  readonly maps: { readonly condition: string; readonly style: string }[];
}

const DATA_STYLE =
  /^\/document-(?:content|styles)\/(?:automatic-styles|styles)\/((?:number|currency|percentage|date|time|text|boolean)-style)(\/[\w-]+)?(\/embedded-text)?$/;
const CELL_STYLE = /^\/document-(?:content|styles)\/(?:automatic-styles|styles)\/(?:style|default-style)$/;
const TEXT_PROPERTIES =
  /^\/document-(?:content|styles)\/(?:automatic-styles|styles)\/(?:style|default-style)\/text-properties$/;
const TABLE_PROPERTIES =
  /^\/document-(?:content|styles)\/(?:automatic-styles|styles)\/style\/table-properties$/;
/** Maximum length of a chain of parents. */
const MAX_PARENTS = 20;
/** More zeros than any number has digits. */
const MAX_PLACES = 64;
const DEFAULT = 'default of all cells';

/**
 * The number formats of cells, from `content.xml` and `styles.xml` (OpenDocument part 3, 16.29). Data styles are
 * converted to format codes as in .xlsx files, so that one rule determines a number's value.
 */
export class OdsStyles implements OdsVisitor {
  readonly #cells = new Map<string, CellStyle>();
  readonly #data = new Map<string, DataStyle>();
  readonly #formats = new Map<string, Format>();
  readonly #hiddenTables = new Set<string>();
  readonly #struckTexts = new Set<string>();
  #style = '';
  /** The open cell style; and whether a character style is open. */
  #cellStyle: CellStyle | undefined;
  #isText = false;
  #current: DataStyle | undefined;
  #elapsed = false;
  /** Text of the element that is open. */
  #text = '';
  #number:
    | { digits: string; readonly embedded: { readonly at: number; text: string }[]; readonly rest: string }
    | undefined;

  open(path: string, given: () => Attributes): void {
    if (CELL_STYLE.test(path)) {
      const attributes = given();
      this.#style = attributes.get('style:name') ?? '';
      const family = attributes.get('style:family');
      this.#isText = family === 'text';
      this.#cellStyle = undefined;
      if (family !== 'table-cell') return;
      const name = path.endsWith('default-style') ? DEFAULT : this.#style;
      this.#cellStyle = {
        data: attributes.get('style:data-style-name'),
        parent: attributes.get('style:parent-style-name') ?? (name === DEFAULT ? undefined : DEFAULT),
      };
      this.#cells.set(name, this.#cellStyle);
      return;
    }
    if (TEXT_PROPERTIES.test(path)) {
      const struck = strikesOut(given());
      if (struck !== undefined && this.#cellStyle) this.#cellStyle.struck = struck;
      if (struck && this.#isText) this.#struckTexts.add(this.#style);
      return;
    }
    if (TABLE_PROPERTIES.test(path)) {
      if (given().get('table:display') === 'false') this.#hiddenTables.add(this.#style);
      return;
    }
    const found = DATA_STYLE.exec(path);
    if (!found) return;
    const attributes = given();
    const [, , child, embedded] = found;
    this.#text = '';
    if (child === undefined) this.#begin(attributes);
    else if (embedded) {
      const at = Number(attributes.get('number:position') ?? 0);
      this.#number?.embedded.push({ at: Number.isInteger(at) ? at : 0, text: '' });
    } else this.#add(child, attributes);
  }

  text(path: string, text: string): void {
    if (this.#current && DATA_STYLE.test(path)) this.#text += text;
  }

  close(path: string): void {
    const found = this.#current && DATA_STYLE.exec(path);
    if (!found || !this.#current) return;
    const [, kind, child, embedded] = found;
    if (child === undefined) this.#current = undefined;
    else if (embedded) {
      const last = this.#number?.embedded.at(-1);
      if (last) last.text = this.#text;
    } else if (child === '/number') this.#endNumber();
    else if (child === '/text' || child === '/currency-symbol') {
      const text = quoted(this.#text);
      // Within quotes it would be a plain sign, and the number would not be multiplied by a hundred.
      this.#current.code +=
        kind === 'percentage-style' ? text.replace('%', '"%"').replaceAll('""', '') : text;
    }
  }

  isHiddenTable(style: string | undefined): boolean {
    return style !== undefined && this.#hiddenTables.has(style);
  }

  /** The format of a cell's style; undefined is General. */
  format(style: string | undefined): Format {
    const name = style ?? 'Default';
    if (this.#formats.has(name)) return this.#formats.get(name);
    const format = formatOf(this.#code(this.#dataOf(name)));
    this.#formats.set(name, format);
    return format;
  }

  isStruck(style: string | undefined): boolean {
    return this.#inherited(style ?? 'Default', (it) => it.struck) ?? false;
  }

  isStruckText(style: string | undefined): boolean {
    return style !== undefined && this.#struckTexts.has(style);
  }

  #dataOf(name: string): string | undefined {
    return this.#inherited(name, (it) => it.data);
  }

  #inherited<T>(name: string, propertyOf: (style: CellStyle) => T | undefined): T | undefined {
    let style = this.#cells.get(name) ?? this.#cells.get(DEFAULT);
    for (let count = 0; style && count < MAX_PARENTS; count += 1) {
      const found = propertyOf(style);
      if (found !== undefined) return found;
      style = style.parent === undefined ? undefined : this.#cells.get(style.parent);
    }
    return undefined;
  }

  #code(data: string | undefined): string {
    const style = data === undefined ? undefined : this.#data.get(data);
    if (!style) return '';
    const sections = style.maps.map(({ condition, style: other }) => {
      return `[${condition}]${this.#data.get(other)?.code ?? 'General'}`;
    });
    return [...sections, style.code].join(';');
  }

  #begin(attributes: Attributes): void {
    this.#current = { code: '', maps: [] };
    this.#data.set(attributes.get('style:name') ?? '', this.#current);
    this.#elapsed = attributes.get('number:truncate-on-overflow') === 'false';
  }

  #add(child: string, attributes: Attributes): void {
    const current = this.#current;
    if (!current) return;
    const long = attributes.get('number:style') === 'long';
    switch (child) {
      case '/number':
        this.#beginNumber(attributes);
        return;
      case '/scientific-number':
        current.code += `0${decimals(attributes)}E+00`;
        return;
      case '/fraction':
        current.code += '# ?/?';
        return;
      case '/text-content':
        current.code += '@';
        return;
      case '/map': {
        const condition = /^value\(\)\s*(<=|>=|!=|<|>|=)\s*(-?\d+(?:\.\d+)?)$/.exec(
          (attributes.get('style:condition') ?? '').trim(),
        );
        const style = attributes.get('style:apply-style-name');
        if (!condition || style === undefined) return;
        const sign = condition[1] === '!=' ? '<>' : condition[1]!;
        current.maps.push({ condition: `${sign}${condition[2]}`, style });
        return;
      }
      case '/hours':
        current.code += this.#elapsed ? '[h]' : long ? 'hh' : 'h';
        return;
      case '/seconds':
        current.code += `${long ? 'ss' : 's'}${decimals(attributes)}`;
        return;
      case '/month':
        current.code +=
          attributes.get('number:textual') === 'true' ? (long ? 'mmmm' : 'mmm') : long ? 'mm' : 'm';
        return;
      default:
        current.code += DATE_PARTS[child]?.[long ? 1 : 0] ?? '';
    }
  }

  #beginNumber(attributes: Attributes): void {
    const least = places(attributes.get('number:min-integer-digits'), 0);
    const places_ = attributes.get('number:decimal-places');
    const isGeneral = places_ === undefined && least <= 1 && !attributes.has('number:display-factor');
    const factor = Number(attributes.get('number:display-factor') ?? 1);
    const thousands = factor >= 1000 ? ','.repeat(Math.min(5, Math.round(Math.log10(factor) / 3))) : '';
    const grouped = attributes.get('number:grouping') === 'true';
    const digits = isGeneral ? 'General' : '0'.repeat(least) || '#';
    const rest = isGeneral ? '' : `${decimals(attributes)}${thousands}`;
    this.#number = { digits: grouped && !isGeneral ? `#,##${digits}` : digits, embedded: [], rest };
  }

  #endNumber(): void {
    const number = this.#number;
    this.#number = undefined;
    if (!number || !this.#current) return;
    let { digits } = number;
    // Positions count places from the right. A format of few zeros has more places than it shows.
    const texts = number.embedded.filter(({ at }) => at >= 0 && at <= MAX_PLACES && digits !== 'General');
    const most = Math.max(0, ...texts.map(({ at }) => at));
    if (!digits.includes(',')) digits = digits.padStart(most, '#');
    for (const { at, text } of texts) digits = insertAt(digits, at, text);
    this.#current.code += digits + number.rest;
  }
}

/** Whether characters are struck out; undefined if the properties do not define it. */
function strikesOut(attributes: Attributes): boolean | undefined {
  const line =
    attributes.get('style:text-line-through-style') ?? attributes.get('style:text-line-through-type');
  return line === undefined ? undefined : line !== 'none';
}

/** Inserts a text before the last `at` places. Earlier insertions are not counted as places. */
function insertAt(digits: string, at: number, text: string): string {
  let left = at;
  let i = digits.length;
  while (left > 0 && i > 0) {
    i -= 1;
    if (digits[i] === '"') i = digits.lastIndexOf('"', i - 1);
    else left -= 1;
  }
  return `${digits.slice(0, i)}${quoted(text)}${digits.slice(i)}`;
}

/** Codes of the parts of a date, short and long. */
const DATE_PARTS: Readonly<Record<string, readonly [string, string]>> = {
  '/era': ['g', 'gg'],
  '/year': ['yy', 'yyyy'],
  '/quarter': ['"Q"', '"Q"'],
  '/day': ['d', 'dd'],
  '/day-of-week': ['ddd', 'dddd'],
  '/week-of-year': ['', ''],
  '/minutes': ['m', 'mm'],
  '/am-pm': ['AM/PM', 'AM/PM'],
};

function quoted(text: string): string {
  return text
    .split('"')
    .map((it) => (it === '' ? '' : `"${it}"`))
    .join('\\"');
}

function places(text: string | undefined, otherwise: number): number {
  const number = Number(text ?? otherwise);
  return Number.isInteger(number) && number >= 0 ? Math.min(number, MAX_PLACES) : otherwise;
}

/** `.00##`: places that are always shown, and optional ones. */
function decimals(attributes: Attributes): string {
  const most = places(attributes.get('number:decimal-places'), 0);
  const shown = attributes.get('number:min-decimal-places') ?? attributes.get('loext:min-decimal-places');
  const least = attributes.has('number:decimal-replacement') ? 0 : Math.min(most, places(shown, most));
  return most === 0 ? '' : `.${'0'.repeat(least)}${'#'.repeat(most - least)}`;
}
