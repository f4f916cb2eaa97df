import { type Column, type Draft, judge, type Line, type Page, runs } from '../sheet.js';
import { type Awkwardness, isMapped } from './kinds.js';

/** Runs of rows that say the same in some columns, which Excel's users then write once. */
interface Repetition {
  readonly lines: readonly Line[];
  readonly columns: readonly Column[];
}

/** The records of several rows with the columns that all their rows share. */
function repetitions(page: Page): Repetition[] {
  return runs(page)
    .filter((lines) => lines.length > 1 && lines.every((it) => it.verdict === 'data'))
    .map((lines) => ({ lines, columns: page.columns.filter((it) => isShared(it, lines)) }));
}

function isShared(column: Column, lines: readonly Line[]): boolean {
  if (column.level !== 'order' || (!isMapped(column) && !column.key)) return false;
  const first = lines[0]!.record.get(column);
  return first !== undefined && lines.every((it) => String(it.record.get(column)) === String(first));
}

/** Rows under the first one of a repetition: what they belong to is unknown. */
function lose(draft: Draft, lines: readonly Line[], reason: string): void {
  for (const line of lines.slice(1)) judge(line, 'fault', reason);
  if (draft.joined) draft.refusal = 'may';
}

function merge(draft: Draft, page: Page, lines: readonly Line[], columns: readonly Column[]): void {
  for (const column of columns) {
    const at = page.columns.indexOf(column);
    for (const line of lines.slice(1)) line.cells[at] = undefined;
    page.merges.push({ from: lines[0]!, to: lines.at(-1)!, first: at, last: at });
  }
  if (draft.settings.merged !== 'fill') lose(draft, lines, `merged ${columns[0]!.header}`);
}

export const GROUPS: readonly Awkwardness[] = [
  {
    name: 'keys merged over their rows',
    phase: 'groups',
    format: 'xlsx',
    apply(draft) {
      const { random, page, joined } = draft;
      const target = joined && random.chance(0.5) ? joined : page;
      const found = repetitions(target);
      if (found.length === 0) return false;
      if (random.chance(0.6)) draft.settings.merged = 'fill';
      else if (random.chance(0.3)) draft.settings.merged = 'refuse';
      const keysOnly = random.chance(0.3);
      for (const { lines, columns } of found) {
        const merged = keysOnly ? columns.filter((it) => it.key) : columns;
        merge(draft, target, lines, merged);
        // What is all that a row has may be meant for all of them together.
        if (target.columns.filter(isMapped).every((it) => merged.includes(it)))
          for (const line of lines.slice(1)) judge(line, 'maybe', 'nothing of its own');
        if (random.chance(0.5)) mergeLocks(draft, target, lines);
      }
      return true;
    },
  },
  {
    name: 'one value merged over several records',
    phase: 'groups',
    format: 'xlsx',
    apply(draft) {
      const { random, page, scenario } = draft;
      if (scenario.operation.startsWith('order.')) return false;
      const columns = page.columns.filter((it) => isMapped(it) && !it.key && it.type !== 'identifier');
      const column = columns.length === 0 ? undefined : random.pick(columns);
      const first = random.whole(0, Math.max(0, page.lines.length - 3));
      const lines = page.lines.slice(first, first + random.whole(2, 3));
      if (!column || lines.length < 2 || lines.some((it) => it.verdict !== 'data')) return false;
      const value = lines[0]!.record.get(column);
      if (value === undefined) return false;
      const ours = page.columns.indexOf(column);
      for (const line of lines) line.record.set(column, value);
      if (lines[0]!.cells[ours] === undefined) return false;
      if (random.chance(0.6)) draft.settings.merged = 'fill';
      merge(draft, page, lines, [column]);
      return true;
    },
  },
  {
    name: "merged cells in the office's own columns",
    phase: 'groups',
    format: 'xlsx',
    apply(draft) {
      const { page, random } = draft;
      const column = page.columns.find((it) => !isMapped(it) && !it.key);
      const first = random.whole(0, Math.max(0, page.lines.length - 2));
      const lines = page.lines.slice(first, first + random.whole(2, 4));
      if (!column || lines.length < 2) return false;
      const at = page.columns.indexOf(column);
      for (const line of lines.slice(1)) line.cells[at] = undefined;
      page.merges.push({ from: lines[0]!, to: lines.at(-1)!, first: at, last: at });
      return true;
    },
  },
  {
    name: 'keys written once, blank below',
    phase: 'groups',
    apply(draft) {
      const { random, page } = draft;
      // With fillDown an empty cell takes the one above it, whatever it was left empty for.
      if (page.merges.length > 0 || draft.done.includes('a needed cell left empty')) return false;
      const found = repetitions(page);
      if (found.length === 0) return false;
      const keysOnly = random.chance(0.3);
      const shared = page.columns.filter((column) => found.every((it) => it.columns.includes(column)));
      const blank = keysOnly ? shared.filter((it) => it.key) : shared;
      for (const { lines } of found) {
        for (const line of lines.slice(1))
          for (const column of blank) line.cells[page.columns.indexOf(column)] = undefined;
      }
      if (random.chance(0.6)) draft.settings.fillDown = blank.map((it) => it.header);
      else for (const { lines } of found) lose(draft, lines, 'blank under a key');
      return true;
    },
  },
  {
    name: 'a lock written once, blank below',
    phase: 'groups',
    apply(draft) {
      const { random, page } = draft;
      const lock = page.columns.find((it) => it.level === 'asset' && it.key);
      if (!lock || page.merges.length > 0 || draft.settings.fillDown) return false;
      const at = page.columns.indexOf(lock);
      const below = sameLock(page, lock).flatMap((it) => it.slice(1));
      if (below.length === 0 || below.some((it) => it.verdict !== 'data')) return false;
      for (const line of below) line.cells[at] = undefined;
      if (random.chance(0.5)) draft.settings.fillDown = [lock.header];
      else for (const line of below) judge(line, 'fault', 'blank under a lock');
      return true;
    },
  },
];

/** Rows of one record that name the same lock, one below the other. */
function sameLock(page: Page, lock: Column): Line[][] {
  const found: Line[][] = [];
  for (const lines of runs(page)) {
    let before: string | undefined;
    for (const line of lines) {
      const value = String(line.record.get(lock));
      if (value === before) found.at(-1)!.push(line);
      else found.push([line]);
      before = value;
    }
  }
  return found;
}

function mergeLocks(draft: Draft, page: Page, lines: readonly Line[]): void {
  const lock = page.columns.find((it) => it.level === 'asset' && it.key);
  if (!lock) return;
  for (const same of sameLock(page, lock))
    if (same.length > 1 && same.every((it) => lines.includes(it))) merge(draft, page, same, [lock]);
}
