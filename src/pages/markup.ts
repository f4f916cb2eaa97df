import { plainText } from '../util/text.js';

/** Maximum length of a text from outside. */
const MAX_TEXT = 2000;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '`': '&#96;',
};

/** Safe HTML. `html` creates it and escapes its values. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type Piece = Markup | string | number | undefined | readonly Piece[];

/**
 * Builds HTML. Text values are escaped for element content and quoted attributes, and characters that hide or reorder text
 * are removed. Lists are joined, and undefined is empty. Values in scripts, styles or URL attributes are not safe.
 */
export function html(parts: TemplateStringsArray, ...values: readonly Piece[]): Markup {
  let text = parts[0] ?? '';
  values.forEach((value, index) => {
    text += textOf(value) + (parts[index + 1] ?? '');
  });
  return new Markup(text);
}

function textOf(value: Piece): string {
  if (value === undefined) return '';
  if (value instanceof Markup) return value.text;
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return escaped(value);
  return value.map(textOf).join('');
}

export function escaped(text: string): string {
  return plainText(text, MAX_TEXT).replace(/[&<>"'`]/g, (char) => ENTITIES[char] ?? '');
}

export interface Column {
  readonly title: string;
  /** CSS class of its cells; `n` for numbers. */
  readonly className?: string;
  /** Its cells are row headers. */
  readonly heads?: boolean;
  /** Its cells show the column's title on phones, where the header is hidden. */
  readonly labelled?: boolean;
}

/**
 * Opens a table. Roles are explicit: phones show rows as cards (`display`), for which some browsers drop the table
 * semantics.
 */
export function tableStart(className: string, columns: readonly Column[], id?: string): Markup {
  const titles = columns.map(
    ({ title, className = '' }) =>
      html`<th scope="col" role="columnheader" class="${className}">${title}</th>`,
  );
  const idAttribute = id === undefined ? undefined : html` id="${id}"`;
  return html`<table${idAttribute} class="${className}" role="table">
<thead role="rowgroup"><tr role="row">${titles}</tr></thead>
<tbody role="rowgroup">
`;
}

/** @param attributes of the row, with a leading space */
export function tableRow(columns: readonly Column[], values: readonly Piece[], attributes?: Markup): Markup {
  const cells = columns.map(({ title, className = '', heads, labelled }, index) => {
    if (heads) return html`<th scope="row" role="rowheader" class="${className}">${values[index]}</th>`;
    const label = labelled ? html` data-label="${title}"` : undefined;
    return html`<td role="cell" class="${className}"${label}>${values[index]}</td>`;
  });
  return html`<tr role="row"${attributes}>${cells}</tr>
`;
}

/** @param foot values of the totals row */
export function tableEnd(columns: readonly Column[], foot?: readonly Piece[]): Markup {
  const last = foot ? html`\n<tfoot role="rowgroup">\n${tableRow(columns, foot)}</tfoot>` : undefined;
  return html`</tbody>${last}
</table>
`;
}

export function figuresTable(
  columns: readonly Column[],
  rows: readonly (readonly Piece[])[],
  foot?: readonly Piece[],
): Markup {
  const lines = rows.map((it) => tableRow(columns, it));
  return html`${tableStart('figures', columns)}${lines}${tableEnd(columns, foot)}`;
}
