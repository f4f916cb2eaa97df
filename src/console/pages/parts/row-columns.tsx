import { COMMON } from '../words/common.js';
import { say } from '../words/language.js';

/** What is told of a row in every list of rows. */
interface ToldRow {
  readonly row: number;
  readonly status: string;
  readonly code?: string;
  readonly message?: string;
}

/** Texts that are longer are folded: a list of rows with many faults each would be without end. */
const FOLDED_FROM = 240;
const SHOWN_OF_FOLDED = 160;

/** What is said of a row; the code only where it tells more than its status. */
export function saidOf({ status, code, message }: Omit<ToldRow, 'row'>): string {
  return [status === 'succeeded' ? '' : code, message].filter(Boolean).join(' · ');
}

/** The row's number as Excel has it. */
export function rowColumn() {
  return {
    key: 'row',
    name: say(COMMON.row),
    heads: true,
    cell: ({ row }: { readonly row: number }) => String(row),
  } as const;
}

export function messageColumn<R>(said: (row: R) => string) {
  return {
    key: 'message',
    name: say(COMMON.message),
    wide: true,
    cell: (row: R) => <Said text={said(row)} />,
  } as const;
}

function Said({ text }: { readonly text: string }) {
  if (text === '') return undefined;
  if (text.length < FOLDED_FROM) return <>{text}</>;
  return (
    <details class="said">
      <summary>{text.slice(0, SHOWN_OF_FOLDED).trimEnd()}…</summary>
      <p>{text}</p>
    </details>
  );
}
