import type { ComponentChildren } from 'preact';
import { t, timeText } from '../words/language.js';

interface Column<R> {
  readonly key: string;
  readonly name: string;
  readonly cell: (row: R) => ComponentChildren;
  /** Right-aligned. */
  readonly numeric?: boolean;
  /** Row header. */
  readonly heads?: boolean;
  /** Takes the remaining width. */
  readonly wide?: boolean;
}

interface TableProps<R> {
  /** Accessible name; visible only if `shown`. */
  readonly caption: string;
  readonly shown?: boolean;
  readonly columns: readonly Column<R>[];
  readonly rows: readonly R[];
  readonly keyOf: (row: R) => string | number;
}

/** A table. On narrow screens each row is a card whose cells show the names of their columns. */
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

/** The members of a row used by all lists of rows. */
interface RowView {
  readonly row: number;
  readonly status: string;
  readonly code?: string;
  readonly message?: string;
}

/** Longer texts are folded, because rows with many errors would be very long. */
const FOLD_LENGTH = 240;
const SUMMARY_LENGTH = 160;

/** The message of a row, with its code unless it succeeded. */
export function rowMessage({ status, code, message }: Omit<RowView, 'row'>): string {
  return [status === 'succeeded' ? '' : code, message].filter(Boolean).join(' · ');
}

/** The row number as in Excel. */
export function rowColumn() {
  return {
    key: 'row',
    name: t('common.row'),
    heads: true,
    cell: ({ row }: { readonly row: number }) => String(row),
  } as const;
}

export function messageColumn<R>(textOf: (row: R) => string) {
  return {
    key: 'message',
    name: t('common.message'),
    wide: true,
    cell: (row: R) => <FoldedText text={textOf(row)} />,
  } as const;
}

export function FoldedText({ text }: { readonly text: string }) {
  if (text === '') return undefined;
  if (text.length < FOLD_LENGTH) return <>{text}</>;
  return (
    <details class="said">
      <summary>{text.slice(0, SUMMARY_LENGTH).trimEnd()}…</summary>
      <p>{text}</p>
    </details>
  );
}

/** A list of names and values; entries without a value are omitted. */
export function Facts({
  of,
}: {
  readonly of: readonly (readonly [name: string, value: ComponentChildren])[];
}) {
  const present = of.filter(([, value]) => value !== undefined && value !== '' && value !== null);
  return (
    <dl class="facts">
      {present.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** A time in the user's time zone. The zone is shown at the end of the page and in the tooltip. */
export function Time({
  at,
  zone = false,
  seconds = false,
}: {
  readonly at: string;
  readonly zone?: boolean;
  readonly seconds?: boolean;
}) {
  return (
    <time dateTime={at} title={timeText(at, { seconds: true })}>
      {timeText(at, { zone, seconds })}
    </time>
  );
}
