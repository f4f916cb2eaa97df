import { message } from '../../errors/message.js';
import type { Fault } from '../../model/fault.js';
import type { MappedItem } from '../../model/item.js';
import type { JsonObject } from '../../model/json.js';

/**
 * Finds mapped sequences that occur twice among orders that may share a request. Their replies could not be told apart,
 * and one would have to be sent with another number than the sheet's.
 */
export class SharedSequences {
  /** First row by envelope and sequence. */
  readonly #seen = new Map<string, number>();
  readonly #active: boolean;

  /** `batchSize`: items in one request at most; with 1 no order shares its request. */
  constructor(batchSize: number) {
    this.#active = batchSize > 1;
  }

  /** The fault of an item whose sequence an earlier one has; undefined when there is none. */
  fault(sheet: string, { envelopeJson, body, rows }: MappedItem): Fault | undefined {
    const sequence = this.#active ? (body as JsonObject).sequence : undefined;
    const [row] = rows;
    if (sequence === undefined || row === undefined) return undefined;
    const place = `${String(sequence)} ${envelopeJson}`;
    const first = this.#seen.get(place);
    if (first === undefined) {
      this.#seen.set(place, row);
      return undefined;
    }
    const params = { sequence: String(sequence), row: first };
    return { sheet, row, field: 'orderList.sequence', message: message('run.same_sequence', params) };
  }
}
