import { isList } from '../lay-out.js';
import { type Draft, dataLines, judge, type Line, runs, text } from '../sheet.js';
import { type Awkwardness, isMapped } from './kinds.js';

const copyOf = (line: Line): Line => ({
  ...line,
  cells: [...line.cells],
  record: new Map(line.record),
  reasons: [...line.reasons],
});

/** Puts a line somewhere below another one; right below it where a record's lines stand together. */
function putBelow(draft: Draft, line: Line, after: Line): void {
  const { lines } = draft.page;
  const first = lines.indexOf(after) + 1;
  const grouped = draft.scenario.operation.startsWith('order.');
  lines.splice(grouped ? first : draft.random.whole(first, lines.length), 0, line);
}

/** Operations that know their items by a key and refuse to have one twice. */
const BY_KEY = new Set(['enterprise.create', 'enterprise.bind', 'activity.participate']);

export const RECORDS: readonly Awkwardness[] = [
  {
    name: 'a row twice',
    phase: 'records',
    apply(draft) {
      const line = draft.random.pick(dataLines(draft.page));
      const again = copyOf(line);
      putBelow(draft, again, line);
      if (BY_KEY.has(draft.scenario.operation))
        for (const it of [line, again]) judge(it, 'fault', 'the same key twice');
      return true;
    },
  },
  {
    name: 'two rows that contradict each other',
    phase: 'records',
    apply(draft) {
      const { operation } = draft.scenario;
      if (operation === 'asset.numbers') return false;
      const column = draft.page.columns.find(
        (it) => isMapped(it) && !it.key && it.level === 'order' && it.type !== 'identifier' && !it.values,
      );
      if (!column) return false;
      const line = draft.random.pick(dataLines(draft.page));
      const value = line.record.get(column);
      if (value === undefined || isList(value)) return false;
      const other = copyOf(line);
      other.record.set(column, `${String(value)} 2`);
      other.cells[draft.page.columns.indexOf(column)] = text(`${String(value)} 2`);
      putBelow(draft, other, line);
      judge(other, 'fault', 'contradicts another row');
      judge(line, 'fault', 'contradicts another row');
      return true;
    },
  },
  {
    name: 'rows of a record apart from each other',
    phase: 'records',
    apply(draft) {
      if (!runs(draft.page).some((it) => it.length > 1)) return false;
      const { lines } = draft.page;
      lines.splice(0, lines.length, ...draft.random.shuffled(lines));
      return true;
    },
  },
];
