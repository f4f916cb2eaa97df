import { fold } from '../util/fold.js';
import type { Example, FieldUse, FieldWords, TemplateColumn, TemplateSheet } from './contract.js';
import type { Choice, Entry } from './entry.js';

const EXAMPLE_ROWS = 2;

/**
 * Example rows for each sheet, which succeed when they are sent, with cells in the order of its columns. Optional
 * parts of a row (features, packages beside products) stay empty; sheets of their own are filled, and agree on the
 * columns that tie them.
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
  const wanted = literal(column);
  if (wanted !== undefined) return wanted;
  // A field that takes the cell itself says more than one that takes a text built from it.
  const uses = [...column.uses].sort((a, b) => leafRank(a) - leafRank(b));
  const own = uses.filter((it) => it.leaf.kind === 'column');
  for (const use of own) {
    const value = exampleOf(use);
    if (value !== undefined) return fitted(value, entry, own, row);
  }
  if (entry.kind === 'list') return entry.choices[0]?.word;
  if (own.some((it) => it.need.kind === 'no') && column.need.kind === 'no') return undefined;
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

/** `yyyyMMdd` and the like, of a day at midnight UTC. */
function digitsOf(day: Date, pattern: string): string {
  const iso = day.toISOString();
  return pattern
    .replace(/y+/, iso.slice(0, 4))
    .replace(/M+/, iso.slice(5, 7))
    .replace(/d+/, iso.slice(8, 10))
    .replace(/[HmsS]/g, '0');
}
