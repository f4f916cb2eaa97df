import { NEEDS_NOTHING, type Status } from '../model/status.js';
import type { PageStatus } from './contract.js';
import { html, type Markup } from './markup.js';

/** Statuses that ask for nothing. */
export const GOOD: ReadonlySet<PageStatus> = new Set<PageStatus>([...NEEDS_NOTHING, 'in_sync']);

/** Signs that tell statuses apart without colour. */
const SIGN: Readonly<Record<PageStatus, string>> = {
  succeeded: '✓',
  accepted: '✓',
  rejected: '✕',
  failed: '✕',
  unknown: '?',
  invalid: '!',
  skipped: '–',
  not_sent: '…',
  valid: '✓',
  in_sync: '✓',
  different: '≠',
  missing: '✕',
  extra: '+',
  error: '!',
};

/** Statuses of comparisons have the colours of the run statuses that are as urgent. */
const LOOK: Readonly<Partial<Record<PageStatus, Status>>> = {
  in_sync: 'succeeded',
  different: 'rejected',
  missing: 'failed',
  extra: 'unknown',
  error: 'invalid',
};

/** The part of CSS class names that stands for a status. */
export function statusClass(status: PageStatus): string {
  return LOOK[status] ?? status;
}

/** A status as a small label; its word is the contract's in every language. */
export function label(status: PageStatus): Markup {
  return html`<span class="label s-${statusClass(status)}"><span aria-hidden="true">${SIGN[status]}</span> ${status}</span>`;
}
