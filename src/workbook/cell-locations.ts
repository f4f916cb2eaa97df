import { render } from '../errors/message.js';
import type { MessageSurface } from '../errors/message-surface.js';
import type { Fault, Row } from '../model/row.js';
import { cellAddress } from '../util/spreadsheet-text.js';
import type { ResultTable } from './result-line.js';

/**
 * The 0-based position in a result line of each source column; undefined for columns without a header. With it all
 * cells of a row can be read at once, which takes half the time of reading them one by one.
 */
export function sourcePlaces({
  columns,
  headers,
}: Pick<ResultTable, 'columns' | 'headers'>): (number | undefined)[] {
  const places: (number | undefined)[] = [];
  headers.forEach(({ column }, index) => {
    places[column] = columns.length + index;
  });
  return Array.from(places);
}

/**
 * The same for one row. In an invalid line, cells without a header follow after the last column, so that the line is
 * still invalid when the result is read again.
 */
export function placesOf(
  row: Row,
  places: readonly (number | undefined)[],
  { columns, headers, skippedColumns = 0 }: Pick<ResultTable, 'columns' | 'headers' | 'skippedColumns'>,
): readonly (number | undefined)[] {
  if (!row.faults) return places;
  const rowPlaces = [...places];
  let next = columns.length + headers.length;
  for (const { column } of row.cells()) {
    if (column > skippedColumns && rowPlaces[column] === undefined) rowPlaces[column] = next++;
  }
  return rowPlaces;
}

/** An error as the result shows it: `Orders!D7 licenseType: …` (contract section 6). */
export function faultText(fault: Fault, language: MessageSurface): string {
  const place = fault.column === undefined ? `row ${fault.row}` : cellAddress(fault.column, fault.row);
  const field = fault.field === undefined ? '' : ` ${fault.field.split('.').at(-1)}`;
  return `${fault.sheet}!${place}${field}: ${render(fault.message, language)}`;
}
