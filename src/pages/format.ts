import { zone } from '../util/zoned-time.js';

/** `12,345` in both languages. */
export function count(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}

/** A share of a whole in per cent; never `0 %` of something nor `100 %` of less than all. */
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

/** A rate or other figure with a sensible number of digits. */
export function figure(value: number): string {
  if (value === 0 || value >= 100) return count(value);
  return value >= 10 ? value.toFixed(1).replace(/\.0$/, '') : String(Number(value.toFixed(2)));
}

/** Shows instants as clocks of a time zone do; a zone that isn't known here is read as UTC. */
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

  /** `10:03:11`, or `10:03:11.250` where seconds are too coarse. */
  clock(ms: number, fine = false): string {
    return this.#text(ms).slice(11, fine ? 23 : 19);
  }

  /** For machines, in UTC. */
  iso(ms: number): string {
    return new Date(ms).toISOString();
  }

  #text(ms: number): string {
    return new Date(this.#local(ms)).toISOString();
  }
}
