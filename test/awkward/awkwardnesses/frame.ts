import { number } from '../lay-out.js';
import { judge, type Laid, type Line, text } from '../sheet.js';
import { type Awkwardness, isMapped } from './kinds.js';
import { asideLine } from './lines.js';

const TITLES = {
  en: ['Orders January 2026', 'Northgate branch'],
  zh: ['2026年1月明细表', '北京分公司'],
} as const;

function titles(name: string, reported: boolean): Awkwardness {
  return {
    name,
    phase: 'frame',
    apply(draft) {
      const { page, random, scenario, settings, format } = draft;
      if (page.above.length > 0) return false;
      const rows = random.whole(1, 3);
      for (let at = 0; at < rows; at += 1) {
        const title: string = random.pick(TITLES[scenario.language]);
        const cells = random.chance(0.25) && at > 0 ? [] : [text(title)];
        const line = asideLine(cells, 'aside', 'title');
        if (format === 'csv' && random.chance(0.5) && cells.length > 0) line.asIs = title;
        page.above.push(line);
        if (format === 'xlsx' && cells.length > 0 && random.chance(0.5))
          page.merges.push({ from: line, to: line, first: 0, last: Math.min(3, page.columns.length - 1) });
      }
      if (reported) settings.headerRow = rows + 1;
      else draft.refusal = 'must';
      return true;
    },
  };
}

export const FRAME: readonly Awkwardness[] = [
  titles('titles above the header', true),
  titles('titles that the job does not know of', false),
  {
    name: 'two rows of headers',
    phase: 'frame',
    format: 'xlsx',
    apply({ page, settings }) {
      if (page.above.length > 0 || page.columns.length < 4) return false;
      const line: Line = asideLine([text('基本信息'), undefined, text('明细')], 'aside', 'title');
      page.above.push(line);
      page.merges.push({ from: line, to: line, first: 0, last: 1 });
      page.merges.push({ from: line, to: line, first: 2, last: page.columns.length - 1 });
      settings.headerRow = 2;
      return true;
    },
  },
  {
    name: 'headers written another way',
    phase: 'frame',
    apply({ page, random }) {
      const at = random.whole(0, page.columns.length - 1);
      const { header } = page.columns[at]!;
      const others = [
        ` ${header} `,
        header.toUpperCase(),
        `${header}\u00a0`,
        header.replace(/[A-Za-z]/, (it) => String.fromCharCode(it.charCodeAt(0) + 0xfee0)),
      ];
      page.header.cells[at] = text(random.pick(others));
      return true;
    },
  },
  {
    name: 'a column under an empty header',
    phase: 'frame',
    apply(draft) {
      const { page, random, format } = draft;
      const at = page.columns.length;
      page.columns.push({ header: '', type: 'word', level: 'order', optional: true });
      let any = false;
      for (const line of page.lines) {
        // A row invalid for its content, such as a conflict, stays one of that alone.
        if (line.record.size === 0 || line.verdict === 'fault' || random.chance(0.6)) continue;
        any = true;
        line.cells[at] = random.chance(0.5) ? text('ok') : number(random.whole(1, 9));
        // In a text file no user can distinguish this from a line that shifted.
        if (format === 'csv' && line.verdict !== 'filtered')
          judge(line, 'fault', 'a cell under an empty header');
      }
      return any;
    },
  },
  {
    name: 'two headers for one column',
    phase: 'frame',
    apply(draft) {
      const { page, random, scenario } = draft;
      const mapped = page.columns.filter(isMapped);
      const { header } = random.pick(mapped);
      const at = page.columns.length;
      page.columns.push({ header, type: 'word', level: 'order', optional: true });
      page.header.cells[at] = text(random.pick([header, ` ${header}`, header.toLowerCase()]));
      draft.refusal = 'must';
      return scenario.operation !== '';
    },
  },
  {
    name: "two headers of the office's own that are one",
    phase: 'frame',
    apply({ page, scenario }) {
      const header = scenario.language === 'zh' ? '跟进' : 'Follow-up';
      for (const it of [header, ` ${header}`]) {
        const at = page.columns.length;
        page.columns.push({ header, type: 'word', level: 'order', optional: true });
        page.header.cells[at] = text(it);
        for (const line of page.lines) if (line.record.size > 0) line.cells[at] = text('x');
      }
      return true;
    },
  },
  {
    name: 'columns with strange names',
    phase: 'frame',
    apply({ page, random }) {
      const header = random.pick(['__proto__', 'constructor', 'status', 'message', 'row', '=SUM(A1)', '#']);
      const at = page.columns.length;
      page.columns.push({ header, type: 'word', level: 'order', optional: true });
      page.header.cells[at] = text(header);
      for (const line of page.lines) if (line.record.size > 0) line.cells[at] = text('1') as Laid;
      return true;
    },
  },
];
