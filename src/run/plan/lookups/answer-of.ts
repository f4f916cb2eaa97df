import { hash } from 'node:crypto';
import { message } from '../../../errors/message.js';
import type { LookupLine } from '../../../ledger/contract/lookups.js';
import type { LookupAnswer, LookupRequest } from '../../../mapping/lookup/contract.js';
import type { ReadMembers } from '../../../mapping/lookup/read-members.js';
import { LookupRecords } from '../../../mapping/lookup/records.js';
import type { Json } from '../../../model/json.js';
import { operationNamed } from '../../../platform/operations/index.js';
import { exactParse } from '../../../util/exact-json.js';

/** The digest by which the ledger knows a look-up. */
export function lookupKey(request: LookupRequest): string {
  return hash('sha256', request.key, 'hex').slice(0, 32);
}

/**
 * An answer of the ledger, with those members only that the map reads. It is compared with its request again: versions
 * before took records of other customers.
 */
export function answerOf(line: LookupLine, members: ReadMembers): LookupAnswer {
  if (line.answer.kind === 'none') return line.answer;
  const operation = operationNamed(line.operation);
  const request = operation.compose({}, [line.request], { channelOrderId: '' });
  const { outcomes, noMatch, unbelievable } = operation.read(
    exactParse(line.answer.json) as Json,
    request,
    1,
  );
  if (noMatch) return { kind: 'none', detail: noMatch };
  const records = outcomes[0]?.records;
  if (!records) return { kind: 'none', detail: unbelievable ?? message('platform.no_data') };
  return { kind: 'records', records: new LookupRecords(records, members.of(line.operation)) };
}
