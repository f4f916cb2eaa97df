import { number } from '../lay-out.js';
import { type Column, type Draft, keyColumns, type Laid, type Line, type Page, text } from '../sheet.js';
import { type Awkwardness, isMapped } from './kinds.js';

const TOTALS = { en: ['Total', 'Sum', 'Grand total'], zh: ['合计', '总计'] } as const;
const SUBTOTALS = { en: ['Subtotal'], zh: ['小计'] } as const;

export function asideLine(cells: (Laid | undefined)[], verdict: 'aside' | 'fault', reason: string): Line {
  return { cells, record: new Map(), verdict, reasons: [reason] };
}

/** Where a line may be put without parting the rows of a record: before one of these positions, or at the end. */
function seams(page: Page): number[] {
  const keys = keyColumns(page);
  const key = (line: Line): string => keys.map((it) => String(line.record.get(it))).join('|');
  const found: number[] = [];
  for (let at = 1; at < page.lines.length; at += 1) {
    const [above, below] = [page.lines[at - 1]!, page.lines[at]!];
    const within = page.merges.some(
      ({ from, to }) => page.lines.indexOf(from) < at && page.lines.indexOf(to) >= at,
    );
    if (!within && (below.record.size === 0 || above.record.size === 0 || key(above) !== key(below)))
      found.push(at);
  }
  return found;
}

/** A line with a word and sums; its key is empty unless there is no other place for the word. */
function totalsLine(draft: Draft, word: string): Line {
  const { page, random } = draft;
  const keys = new Set(keyColumns(page));
  const places = page.columns.filter((it) => !keys.has(it) && isProse(it) && !it.values);
  const column = places.length > 0 && random.chance(0.85) ? random.pick(places) : [...keys][0]!;
  const cells: (Laid | undefined)[] = [];
  cells[page.columns.indexOf(column)] = text(word);
  let sums = 0;
  page.columns.forEach((it, at) => {
    if (it.type !== 'whole' || it === column || (keys.has(it) && it.type !== 'whole')) return;
    if (cells[at]) return;
    cells[at] = number(page.lines.reduce((sum, line) => sum + Number(line.record.get(it) ?? 0), 0));
    sums += 1;
  });
  if (sums === 0) cells[page.columns.length - 1] ??= number(page.lines.length);
  // A total in a key's own place is a row with a key; one with a number as its key is sent, if nobody stops it.
  const keyed = page.columns.some((it, at) => keys.has(it) && cells[at] !== undefined);
  return asideLine(cells, keyed ? 'fault' : 'aside', 'totals');
}

const isProse = (column: Column): boolean =>
  (column.type === 'word' || column.type === 'name' || column.header === 'No.' || column.header === '序号') &&
  column.level !== 'asset';

const NOTES = {
  en: ['Note: please enter before the end of the month', 'Prepared by: Ann', 'All prices in RMB'],
  zh: ['注：以上订单请于月底前录入', '制表人：王芳', '以上金额单位为元'],
} as const;

