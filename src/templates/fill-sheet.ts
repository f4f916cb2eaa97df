import type { Column, DataValidation, Workbook, Worksheet } from 'exceljs';
import { columnLetters } from '../util/address.js';
import { shownWidth } from '../util/text-width.js';
import type { Example, TemplateColumn, TemplateSheet } from './contract.js';
import type { Describer } from './describe.js';
import { type Entry, numberFormat } from './entry.js';
import type { WordLists } from './lists.js';
import { FONT, type Palette } from './palette.js';
import { validationOf } from './validation.js';
import { PREPARED_ROWS, warningRules } from './warnings.js';

const NARROWEST = 11;
const WIDEST = 34;
const LINE_POINTS = 15;
/** Characters across a landscape A4 page that are still readable. */
const PAGE_CHARACTERS = 220;

/** In inches. */
export const MARGINS = { left: 0.4, right: 0.4, top: 0.5, bottom: 0.6, header: 0.3, footer: 0.3 };

export interface SheetParts {
  readonly palette: Palette;
  readonly describer: Describer;
  readonly lists: WordLists;
  readonly entryOf: (column: TemplateColumn) => Entry;
}

type Cells = readonly (Example | undefined)[];

export function addFillSheet(book: Workbook, name: string, headerRow: number): Worksheet {
  return book.addWorksheet(name, {
    views: [
      {
        state: 'frozen',
        ySplit: headerRow,
        topLeftCell: `A${headerRow + 1}`,
        activeCell: `A${headerRow + 1}`,
      },
    ],
    pageSetup: { orientation: 'landscape', paperSize: 9, fitToPage: true, fitToHeight: 0, margins: MARGINS },
  });
}

/** Writes headers, formats and the given rows. */
export function writeHeaders(
  sheet: Worksheet,
  plan: TemplateSheet,
  parts: SheetParts,
  rows: readonly Cells[],
): void {
  let lines = 1;
  let total = 0;
  plan.columns.forEach((column, index) => {
    const entry = parts.entryOf(column);
    const target = sheet.getColumn(index + 1);
    const cell = sheet.getCell(plan.headerRow, index + 1);
    cell.value = column.header;
    const width = widthOf(
      column,
      entry,
      rows.map((it) => it[index]),
    );
    formatColumn(target, numberFormat(entry), width);
    cell.style = parts.palette.header(column);
    // Optional parts are column groups that can be hidden with one click.
    if (column.uses.length > 0 && column.uses.every((it) => it.part !== undefined)) {
      target.outlineLevel = 1;
      sheet.properties.outlineLevelCol = 1;
    }
    lines = Math.max(lines, Math.ceil((shownWidth(column.header) + 1) / (width - 1)));
    total += width;
  });
  sheet.getRow(plan.headerRow).height = lines * LINE_POINTS + 9;
  rows.forEach((cells, row) => {
    cells.forEach((value, index) => {
      const cell = sheet.getCell(plan.headerRow + 1 + row, index + 1);
      if (value !== undefined) cell.value = value;
    });
  });
  sheet.pageSetup.fitToWidth = Math.max(1, Math.ceil(total / PAGE_CHARACTERS));
  sheet.pageSetup.printTitlesRow = `${plan.headerRow}:${plan.headerRow}`;
  sheet.headerFooter.oddFooter = '&L&A&R&P / &N';
}

/** Adds notes, lists, rules and colours that help to fill in the sheet. */
export function addHelp(sheet: Worksheet, plan: TemplateSheet, parts: SheetParts): void {
  const first = plan.headerRow + 1;
  const entries = plan.columns.map(parts.entryOf);
  // The library writes rules for ranges, although its types have that for reading only.
  const { dataValidations } = sheet as unknown as {
    dataValidations: { add(range: string, rule: DataValidation): void };
  };
  plan.columns.forEach((column, index) => {
    const letters = columnLetters(index + 1);
    const entry = entries[index]!;
    const list = parts.lists.formula(entry);
    const input = { column, entry, cell: `${letters}${first}`, list };
    dataValidations.add(
      `${letters}${first}:${letters}${first + PREPARED_ROWS - 1}`,
      validationOf(input, parts.describer),
    );
    const { title, lines } = parts.describer.note(column, entry);
    sheet.getCell(plan.headerRow, index + 1).note = {
      texts: [
        { font: { ...FONT, size: 9, bold: true }, text: title },
        { font: { ...FONT, size: 9 }, text: `\n${lines.join('\n')}` },
      ],
    };
  });
  for (const rule of warningRules(plan, entries, (it) => parts.lists.formula(it)))
    sheet.addConditionalFormatting(rule);
}

function formatColumn(target: Partial<Column>, numFmt: string, width: number): void {
  target.width = width;
  target.style = { numFmt, font: FONT, alignment: { vertical: 'top' } };
}

/** Wide enough for the values, and for the header on two or three lines. */
function widthOf(column: TemplateColumn, entry: Entry, examples: readonly (Example | undefined)[]): number {
  const header = shownWidth(column.header);
  const parts = column.header.split('.').map((it) => shownWidth(it) + 3);
  const words = entry.kind === 'list' ? entry.choices.map((it) => shownWidth(String(it.word)) + 5) : [];
  const shown = examples.map((it) =>
    it === undefined || it instanceof Date ? 0 : shownWidth(String(it)) + 2,
  );
  const wanted = Math.max(
    NARROWEST,
    header > 22 ? Math.ceil(header / 2) + 3 : header + 2,
    ...parts,
    ...words,
    ...shown,
  );
  return Math.min(WIDEST, wanted);
}
