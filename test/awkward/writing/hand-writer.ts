import { type ZipEntry, zip } from '../../fixtures/zip.js';
import { serial } from '../days.js';
import type { Draft, Laid, Line, Page } from '../sheet.js';
import { numberedLines, pagesOf } from './rows.js';

const LOOSE = {
  main: 'http://schemas.openxmlformats.org/spreadsheetml/2006/main',
  relations: 'http://schemas.openxmlformats.org/officeDocument/2006/relationships',
};
const STRICT = {
  main: 'http://purl.oclc.org/ooxml/spreadsheetml/main',
  relations: 'http://purl.oclc.org/ooxml/officeDocument/relationships',
};
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006/relationships';

/** The workbook as programs other than Excel make it: prefixes, inline strings, cells that don't say where they are. */
export function writeByHand(draft: Draft): Buffer {
  const names = draft.book.strict ? STRICT : LOOSE;
  const shared: string[] = [];
  const formats: string[] = [];
  const pages = pagesOf(draft);
  const sheets = pages.map((page) => new SheetText(draft, page, shared, formats).whole(names.main));
  const p = draft.book.prefix;
  const xmlns = p === '' ? `xmlns="${names.main}"` : `xmlns:${p.slice(0, -1)}="${names.main}"`;
  const relation = (id: string, type: string, target: string): string =>
    `<Relationship Id="${id}" Type="${names.relations}/${type}" Target="${target}"/>`;
  const entries: ZipEntry[] = [
    { name: '[Content_Types].xml', data: contentTypes(pages.length) },
    {
      name: '_rels/.rels',
      data: `<Relationships xmlns="${PACKAGE}">${relation('r1', 'officeDocument', 'xl/workbook.xml')}</Relationships>`,
    },
    {
      name: 'xl/workbook.xml',
      data: `<${p}workbook ${xmlns} xmlns:r="${names.relations}"><${p}workbookPr date1904="${draft.book.date1904 ? 1 : 0}"/><${p}sheets>${pages
        .map(
          (page, at) =>
            `<${p}sheet name="${escaped(page.name)}" sheetId="${at + 1}"${page.hidden ? ' state="hidden"' : ''} r:id="s${at + 1}"/>`,
        )
        .join(
          '',
        )}</${p}sheets>${draft.book.pending ? `<${p}calcPr fullCalcOnLoad="1"/>` : ''}</${p}workbook>`,
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      data: `<Relationships xmlns="${PACKAGE}">${pages
        .map((_, at) => relation(`s${at + 1}`, 'worksheet', `worksheets/sheet${at + 1}.xml`))
        .join(
          '',
        )}${relation('st', 'styles', 'styles.xml')}${relation('ss', 'sharedStrings', 'sharedStrings.xml')}</Relationships>`,
    },
    ...sheets.map((data, at) => ({ name: `xl/worksheets/sheet${at + 1}.xml`, data })),
    {
      name: 'xl/styles.xml',
      data: `<${p}styleSheet ${xmlns}><${p}numFmts>${formats
        .map((code, at) => `<${p}numFmt numFmtId="${200 + at}" formatCode="${escaped(code)}"/>`)
        .join('')}</${p}numFmts><${p}cellXfs><${p}xf numFmtId="0"/>${formats
        .map((_, at) => `<${p}xf numFmtId="${200 + at}"/>`)
        .join('')}</${p}cellXfs></${p}styleSheet>`,
    },
    {
      name: 'xl/sharedStrings.xml',
      data: `<${p}sst ${xmlns}>${shared.map((it) => `<${p}si>${it}</${p}si>`).join('')}</${p}sst>`,
    },
  ];
  return zip(entries);
}

class SheetText {
  readonly #draft: Draft;
  readonly #page: Page;
  readonly #shared: string[];
  readonly #formats: string[];
  readonly #p: string;

  constructor(draft: Draft, page: Page, shared: string[], formats: string[]) {
    this.#draft = draft;
    this.#page = page;
    this.#shared = shared;
    this.#formats = formats;
    this.#p = draft.book.prefix;
  }