export const LINES: readonly Awkwardness[] = [
  {
    name: 'blank rows between',
    phase: 'lines',
    apply({ page, random, format }) {
      for (let turn = random.whole(1, 3); turn > 0; turn -= 1) {
        const places = [...seams(page), page.lines.length];
        const cells: Laid[] = format === 'xlsx' && random.chance(0.3) ? [text(' ')] : [];
        page.lines.splice(random.pick(places), 0, asideLine(cells, 'aside', 'blank'));
      }
      return true;
    },
  },
  {
    name: 'a totals row at the end',
    phase: 'lines',
    apply(draft) {
      const line = totalsLine(draft, draft.random.pick(TOTALS[draft.scenario.language]));
      if (draft.random.chance(0.3)) draft.page.lines.push(asideLine([], 'aside', 'blank'));
      draft.page.lines.push(line);
      return true;
    },
  },
  {
    name: 'subtotals between the records',
    phase: 'lines',
    apply(draft) {
      const { page, random } = draft;
      const places = seams(page);
      if (places.length === 0) return false;
      for (const at of places.reverse())
        if (random.chance(0.5))
          page.lines.splice(at, 0, totalsLine(draft, random.pick(SUBTOTALS[draft.scenario.language])));
      return true;
    },
  },
  {
    name: 'a totals row whose word is merged over the key',
    phase: 'lines',
    format: 'xlsx',
    apply(draft) {
      const { page, random, scenario } = draft;
      const [key] = keyColumns(page);
      const second = page.columns.indexOf(key!);
      // The word lies in the office's own column before the key.
      if (second !== 1 || isMapped(page.columns[0]!) || scenario.operation === 'asset.numbers') return false;
      const line = asideLine([text(random.pick(TOTALS[scenario.language]))], 'aside', 'totals');
      line.cells[page.columns.length - 1] = number(random.whole(1, 9000));
      const last = page.columns.length - 1;
      page.lines.push(line);
      page.merges.push({ from: line, to: line, first: 0, last: Math.min(second, last) });
      return true;
    },
  },
  {
    name: 'a note below the table',
    phase: 'lines',
    apply(draft) {
      const { page, random, scenario, format } = draft;
      const own = page.columns.flatMap((it, at) => (isMapped(it) || it.key ? [] : [at]));
      const outside = page.columns.length + random.whole(0, 2);
      const places = [...own, ...own, outside, 0];
      const at = random.pick(places);
      const cells: (Laid | undefined)[] = [];
      cells[at] = text(random.pick(NOTES[scenario.language]));
      const key = page.columns[at];
      const mapped = key !== undefined && (isMapped(key) || key.key === true);
      const fault = mapped || (format === 'csv' && at >= page.columns.length);
      if (random.chance(0.5)) page.lines.push(asideLine([], 'aside', 'blank'));
      page.lines.push(asideLine(cells, fault ? 'fault' : 'aside', 'note'));
      return true;
    },
  },
  {
    name: 'a note beside the table',
    phase: 'lines',
    format: 'xlsx',
    apply({ page, random, scenario }) {
      const line = random.pick(page.lines);
      if (line.record.size === 0) return false;
      line.cells[page.columns.length + random.whole(1, 3)] = text(random.pick(NOTES[scenario.language]));
      return true;
    },
  },
  {
    name: 'the header again on every printed page',
    phase: 'lines',
    apply({ page, random }) {
      const places = seams(page);
      if (places.length === 0) return false;
      const at = random.pick(places);
      page.lines.splice(at, 0, asideLine([...page.header.cells], 'aside', 'header again'));
      return true;
    },
  },
  {
    name: 'hidden rows',
    phase: 'lines',
    format: 'xlsx',
    apply(draft) {
      const { page, random, settings } = draft;
      const wish = random.pick(['include', 'include', 'skip', 'refuse', undefined] as const);
      const places = [0, ...seams(page), page.lines.length];
      const from = random.whole(0, places.length - 2);
      const hidden = page.lines.slice(places[from], places[from + 1]);
      const data = hidden.filter((it) => it.record.size > 0);
      if (data.length === 0 || data.length === page.lines.filter((it) => it.record.size > 0).length)
        return false;
      // What stands apart of its record would go without the hidden part.
      if (
        wish === 'skip' &&
        (draft.done.includes('rows of a record apart from each other') ||
          draft.done.includes('a row twice') ||
          draft.done.includes('two rows that contradict each other'))
      )
        return false;
      if (wish !== undefined) settings.hiddenRows = wish;
      for (const line of hidden) line.hidden = true;
      if (wish === 'skip') for (const line of data) line.verdict = 'filtered';
      if (wish === 'refuse') draft.refusal = 'must';
      if (random.chance(0.5)) page.filter = true;
      return true;
    },
  },
  {
    name: 'rows that the job does not want',
    phase: 'lines',
    apply(draft) {
      const { page, random, settings, scenario } = draft;
      if (draft.settings.where !== undefined || draft.done.some((it) => SPREAD.has(it))) return false;
      const zh = scenario.language === 'zh';
      const header = zh ? '状态' : 'Status';
      const [yes, no] = zh ? ['已批准', '待定'] : ['Approved', 'Pending'];
      settings.where = `row["${header}"] == "${yes}"`;
      const at = page.columns.length;
      page.columns.push({ header, type: 'word', level: 'order', optional: true });
      page.header.cells[at] = text(header);
      const refused = new Set(
        page.lines.filter((it) => it.record.size > 0 && random.chance(0.25)).map((it) => keyOf(page, it)),
      );
      for (const line of page.lines) {
        if (line.record.size === 0) continue;
        const out = refused.has(keyOf(page, line));
        line.cells[at] = text(out ? no : yes);
        if (out) line.verdict = 'filtered';
      }
      return true;
    },
  },
  {
    name: 'a table that ends where the job says',
    phase: 'lines',
    apply({ page, settings, done }) {
      const [key] = keyColumns(page);
      if (page.lines.some((it) => it.record.size > 0 && !it.cells[page.columns.indexOf(key!)])) return false;
      if (done.some((it) => SPREAD.has(it) || it.startsWith('sub') || it.startsWith('the header again')))
        return false;
      const last = page.lines.findLastIndex((it) => it.record.size > 0);
      const blank = page.lines.findIndex(
        (it) => it.record.size === 0 && it.cells.some((cell) => cell !== undefined),
      );
      if (blank >= 0 && blank < last) return false;
      settings.until = `row["${key!.header}"] == ""`;
      return true;
    },
  },
];

/** Rows that then belong together without standing together, or keys that don't stand in every row. */
const SPREAD = new Set([
  'rows of a record apart from each other',
  'a row twice',
  'two rows that contradict each other',
  'hidden rows',
]);

function keyOf(page: Page, line: Line): string {
  return keyColumns(page)
    .map((it) => String(line.record.get(it)))
    .join('|');
}
