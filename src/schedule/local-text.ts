import type { Zone } from '../util/zoned-time.js';

const MINUTE = 60_000;

/** `2026-11-22 02:00 +08:00`, with seconds where there are any: a wall-clock time that cannot be taken for another. */
export function localText(zone: Zone, ms: number): string {
  const local = zone.local(ms);
  const iso = new Date(local).toISOString();
  const time = local % MINUTE === 0 ? iso.slice(11, 16) : iso.slice(11, 19);
  return `${iso.slice(0, 10)} ${time} ${offsetText(local - ms)}`;
}

function offsetText(offset: number): string {
  const minutes = Math.round(Math.abs(offset) / MINUTE);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${offset < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}
