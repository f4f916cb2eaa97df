import { isList, isMoment } from '../lay-out.js';
import { type Draft, dataLines, judge, keyColumns, type Laid, type Line, text } from '../sheet.js';
import { type Awkwardness, anyPlace, isMapped, type Place, relay } from './kinds.js';

const ERRORS = ['#N/A', '#REF!', '#VALUE!', '#DIV/0!', '#NAME?'];

/** A name written so that it still reads the same. */
function stillReads(
  name: string,
  make: (value: string, place: Place, pick: <T>(list: readonly T[]) => T) => Laid,
  format?: 'xlsx' | 'csv',
): Awkwardness {
  return {
    name,
    phase: 'cells',
    ...(format ? { format } : {}),
    apply(draft) {
      const place = anyPlace(draft, (column) => isMapped(column) && column.type === 'name');
      if (!place) return false;
      place.line.cells[place.at] = make(String(place.value), place, (list) => draft.random.pick(list));
      return true;
    },
  };
}

const middle = (it: string): number => Math.ceil(it.length / 2);

export const TEXTS: readonly Awkwardness[] = [
  stillReads('invisible characters in a name', (value, _, pick) => {
    const at = middle(value);
    return text(
      value.slice(0, at) + pick(['\u200b', '\u200d', '\u200e', '\u202c', '\ufeff']) + value.slice(at),
    );
  }),
  stillReads('blanks around a name', (value, _, pick) =>
    text(pick([`${value} `, `  ${value}`, `${value}\u00a0`, `\u3000${value}`])),
  ),
  {
    name: 'blanks around a word or a date',
    phase: 'cells',
    apply(draft) {
      const place = anyPlace(
        draft,
        (column) =>
          isMapped(column) && (column.type === 'word' || column.type === 'date' || column.type === 'end'),
      );
      const cell = place?.line.cells[place.at];
      if (!place || cell?.kind !== 'text') return false;
      const it = draft.random.pick([`${cell.text} `, ` ${cell.text}`, `${cell.text}\u00a0`]);
      place.line.cells[place.at] = text(it);
      return true;
    },
  },
  stillReads(
    'a name in several fonts',
    (value) => {
      const at = middle(value);
      return { kind: 'text', text: value, runs: [value.slice(0, at), value.slice(at)] };
    },
    'xlsx',
  ),
  stillReads(
    'a name by formula',
    (value) => ({ kind: 'formula', formula: 'VLOOKUP(A2,Z:Z,1,0)', result: text(value) }),
    'xlsx',
  ),
  {
    name: 'a name with escapes',
    phase: 'cells',
    format: 'xlsx',
    apply(draft) {
      const place = anyPlace(draft, (column) => isMapped(column) && column.type === 'name');
      if (!place) return false;
      draft.book.writer = 'by hand';
      const value = String(place.value);
      const code = value.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
      // Next to a character reference, which must not turn the escape off.
      const stored = draft.random.pick([
        `_x${code}_${value.slice(1)}`,
        `_x${code.toLowerCase()}_${value.slice(1)}`,
      ]);
      place.line.cells[place.at] = { kind: 'text', text: value, stored };
      return true;
    },
  },
  {
    name: 'a name that looks like an escape',
    phase: 'cells',
    format: 'xlsx',
    apply(draft) {
      const place = anyPlace(
        draft,
        (column) => isMapped(column) && column.type === 'name' && column.level !== 'order',
      );
      const { page } = draft;
      const other =
        place ??
        (page.columns.some((it) => it.level !== 'order')
          ? undefined
          : anyPlace(draft, (column) => isMapped(column) && column.type === 'name'));
      if (!other) return false;
      draft.book.writer = 'by hand';
      const value = `${String(other.value)}_x000D_&"<`;
      other.line.record.set(other.column, value);
      other.line.cells[other.at] = {
        kind: 'text',
        text: value,
        stored: value.replace('_x000D_', '_x005F_x000D_'),
      };
      return true;
    },
  },
  {
    name: 'an error value',
    phase: 'cells',
    apply(draft) {
      const place = anyPlace(draft, isMapped);
      if (!place) return false;
      const it = draft.random.pick(draft.format === 'csv' ? [...ERRORS, '########'] : ERRORS);
      const cell: Laid =
        draft.format === 'xlsx' && draft.random.chance(0.5)
          ? { kind: 'formula', formula: 'VLOOKUP(A2,Z:Z,1,0)', result: { kind: 'error', text: it } }
          : { kind: 'error', text: it };
      for (const line of relay(place, cell)) judge(line, 'fault', 'an error value');
      if (draft.joined && place.column.key) draft.refusal = 'may';
      return true;
    },
  },
  {
    name: "an error value in the office's own column",
    phase: 'cells',
    apply(draft) {
      const place = anyPlace(draft, (column) => !isMapped(column) && !column.key);
      if (!place) return false;
      place.line.cells[place.at] = { kind: 'error', text: draft.random.pick(ERRORS) };
      return true;
    },
  },
  {
    name: 'a formula that was never calculated',
    phase: 'cells',
    format: 'xlsx',
    apply(draft) {
      const place = anyPlace(draft, isMapped);
      if (!place) return false;
      draft.book.writer = 'by hand';
      for (const line of relay(place, { kind: 'formula', formula: 'VLOOKUP(A2,Z:Z,1,0)' }))
        judge(line, 'fault', 'a formula that was never calculated');
      if (draft.joined && place.column.key) draft.refusal = 'may';
      return true;
    },
  },
  {
    name: 'a needed cell left empty',
    phase: 'cells',
    apply(draft) {
      const place = anyPlace(
        draft,
        (column, value) =>
          isMapped(column) && !column.optional && !column.key && !isList(value) && !isMoment(value),
      );
      if (!place) return false;
      place.line.cells[place.at] = undefined;
      // Where other rows of the record have it, a person would take theirs.
      const alone = place.column.level === 'product' || linesOfRecord(draft, place.line).length === 1;
      judge(place.line, alone ? 'fault' : 'maybe', 'a needed cell left empty');
      return true;
    },
  },
];

function linesOfRecord({ page }: Draft, line: Line): readonly Line[] {
  const key = (it: Line): string =>
    keyColumns(page)
      .map((column) => String(it.record.get(column)))
      .join('|');
  return dataLines(page).filter((it) => key(it) === key(line));
}
