import { html, type Markup, type Piece } from './markup.js';

export interface Column {
  readonly title: string;
  /** Class of its cells; `n` is a number. */
  readonly look?: string;
  /** Its cells head their rows. */
  readonly heads?: boolean;
  /** On a phone, where columns have no titles, its cells say theirs. */
  readonly labelled?: boolean;
}

/**
 * A table's beginning. Roles are said outright, here as in its rows: on a phone the rows are laid out as cards, and some
 * browsers take them for no table then.
 */
export function tableStart(look: string, columns: readonly Column[], id?: string): Markup {
  const titles = columns.map(
    ({ title, look: of = '' }) => html`<th scope="col" role="columnheader" class="${of}">${title}</th>`,
  );
  const named = id === undefined ? undefined : html` id="${id}"`;
  return html`<table${named} class="${look}" role="table">
<thead role="rowgroup"><tr role="row">${titles}</tr></thead>
<tbody role="rowgroup">
`;
}

/** @param attributes of the row, with a leading space */
export function tableRow(columns: readonly Column[], values: readonly Piece[], attributes?: Markup): Markup {
  const cells = columns.map(({ title, look = '', heads, labelled }, index) => {
    if (heads) return html`<th scope="row" role="rowheader" class="${look}">${values[index]}</th>`;
    const label = labelled ? html` data-label="${title}"` : undefined;
    return html`<td role="cell" class="${look}"${label}>${values[index]}</td>`;
  });
  return html`<tr role="row"${attributes}>${cells}</tr>
`;
}

/** @param foot the values of a last row that sums up */
export function tableEnd(columns: readonly Column[], foot?: readonly Piece[]): Markup {
  const last = foot ? html`\n<tfoot role="rowgroup">\n${tableRow(columns, foot)}</tfoot>` : undefined;
  return html`</tbody>${last}
</table>
`;
}

/** A table of figures. */
export function figuresTable(
  columns: readonly Column[],
  rows: readonly (readonly Piece[])[],
  foot?: readonly Piece[],
): Markup {
  const lines = rows.map((it) => tableRow(columns, it));
  return html`${tableStart('figures', columns)}${lines}${tableEnd(columns, foot)}`;
}
