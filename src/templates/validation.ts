import type { DataValidation } from 'exceljs';
import { message } from '../errors/message.js';
import type { TemplateColumn } from './contract.js';
import { type Describer, exampleOf } from './describe.js';
import type { Entry } from './entry.js';

/** Excel's limit; it repairs workbooks with longer texts. */
const TITLE_LIMIT = 32;
const PROMPT_LIMIT = 255;
const ERROR_LIMIT = 225;
/** A longer text is probably a mistake of pasting; the interface sets no limit. */
const USUAL_LENGTH = 255;
/** Many lock numbers in one cell are usual; a cell itself holds 32,767 characters. */
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

/** The validation rule of a column, with the hint shown during entry and the message about a wrong one. */
export function validationOf(input: ValidationInput, describer: Describer): DataValidation {
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

const ASK = { errorStyle: 'warning' } as const;

function ruleOf({ entry, list, cell }: ValidationInput): Rule {
  switch (entry.kind) {
    case 'list':
      return { type: 'list', formulae: [list ?? '""'], ...(entry.open ? ASK : {}) };
    case 'date':
      if (entry.digits) return digitsRule(entry.pattern, cell);
      return {
        type: 'date',
        operator: 'between',
        formulae: [FIRST_DAY, LAST_DAY],
        ...(entry.strict ? {} : ASK),
      };
    case 'whole':
      return { type: 'whole', operator: 'greaterThanOrEqual', formulae: [entry.least] };
    case 'duration':
      return { type: 'custom', formulae: [`LEN(${cell})-LEN(SUBSTITUTE(${cell},"-",""))=2`] };
    case 'email':
      return { type: 'custom', formulae: [`ISNUMBER(SEARCH("?*@?*",${cell}))`], ...ASK };
    case 'texts':
    case 'text':
      return { type: 'textLength', operator: 'lessThanOrEqual', formulae: [lengthOf(entry)], ...ASK };
  }
}

function digitsRule(pattern: string, cell: string): Rule {
  const formula = `AND(LEN(${cell})=${pattern.length},ISNUMBER(VALUE(${cell})))`;
  return { type: 'custom', formulae: [formula], ...ASK };
}

function errorOf(entry: Entry, describer: Describer): string {
  switch (entry.kind) {
    case 'list': {
      const words = describer.joined(entry.choices.map((it) => String(it.word)));
      return describer.say(message('template.wrong_list', { words }));
    }
    case 'date': {
      const example = exampleOf(entry);
      return describer.say(
        entry.strict
          ? message('template.wrong_date', { example })
          : message('template.wrong_date_form', { example }),
      );
    }
    case 'whole':
      return describer.say(message('template.wrong_whole', { least: entry.least }));
    case 'duration':
      return describer.say(message('template.wrong_duration'));
    case 'email':
      return describer.say(message('template.wrong_email'));
    case 'texts':
    case 'text':
      return describer.say(message('template.wrong_length', { most: lengthOf(entry) }));
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
