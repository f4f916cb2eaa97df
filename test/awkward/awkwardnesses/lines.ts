import { number } from '../lay-out.js';
import { type Column, type Draft, keyColumns, type Laid, type Line, type Page, text } from '../sheet.js';
import { type Awkwardness, isMapped } from './kinds.js';

const TOTALS = { en: ['Total', 'Sum', 'Grand total'], zh: ['合计', '总计'] } as const;
const SUBTOTALS = { en: ['Subtotal'], zh: ['小计'] } as const;

export function asideLine(cells: (Laid | undefined)[], verdict: 'aside' | 'fault', reason: string): Line {
  return { cells, record: new Map(), verdict, reasons: [reason] };
}

/**
 * Where a line may be put: before one of these positions, or at the end.
 * @param within also between the rows of a record, as printed pages and people in a hurry part them
 */
export function seams(page: Page, within = false): number[] {
  const keys = keyColumns(page);
  const key = (line: Line): string => keys.map((it) => String(line.record.get(it))).join('|');
  const found: number[] = [];
  for (let at = 1; at < page.lines.length; at += 1) {
    const [above, below] = [page.lines[at - 1]!, page.lines[at]!];
    const merged = page.merges.some(
      ({ from, to }) => page.lines.indexOf(from) < at && page.lines.indexOf(to) >= at,
    );
    if (
      !merged &&
      (within || below.record.size === 0 || above.record.size === 0 || key(above) !== key(below))
    )
      found.push(at);
  }
  return found;
}

const KEYLESS = /^(?:asset\.|enterprise\.update$)/;

/** A line with a word and sums; its key is empty unless there is no other place for the word. */
function totalsLine(draft: Draft, page: Page, word: string): Line {
  const { random } = draft;
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
  // A total in a key's own place is a row with a key; one with a number as its key is sent, if nothing stops it.
  // A lock is a key too, below its order.
  const inKey = page.columns.some((it, at) => it.key === true && cells[at] !== undefined);
  // Where no field is the operation's key, every one may be.
  const keyed = inKey || (KEYLESS.test(draft.scenario.operation) && isMapped(column));
  if (keyed && page !== draft.page) draft.refusal = 'may';
  return asideLine(cells, keyed ? 'fault' : 'aside', 'totals');
}

const isProse = (column: Column): boolean =>
  (column.type === 'word' || column.type === 'name' || column.header === 'No.' || column.header === '序号') &&
  column.level !== 'asset';

const NOTES = {
  en: ['Note: please enter before the end of the month', 'Prepared by: Ann', 'All prices in RMB'],
  zh: ['注：以上订单请于月底前录入', '制表人：王芳', '以上金额单位为元'],
} as const;

/** Mostly the job's sheet; the one that is joined to it has its own notes and sums. */
function anyPage({ page, joined, random }: Draft): Page {
  return joined && random.chance(0.4) ? joined : page;
}

export const LINES: readonly Awkwardness[] = [
  {
    name: 'blank rows between',
    phase: 'lines',
    apply(draft) {
      const { random, format } = draft;
      const page = anyPage(draft);
      for (let turn = random.whole(1, 3); turn > 0; turn -= 1) {
        const places = [...seams(page, true), page.lines.length];
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
      const page = anyPage(draft);
      const line = totalsLine(draft, page, draft.random.pick(TOTALS[draft.scenario.language]));
      if (draft.random.chance(0.3)) page.lines.push(asideLine([], 'aside', 'blank'));
      page.lines.push(line);
      return true;
    },
  },
  {
    name: 'subtotals between the records',
    phase: 'lines',
    apply(draft) {
      const { random, settings, scenario } = draft;
      const page = anyPage(draft);
      const places = seams(page);
      if (places.length === 0 || settings.until !== undefined) return false;
      for (const at of places.reverse())
        if (random.chance(0.5))
          page.lines.splice(at, 0, totalsLine(draft, page, random.pick(SUBTOTALS[scenario.language])));
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
      // The word is in the office's own column before the key.
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
    name: 'a note below the table, or within',
    phase: 'lines',
    apply(draft) {
      const { random, scenario, format, settings } = draft;
      const page = anyPage(draft);
      const own = page.columns.flatMap((it, at) => (isMapped(it) || it.key ? [] : [at]));
      const outside = page.columns.length + random.whole(0, 2);
      const places = [...own, ...own, outside, 0];
      const at = random.pick(places);
      const cells: (Laid | undefined)[] = [];
      cells[at] = text(random.pick(NOTES[scenario.language]));
      const key = page.columns[at];
      const mapped = key !== undefined && (isMapped(key) || key.key === true);
      const fault = mapped || (format === 'csv' && at >= page.columns.length);
      if (fault && page !== draft.page) draft.refusal = 'may';
      const note = asideLine(cells, fault ? 'fault' : 'aside', 'note');
      const within = seams(page, true);
      if (!fault && settings.until === undefined && within.length > 0 && random.chance(0.4)) {
        page.lines.splice(random.pick(within), 0, note);
        return true;
      }
      if (random.chance(0.5)) page.lines.push(asideLine([], 'aside', 'blank'));
      page.lines.push(note);
      return true;
    },
  },
  {
    name: 'a note beside the table',
    phase: 'lines',
    format: 'xlsx',
    apply(draft) {
      const { random, scenario } = draft;
      const page = anyPage(draft);
      const line = random.pick(page.lines);
      if (line.record.size === 0) return false;
      line.cells[page.columns.length + random.whole(1, 3)] = text(random.pick(NOTES[scenario.language]));
      return true;
    },
  },
  {
    name: 'the header again on every printed page',
    phase: 'lines',
    apply(draft) {
      const { random, settings } = draft;
      const page = anyPage(draft);
      const places = seams(page, true);
      if (places.length === 0 || settings.until !== undefined) return false;
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

/** Rows that then belong together without standing together, or keys that aren't in every row. */
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
