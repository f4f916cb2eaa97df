import { type Code, type Language, message, type Params, render } from '../errors/message.js';
import { STATUS_SIGNS } from '../model/comparison.js';
import { NEEDS_NOTHING, type Status } from '../model/status.js';
import { zone } from '../util/zoned-time.js';
import { html, type Markup } from './markup.js';
import type { PageStatus } from './run-page.js';

/** `12,345` in both languages. */
export function count(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}

/** A share in per cent; never `0%` of something or `100%` of less than all. */
export function share(part: number, whole: number): string {
  if (whole === 0 || part === 0) return '0%';
  if (part === whole) return '100%';
  const percent = (part / whole) * 100;
  if (percent < 0.1) return '<0.1%';
  if (percent > 99.9) return '>99.9%';
  return `${percent < 10 || percent > 90 ? percent.toFixed(1) : Math.round(percent)}%`;
}

/** `850 ms`, `3.2 s`, `4 min 5 s`, `2 h 3 min`, `3 d 4 h`. */
export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 99_950) return `${ms < 9950 ? (ms / 1000).toFixed(1) : Math.round(ms / 1000)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 1440) return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
  const hours = Math.round(minutes / 60);
  return `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

/** A rate or other number; smaller values have more decimals. */
export function figure(value: number): string {
  if (value === 0 || value >= 100) return count(value);
  return value >= 10 ? value.toFixed(1).replace(/\.0$/, '') : String(Number(value.toFixed(2)));
}

/** Formats times in a time zone; an unknown zone is treated as UTC. */
export class Times {
  readonly zone: string;
  readonly #local: (ms: number) => number;

  constructor(name: string) {
    const found = zone(name);
    this.zone = found ? name : 'UTC';
    this.#local = found ? (ms) => found.local(ms) : (ms) => ms;
  }

  /** `2026-11-21 10:03:11` */
  full(ms: number): string {
    return this.#text(ms).slice(0, 19).replace('T', ' ');
  }

  /** `10:03:11`, or `10:03:11.250` if `fine`. */
  clock(ms: number, fine = false): string {
    return this.#text(ms).slice(11, fine ? 23 : 19);
  }

  /** Machine-readable, in UTC. */
  iso(ms: number): string {
    return new Date(ms).toISOString();
  }

  #text(ms: number): string {
    return new Date(this.#local(ms)).toISOString();
  }
}

/** Statuses that need no attention. */
export const GOOD: ReadonlySet<PageStatus> = new Set<PageStatus>([...NEEDS_NOTHING, 'in_sync']);

/** Comparison statuses use the colours of the run statuses with the same urgency. */
const LOOK: Readonly<Partial<Record<PageStatus, Status>>> = {
  in_sync: 'succeeded',
  different: 'rejected',
  missing: 'failed',
  extra: 'unknown',
  error: 'invalid',
};

/** The CSS class suffix of a status. */
export function statusClass(status: PageStatus): string {
  return LOOK[status] ?? status;
}

/** A status label. Status names are the same in all languages. */
export function label(status: PageStatus): Markup {
  return html`<span class="label s-${statusClass(status)}"><span aria-hidden="true">${STATUS_SIGNS[status]}</span> ${status}</span>`;
}

/** Renders the page's texts in one language. */
export type Words = <C extends Code>(
  code: C,
  ...params: keyof Params<C> extends never ? [] : [params: Params<C>]
) => string;

export function wordsIn(language: Language): Words {
  return (code, ...params) => render(message(code, ...params), language);
}
