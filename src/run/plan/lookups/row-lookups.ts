import { type Message, message } from '../../../errors/message.js';
import type { Mapping } from '../../../mapping/contract.js';
import type { LookupAnswer, LookupUse } from '../../../mapping/lookup/contract.js';
import { type Operation, shownPath } from '../../../model/operation.js';
import type { RunContext } from '../../run-context.js';
import type { RowLookups } from './contract.js';

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
