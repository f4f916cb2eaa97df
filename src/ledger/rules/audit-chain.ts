import { createHash } from 'node:crypto';
import type { Json } from '../../model/json.js';
import type { AuditEntry, AuditLine } from '../contract/audit.js';

/** The previous hash of the first audit entry. */
export const NO_LINE = '0'.repeat(64);

/** The end of a chain, to which the next entry must refer. */
export interface ChainEnd {
  readonly n: number;
  readonly hash: string;
}

/** The end of an empty chain. */
export const BEFORE_FIRST: ChainEnd = { n: 0, hash: NO_LINE };

/** The entry that follows the end of a chain. @param at milliseconds since 1970 */
export function nextLine({ n, hash: prev }: ChainEnd, entry: AuditEntry, at: number): AuditLine {
  const line = { ...entry, detail: entry.detail ?? {}, n: n + 1, at, prev };
  return { ...line, hash: hashOf(line) };
}

/** SHA-256, in hex, of the JSON of [n, at, who, act, run, detail, prev]: times in ISO 8601, members of details sorted by name. */
function hashOf({ n, at, who, act, run, detail, prev }: Omit<AuditLine, 'hash'>): string {
  const time = new Date(at).toISOString();
  const text = JSON.stringify([n, time, who, act, run ?? null, sorted(detail), prev]);
  return createHash('sha256').update(text).digest('hex');
}

/** Whether an entry is unaltered and follows the end of the chain before it. */
export function follows(before: ChainEnd, line: AuditLine): boolean {
  return line.n === before.n + 1 && line.prev === before.hash && line.hash === hashOf(line);
}

/** JSON text with members sorted by name, so that it doesn't depend on the database. */
export function canonicalJson(value: Json): string {
  return JSON.stringify(sorted(value));
}

function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([, it]) => it !== undefined);
  return Object.fromEntries(
    members.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, it]) => [name, sorted(it as Json)]),
  );
}
