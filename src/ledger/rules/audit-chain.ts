import { createHash } from 'node:crypto';
import type { Json } from '../../model/json.js';
import type { AuditEntry, AuditLine } from '../contract/audit.js';

/** What the first line of an audit names as the hash of the line before. */
export const NO_LINE = '0'.repeat(64);

/** The end of a chain: what the next line must name. */
export interface ChainEnd {
  readonly n: number;
  readonly hash: string;
}

/** Where the chain of a new ledger ends. */
export const BEFORE_FIRST: ChainEnd = { n: 0, hash: NO_LINE };

/** The line that follows the end of a chain. @param at milliseconds since 1970 */
export function nextLine({ n, hash: prev }: ChainEnd, entry: AuditEntry, at: number): AuditLine {
  const line = { ...entry, detail: entry.detail ?? {}, n: n + 1, at, prev };
  return { ...line, hash: hashOf(line) };
}

/** SHA-256, in hex, of the JSON of [n, at, who, act, run, detail, prev]: times in ISO 8601, members of details in order of their names. */
function hashOf({ n, at, who, act, run, detail, prev }: Omit<AuditLine, 'hash'>): string {
  const time = new Date(at).toISOString();
  const text = JSON.stringify([n, time, who, act, run ?? null, sorted(detail), prev]);
  return createHash('sha256').update(text).digest('hex');
}

/** Whether a line is as it was written, and follows the end of the chain before it. */
export function follows(before: ChainEnd, line: AuditLine): boolean {
  return line.n === before.n + 1 && line.prev === before.hash && line.hash === hashOf(line);
}

/** JSON text with members in order of their names: the same whatever database it went through. */
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
