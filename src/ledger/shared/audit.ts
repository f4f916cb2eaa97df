import type { Json, JsonObject } from '../../model/json.js';
import type { AuditAct, AuditEntry, AuditLine } from '../contract/audit.js';
import type { RunStart } from '../contract/run.js';
import { canonicalJson } from '../rules/audit-chain.js';

/** A line of the table `audit`. */
export interface AuditRecord {
  readonly n: number;
  readonly at: number;
  readonly who: string;
  readonly act: string;
  readonly run: string | null;
  readonly detail: string;
  readonly prev: string;
  readonly hash: string;
}

/** In the order of `auditValues`. */
export const AUDIT_COLUMNS = 'n, at, who, act, run, detail, prev, hash';

export function auditValues({ n, at, who, act, run, detail, prev, hash }: AuditLine) {
  return [n, at, who, act, run ?? null, canonicalJson(detail), prev, hash] as const;
}

/** Beyond it there are no dates. */
const LATEST_MS = 8.64e15;

/** What isn't a time or JSON any more was altered: shown as it is, and found by the chain. */
export function toAuditLine({ run, detail, at, ...it }: AuditRecord): AuditLine {
  const isTime = Math.abs(at) <= LATEST_MS;
  return {
    ...it,
    at: isTime ? at : 0,
    ...(run === null ? {} : { run }),
    detail: isTime ? detailOf(detail) : { altered: String(at) },
  };
}

function detailOf(text: string): JsonObject {
  try {
    const detail = JSON.parse(text) as Json;
    if (typeof detail === 'object' && detail !== null && !Array.isArray(detail)) return detail as JsonObject;
  } catch {
    // Told as it is.
  }
  return { altered: text };
}

/** What the audit says of a run that begins. */
export function runEntry(start: RunStart, act: AuditAct): AuditEntry {
  const { id, by = '-', job, connection, operation, parent } = start;
  const detail: JsonObject = { job, operation, connection, ...(parent === undefined ? {} : { of: parent }) };
  return { who: by, act, run: id, detail };
}
