import type { JsonObject } from '../../model/json.js';
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

export function toAuditLine({ run, detail, ...it }: AuditRecord): AuditLine {
  return { ...it, ...(run === null ? {} : { run }), detail: detailOf(detail) };
}

/** What isn't JSON any more was altered: shown as it is, and found by the chain. */
function detailOf(text: string): JsonObject {
  try {
    return JSON.parse(text) as JsonObject;
  } catch {
    return { altered: text };
  }
}

/** What the audit says of a run that begins. */
export function runEntry(start: RunStart, act: AuditAct): AuditEntry {
  const { id, by = '-', job, connection, operation, parent } = start;
  const detail: JsonObject = { job, operation, connection, ...(parent === undefined ? {} : { of: parent }) };
  return { who: by, act, run: id, detail };
}
