import type { Worksheet } from 'exceljs';
import type { Language } from '../errors/message.js';
import { type AllowedValue, nameOf } from '../model/field.js';
import { loadWorkbook } from '../util/exceljs-private.js';
import { withoutSeemingEscapes } from '../util/spreadsheet-text.js';
import { fold } from '../util/text.js';
import { noteBox } from '../util/text-width.js';
import { Describer } from './describe.js';
import { type Choice, type Entry, entryOf, WordLists } from './entry.js';
import { addFillSheet, addHelp, MARGINS, type SheetParts, writeHeaders } from './fill-sheet.js';
import { type GuideText, type SheetNames, sheetOrder, writeGuide } from './guide.js';
import { Palette } from './palette.js';
import type { Example, FieldUse, FieldWords, TemplateColumn, TemplateSheet } from './template-sheet.js';
import { packParts, unpackParts, type ZipPart } from './zip.js';

export interface Template {
  readonly operation: string;
  /** The job's own sheet first, then those that it joins. */
  readonly sheets: readonly TemplateSheet[];
  /** 1-based position of the first sheet, if the job names it by position. */
  readonly position?: number;
  /** Wire paths of the tables that are treated as the request itself: '' and the items' array. */
  readonly top: readonly string[];
  readonly words: FieldWords;
  readonly language: Language;
  /** True if the sheets to fill in contain the example rows, for a trial run. */
  readonly filled: boolean;
  guide(names: SheetNames, describer: Describer): GuideText;
}

/** Notes of a sheet's headers: texts by 1-based column, and the widths of the columns in characters. */
interface NoteTexts {
  readonly headerRow: number;
  readonly texts: readonly string[];
  readonly widths: readonly number[];
}

/** A fixed date, so that the file is deterministic. */
const CREATED = new Date(Date.UTC(2026, 0, 1));

/**
 * A workbook to fill in: its sheets with lists, notes and rules, a guide, copies of the sheets with example rows, and a
 * hidden sheet of long lists. The same input gives the same bytes.
 * @throws ProductError usage if the job reads a sheet by a position that the workbook doesn't have
 */
export async function templateWorkbook(template: Template): Promise<Uint8Array> {
  const ExcelWorkbook = await loadWorkbook();
  const { sheets } = template;
  const entries = new Map<TemplateColumn, Entry>();
  const describer = new Describer(template.words, template.language);
  const words = {
    ...(template.language === 'zh' ? { yes: '是', no: '否' } : { yes: 'TRUE', no: 'FALSE' }),
    name: (value: AllowedValue) => nameOf(value, template.language),
  };
  for (const sheet of sheets) for (const column of sheet.columns) entries.set(column, entryOf(column, words));
  const entry = (column: TemplateColumn): Entry => entries.get(column)!;
  const lists = new WordLists(sheets, entry);
  const palette = new Palette(sheets, template.top);
  const parts: SheetParts = { palette, describer, lists, entryOf: entry };
  const examples = exampleRows(template.operation, template.words, sheets, entry);

  const book = new ExcelWorkbook();
  book.creator = 'license-sync';
  book.lastModifiedBy = 'license-sync';
  book.created = CREATED;
  book.modified = CREATED;
  const { names, order } = sheetOrder(template, describer);
  const notes = new Map<number, NoteTexts>();
  const jobs: (() => void)[] = [];
  for (const { kind, name, index } of order) {
    if (kind === 'guide') {
      const sheet = book.addWorksheet(name, {
        views: [{ showGridLines: false }],
        pageSetup: {
          orientation: 'landscape',
          paperSize: 9,
          fitToPage: true,
          fitToWidth: 1,
          fitToHeight: 0,
          margins: MARGINS,
        },
        properties: { tabColor: { argb: 'FF7F7F7F' } },
      });
      jobs.push(() => writeGuide(sheet, template.guide(names, describer), sheets, parts));
      continue;
    }
    const plan = sheets[index]!;
    const rows = examples[index] ?? [];
    const sheet = addFillSheet(book, name, plan.headerRow);
    const isExample = kind === 'example';
    sheet.properties.tabColor = { argb: isExample ? 'FF70AD47' : 'FF1F4E79' };
    jobs.push(() => {
      writeHeaders(sheet, plan, parts, isExample || template.filled ? rows : []);
      if (isExample) return;
      addHelp(sheet, plan, parts);
      notes.set(sheet.id, notesOf(sheet, plan, describer, entry));
    });
  }
  for (const job of jobs) job();
  if (lists.isKept) lists.write(book, book.addWorksheet(names.lists, { state: 'hidden' }));
  const active = order.findIndex((it) => it.kind === 'data' && it.index === 0);
  book.views = [
    { x: 0, y: 0, width: 24000, height: 12000, firstSheet: 0, activeTab: active, visibility: 'visible' },
  ];
  return arranged(new Uint8Array(await book.xlsx.writeBuffer()), notes);
}

