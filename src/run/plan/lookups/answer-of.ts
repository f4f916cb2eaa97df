import { hash } from 'node:crypto';
import type { LookupLine } from '../../../ledger/contract/lookups.js';
import type { LookupAnswer, LookupRequest } from '../../../mapping/lookup/contract.js';
import type { ReadMembers } from '../../../mapping/lookup/read-members.js';
import { LookupRecords } from '../../../mapping/lookup/records.js';
import type { JsonObject } from '../../../model/json.js';
import { exactParse } from '../../../util/exact-json.js';

/** The digest by which the ledger knows a look-up. */
export function lookupKey(request: LookupRequest): string {
  return hash('sha256', request.key, 'hex').slice(0, 32);
}

/** An answer of the ledger, with those members only that the map reads. */
export function answerOf(line: LookupLine, members: ReadMembers): LookupAnswer {
  if (line.answer.kind === 'none') return line.answer;
  const records = exactParse(line.answer.json) as readonly JsonObject[];
  return { kind: 'records', records: new LookupRecords(records, members.of(line.operation)) };
}
