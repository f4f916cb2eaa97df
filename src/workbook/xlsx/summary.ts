import type { Style } from 'exceljs';
import { message, render } from '../../errors/message.js';
import { addParts, addRelationship } from '../../util/exceljs-private.js';
import { wrappedLines } from '../../util/text-width.js';
import type { ResultLine } from '../result-line.js';
import { writtenValue } from './cell-value.js';
import { chartParts, DRAWING_RELATION } from './chart.js';
import { groupedNumber, headline, rowsOf, type StatusCounts } from './headline.js';
import type { BookParts } from './parts.js';
import { type RowOptions, SheetStream } from './sheet.js';
import { BANNER, HEADLINE, LABEL, LINK, statusStyle, WRAPPED, WRAPPED_TEXT } from './styles.js';

const LABEL_WIDTH = 22;
const VALUE_WIDTH = 90;
const LINE: RowOptions = { lines: 1.5 };
/** Lines that Excel can make a row high. */
const HIGHEST = 27;
/** Position of the chart in pixels within the column of values, next to the numbers. */
const CHART = { left: 90, right: 560 };

/** Lines with numbers are higher than their text, which is centred. */
const MIDDLE = verticallyCentred(WRAPPED);

function verticallyCentred(look: Partial<Style>): Partial<Style> {
  return { ...look, alignment: { ...look.alignment, vertical: 'middle' } };
}

type SummaryLine = readonly [label: string, value: string | number];

/**
 * Sheet `Summary`: REHEARSAL or SANDBOX if applicable, the outcome in words, then labels and values, and a chart of the
 * counts.
 * @param problems name of the sheet `Problems`, if there is one
 */
export function writeSummary(
  parts: BookParts,
  name: string,
  statuses: StatusCounts,
  problems: string | undefined,
): void {
  const { table } = parts;
  const { language } = table;
  const sheet = new SheetStream(parts, { name, widths: [LABEL_WIDTH, VALUE_WIDTH] });
  if (table.rehearsal) {
    sheet.add([
      { value: 'REHEARSAL', style: BANNER },
      { value: 'in a sandbox filled from the platform: nothing of this took effect', style: WRAPPED },
    ]);
  } else if (table.sandbox) {
    sheet.add([
      { value: 'SANDBOX', style: BANNER },
      { value: 'simulated platform: nothing of this took effect', style: WRAPPED },
    ]);
  }
  const words = headline(statuses, language);
  sheet.add([{ value: words, style: HEADLINE }], LINE);
  if (problems !== undefined) {
    const params = { problems: groupedNumber(parts.problems.count), rows: groupedNumber(rowsOf(statuses)) };
    const value = render(message('workbook.problems_title', params), language);
    sheet.add([{ value, style: LINK, link: `'${problems}'!A1` }], LINE);
  }
  const lines = table.summary();
  const block = countBlock(lines, statuses);
  const above = sheet.last;
  lines.forEach(([label, value], index) => {
    const count = block.counts[index - block.first];
    const isNumber = index >= block.from && index < block.to;
    const wrapped = Math.min(HIGHEST, wrappedLines(String(value), VALUE_WIDTH));
    const written = writtenValue(value);
    sheet.add(
      [
        {
          value: label,
          style: count
            ? verticallyCentred(statusStyle(count[0]))
            : isNumber
              ? verticallyCentred(LABEL)
              : LABEL,
        },
        written && { ...written, style: isNumber ? MIDDLE : written.format ? WRAPPED_TEXT : WRAPPED },
      ],
      isNumber ? LINE : wrapped > 1 ? { lines: wrapped } : {},
    );
  });
  if (block.counts.length > 0) {
    const place = { ...CHART, top: above + block.from + 1, bottom: above + block.to };
    const firstRow = above + block.first + 1;
    addParts(parts.book, chartParts({ sheet: name, firstRow, counts: block.counts, words, place }));
    sheet.draw(addRelationship(sheet.sheet, DRAWING_RELATION));
  }
  sheet.end();
}

/** Lines of the counts per status, from index `first`; all lines with numbers around them are `from` to `to`. */
interface CountBlock {
  readonly first: number;
  readonly counts: readonly (readonly [Status, number])[];
  readonly from: number;
  readonly to: number;
}

type Status = ResultLine['status'];

function countBlock(lines: readonly SummaryLine[], statuses: StatusCounts): CountBlock {
  const isCount = (line: SummaryLine | undefined): line is [Status, number] =>
    line !== undefined && statuses.get(line[0] as Status) === line[1];
  const first = lines.findIndex(isCount);
  if (first === -1) return { first: 0, counts: [], from: 0, to: 0 };
  const counts: (readonly [Status, number])[] = [];
  for (let line = lines[first]; isCount(line); line = lines[first + counts.length]) counts.push(line);
  let [from, to] = [first, first + counts.length];
  while (typeof lines[from - 1]?.[1] === 'number') from -= 1;
  while (typeof lines[to]?.[1] === 'number') to += 1;
  return { first, counts, from, to };
}
