// Workbooks as Excel saves them: shared strings in order of first appearance, their part behind the sheet's.
import { Day } from './values.mjs';
import { ZipWriter } from './zip.mjs';

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
const DATE_STYLE = 1;
const PAGE = 500;

const TYPES = `${XML}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPE}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${TYPE}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${TYPE}.styles+xml"/><Override PartName="/xl/sharedStrings.xml" ContentType="${TYPE}.sharedStrings+xml"/></Types>`;

const relations = (...list) =>
  `${XML}<Relationships xmlns="${PACKAGE}/relationships">${list
    .map(
      ([type, target], index) =>
        `<Relationship Id="rId${index + 1}" Type="${OFFICE}/${type}" Target="${target}"/>`,
    )
    .join('')}</Relationships>`;

const BOOK = `${XML}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><workbookPr/><sheets><sheet name="Orders" sheetId="1" r:id="rId1"/></sheets></workbook>`;

const STYLES = `${XML}<styleSheet xmlns="${MAIN}"><fonts count="1"><font><sz val="11"/><name val="等线"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="2"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="14" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/></cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`;

const ENTITIES = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
const escaped = (text) => text.replace(/[&<>]/g, (it) => ENTITIES[it]);

function letters(column) {
  const rest = Math.floor((column - 1) / 26);
  return (rest > 0 ? letters(rest) : '') + String.fromCharCode(65 + ((column - 1) % 26));
}

/** Numbers of the texts, in order of first appearance. */
class SharedTexts {
  #numbers = new Map();
  uses = 0;

  number(text) {
    this.uses += 1;
    let found = this.#numbers.get(text);
    if (found === undefined) {
      found = this.#numbers.size;
      this.#numbers.set(text, found);
    }
    return found;
  }

  *xml() {
    yield `${XML}<sst xmlns="${MAIN}" count="${this.uses}" uniqueCount="${this.#numbers.size}">`;
    let page = '';
    for (const text of this.#numbers.keys()) {
      page += `<si><t>${escaped(text)}</t></si>`;
      if (page.length < 65_536) continue;
      yield page;
      page = '';
    }
    yield `${page}</sst>`;
  }
}

function cell(reference, value, texts) {
  if (value === '') return '';
  if (value instanceof Day) return `<c r="${reference}" s="${DATE_STYLE}"><v>${value.serial}</v></c>`;
  if (typeof value === 'number') return `<c r="${reference}"><v>${value}</v></c>`;
  return `<c r="${reference}" t="s"><v>${texts.number(value)}</v></c>`;
}

function* sheet(rows, columns, count, texts) {
  const names = Array.from({ length: columns }, (_, index) => letters(index + 1));
  yield `${XML}<worksheet xmlns="${MAIN}" xmlns:r="${OFFICE}"><dimension ref="A1:${names.at(-1)}${count}"/><sheetViews><sheetView workbookViewId="0"/></sheetViews><sheetFormatPr defaultRowHeight="14"/><sheetData>`;
  let number = 0;
  let page = '';
  for (const row of rows) {
    number += 1;
    page += `<row r="${number}" spans="1:${columns}">`;
    for (let index = 0; index < row.length; index += 1)
      page += cell(names[index] + number, row[index], texts);
    page += '</row>';
    if (number % PAGE !== 0) continue;
    yield page;
    page = '';
  }
  yield `${page}</sheetData><pageMargins left="0.7" right="0.7" top="0.75" bottom="0.75" header="0.3" footer="0.3"/></worksheet>`;
}

/** @param count how many rows there will be, the header among them */
export async function writeXlsx(file, rows, columns, count) {
  const zip = new ZipWriter(file);
  const texts = new SharedTexts();
  await zip.add('[Content_Types].xml', [TYPES]);
  await zip.add('_rels/.rels', [relations(['officeDocument', 'xl/workbook.xml'])]);
  await zip.add('xl/workbook.xml', [BOOK]);
  const parts = [
    ['worksheet', 'worksheets/sheet1.xml'],
    ['styles', 'styles.xml'],
    ['sharedStrings', 'sharedStrings.xml'],
  ];
  await zip.add('xl/_rels/workbook.xml.rels', [relations(...parts)]);
  await zip.add('xl/worksheets/sheet1.xml', sheet(rows, columns, count, texts));
  await zip.add('xl/styles.xml', [STYLES]);
  await zip.add('xl/sharedStrings.xml', texts.xml());
  await zip.end();
}
