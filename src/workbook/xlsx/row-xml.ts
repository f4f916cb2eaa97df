import { columnLetters } from '../../util/address.js';
import { XmlBytes } from './xml-bytes.js';

/** What a cell holds; null is nothing, where a cell has but a look. */
export type CellContent = string | number | boolean | { readonly error: string } | null;

/** Beginnings of cells by column, and the rest of their first attributes by style: the same ones come at every row. */
const CELLS: string[] = [];
const STYLES: string[] = ['"'];

function cellOpen(column: number): string {
  for (let next = CELLS.length; next <= column; next += 1) CELLS.push(`<c r="${columnLetters(next)}`);
  return CELLS[column]!;
}

function styled(style: number): string {
  for (let next = STYLES.length; next <= style; next += 1) STYLES.push(`" s="${next}"`);
  return STYLES[style]!;
}

/** Rows of a sheet as XML. Texts stand within their cells, so that none of them has to be kept until the end. */
export class RowXml {
  readonly #xml = new XmlBytes();
  #number = '';

  /** Bytes since they were last taken. */
  get length(): number {
    return this.#xml.length;
  }

  /** The bytes of whole rows, in memory that is used again for the next ones. */
  take(): Buffer {
    return this.#xml.take();
  }

  /**
   * @param first column with a cell, from 1
   * @param last column with a cell
   * @param points height, where it is not the usual one
   */
  open(number: number, first: number, last: number, hidden: boolean, points: number | undefined): void {
    this.#number = String(number);
    const height = points === undefined ? '' : ` ht="${points}" customHeight="1"`;
    const shown = hidden ? ' hidden="1"' : '';
    this.#xml.ascii(`<row r="${number}"${height}${shown} spans="${first}:${last}" x14ac:dyDescent="0.25">`);
  }

  /**
   * @param column from 1, to the right of the last one
   * @param style its number in the workbook
   * @param isSpaced the text begins or ends with white space, which readers drop unless they are told to keep it
   */
  cell(column: number, style: number, value: CellContent, isSpaced: boolean): void {
    const xml = this.#xml;
    xml.ascii(cellOpen(column));
    xml.ascii(this.#number);
    xml.ascii(styled(style));
    if (typeof value === 'string') {
      if (isSpaced || isEscaped(value)) {
        xml.ascii(' t="inlineStr"><is><r><t xml:space="preserve">');
        xml.text(value);
        xml.ascii('</t></r></is></c>');
      } else {
        xml.ascii(' t="str"><v>');
        xml.text(value);
        xml.ascii('</v></c>');
      }
    } else if (typeof value === 'number') {
      xml.ascii('><v>');
      xml.ascii(String(value));
      xml.ascii('</v></c>');
    } else if (value === null) {
      xml.ascii('/>');
    } else if (typeof value === 'boolean') {
      xml.ascii(value ? ' t="b"><v>1</v></c>' : ' t="b"><v>0</v></c>');
    } else {
      xml.ascii(` t="e"><v>${value.error}</v></c>`);
    }
  }

  close(): void {
    this.#xml.ascii('</row>');
  }
}

/** Whether the text is written with an escape. LibreOffice resolves these in text elements only. */
function isEscaped(text: string): boolean {
  return text.includes('_x') || text.includes('\r');
}
