import type { ComponentChildren } from 'preact';

interface Column<R> {
  readonly key: string;
  readonly name: string;
  readonly cell: (row: R) => ComponentChildren;
  /** Numbers stand to the right. */
  readonly numeric?: boolean;
  /** The cell that names the row. */
  readonly heads?: boolean;
  /** May take the place that is left. */
  readonly wide?: boolean;
}

interface TableProps<R> {
  /** What it lists; read out, and shown only where it says so. */
  readonly caption: string;
  readonly shown?: boolean;
  readonly columns: readonly Column<R>[];
  readonly rows: readonly R[];
  readonly keyOf: (row: R) => string | number;
}

/** A table; on a narrow screen each row is a card whose cells carry the names of their columns. */
export function Table<R>({ caption, shown = false, columns, rows, keyOf }: TableProps<R>) {
  return (
    <table class="list">
      <caption class={shown ? undefined : 'unseen'}>{caption}</caption>
      <thead>
        <tr>
          {columns.map((it) => (
            <th key={it.key} scope="col" class={classOf(it)}>
              {it.name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)}>
            {columns.map((it) =>
              it.heads ? (
                <th key={it.key} scope="row" class={classOf(it)}>
                  {it.cell(row)}
                </th>
              ) : (
                <td key={it.key} class={classOf(it)} data-label={it.name}>
                  {it.cell(row)}
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function classOf({ numeric, wide }: Pick<Column<never>, 'numeric' | 'wide'>): string | undefined {
  return [numeric && 'n', wide && 'wide'].filter(Boolean).join(' ') || undefined;
}
