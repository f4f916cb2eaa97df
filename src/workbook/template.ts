import ExcelJS from 'exceljs';
import type { AllowedValue, FieldType } from '../model/field.js';
import { columnLetters } from '../util/address.js';
import { exampleValue } from './template-examples.js';

/** One column of a fill-in workbook: a field of the operation. */
export interface TemplateColumn {
  /** The header, by which the column maps without a map: `assets.assetNos`. */
  readonly path: string;
  readonly type: FieldType;
  readonly required: boolean;
  readonly meaning: string;
  readonly section: string;
  readonly values?: readonly AllowedValue[];
  readonly date?: boolean;
}

export interface Template {
  readonly operation: string;
  readonly purpose: string;
  readonly columns: readonly TemplateColumn[];
}

const EXAMPLE_ROWS = 2;
/** Rows that get lists and formats beforehand; further rows work too, without them. */
const PREPARED_ROWS = 500;
const LIST_LIMIT = 255;
const REQUIRED = 'FFFDE9D9';
const OPTIONAL = 'FFDDEBF7';
const MADE = new Date(Date.UTC(2026, 0, 1));

/**
 * A workbook to fill in for one operation: a sheet `Data` with a column for each field, a sheet `Example` filled
 * in, and a sheet `Fields` that explains them. Needs no map in the job file.
 */
export async function templateWorkbook(template: Template): Promise<Uint8Array> {
  const book = new ExcelJS.Workbook();
  book.creator = 'license-sync';
  book.created = MADE;
  book.modified = MADE;
  const lists = addLists(template);
  const data = addSheet(book, 'Data', template);
  const example = addSheet(book, 'Example', template);
  template.columns.forEach((column, index) => {
    prepare(data, column, index + 1, lists.get(column.path));
    for (let row = 0; row < EXAMPLE_ROWS; row += 1) {
      const value = exampleValue(template.operation, column.path, row);
      if (value === undefined) continue;
      const cell = example.getCell(row + 2, index + 1);
      cell.value = value;
      if (column.date) cell.numFmt = 'yyyy-mm-dd';
    }
  });
  addFields(book, template);
  addListSheet(book, template, lists);
  return new Uint8Array(await book.xlsx.writeBuffer());
}

/** Allowed values too long for a list in the rule itself stand in a column of the sheet `Lists`. */
function addLists(template: Template): ReadonlyMap<string, string> {
  const formulas = new Map<string, string>();
  let column = 0;
  for (const { path, values, type } of template.columns) {
    const words = type === 'Boolean' ? ['TRUE', 'FALSE'] : values?.map((it) => String(it.value));
    if (!words || words.length < 2) continue;
    const inline = `"${words.join(',')}"`;
    if (inline.length <= LIST_LIMIT) {
      formulas.set(path, inline);
      continue;
    }
    column += 1;
    const letter = columnLetters(column);
    formulas.set(path, `Lists!$${letter}$2:$${letter}$${words.length + 1}`);
  }
  return formulas;
}

function addListSheet(book: ExcelJS.Workbook, template: Template, lists: ReadonlyMap<string, string>): void {
  const kept = template.columns.filter((it) => lists.get(it.path)?.startsWith('Lists!'));
  if (kept.length === 0) return;
  const sheet = book.addWorksheet('Lists', { state: 'hidden' });
  kept.forEach((column, index) => {
    sheet.getCell(1, index + 1).value = column.path;
    column.values?.forEach((it, row) => {
      sheet.getCell(row + 2, index + 1).value = it.value;
    });
  });
}

function addSheet(book: ExcelJS.Workbook, name: string, template: Template): ExcelJS.Worksheet {
  const sheet = book.addWorksheet(name, { views: [{ state: 'frozen', ySplit: 1 }] });
  template.columns.forEach((column, index) => {
    const cell = sheet.getCell(1, index + 1);
    cell.value = column.path;
    cell.font = { bold: column.required };
    cell.fill = {
      type: 'pattern',
      pattern: 'solid',
      fgColor: { argb: column.required ? REQUIRED : OPTIONAL },
    };
    cell.note = noteOf(column);
    const target = sheet.getColumn(index + 1);
    target.width = Math.min(34, Math.max(12, column.path.length + 3));
    target.numFmt = formatOf(column);
  });
  return sheet;
}

function formatOf(column: TemplateColumn): string {
  if (column.date) return 'yyyy-mm-dd';
  // Text columns keep leading zeros and long numbers as they are typed.
  return column.type === 'String' || column.type === 'String array' ? '@' : 'General';
}

function noteOf(column: TemplateColumn): string {
  const values = column.values?.map((it) => `${it.value} = ${it.meaning}`).join('\n');
  const head = `${column.path} (${column.type}, ${column.required ? 'required' : 'optional'}, ${column.section})`;
  return [head, column.meaning, ...(values ? [values] : [])].join('\n');
}

function prepare(
  sheet: ExcelJS.Worksheet,
  column: TemplateColumn,
  number: number,
  list: string | undefined,
): void {
  const rule = validation(column, list);
  if (!rule) return;
  for (let row = 2; row <= PREPARED_ROWS + 1; row += 1) sheet.getCell(row, number).dataValidation = rule;
}

function validation(column: TemplateColumn, list: string | undefined): ExcelJS.DataValidation | undefined {
  const told = { showErrorMessage: true, errorTitle: column.path, error: column.meaning.slice(0, 200) };
  if (list !== undefined) return { type: 'list', allowBlank: true, formulae: [list], ...told };
  if (column.date) {
    return { type: 'date', operator: 'greaterThan', allowBlank: true, formulae: [new Date(0)], ...told };
  }
  if (column.type === 'Integer' || column.type === 'Long') {
    return { type: 'whole', operator: 'greaterThanOrEqual', allowBlank: true, formulae: [0], ...told };
  }
  return undefined;
}

function addFields(book: ExcelJS.Workbook, template: Template): void {
  const sheet = book.addWorksheet('Fields', { views: [{ state: 'frozen', ySplit: 1 }] });
  sheet.addRow(['field', 'type', 'required', 'meaning', 'allowed values', 'section']).font = { bold: true };
  for (const column of template.columns) {
    const values = column.values?.map((it) => `${it.value} (${it.meaning})`).join('; ') ?? '';
    sheet.addRow([
      column.path,
      column.type,
      column.required ? 'yes' : '',
      column.meaning,
      values,
      column.section,
    ]);
  }
  [44, 14, 10, 60, 60, 10].forEach((width, index) => {
    sheet.getColumn(index + 1).width = width;
  });
}