  whole(main: string): string {
    const p = this.#p;
    const lines = numberedLines(this.#page);
    const { claims } = this.#draft.book;
    const xmlns = p === '' ? `xmlns="${main}"` : `xmlns:${p.slice(0, -1)}="${main}"`;
    const rows = lines.map((line) => this.#row(line)).join('');
    // Formatted rows that hold nothing, and a claim of far more of them.
    const trailing = claims
      ? `<${p}row r="${lines.length + 3}"><${p}c r="A${lines.length + 3}" s="0"/></${p}row>`
      : '';
    const dimension = claims ? `<${p}dimension ref="A1:XFD1048576"/>` : '';
    return `<?xml version="1.0" encoding="UTF-8"?><${p}worksheet ${xmlns}>${dimension}<${p}sheetData>${rows}${trailing}</${p}sheetData>${this.#filter(lines)}${this.#merges()}</${p}worksheet>`;
  }

  #row(line: Line): string {
    const p = this.#p;
    const { references } = this.#draft.book;
    if (line.cells.every((it) => it === undefined)) return '';
    const cells = Array.from(line.cells, (cell, at) => {
      const place = references ? ` r="${letters(at)}${line.row}"` : '';
      if (!cell) return references ? '' : `<${p}c/>`;
      return this.#cell(cell, place);
    });
    return `<${p}row r="${line.row}"${line.hidden ? ' hidden="1"' : ''}>${cells.join('')}</${p}row>`;
  }

  #cell(cell: Laid, place: string): string {
    const p = this.#p;
    const value = (it: string | number): string => `<${p}v>${it}</${p}v>`;
    switch (cell.kind) {
      case 'text':
        return this.#text(cell, place);
      case 'number':
        return `<${p}c${place}${this.#style(cell.format)}>${value(Number.isFinite(cell.number) ? cell.number : String(cell.number).replace('Infinity', 'INF'))}</${p}c>`;
      case 'date': {
        const number = serial(cell.moment, this.#draft.book.date1904);
        return `<${p}c${place}${this.#style(cell.format)}>${value(number)}</${p}c>`;
      }
      case 'boolean':
        return `<${p}c${place} t="b">${value(cell.boolean ? 1 : 0)}</${p}c>`;
      case 'error':
        return `<${p}c${place} t="e">${value(escaped(cell.text))}</${p}c>`;
      case 'formula': {
        const formula = `<${p}f>${escaped(cell.formula)}</${p}f>`;
        const { result } = cell;
        if (result?.kind === 'number') return `<${p}c${place}>${formula}${value(result.number)}</${p}c>`;
        if (result?.kind === 'error')
          return `<${p}c${place} t="e">${formula}${value(escaped(result.text))}</${p}c>`;
        if (result?.kind === 'text')
          return `<${p}c${place} t="str">${formula}${value(escaped(result.text))}</${p}c>`;
        return `<${p}c${place}>${formula}</${p}c>`;
      }
    }
  }

  #text(cell: Laid & { kind: 'text' }, place: string): string {
    const p = this.#p;
    const piece = (it: string): string => `<${p}t xml:space="preserve">${escaped(it)}</${p}t>`;
    const content = cell.runs
      ? cell.runs
          .map(
            (it, at) =>
              `<${p}r>${at % 2 === 0 && cell.struck !== 'whole' ? '' : `<${p}rPr><${p}${cell.struck ? 'strike' : 'b'}/></${p}rPr>`}${piece(it)}</${p}r>`,
          )
          .join('')
      : piece(cell.stored ?? cell.text);
    const { strings } = this.#draft.book;
    if (strings === 'inline' || (strings === 'mixed' && this.#draft.random.chance(0.5)))
      return `<${p}c${place} t="inlineStr"><${p}is>${content}</${p}is></${p}c>`;
    this.#shared.push(content);
    return `<${p}c${place} t="s"><${p}v>${this.#shared.length - 1}</${p}v></${p}c>`;
  }

  #style(format: string | undefined): string {
    if (format === undefined) return '';
    if (!this.#formats.includes(format)) this.#formats.push(format);
    return ` s="${this.#formats.indexOf(format) + 1}"`;
  }

  #merges(): string {
    const p = this.#p;
    const ranges = this.#page.merges.map(
      ({ from, to, first, last }) =>
        `<${p}mergeCell ref="${letters(first)}${from.row}:${letters(last)}${to.row}"/>`,
    );
    return ranges.length === 0 ? '' : `<${p}mergeCells>${ranges.join('')}</${p}mergeCells>`;
  }

  #filter(lines: readonly Line[]): string {
    if (!this.#page.filter) return '';
    const last = letters(this.#page.columns.length - 1);
    return `<${this.#p}autoFilter ref="A${this.#page.header.row}:${last}${lines.length}"/>`;
  }
}

export function letters(column: number): string {
  const rest = Math.floor(column / 26);
  return (rest === 0 ? '' : letters(rest - 1)) + String.fromCharCode(65 + (column % 26));
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll('\r', '&#13;');
}

function contentTypes(sheets: number): string {
  const kind = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
  const parts = Array.from(
    { length: sheets },
    (_, at) => `<Override PartName="/xl/worksheets/sheet${at + 1}.xml" ContentType="${kind}.worksheet+xml"/>`,
  ).join('');
  return `<?xml version="1.0" encoding="UTF-8"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${kind}.sheet.main+xml"/>${parts}<Override PartName="/xl/styles.xml" ContentType="${kind}.styles+xml"/><Override PartName="/xl/sharedStrings.xml" ContentType="${kind}.sharedStrings+xml"/></Types>`;
}
