import { STATUS_SIGNS } from '../../../model/comparison.js';
import { isTextCode, number, t } from '../words/language.js';

/** Rows by status. */
export type RowCounts = Readonly<Record<string, number>>;

const STATE_SIGNS: Readonly<Record<string, string>> = {
  completed: '✓',
  planned: '◷',
  planning: '…',
  queued: '…',
  executing: '▶',
  executed: '▶',
  stopped: '■',
  interrupted: '■',
  rejected: '✕',
  invalid: '!',
  'cut off': '✂',
};

const SIGNS: Readonly<Record<string, string>> = STATUS_SIGNS;

/** Display order. */
const ORDER = Object.keys(SIGNS);

export function statusWord(status: string): string {
  const code = `status.${status}`;
  return isTextCode(code) ? t(code) : status;
}

export function stateWord(state: string): string {
  const code = `state.${state}`;
  return isTextCode(code) ? t(code) : state;
}

/** A symbol that screen readers do not read, because a word follows. */
export function Sign({ of }: { readonly of: string | undefined }) {
  return (
    <span class="sign" aria-hidden="true">
      {of ?? '·'}
    </span>
  );
}

/** The status of a row. */
export function StatusBadge({ status }: { readonly status: string }) {
  const meaning = `meaning.${status}`;
  return (
    <span class={`badge s-${status}`} title={isTextCode(meaning) ? t(meaning) : undefined}>
      <Sign of={SIGNS[status]} />
      <span>{statusWord(status)}</span>
    </span>
  );
}

/** The state of a run. */
export function StateBadge({ state }: { readonly state: string }) {
  return (
    <span class={`badge state-${state.replaceAll(/[ _]/g, '-')}`}>
      <Sign of={STATE_SIGNS[state]} />
      <span>{stateWord(state)}</span>
    </span>
  );
}

/** Rows that need a person. */
const NEED_ATTENTION = ['unknown', 'rejected', 'failed'] as const;

export function attentionCount(counts: RowCounts): number {
  return NEED_ATTENTION.reduce((sum, it) => sum + (counts[it] ?? 0), 0);
}

/** `3 need attention`: the run did not succeed for all rows, although it may be completed. Nothing if it did. */
export function Attention({ counts }: { readonly counts: RowCounts }) {
  const count = attentionCount(counts);
  if (count === 0) return undefined;
  return (
    <span class="badge attention">
      <Sign of="!" />
      <span>{t('run.need_attention', { count })}</span>
    </span>
  );
}

/** While a run is in progress, the ledger reports rows with requests in flight as unknown; pages show them as in progress. */
export function statusNow(status: string, underWay: boolean): string {
  return underWay && status === 'unknown' ? 'under_way' : status;
}

export function countsNow(counts: RowCounts, underWay: boolean): RowCounts {
  return Object.fromEntries(
    Object.entries(counts).map(([status, count]) => [statusNow(status, underWay), count]),
  );
}

/** The counts that are not zero, in display order. */
export function countsInOrder(counts: RowCounts): readonly (readonly [status: string, count: number])[] {
  const place = (status: string): number => (ORDER.indexOf(status) + ORDER.length + 1) % (ORDER.length + 1);
  return Object.entries(counts)
    .filter(([, count]) => count > 0)
    .sort(([a], [b]) => place(a) - place(b));
}

export function countText(status: string, count: number): string {
  return `${number(count)} ${statusWord(status)}`;
}

/** `12 ready`, `3 invalid`. */
export function Counts({ counts, big = false }: { readonly counts: RowCounts; readonly big?: boolean }) {
  return (
    <ul class={big ? 'counts big' : 'counts'}>
      {countsInOrder(counts).map(([status, count]) => (
        <li key={status} class={`s-${status}`}>
          <Sign of={SIGNS[status]} />
          <span class="text">{countText(status, count)}</span>
        </li>
      ))}
    </ul>
  );
}
