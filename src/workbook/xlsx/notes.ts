import type { Worksheet } from 'exceljs';
import {
  addRelationship,
  type Book,
  openNoteParts,
  type PartStream,
  sheetNumber,
} from '../../util/exceljs-private.js';
import { cellAddress, withoutSeemingEscapes, xmlText } from '../../util/spreadsheet-text.js';
import { noteBox } from '../../util/text-width.js';

const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const AUTHOR = 'license-sync';
const NOTE_FILL = '#ffffe1';
/** Excel's own first number of a note's shape. */
const FIRST_SHAPE = 1025;

const SHAPES_OPEN =
  '<xml xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office" ' +
  'xmlns:x="urn:schemas-microsoft-com:office:excel"><o:shapelayout v:ext="edit"><o:idmap v:ext="edit" data="1"/>' +
  '</o:shapelayout><v:shapetype id="_x0000_t202" coordsize="21600,21600" o:spt="202" path="m,l,21600r21600,l21600,xe">' +
  '<v:stroke joinstyle="miter"/><v:path gradientshapeok="t" o:connecttype="rect"/></v:shapetype>';
const TEXTS_OPEN =
  '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n' +
  '<comments xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">' +
  `<authors><author>${AUTHOR}</author></authors><commentList>`;

interface Parts {
  readonly texts: PartStream;
  readonly shapes: PartStream;
  /** Of the shapes, within the sheet. */
  readonly relation: string;
}

/**
 * The notes of one sheet, each in a box that fits its text; the library draws all boxes two columns wide and four rows
 * high. Both parts stay in memory, compressed, until the sheet's own part is complete.
 */
export class SheetNotes {
  readonly #book: Book;
  readonly #sheet: Worksheet;
  readonly #widths: readonly number[];
  #parts: Parts | undefined;
  #count = 0;

  constructor(book: Book, sheet: Worksheet, widths: readonly number[]) {
    this.#book = book;
    this.#sheet = sheet;
    this.#widths = widths;
  }

  /**
   * @param text without characters that XML cannot contain
   * @param rowPixels height of its row
   */
  add(row: number, column: number, text: string, rowPixels: number): void {
    this.#parts ??= this.#begin();
    const { anchor, width, height } = noteBox(text, column, row - 1, this.#widths, rowPixels);
    this.#parts.texts.write(
      `<comment ref="${cellAddress(column, row)}" authorId="0"><text><r><rPr><sz val="9"/><color indexed="81"/>` +
        `<rFont val="Tahoma"/><family val="2"/></rPr><t xml:space="preserve">${withoutSeemingEscapes(xmlText(text))}</t></r></text></comment>`,
    );
    this.#parts.shapes.write(
      `<v:shape id="_x0000_s${FIRST_SHAPE + this.#count}" type="#_x0000_t202" style="position:absolute;` +
        `margin-left:60pt;margin-top:2pt;width:${width}pt;height:${height}pt;z-index:${this.#count + 1};` +
        `visibility:hidden" fillcolor="${NOTE_FILL}" o:insetmode="auto"><v:fill color2="${NOTE_FILL}"/>` +
        '<v:shadow on="t" color="black" obscured="t"/><v:path o:connecttype="none"/>' +
        '<v:textbox style="mso-direction-alt:auto"><div style="text-align:left"></div></v:textbox>' +
        `<x:ClientData ObjectType="Note"><x:MoveWithCells/><x:SizeWithCells/><x:Anchor>${anchor.join(', ')}</x:Anchor>` +
        `<x:AutoFill>False</x:AutoFill><x:Row>${row - 1}</x:Row><x:Column>${column - 1}</x:Column></x:ClientData></v:shape>`,
    );
    this.#count += 1;
  }

  /** Ends the parts. Returns the sheet's reference to them; empty if there are no notes. */
  end(): string {
    if (!this.#parts) return '';
    const { texts, shapes, relation } = this.#parts;
    texts.write('</commentList></comments>');
    texts.end();
    shapes.write('</xml>');
    shapes.end();
    return `<legacyDrawing r:id="${relation}"/>`;
  }

  #begin(): Parts {
    const sheet = this.#sheet;
    const id = sheetNumber(sheet);
    const { texts, shapes } = openNoteParts(this.#book, sheet);
    texts.write(TEXTS_OPEN);
    shapes.write(SHAPES_OPEN);
    addRelationship(sheet, { Type: `${RELATIONS}/comments`, Target: `../comments${id}.xml` });
    const drawing = { Type: `${RELATIONS}/vmlDrawing`, Target: `../drawings/vmlDrawing${id}.vml` };
    const relation = addRelationship(sheet, drawing);
    return { texts, shapes, relation };
  }
}
