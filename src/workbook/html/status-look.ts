import type { Status } from '../../model/status.js';
import { html, type Markup } from './markup.js';

export type { Status };

/** Statuses that ask for nothing. */
export const GOOD: ReadonlySet<Status> = new Set(['succeeded', 'accepted', 'skipped', 'valid']);

/** Told apart without colour too. */
const SIGN: Readonly<Record<Status, string>> = {
  succeeded: '✓',
  accepted: '✓',
  rejected: '✕',
  failed: '✕',
  unknown: '?',
  invalid: '!',
  skipped: '–',
  not_sent: '…',
  valid: '✓',
};

/** A status as a small label; its word is the contract's in every language. */
export function label(status: Status): Markup {
  return html`<span class="label s-${status}"><span aria-hidden="true">${SIGN[status]}</span> ${status}</span>`;
}
