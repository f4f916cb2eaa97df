import type { Column, DataValidation, Workbook, Worksheet } from 'exceljs';
import { columnLetters } from '../util/spreadsheet-text.js';
import { shownWidth } from '../util/text-width.js';
import { type Describer, exampleOf } from './describe.js';
import { type Entry, listedWords, numberFormat, type WordLists } from './entry.js';
import { FONT, type Palette } from './palette.js';
import type { Example, TemplateColumn, TemplateSheet } from './template-sheet.js';
import { PREPARED_ROWS, warningRules } from './warnings.js';

/** Excel's limit; it repairs workbooks with longer texts. */
const TITLE_LIMIT = 32;
const PROMPT_LIMIT = 255;
const ERROR_LIMIT = 225;
/** A longer text was probably pasted by mistake; the interface has no limit. */
const USUAL_LENGTH = 255;
/** Cells often contain many lock numbers; Excel's limit is 32,767 characters. */
const LIST_LENGTH = 32_000;
const FIRST_DAY = new Date(Date.UTC(1990, 0, 1));
const LAST_DAY = new Date(Date.UTC(2199, 11, 31));

interface ValidationInput {
  readonly column: TemplateColumn;
  readonly entry: Entry;
  /** Formula of the list's words. */
  readonly list?: string;
  /** First cell of the range, `D2`. */
  readonly cell: string;
}

/** The validation rule of a column, with the hint during entry and the error message. */
function validationOf(input: ValidationInput, describer: Describer): DataValidation {
  const { column, entry } = input;
  const title = shortened(column.header, TITLE_LIMIT);
  return {
    ...ruleOf(input),
    allowBlank: true,
    showInputMessage: true,
    promptTitle: title,
    prompt: shortened(describer.prompt(column, entry), PROMPT_LIMIT),
    showErrorMessage: true,
    errorTitle: title,
    error: shortened(errorOf(entry, describer), ERROR_LIMIT),
  };
}

type Rule = Pick<DataValidation, 'type' | 'operator' | 'formulae' | 'errorStyle'>;

const WARNING = { errorStyle: 'warning' } as const;

function ruleOf({ entry, list, cell }: ValidationInput): Rule {
  switch (entry.kind) {
    case 'list':
      return { type: 'list', formulae: [list ?? '""'], ...(entry.open ? WARNING : {}) };
    case 'date':
      if (entry.digits) return digitsRule(entry.pattern, cell);
      return {
        type: 'date',
        operator: 'between',
        formulae: [FIRST_DAY, LAST_DAY],
        ...(entry.strict ? {} : WARNING),
      };
    case 'whole':
      return { type: 'whole', operator: 'greaterThanOrEqual', formulae: [entry.least] };
    case 'duration':
      return { type: 'custom', formulae: [`LEN(${cell})-LEN(SUBSTITUTE(${cell},"-",""))=2`] };
    case 'email':
      return { type: 'custom', formulae: [`ISNUMBER(SEARCH("?*@?*",${cell}))`], ...WARNING };
    case 'texts':
    case 'text':
      return { type: 'textLength', operator: 'lessThanOrEqual', formulae: [lengthOf(entry)], ...WARNING };
  }
}

function digitsRule(pattern: string, cell: string): Rule {
  const formula = `AND(LEN(${cell})=${pattern.length},ISNUMBER(VALUE(${cell})))`;
  return { type: 'custom', formulae: [formula], ...WARNING };
}

function errorOf(entry: Entry, describer: Describer): string {
  switch (entry.kind) {
    case 'list': {
      const words = describer.joined(describer.choices(entry));
      return describer.text('template.wrong_list', { words });
    }
    case 'date': {
      const example = exampleOf(entry);
      return describer.text(entry.strict ? 'template.wrong_date' : 'template.wrong_date_form', { example });
    }
    case 'whole':
      return describer.text('template.wrong_whole', { least: entry.least });
    case 'duration':
      return describer.text('template.wrong_duration');
    case 'email':
      return describer.text('template.wrong_email');
    case 'texts':
    case 'text':
      return describer.text('template.wrong_length', { most: lengthOf(entry) });
  }
}

function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  const cut = text.slice(0, most - 1);
  // A surrogate pair must not be split.
  return `${/[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut}…`;
}

function lengthOf(entry: Entry): number {
  return entry.kind === 'texts' ? LIST_LENGTH : USUAL_LENGTH;
}

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

/** Adds notes, lists, validation rules and colours. */
export function addHelp(sheet: Worksheet, plan: TemplateSheet, parts: SheetParts): void {
  const first = plan.headerRow + 1;
  const entries = plan.columns.map(parts.entryOf);
  // The library can write rules for ranges, but its types don't declare this.
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

/** The width for the values, and for the header on two or three lines. */
function widthOf(column: TemplateColumn, entry: Entry, examples: readonly (Example | undefined)[]): number {
  const header = shownWidth(column.header);
  const parts = column.header.split('.').map((it) => shownWidth(it) + 3);
  const words = entry.kind === 'list' ? listedWords(entry).map((it) => shownWidth(String(it)) + 5) : [];
  const shown = examples.map((it) =>
    it === undefined || it instanceof Date ? 0 : shownWidth(String(it)) + 2,
  );
  const width = Math.max(
    NARROWEST,
    header > 22 ? Math.ceil(header / 2) + 3 : header + 2,
    ...parts,
    ...words,
    ...shown,
  );
  return Math.min(WIDEST, width);
}
