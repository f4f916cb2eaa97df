import { getJson } from '../../api/client.js';
import type { GridRow } from '../../grid/positions.js';
import type { LoadedRows, RowsLoader } from '../../grid/row-pages.js';
import { positionsOf, type RowPositionsAnswer } from './import-replies.js';

/** Filter and order of the grid, as in the page's address. */
export interface RowFilter {
  readonly invalid: boolean;
  readonly kind?: string | undefined;
  /** A JSON object: texts that cells contain, by column. */
  readonly filter?: string | undefined;
  /** The column to sort by; negative for descending order. */
  readonly sort?: string | undefined;
}

/**
 * Loads the rows of an import. With a filter or an order, the list of their positions is loaded once, so that rows stay
 * in it after they were corrected.
 * @param path of the import
 * @param loaded called with the positions
 */
export function rowsLoader(
  path: string,
  query: RowFilter,
  loaded: (positions: Uint32Array) => void,
): RowsLoader<GridRow> {
  const rows = (
    part: { readonly at: string } | { readonly from: number; readonly count: number },
    signal: AbortSignal,
  ) => getJson<LoadedRows<GridRow>>(`${path}/rows`, { query: part, signal });
  if (!query.invalid && !query.filter && !query.sort)
    return (from, count, signal) => rows({ from, count }, signal);
  let listed: Promise<Uint32Array> | undefined;
  const positions = async (): Promise<Uint32Array> => {
    const reply = await getJson<RowPositionsAnswer>(`${path}/row-positions`, { query: { ...query } });
    const list = positionsOf(reply);
    loaded(list);
    return list;
  };
  return async (from, count, signal) => {
    listed ??= positions().catch((error) => {
      listed = undefined;
      throw error;
    });
    const list = await listed;
    const at = list.slice(from, from + count).join(',');
    if (at === '') return { items: [], total: list.length };
    return { items: (await rows({ at }, signal)).items, total: list.length };
  };
}
