import type { Font, Worksheet } from 'exceljs';
import { type Message, message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import { linesWithin, shownWidth } from '../util/text-width.js';
import type { Describer } from './describe.js';
import type { SheetParts } from './fill-sheet.js';
import { bold, FONT, type HeaderLook, solid } from './palette.js';
import type { TemplateColumn, TemplateSheet } from './template-sheet.js';

export interface GuideText {
  readonly title: string;
  readonly purpose: string;
  readonly steps: readonly string[];
  /** Lines of a job file, shown unchanged. */
  readonly job: readonly string[];
}

const WIDTHS = [14, 28, 30, 18, 32, 42, 42, 10] as const;
const LAST = WIDTHS.length;
const LINE_POINTS = 15;
const WRAPPED = { wrapText: true, vertical: 'top', horizontal: 'left' } as const;

/** Writes the guide: the steps, a legend of the colours, and a description of every column. */
export function writeGuide(
  sheet: Worksheet,
  text: GuideText,
  plans: readonly TemplateSheet[],
  parts: SheetParts,
): void {
  WIDTHS.forEach((width, index) => {
    sheet.getColumn(index + 1).width = width;
    // As text, because a header such as 1-0-0 or =x is neither a date nor a formula.
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
    this.line(this.#parts.describer.render(text), bold(13));
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
      if (used) this.#swatch(kind, '', describer.render(text));
    }
    if (palette.parts.length === 0) return;
    this.#swatch('no', '', describer.text('template.part_top'));
    for (const part of palette.parts) {
      const name = part.split('.').at(-1) ?? part;
      this.#swatch('no', part, describer.text('template.legend_part', { part: name }));
    }
  }

  #swatch(kind: HeaderLook, table: string, text: string): void {
    this.#row += 1;
    const cell = this.#sheet.getCell(this.#row, 1);
    cell.style = this.#parts.palette.look(kind, table);
    cell.value = 'Abc';
    const explanation = this.#sheet.getCell(this.#row, 2);
    explanation.value = text;
    explanation.style = { font: FONT, alignment: { vertical: 'middle' } };
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
      cell.value = describer.render(text);
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

interface StepFacts {
  /** Steps of the operation. */
  readonly own: readonly string[];
  /** The command that checks the workbook. */
  readonly check: string;
  /** A job file is shown below the steps. */
  readonly hasJob: boolean;
  /** The job's condition. */
  readonly where?: string;
}

/** The steps of the guide, in order. */
export function guideSteps(
  sheets: readonly TemplateSheet[],
  names: SheetNames,
  describer: Describer,
  facts: StepFacts,
): readonly string[] {
  const [main] = sheets;
  if (!main) return [];
  const first = main.headerRow + 1;
  return [
    describer.text('template.step_fill', {
      sheet: describer.joined(sheets.map((it) => it.name)),
      row: first,
    }),
    ...facts.own,
    ...sheets.flatMap((sheet) => groupSteps(sheet, describer)),
    ...sheets.slice(1).flatMap((sheet) => tieSteps(sheet, sheets, describer)),
    ...(facts.where === undefined ? [] : [describer.text('template.step_where', { condition: facts.where })]),
    describer.text('template.step_paste'),
    describer.text('template.step_example', { sheet: describer.joined(names.examples) }),
    describer.text('template.step_check', { command: facts.check }),
    ...(facts.hasJob ? [describer.text('template.step_job')] : []),
  ];
}

function groupSteps(sheet: TemplateSheet, describer: Describer): readonly string[] {
  const lists = [...new Set(sheet.columns.flatMap((it) => it.groups))];
  return lists.map((list) => {
    const keys = sheet.columns.filter((it) => it.groups.includes(list)).map((it) => it.header);
    return describer.text('template.step_group', { sheet: sheet.name, keys: describer.joined(keys), list });
  });
}

function tieSteps(
  sheet: TemplateSheet,
  sheets: readonly TemplateSheet[],
  describer: Describer,
): readonly string[] {
  const parents = sheets.slice(0, sheets.indexOf(sheet)).flatMap((parent) => {
    const keys = parent.columns.filter((it) => it.ties.includes(sheet.name)).map((it) => it.header);
    return keys.length === 0 ? [] : [{ parent: parent.name, keys: describer.joined(keys) }];
  });
  return parents.map((it) => describer.text('template.step_sheets', { sheet: sheet.name, ...it }));
}

const NAME_LIMIT = 31;

export interface SheetNames {
  readonly guide: string;
  /** One for each sheet to fill in. */
  readonly examples: readonly string[];
  readonly lists: string;
}

interface PlacedSheet {
  readonly kind: 'data' | 'guide' | 'example';
  readonly name: string;
  /** Index among the template's sheets; 0 for the guide. */
  readonly index: number;
}

/**
 * Names and order of a template's sheets: sheets to fill in are first, unless the job names its sheet by position.
 * @throws ProductError usage if the workbook has fewer sheets than that position
 */
export function sheetOrder(
  template: { readonly sheets: readonly TemplateSheet[]; readonly position?: number },
  describer: Describer,
): { readonly names: SheetNames; readonly order: readonly PlacedSheet[] } {
  const { sheets, position } = template;
  const usedNames = new Set(sheets.map((it) => it.name.toLowerCase()));
  const uniqueName = (name: string): string => {
    let unique = name.slice(0, NAME_LIMIT);
    for (let number = 2; usedNames.has(unique.toLowerCase()); number += 1) {
      const mark = ` (${number})`;
      unique = `${name.slice(0, NAME_LIMIT - mark.length)}${mark}`;
    }
    usedNames.add(unique.toLowerCase());
    return unique;
  };
  const guide = uniqueName(describer.text('template.guide'));
  const examples = sheets.map(({ name }) =>
    uniqueName(
      sheets.length === 1
        ? describer.text('template.example')
        : describer.text('template.example_of', { sheet: name }),
    ),
  );
  const [main, ...joined] = sheets.map(({ name }, index): PlacedSheet => ({ kind: 'data', name, index }));
  const order: PlacedSheet[] = [
    ...joined,
    { kind: 'guide', name: guide, index: 0 },
    ...examples.map((name, index): PlacedSheet => ({ kind: 'example', name, index })),
  ];
  const at = position === undefined ? 0 : position - 1;
  if (at > order.length)
    throw new ProductError('usage', message('template.sheet_position', { position: at + 1 }));
  if (main) order.splice(at, 0, main);
  return { names: { guide, examples, lists: uniqueName('Lists') }, order };
}
