import { message, render } from '../../errors/message.js';
import { wrappedLines } from '../../util/text-width.js';
import type { ResultValue } from '../result-line.js';
import { writtenValue } from './cell-value.js';
import { groupedNumber } from './headline.js';
import type { BookParts } from './parts.js';
import type { ResultProblem } from './problem-list.js';
import { SheetStream } from './sheet.js';
import { HEADER, HEADLINE, HINT, LINK, statusStyle, WRAPPED, WRAPPED_TEXT } from './styles.js';

const OVERVIEW = ['status', 'rows', 'first in Results', 'message'] as const;
const COLUMNS = ['status', 'row', 'in Results', 'message'] as const;
const WIDTHS = [14, 10, 18, 110] as const;
/** Lines of text that a row is high at most. */
const HIGHEST = 8;
const OVERVIEW_HIGHEST = 2;
const LINES_AT_ONCE = 500;
const TITLE = { lines: 1.5 };

/** Sheet `Problems`: the number of each kind, then a line for each row that needs attention, linked to `Results`. */
export async function writeProblems(parts: BookParts, name: string, rows: number): Promise<void> {
  const { problems, table } = parts;
  const { language } = table;
  const groups = problems.groups();
  const params = { problems: groupedNumber(problems.count), rows: groupedNumber(rows) };
  // Title, hint, overview with its header, an empty row, the header of the lines.
  const headerRow = groups.length + 5;
  const sheet = new SheetStream(parts, { name, widths: WIDTHS, frozen: { rows: headerRow, columns: 0 } });
  sheet.add(
    [{ value: render(message('workbook.problems_title', params), language), style: HEADLINE }],
    TITLE,
  );
  sheet.add([{ value: render(message('workbook.problems_hint'), language), style: HINT }]);
  sheet.add(OVERVIEW.map((value) => ({ value, style: HEADER })));
  for (const { status, count, lines, message: common } of groups) {
    const first = lines[0] && { ...lines[0], message: common };
    addLine(sheet, status, count, first, OVERVIEW_HIGHEST);
  }
  sheet.add(
    COLUMNS.map((value) => ({ value, style: HEADER })),
    { at: headerRow },
  );
  for (const { lines } of groups) {
    for (let from = 0; from < lines.length; from += LINES_AT_ONCE) {
      for (const problem of lines.slice(from, from + LINES_AT_ONCE)) {
        addLine(sheet, problem.status, problem.row, problem, HIGHEST);
      }
      await sheet.drain();
    }
  }
  const columns = COLUMNS.length;
  sheet.sheet.autoFilter = { from: { row: headerRow, column: 1 }, to: { row: sheet.last, column: columns } };
  if (problems.left > 0) {
    const value = render(
      message('workbook.problems_more', { count: groupedNumber(problems.left) }),
      language,
    );
    sheet.add([{ value, style: HINT }]);
  }
  sheet.end();
}

function addLine(
  sheet: SheetStream,
  status: ResultProblem['status'],
  number: ResultValue,
  problem: ResultProblem | undefined,
  highest: number,
): void {
  const { cell, message: detail } = problem ?? { cell: undefined, message: '' };
  const text = writtenValue(detail);
  const wrapped = Math.min(highest, wrappedLines(detail, WIDTHS[3]));
  sheet.add(
    [
      { value: status, style: statusStyle(status) },
      number === undefined ? undefined : { value: number, style: WRAPPED },
      cell === undefined ? undefined : { value: cell.replace(/^Results!/, ''), style: LINK, link: cell },
      text && { ...text, style: text.format === undefined ? WRAPPED : WRAPPED_TEXT },
    ],
    wrapped > 1 ? { lines: wrapped } : {},
  );
}