function notesOf(
  sheet: Worksheet,
  plan: TemplateSheet,
  describer: Describer,
  entry: (column: TemplateColumn) => Entry,
): NoteTexts {
  const texts = plan.columns.map((column) => {
    const { title, lines } = describer.note(column, entry(column));
    return [title, ...lines].join('\n');
  });
  const widths = plan.columns.map((_, index) => sheet.getColumn(index + 1).width ?? 9);
  return { headerRow: plan.headerRow, texts, widths };
}

/** Packs the parts again, because the library stores the current time with each. The bytes must be deterministic. */
async function arranged(bytes: Uint8Array, notes: ReadonlyMap<number, NoteTexts>): Promise<Uint8Array> {
  const parts = (await unpackParts(bytes)).map(withoutEscapes).map(({ name, content }) => {
    if (/^xl\/worksheets\/sheet\d+\.xml$/.test(name)) return { name, content: withOpenOutlines(content) };
    const id = /^xl\/drawings\/vmlDrawing(\d+)\.vml$/.exec(name)?.[1];
    const texts = id === undefined ? undefined : notes.get(Number(id));
    if (!texts) return { name, content };
    return { name, content: Buffer.from(sizeNotes(Buffer.from(content).toString('utf8'), texts)) };
  });
  const types = parts.filter((it) => it.name === '[Content_Types].xml');
  return packParts([...types, ...parts.filter((it) => !types.includes(it))]);
}

/** Escapes texts that look like escapes (`_x0041_`), because the library doesn't. */
function withoutEscapes({ name, content }: ZipPart): ZipPart {
  if (!name.endsWith('.xml')) return { name, content };
  return { name, content: Buffer.from(withoutSeemingEscapes(Buffer.from(content).toString('utf8'))) };
}

/** Opens the column groups, which the library marks as collapsed. */
function withOpenOutlines(content: Uint8Array): Uint8Array {
  const text = Buffer.from(content).toString('utf8');
  return Buffer.from(text.replace(/<cols>.*?<\/cols>/s, (it) => it.replaceAll(' collapsed="1"', '')));
}

/**
 * Sizes the boxes of notes by their texts; the library makes all of them two columns wide and four rows high.
 * @param drawing the sheet's VML part
 */
function sizeNotes(drawing: string, { headerRow, texts, widths }: NoteTexts): string {
  return drawing.replace(/<v:shape .*?<\/v:shape>/gs, (shape) => {
    const column = Number(/<x:Column>(\d+)<\/x:Column>/.exec(shape)?.[1] ?? -1);
    const text = texts[column];
    if (text === undefined) return shape;
    const { anchor, width, height } = noteBox(text, column + 1, headerRow, widths);
    return shape
      .replace(/<x:Anchor>[^<]*<\/x:Anchor>/, `<x:Anchor>${anchor.join(', ')}</x:Anchor>`)
      .replace(/width:[\d.]+pt;height:[\d.]+pt/, `width:${width}pt;height:${height}pt`);
  });
}

