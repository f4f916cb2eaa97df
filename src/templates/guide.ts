import type { Font, Worksheet } from 'exceljs';
import { type Message, message } from '../errors/message.js';
import { linesWithin, shownWidth } from '../util/text-width.js';
import type { TemplateColumn, TemplateSheet } from './contract.js';
import type { SheetParts } from './fill-sheet.js';
import { bold, FONT, type HeaderLook, solid } from './palette.js';

export interface GuideText {
  readonly title: string;
  readonly purpose: string;
  readonly steps: readonly string[];
  /** Lines of a job file, shown as they are. */
  readonly job: readonly string[];
}

const WIDTHS = [14, 28, 30, 18, 32, 42, 42, 10] as const;
const LAST = WIDTHS.length;
const LINE_POINTS = 15;
const WRAPPED = { wrapText: true, vertical: 'top', horizontal: 'left' } as const;

/** The guide: what to do, what the colours mean, and a description of every column. */
export function writeGuide(
  sheet: Worksheet,
  text: GuideText,
  plans: readonly TemplateSheet[],
  parts: SheetParts,
): void {
  WIDTHS.forEach((width, index) => {
    sheet.getColumn(index + 1).width = width;
    // Written as text: a header such as 1-0-0 or =x is no date and no formula.
    sheet.getColumn(index + 1).numFmt = '@';
  });
  const guide = new GuideWriter(sheet, parts);
  guide.line(text.title, { ...bold(16), color: { argb: 'FF1F4E79' } });
  guide.line(text.purpose, { ...FONT, color: { argb: 'FF595959' } });
  guide.space();
  guide.heading(message('template.how'));
  for (const [index, step] of text.steps.entries()) guide.line(`${index + 1}. ${step}`);
  for (const line of text.job) guide.code(line);
  guide.space();
  guide.heading(message('template.colours'));
  guide.legend(plans);
  guide.space();
  guide.heading(message('template.columns'));
  guide.table(plans);
}

class GuideWriter {
  readonly #sheet: Worksheet;
  readonly #parts: SheetParts;
  #row = 0;

  constructor(sheet: Worksheet, parts: SheetParts) {
    this.#sheet = sheet;
    this.#parts = parts;
  }

  line(text: string, font: Partial<Font> = FONT): void {
    this.#row += 1;
    const cell = this.#sheet.getCell(this.#row, 1);
    cell.value = text;
    cell.style = { font, alignment: WRAPPED };
    this.#sheet.mergeCells(this.#row, 1, this.#row, LAST);
    const size = font.size ?? FONT.size;
    const whole = WIDTHS.reduce((sum, it) => sum + it, 0);
    const lines = Math.ceil(shownWidth(text) / (whole - 8));
    this.#sheet.getRow(this.#row).height = lines * (size + 5);
  }

  code(text: string): void {
    this.#row += 1;
    const cell = this.#sheet.getCell(this.#row, 1);
    cell.value = `    ${text}`;
    cell.style = { font: { name: 'Consolas', family: 3, size: 10 }, alignment: { vertical: 'top' } };
    this.#sheet.mergeCells(this.#row, 1, this.#row, LAST);
  }

  heading(text: Message): void {
    this.line(this.#parts.describer.say(text), bold(13));
  }

  space(): void {
    this.#row += 1;
  }

  legend(plans: readonly TemplateSheet[]): void {
    const { describer, palette } = this.#parts;
    const columns = plans.flatMap((it) => it.columns);
    const kinds: readonly (readonly [HeaderLook, Message, boolean])[] = [
      ['always', message('template.legend_always'), true],
      ['key', message('template.legend_key'), columns.some((it) => it.ties.length > 0)],
      ['group', message('template.legend_group'), columns.some((it) => it.need.kind === 'group')],
      ['no', message('template.legend_optional'), columns.some((it) => it.need.kind === 'no')],
    ];
    for (const [kind, text, used] of kinds) {
      if (used) this.#swatch(kind, '', describer.say(text));
    }
    if (palette.parts.length === 0) return;
    this.#swatch('no', '', describer.say(message('template.part_top')));
    for (const part of palette.parts) {
      const name = part.split('.').at(-1) ?? part;
      this.#swatch('no', part, describer.say(message('template.legend_part', { part: name })));
    }
  }

  #swatch(kind: HeaderLook, table: string, text: string): void {
    this.#row += 1;
    const cell = this.#sheet.getCell(this.#row, 1);
    cell.style = this.#parts.palette.look(kind, table);
    cell.value = 'Abc';
    const told = this.#sheet.getCell(this.#row, 2);
    told.value = text;
    told.style = { font: FONT, alignment: { vertical: 'middle' } };
    this.#sheet.mergeCells(this.#row, 2, this.#row, LAST);
    this.#sheet.getRow(this.#row).height = LINE_POINTS + 3;
  }

  table(plans: readonly TemplateSheet[]): void {
    const { describer } = this.#parts;
    const heads = [
      message('template.head_sheet'),
      message('template.head_column'),
      message('template.head_field'),
      message('template.head_required'),
      message('template.head_entry'),
      message('template.head_meaning'),
      message('template.head_values'),
      message('template.head_section'),
    ];
    this.#row += 1;
    const from = this.#row;
    heads.forEach((text, index) => {
      const cell = this.#sheet.getCell(this.#row, index + 1);
      cell.value = describer.say(text);
      cell.style = { font: bold(), fill: solid('FFD9D9D9'), alignment: WRAPPED };
    });
    for (const plan of plans) for (const column of plan.columns) this.#column(plan, column);
    this.#sheet.autoFilter = { from: { row: from, column: 1 }, to: { row: this.#row, column: LAST } };
  }

  #column(plan: TemplateSheet, column: TemplateColumn): void {
    const { describer, entryOf, palette } = this.#parts;
    const entry = entryOf(column);
    const enter = [describer.whatToEnter(entry, column), ...describer.whenEmpty(column)].join('\n');
    const texts = [
      plan.name,
      column.header,
      describer.fields(column),
      describer.required(column),
      enter,
      describer.meaning(column),
      describer.choices(entry).join('\n'),
      describer.sections(column),
    ];
    this.#row += 1;
    let lines = 1;
    texts.forEach((text, index) => {
      const cell = this.#sheet.getCell(this.#row, index + 1);
      cell.value = text;
      cell.style = {
        font: FONT,
        alignment: WRAPPED,
        border: { bottom: { style: 'hair', color: { argb: 'FFBFBFBF' } } },
      };
      lines = Math.max(lines, linesWithin(text, WIDTHS[index]! - 2));
    });
    const { font, fill } = palette.header(column);
    const named = this.#sheet.getCell(this.#row, 2);
    named.style = { ...named.style, ...(font ? { font } : {}), ...(fill ? { fill } : {}) };
    this.#sheet.getRow(this.#row).height = Math.min(409, lines * LINE_POINTS + 2);
  }
}
