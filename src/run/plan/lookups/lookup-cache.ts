import { hash } from 'node:crypto';
import { message } from '../../../errors/message.js';
import type { LookupLine } from '../../../ledger/contract/plan.js';
import type { LookupAnswer, LookupRequest } from '../../../mapping/lookup/records.js';
import { LookupRecords, type ReadMembers } from '../../../mapping/lookup/records.js';
import type { Json } from '../../../model/json.js';
import { operationNamed } from '../../../platform/operations/catalogue.js';
import { exactParse } from '../../../util/exact-json.js';

/** The digest that identifies a lookup in the ledger. */
export function lookupKey(request: LookupRequest): string {
  return hash('sha256', request.key, 'hex').slice(0, 32);
}

/**
 * A reply from the ledger, with only the members that the map reads. It is compared with its request again, because
 * earlier versions accepted records of other customers.
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

/** Estimated bytes of a reply without records, including its key. */
const LEAST_BYTES = 400;

/** Replies in memory, up to a limit in bytes. The least recently used is evicted first. The ledger has all of them. */
export class LookupCache {
  readonly #maxBytes: number;
  /** Ordered by last use, most recent last. */
  readonly #byKey = new Map<string, LookupAnswer>();
  #bytes = 0;
  #hasEvicted = false;

  /** @param maxBytes estimated; a single reply may exceed it */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** True if replies were evicted. */
  get hasEvicted(): boolean {
    return this.#hasEvicted;
  }

  get(key: string): LookupAnswer | undefined {
    const answer = this.#byKey.get(key);
    if (answer) {
      this.#byKey.delete(key);
      this.#byKey.set(key, answer);
    }
    return answer;
  }

  put(key: string, answer: LookupAnswer): void {
    if (!this.#byKey.has(key)) this.#bytes += sizeOf(key, answer);
    this.#byKey.set(key, answer);
    for (const [oldest, evicted] of this.#byKey) {
      if (this.#bytes <= this.#maxBytes || this.#byKey.size === 1) return;
      this.#byKey.delete(oldest);
      this.#bytes -= sizeOf(oldest, evicted);
      this.#hasEvicted = true;
    }
  }
}

function sizeOf(key: string, answer: LookupAnswer): number {
  const records = answer.kind === 'records' ? answer.records.bytes : 0;
  return LEAST_BYTES + 2 * key.length + records;
}
