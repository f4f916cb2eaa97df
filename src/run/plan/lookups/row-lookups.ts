import { type Message, message } from '../../../errors/message.js';
import type { Mapping } from '../../../mapping/contract.js';
import type {
  LookupAnswer,
  LookupAnswers,
  LookupRequest,
  LookupUse,
} from '../../../mapping/lookup/contract.js';
import { type Operation, shownPath } from '../../../model/operation.js';
import type { RunContext } from '../../run-context.js';

/** What answers the look-ups of rows while they are planned. */
export interface RowLookups extends LookupAnswers {
  /** Sees to it that these are asked; doesn't wait for the answers. */
  want(requests: readonly LookupRequest[]): void;
  /** Waits for the answers to these. Some are lacking where planning is stopped meanwhile. */
  answers(requests: readonly LookupRequest[]): Promise<ReadonlyMap<string, LookupAnswer>>;
  /** Call it however planning ended. */
  close(): Promise<void>;
  /** What is to be told of the look-ups as a whole. */
  warnings(operation: Operation): readonly Message[];
}

/** What answers a map's look-ups; undefined for a map that has none. */
export async function rowLookups(context: RunContext, { lookups }: Mapping): Promise<RowLookups | undefined> {
  if (!lookups.any) return undefined;
  if (context.settings.offline) return new OfflineLookups();
  const { PlannedLookups } = await import('./planned-lookups.js');
  return new PlannedLookups(context, lookups);
}

/** `--offline`: nothing is asked, and looked-up fields count as given. */
class OfflineLookups implements RowLookups {
  readonly #fields = new Set<string>();

  find(): LookupAnswer {
    return { kind: 'unasked' };
  }

  told({ field }: LookupUse): void {
    this.#fields.add(field);
  }

  want(): void {}

  async answers(): Promise<ReadonlyMap<string, LookupAnswer>> {
    return new Map();
  }

  async close(): Promise<void> {}

  warnings(operation: Operation): readonly Message[] {
    const fields = [...this.#fields].map((it) => shownPath(it, operation)).join(', ');
    return fields === '' ? [] : [message('lookup.offline', { fields })];
  }
}