const EXAMPLE_ROWS = 2;

/**
 * Example rows for each sheet, with cells in the order of its columns, which succeed when they are sent. Optional parts of a row
 * (features, packages next to products) stay empty. Joined sheets are filled and have the same values in their key columns.
 */
export function exampleRows(
  operation: string,
  words: FieldWords,
  sheets: readonly TemplateSheet[],
  entries: (column: TemplateColumn) => Entry,
): readonly (readonly (readonly (Example | undefined)[])[])[] {
  const shared = new Map<string, Example | undefined>();
  return sheets.map((sheet) =>
    Array.from({ length: EXAMPLE_ROWS }, (_, row) =>
      sheet.columns.map((column) => {
        const key = `${row} ${fold(column.header)}`;
        if (column.ties.length > 0 && shared.has(key)) return shared.get(key);
        const value = cellValue(
          (use) => words.example(use.operation ?? operation, use.path, row),
          column,
          entries(column),
          row,
        );
        if (column.ties.length > 0) shared.set(key, value);
        return value;
      }),
    ),
  );
}

function cellValue(
  exampleOf: (use: FieldUse) => Example | undefined,
  column: TemplateColumn,
  entry: Entry,
  row: number,
): Example | undefined {
  if (column.need.kind === 'group') return undefined;
  if (column.uses.length > 0 && column.uses.every((it) => it.part !== undefined)) return undefined;
  const compared = literal(column);
  if (compared !== undefined) return compared;
  // A field that reads the cell directly has precedence over one that reads a text built from it.
  const uses = [...column.uses].sort((a, b) => leafRank(a) - leafRank(b));
  const direct = uses.filter((it) => it.leaf.kind === 'column');
  for (const use of direct) {
    const value = exampleOf(use);
    if (value !== undefined) return fitted(value, entry, direct, row);
  }
  if (entry.kind === 'list') return entry.choices[0]?.word;
  if (direct.some((it) => it.need.kind === 'no') && column.need.kind === 'no') return undefined;
  return entry.kind === 'text' ? String(row + 1) : row + 1;
}

function leafRank(use: FieldUse): number {
  return use.leaf.kind === 'column' ? 0 : 1;
}

/** The value that a condition of the job compares the column with. */
function literal(column: TemplateColumn): string | undefined {
  const conditions = [column.where ?? [], column.whens.map((it) => it.source)].flat();
  for (const [, name, text] of conditions
    .join('\n')
    .matchAll(/row\["([^"]+)"\]\s*(?:==|in\s*\[)\s*"([^"\\]*)"/g)) {
    if (fold(name ?? '') === fold(column.header)) return text;
  }
  return undefined;
}

function fitted(value: Example, entry: Entry, uses: readonly FieldUse[], row: number): Example {
  if (entry.kind === 'list') return wordFor(value, entry.choices, row);
  if (entry.kind === 'date') {
    if (!(value instanceof Date)) return value;
    return entry.digits ? digitsOf(value, entry.pattern) : value;
  }
  if (entry.kind === 'texts' && entry.split !== undefined && typeof value === 'string')
    return value.replaceAll('、', entry.split.charAt(0) || '、');
  const textual = uses.some((it) => it.field.type === 'String' || it.field.type === 'String array');
  return textual && typeof value === 'number' ? String(value) : value;
}

function wordFor(value: Example, choices: readonly Choice[], row: number): string | number {
  const found = choices.find((it) => it.value === value || String(it.value) === String(value));
  return (found ?? choices[row % choices.length])?.word ?? String(value);
}

/** The day (midnight UTC) in a digits-only pattern such as `yyyyMMdd`. */
function digitsOf(day: Date, pattern: string): string {
  const iso = day.toISOString();
  return pattern
    .replace(/y+/, iso.slice(0, 4))
    .replace(/M+/, iso.slice(5, 7))
    .replace(/d+/, iso.slice(8, 10))
    .replace(/[HmsS]/g, '0');
}
