import { number, say } from '../words/language.js';
import { STATE_WORDS, STATUS_MEANINGS, STATUS_WORDS } from '../words/status.js';

/** How many rows have which status. */
export type RowCounts = Readonly<Record<string, number>>;

/** Signs that tell statuses apart without colour. */
const SIGNS: Readonly<Record<string, string>> = {
  succeeded: '✓',
  accepted: '✓',
  valid: '✓',
  in_sync: '✓',
  rejected: '✕',
  failed: '✕',
  missing: '✕',
  unknown: '?',
  under_way: '▶',
  invalid: '!',
  error: '!',
  skipped: '–',
  not_sent: '…',
  different: '≠',
  extra: '+',
};

const STATE_SIGNS: Readonly<Record<string, string>> = {
  completed: '✓',
  planned: '◷',
  planning: '…',
  queued: '…',
  executing: '▶',
  executed: '▶',
  stopped: '■',
  interrupted: '■',
  invalid: '!',
  'cut off': '✂',
};

/** The order of a run's life: what is still to come first, what needs a look last. */
const ORDER = Object.keys(STATUS_WORDS);

export function statusWord(status: string): string {
  return status in STATUS_WORDS ? say(STATUS_WORDS[status as keyof typeof STATUS_WORDS]) : status;
}

export function stateWord(state: string): string {
  return state in STATE_WORDS ? say(STATE_WORDS[state as keyof typeof STATE_WORDS]) : state;
}

/** What became of a row. */
export function StatusBadge({ status }: { readonly status: string }) {
  const meaning =
    status in STATUS_MEANINGS ? STATUS_MEANINGS[status as keyof typeof STATUS_MEANINGS] : undefined;
  return (
    <span class={`badge s-${status}`} title={meaning && say(meaning)}>
      <span class="sign" aria-hidden="true">
        {SIGNS[status] ?? '·'}
      </span>
      <span>{statusWord(status)}</span>
    </span>
  );
}

/** How a run stands. */
export function StateBadge({ state }: { readonly state: string }) {
  return (
    <span class={`badge state-${state.replaceAll(/[ _]/g, '-')}`}>
      <span class="sign" aria-hidden="true">
        {STATE_SIGNS[state] ?? '·'}
      </span>
      <span>{stateWord(state)}</span>
    </span>
  );
}

/** While a run goes on, a row whose request is under way is told as unknown by the ledger: here it is told as what it is. */
export function statusNow(status: string, underWay: boolean): string {
  return underWay && status === 'unknown' ? 'under_way' : status;
}

export function countsNow(counts: RowCounts, underWay: boolean): RowCounts {
  return Object.fromEntries(
    Object.entries(counts).map(([status, count]) => [statusNow(status, underWay), count]),
  );
}

/** The counts that aren't zero, in a fixed order. */
export function countsInOrder(counts: RowCounts): readonly (readonly [status: string, count: number])[] {
  const place = (status: string): number => (ORDER.indexOf(status) + ORDER.length + 1) % (ORDER.length + 1);
  return Object.entries(counts)
    .filter(([, count]) => count > 0)
    .sort(([a], [b]) => place(a) - place(b));
}

export function countText(status: string, count: number): string {
  return `${number(count)} ${statusWord(status)}`;
}

/** `12 ready`, `3 invalid`: each a text of its own. */
export function Counts({ counts, big = false }: { readonly counts: RowCounts; readonly big?: boolean }) {
  return (
    <ul class={big ? 'counts big' : 'counts'}>
      {countsInOrder(counts).map(([status, count]) => (
        <li key={status} class={`s-${status}`}>
          <span class="sign" aria-hidden="true">
            {SIGNS[status] ?? '·'}
          </span>
          <span class="text">{countText(status, count)}</span>
        </li>
      ))}
    </ul>
  );
}
