import type { Message } from '../../errors/message.js';
import type { JsonObject } from '../../model/json.js';
import type { LookupOperationName } from '../../model/map.js';
import { exactParse, exactStringify } from '../../util/exact-json.js';
import type { LookupLine } from '../contract/lookups.js';

/** A row of `lookups`. */
export interface LookupRecord {
  readonly key: string;
  readonly operation: string;
  readonly request_json: string;
  /** Null where no good answer came. */
  readonly answer_json: string | null;
  readonly records: number;
  readonly detail_json: string | null;
  readonly requests: number;
  readonly asked_at: number;
}

/** The values of `LookupRecord`, in its order. */
export function lookupValues({ key, operation, request, answer, requests, askedAt }: LookupLine) {
  const good = answer.kind === 'records';
  return [
    key,
    operation,
    exactStringify(request),
    good ? answer.json : null,
    good ? answer.count : 0,
    good ? null : JSON.stringify(answer.detail),
    requests,
    askedAt,
  ] as const;
}

export function toLookupLine(it: LookupRecord): LookupLine {
  return {
    key: it.key,
    ...toRequest(it),
    answer:
      it.answer_json === null
        ? { kind: 'none', detail: JSON.parse(it.detail_json ?? '""') as Message | string }
        : { kind: 'records', count: it.records, json: it.answer_json },
    requests: it.requests,
    askedAt: it.asked_at,
  };
}

export function toRequest({ operation, request_json }: Pick<LookupRecord, 'operation' | 'request_json'>) {
  const request = exactParse(request_json) as JsonObject;
  return { operation: operation as LookupOperationName, request };
}
