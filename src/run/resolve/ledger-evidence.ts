import type { Ledger } from '../../ledger/contract/ledger.js';
import type { ItemTrace, UnknownItem } from '../../ledger/contract/resolutions.js';
import { scopeOf } from '../../ledger/rules/scopes.js';
import type { Connection } from '../../model/connection.js';
import type { JsonObject } from '../../model/json.js';
import { OPERATION_NAMES, type Operation } from '../../model/operation.js';
import { type Thing, thingNumber } from '../../model/thing.js';
import { operationNamed } from '../../platform/operations/catalogue.js';
import { textOf } from '../../platform/operations/shared/rule-report.js';
import { assetThing, channelCustomer, keyOf, type ThingKey, thingsNamedBy } from '../named-things.js';
import { unpackSettings } from '../settings.js';
import type { EarlierSight, NamedThing, OtherItem } from './created-by-attempt.js';

/** The ledger's evidence about the assets and customers that one item names. */
export interface ItemEvidence {
  thing(key: ThingKey, name: string, createTime: JsonObject[string] | undefined): NamedThing;
}

interface Known {
  readonly named: (OtherItem & { readonly item: number })[];
  readonly seen: (EarlierSight & { readonly isPresent: boolean })[];
}

/** The evidence of a ledger's runs about assets and customers. */
export class LedgerEvidence {
  readonly #known: Map<ThingKey, Known>;

  private constructor(known: Map<ThingKey, Known>) {
    this.#known = known;
  }

  /**
   * Reads what all runs on the same platform show about some assets and customers. Call it after the platform has
   * replied: every effect that the reply can show then has its attempt in the ledger. For assets, the index of things
   * names the runs that contain them; runs that only read are not in it.
   */
  static async read(
    ledger: Ledger,
    connection: Connection,
    things: readonly Thing[],
  ): Promise<LedgerEvidence> {
    const known = new Map<ThingKey, Known>();
    for (const thing of things) known.set(keyOf(thing), { named: [], seen: [] });
    if (things.length === 0) return new LedgerEvidence(known);
    const naming = await runsNaming(ledger, things);
    for (const run of await ledger.runs.list(Number.MAX_SAFE_INTEGER, 'steps too')) {
      const name = OPERATION_NAMES.find((candidate) => candidate === run.operation);
      if (name === undefined || run.prunedAt !== undefined || run.kind !== 'run') continue;
      if (scopeOf(unpackSettings(run.settings).connection) !== scopeOf(connection)) continue;
      const operation = operationNamed(name);
      const reads = operation.endpoint.method === 'GET';
      if (!reads && naming && !naming.has(run.id)) continue;
      for await (const page of ledger.resolutions.traces(run.id, { records: reads })) {
        for (const trace of page) {
          if (reads) noteSights(known, run.id, operation, trace);
          else noteNames(known, run.id, operation, trace);
        }
      }
    }
    return new LedgerEvidence(known);
  }

  /** The evidence about one item. The item itself is not among the other items. */
  of(run: string, { item, attempts }: Pick<UnknownItem, 'item' | 'attempts'>): ItemEvidence {
    const startedAt = Math.min(...attempts.map((attempt) => attempt.startedAt));
    return {
      thing: (key, name, createTime): NamedThing => {
        const { named, seen } = this.#known.get(key) ?? { named: [], seen: [] };
        const before = seen.filter((sight) => sight.at <= startedAt);
        const seenBefore = before.find((sight) => sight.isPresent);
        const missedBefore = seenBefore ? undefined : before.find((sight) => !sight.isPresent);
        return {
          name,
          createTime,
          others: named.filter((other) => other.run !== run || other.item !== item),
          seenBefore,
          missedBefore,
        };
      },
    };
  }
}

/** Runs whose items may name any of the assets; undefined for customers, which the index does not contain. */
async function runsNaming(
  ledger: Ledger,
  things: readonly Thing[],
): Promise<ReadonlySet<string> | undefined> {
  if (things.some((thing) => thing.kind !== 'asset')) return undefined;
  const unindexed = await ledger.assetIndex.unindexed();
  const indexed = await ledger.assetIndex.runsNaming([...new Set(things.map(thingNumber))]);
  return new Set([...indexed, ...unindexed.map((run) => run.run)]);
}

/**
 * True if a run's effects are on the connection's platform: the same address, or the same name if there is no address
 * (sandbox). A run on another platform proves nothing.
 */
function noteNames(known: Map<ThingKey, Known>, run: string, operation: Operation, trace: ItemTrace): void {
  for (const thing of thingsNamedBy(operation, trace.envelope, trace.body))
    known.get(keyOf(thing))?.named.push({ run, row: trace.row, item: trace.item, status: trace.status });
}

/** Notes what a query showed. The things that it names are ignored, because queries change nothing. */
function noteSights(known: Map<ThingKey, Known>, run: string, operation: Operation, trace: ItemTrace): void {
  const at = trace.endedAt;
  if (at === undefined || operation.lists === undefined) return;
  const present = new Set<ThingKey>();
  for (const record of trace.records) {
    const customer = channelCustomer(
      String(record.channelCode ?? ''),
      String(record.channelCustomerId ?? ''),
    );
    present.add(keyOf(operation.lists === 'assets' ? assetThing(String(record.assetNum ?? '')) : customer));
  }
  for (const key of present) known.get(key)?.seen.push({ run, at, isPresent: true });
  // A reply with records of other customers does not prove absence.
  if (typeof trace.message === 'object' && trace.message.code === 'operation.other_records') return;
  // Only a query for all customers (§4.5) proves absence.
  if (operation.lists !== 'customers' || textOf(trace.body, 'defaultCustomer') !== 'N') return;
  const requestedKey = keyOf(
    channelCustomer(textOf(trace.body, 'channelCode'), textOf(trace.body, 'channelCustomerId')),
  );
  if (!present.has(requestedKey)) known.get(requestedKey)?.seen.push({ run, at, isPresent: false });
}
