import type { Draft, Line, Page } from '../sheet.js';

/** The lines of a page from row 1 on, each with its row; in a text file a `sep=` line comes before them. */
export function numberedLines(page: Page, firstRow = 1): readonly Line[] {
  const lines = [...page.above, page.header, ...page.lines];
  lines.forEach((line, at) => {
    line.row = firstRow + at;
  });
  return lines;
}

/** All sheets of a workbook in their order, those that hold no data first. */
export function pagesOf(draft: Draft): readonly (Page & { readonly hidden?: boolean })[] {
  const before = draft.before.map(({ name, hidden, lines }) => ({
    name,
    hidden,
    columns: [],
    above: [],
    header: plain(lines[0] ?? []),
    lines: lines.slice(1).map(plain),
    merges: [],
  }));
  return [...before, draft.page, ...(draft.joined ? [draft.joined] : [])];
}

function plain(texts: readonly string[]): Line {
  const cells = texts.map((it) => ({ kind: 'text', text: it }) as const);
  return { cells, record: new Map(), verdict: 'aside', reasons: [] };
}
