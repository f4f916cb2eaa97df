import { type Message, message } from '../../../errors/message.js';
import type { LookupAnswer, LookupUse } from '../../../mapping/lookup/records.js';
import type { Mapping } from '../../../mapping/mapping.js';
import { type Operation, shownPath } from '../../../model/operation.js';
import type { RunContext } from '../../run-context.js';
import type { RowLookups } from './lookup-window.js';

/** The source of replies for a map's lookups; undefined if the map has none. */
export async function rowLookups(context: RunContext, { lookups }: Mapping): Promise<RowLookups | undefined> {
  if (!lookups.any) return undefined;
  if (context.settings.offline) return new OfflineLookups();
  const { PlannedLookups } = await import('./planned-lookups.js');
  return new PlannedLookups(context, lookups);
}

/** `--offline`: nothing is requested, and looked-up fields are treated as given. */
class OfflineLookups implements RowLookups {
  readonly #fields = new Set<string>();

  find(): LookupAnswer {
    return { kind: 'unasked' };
  }

  onUse({ field }: LookupUse): void {
    this.#fields.add(field);
  }

  want(): void {}

  async answers(): Promise<ReadonlyMap<string, LookupAnswer>> {
    return new Map();
  }

  async close(): Promise<void> {}

  warnings(operation: Operation): readonly Message[] {
    const fields = [...this.#fields].map((field) => shownPath(field, operation)).join(', ');
    return fields === '' ? [] : [message('lookup.offline', { fields })];
  }
}
