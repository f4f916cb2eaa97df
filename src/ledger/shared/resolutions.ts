import type { Message } from '../../errors/message.js';
import type { ItemOutcome, ItemStatus } from '../../model/outcome.js';
import type { Resolution, SettledBefore } from '../contract/resolutions.js';
import type { settledFrom, settledOutcome } from '../rules/resolutions.js';
import { unpackId, unpackRows } from './ids.js';

/** A resolution said before what the outcome says now, and no reply of the platform's came after all. */
export const RESOLVED = `(EXISTS (
  SELECT 1 FROM resolutions WHERE resolutions.item = outcomes.item AND resolutions.to_status = outcomes.status)
  AND NOT EXISTS (SELECT 1 FROM resolutions WHERE resolutions.item = outcomes.item AND resolutions.how = 'late_reply'))`;

/** An item that somebody wants to settle. */
export interface ToSettle {
  readonly batch: number;
  readonly item_key: string | null;
  readonly status: ItemStatus | null;
  readonly license_order_id: string | null;
  readonly code: string | null;
  readonly columns_json: string | null;
  readonly resolved: number;
  readonly doubtful: number;
}

export interface SettledLine {
  readonly item: number;
  readonly status: SettledBefore['status'];
  readonly license_order_id: string | null;
  readonly rows_json: string;
}

export interface ResolutionLine {
  readonly item: number;
  readonly at: number;
  readonly who: string;
  readonly how: Resolution['how'];
  readonly from_status: Resolution['from'];
  readonly to_status: Resolution['to'];
  readonly license_order_id: string | null;
  readonly evidence_json: string | null;
  readonly note: string | null;
  readonly rows_json: string;
}

export function toSettled(it: SettledLine): SettledBefore {
  return {
    item: unpackId(it.item),
    rows: unpackRows(it.rows_json),
    status: it.status,
    ...(it.license_order_id === null ? {} : { licenseOrderId: it.license_order_id }),
  };
}

export function standingOf({ status, doubtful, resolved }: ToSettle): Parameters<typeof settledFrom>[0] {
  return { outcome: status ?? undefined, doubtful: doubtful === 1, resolved: resolved === 1 };
}

export function outcomeBefore(it: ToSettle): Parameters<typeof settledOutcome>[0] {
  return {
    code: it.code ?? undefined,
    licenseOrderId: it.license_order_id ?? undefined,
    columns: it.columns_json === null ? undefined : (JSON.parse(it.columns_json) as ItemOutcome['columns']),
  };
}

export function jsonOrNull(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value);
}

export function toResolution(it: ResolutionLine): Resolution {
  return {
    item: unpackId(it.item),
    rows: unpackRows(it.rows_json),
    at: it.at,
    who: it.who,
    how: it.how,
    from: it.from_status,
    to: it.to_status,
    ...(it.license_order_id === null ? {} : { licenseOrderId: it.license_order_id }),
    ...(it.note === null ? {} : { note: it.note }),
    ...(it.evidence_json === null ? {} : { evidence: JSON.parse(it.evidence_json) as Message | string }),
  };
}
