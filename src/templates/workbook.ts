import type { Worksheet } from 'exceljs';
import type { Language } from '../errors/message.js';
import { loadWorkbook } from '../util/exceljs-private.js';
import { noteBox } from '../util/note-box.js';
import { withoutSeemingEscapes } from '../util/ooxml-escape.js';
import type { FieldWords, TemplateColumn, TemplateSheet } from './contract.js';
import { Describer } from './describe.js';
import { type Entry, entryOf } from './entry.js';
import { exampleRows } from './example-rows.js';
import { addFillSheet, addHelp, MARGINS, type SheetParts, writeHeaders } from './fill-sheet.js';
import { type GuideText, writeGuide } from './guide.js';
import { WordLists } from './lists.js';
import { Palette } from './palette.js';
import { type SheetNames, sheetOrder } from './sheet-names.js';
import { packParts, unpackParts, type ZipPart } from './zip.js';

export interface Template {
  readonly operation: string;
  /** The job's own sheet first, then those that it joins. */
  readonly sheets: readonly TemplateSheet[];
  /** 1-based position of the first sheet, if the job names it by position. */
  readonly position?: number;
  /** Wire paths of the tables that count as the request itself: '' and the items' array. */
  readonly top: readonly string[];
  readonly words: FieldWords;
  readonly language: Language;
  /** Whether the sheets to fill in contain the example rows, for trying them out. */
  readonly filled: boolean;
  guide(names: SheetNames, describer: Describer): GuideText;
}

/** Notes of a sheet's headers: texts by 1-based column, and the widths of the columns in characters. */
interface NoteTexts {
  readonly headerRow: number;
  readonly texts: readonly string[];
  readonly widths: readonly number[];
}

/** A fixed date, so that the same template is the same file. */
const MADE = new Date(Date.UTC(2026, 0, 1));

/**
 * A workbook to fill in: its sheets with lists, notes and rules, a guide, the sheets once more with example rows,
 * and a hidden sheet of long lists. The same input gives the same bytes.
 * @throws ProductError usage when the job reads a sheet by a number that the workbook doesn't reach
 */
export async function templateWorkbook(template: Template): Promise<Uint8Array> {
  const ExcelWorkbook = await loadWorkbook();
  const { sheets } = template;
  const entries = new Map<TemplateColumn, Entry>();
  const describer = new Describer(template.words, template.language);
  const words = template.language === 'zh' ? { yes: '是', no: '否' } : { yes: 'TRUE', no: 'FALSE' };
  for (const sheet of sheets) for (const it of sheet.columns) entries.set(it, entryOf(it, words));
  const entry = (column: TemplateColumn): Entry => entries.get(column)!;
  const lists = new WordLists(sheets, entry);
  const palette = new Palette(sheets, template.top);
  const parts: SheetParts = { palette, describer, lists, entryOf: entry };
  const examples = exampleRows(template.operation, template.words, sheets, entry);

  const book = new ExcelWorkbook();
  book.creator = 'license-sync';
  book.lastModifiedBy = 'license-sync';
  book.created = MADE;
  book.modified = MADE;
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

/** Packs the parts anew: the library stamps each with the time of writing, and the same template must be the same bytes. */
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

/** Escapes texts that look like escapes (`_x0041_`), which the library doesn't do. */
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
 * Makes the boxes of notes as large as their texts; the library draws all of them two columns wide and four rows high.
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
