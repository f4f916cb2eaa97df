import type { Ledger } from '../../ledger/contract/ledger.js';
import { OPERATION_NAMES } from '../../model/operation.js';
import { operationNamed } from '../../platform/operations/index.js';
import { thingNumbers } from '../named-things.js';

/**
 * Adds to the index of things what runs of earlier versions of the program name. Of pruned runs nothing is known any more.
 * Another process may do the same at the same time.
 */
export async function indexOlderRuns({ things }: Pick<Ledger, 'things'>): Promise<void> {
  for (const { run, kind, operation: of } of await things.unindexed()) {
    const name = OPERATION_NAMES.find((it) => it === of);
    if (name !== undefined && kind !== 'dry_run') {
      const operation = operationNamed(name);
      for await (const page of things.contents(run)) {
        await things.add(
          run,
          page.map(({ item, envelope, body }) => ({ item, things: thingNumbers(operation, envelope, body) })),
        );
      }
    }
    await things.indexed(run);
  }
}
