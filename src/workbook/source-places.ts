import type { Row } from '../model/row.js';
import type { ResultTable } from './contract.js';

/**
 * Places of the source's columns within a line, from 0, by their number in the source; undefined for those that have
 * no header. With them a row's cells are asked for all at once, which takes half the time of one after the other.
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
 * The same for one row. Of a line that is at fault nothing is left out: what stands under no header follows the last
 * column, so that the line is still at fault when the result is read again.
 */
export function placesOf(
  row: Row,
  places: readonly (number | undefined)[],
  { columns, headers, setAside = 0 }: Pick<ResultTable, 'columns' | 'headers' | 'setAside'>,
): readonly (number | undefined)[] {
  if (!row.faults) return places;
  const own = [...places];
  let next = columns.length + headers.length;
  for (const { column } of row.cells()) {
    if (column > setAside && own[column] === undefined) own[column] = next++;
  }
  return own;
}
