import type { ConditionalFormattingOptions } from 'exceljs';
import { columnLetters } from '../util/spreadsheet-text.js';
import { type Entry, listedWords } from './entry.js';
import type { TemplateColumn, TemplateSheet } from './template-sheet.js';

/**
 * Number of rows with lists, rules and colours; further rows can be used without them. Rules for whole columns would be slow in
 * libraries that read a rule cell by cell.
 */
export const PREPARED_ROWS = 5000;
const RED = { type: 'pattern', pattern: 'solid', bgColor: { argb: 'FFFFC7CE' } } as const;

/**
 * Rules that colour errors which validation doesn't check, such as those of pasted cells: empty required cells in a row
 * that isn't empty, and words outside a closed list.
 */
export function warningRules(
  sheet: TemplateSheet,
  entries: readonly Entry[],
  listOf: (entry: Entry) => string | undefined,
): readonly ConditionalFormattingOptions[] {
  const first = sheet.headerRow + 1;
  const found: ConditionalFormattingOptions[] = [];
  sheet.columns.forEach((column, index) => {
    const letters = columnLetters(index + 1);
    const formulas = [
      ...missing(sheet, column, `${letters}${first}`, first),
      ...unlisted(column, entries[index], `${letters}${first}`, listOf),
    ];
    if (formulas.length === 0) return;
    found.push({
      ref: `${letters}${first}:${letters}${first + PREPARED_ROWS - 1}`,
      rules: formulas.map((formula, at) => ({
        type: 'expression',
        priority: found.length * 2 + at + 1,
        formulae: [formula],
        style: { fill: RED },
      })),
    });
  });
  return found;
}

function missing(sheet: TemplateSheet, column: TemplateColumn, cell: string, row: number): readonly string[] {
  const { need } = column;
  if (need.kind === 'no') return [];
  const part = sheet.columns.map((it) => need.kind !== 'group' || isOfPart(it, need.path));
  const counted = spans(part).map(
    ([from, to]) => `COUNTA($${columnLetters(from)}${row}:$${columnLetters(to)}${row})`,
  );
  return [`AND(LEN(TRIM(${cell}))=0,${counted.join('+')}>0)`];
}

/** True if all fields of the column belong to the part. */
function isOfPart(column: TemplateColumn, path: string): boolean {
  return column.uses.length > 0 && column.uses.every((it) => it.path.startsWith(`${path}.`));
}

/** Ranges of `true` as 1-based first and last positions. */
function spans(marks: readonly boolean[]): readonly (readonly [number, number])[] {
  const found: [number, number][] = [];
  marks.forEach((mark, index) => {
    if (!mark) return;
    const last = found.at(-1);
    if (last && last[1] === index) last[1] = index + 1;
    else found.push([index + 1, index + 1]);
  });
  return found;
}

/** Only for closed lists of fields: with a `values` table other words may be valid, and a Boolean accepts several words. */
function unlisted(
  column: TemplateColumn,
  entry: Entry | undefined,
  cell: string,
  listOf: (entry: Entry) => string | undefined,
): readonly string[] {
  if (entry?.kind !== 'list' || entry.open || entry.choices.some((it) => it.word !== it.value)) return [];
  if (column.uses.some((it) => it.leaf.kind !== 'column' || it.leaf.values)) return [];
  const list = listOf(entry);
  const given = `LEN(TRIM(${cell}))>0`;
  if (list && !list.startsWith('"')) return [`AND(${given},COUNTIF(${list},TRIM(${cell}))=0)`];
  const others = listedWords(entry).map((it) => `TRIM(${cell})<>"${it}"`);
  return [`AND(${given},${others.join(',')})`];
}
