import { type Draft, dataLines, judge } from '../sheet.js';
import { type Awkwardness, anyPlace, isMapped } from './kinds.js';

const COVER: readonly string[][] = [['Licence orders'], ['January 2026', 'draft']];

const UNENDED = 'a quote that never ends';
/** What puts quotation marks into a file by itself. */
const QUOTED = new Set([
  'a quote inside a field',
  'a blank before an opening quote',
  'line breaks and quotes inside quoted fields',
  'a text kept by ="…"',
]);

/** A mapped cell of text to write otherwise; none where a quote that never ends would hide it. */
function textPlace(draft: Draft): ReturnType<typeof anyPlace> {
  const place = anyPlace(draft, (it) => isMapped(it) && (it.type === 'name' || it.type === 'word'));
  return draft.done.includes(UNENDED) ? undefined : place;
}

export const FILES: readonly Awkwardness[] = [
  {
    name: 'other sheets before the data',
    phase: 'file',
    format: 'xlsx',
    apply({ before, settings, random }) {
      before.push({ name: random.pick(['说明', 'Cover']), hidden: false, lines: COVER });
      settings.namesSheet = true;
      return true;
    },
  },
  {
    name: 'a hidden sheet before the data',
    phase: 'file',
    format: 'xlsx',
    apply({ before }) {
      before.push({ name: 'codes', hidden: true, lines: COVER });
      return true;
    },
  },
  {
    name: 'the data not on the first sheet, and the job silent',
    phase: 'file',
    format: 'xlsx',
    apply(draft) {
      if (draft.before.length > 0) return false;
      draft.before.push({ name: 'Cover', hidden: false, lines: COVER });
      draft.settings.namesSheet = false;
      draft.refusal = 'must';
      return true;
    },
  },
  {
    name: 'dates that count from 1904',
    phase: 'file',
    format: 'xlsx',
    apply(draft) {
      draft.book.date1904 = true;
      // Serials that lost their format were laid before; they are faults by either count.
      return true;
    },
  },
  {
    name: 'a line that says the delimiter',
    phase: 'file',
    format: 'csv',
    apply({ text, page }) {
      if (page.above.length > 0) return false;
      text.sepLine = true;
      return true;
    },
  },
  {
    name: 'a line that shifted',
    phase: 'file',
    format: 'csv',
    apply(draft) {
      const { page } = draft;
      const last = page.columns.length - 1;
      const place = anyPlace(draft, isMapped);
      if (!place || place.page !== page || place.line.cells[last] === undefined) return false;
      const cells = [...place.line.cells];
      cells.length = page.columns.length;
      cells.splice(place.at, 0, undefined);
      place.line.cells = cells;
      judge(place.line, 'fault', 'a line that shifted');
      return true;
    },
  },
  {
    name: 'a quote inside a field',
    phase: 'file',
    format: 'csv',
    apply(draft) {
      const place = textPlace(draft);
      if (!place) return false;
      const value = String(place.value);
      const asIs = draft.random.pick([`${value.slice(0, 2)}"${value.slice(2)}`, `"${value}"2`, `${value}"`]);
      place.line.cells[place.at] = { kind: 'text', text: value, asIs };
      judge(place.line, 'fault', 'a quote inside a field');
      return true;
    },
  },
  {
    name: 'a blank before an opening quote',
    phase: 'file',
    format: 'csv',
    apply(draft) {
      const place = textPlace(draft);
      if (!place) return false;
      const value = String(place.value);
      place.line.cells[place.at] = { kind: 'text', text: value, asIs: ` "${value}"` };
      return true;
    },
  },
  {
    name: UNENDED,
    phase: 'file',
    format: 'csv',
    apply(draft) {
      const { page } = draft;
      const line = dataLines(page).at(-1)!;
      const at = page.columns.findIndex((it) => isMapped(it) && it.type === 'name' && line.record.has(it));
      // Another quotation mark below would end it.
      if (at < 0 || line.verdict !== 'data' || draft.done.some((it) => QUOTED.has(it))) return false;
      draft.text.quoteAll = false;
      const place = { line, at, value: line.record.get(page.columns[at]!) };
      const value = String(place.value);
      place.line.cells[place.at] = { kind: 'text', text: value, asIs: `"${value}` };
      draft.refusal = 'must';
      return true;
    },
  },
  {
    name: 'line breaks and quotes inside quoted fields',
    phase: 'file',
    format: 'csv',
    apply({ page, random, done }) {
      const at = page.columns.findIndex((it) => !isMapped(it) && !it.key);
      const line = random.pick(page.lines);
      if (at < 0 || done.includes(UNENDED) || line.record.size === 0) return false;
      line.cells[at] = { kind: 'text', text: 'first line\nsecond "line", and more' };
      return true;
    },
  },
];
