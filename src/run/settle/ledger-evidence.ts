import type { Ledger } from '../../ledger/contract/ledger.js';
import type { ItemTrace, UnknownItem } from '../../ledger/contract/resolutions.js';
import type { Run } from '../../ledger/contract/run.js';
import { scopeOf } from '../../ledger/rules/scopes.js';
import type { Connection } from '../../model/connection.js';
import type { JsonObject } from '../../model/json.js';
import { OPERATION_NAMES, type Operation } from '../../model/operation.js';
import { operationNamed } from '../../platform/operations/index.js';
import { textOf } from '../../platform/operations/shared/rule-report.js';
import { assetThing, channelCustomer, keyOf, type ThingKey, thingsNamedBy } from '../named-things.js';
import { unpackSettings } from '../settings.js';
import type { EarlierSight, NamedThing, OtherItem } from './made-by-attempt.js';

/** What the ledger knows of the assets and customers that one item names. */
export interface ItemEvidence {
  thing(key: ThingKey, name: string, createTime: JsonObject[string] | undefined): NamedThing;
}

interface Known {
  readonly named: (OtherItem & { readonly item: number })[];
  readonly seen: (EarlierSight & { readonly there: boolean })[];
}

/** What the runs of a ledger say about assets and customers. */
export class LedgerEvidence {
  readonly #known: Map<ThingKey, Known>;

  private constructor(known: Map<ThingKey, Known>) {
    this.#known = known;
  }

  /**
   * Reads what all runs on the same platform say about some assets and customers. Call it after the platform has
   * answered: every effect that the answer can show then has its attempt in the ledger.
   */
  static async read(
    ledger: Ledger,
    connection: Connection,
    wanted: ReadonlySet<ThingKey>,
  ): Promise<LedgerEvidence> {
    const known = new Map<ThingKey, Known>();
    for (const key of wanted) known.set(key, { named: [], seen: [] });
    if (wanted.size === 0) return new LedgerEvidence(known);
    for (const run of await ledger.runs.list(Number.MAX_SAFE_INTEGER, 'steps too')) {
      const name = OPERATION_NAMES.find((it) => it === run.operation);
      if (name === undefined || run.prunedAt !== undefined || run.kind !== 'run') continue;
      if (!samePlatform(run, connection)) continue;
      const operation = operationNamed(name);
      const reads = operation.endpoint.method === 'GET';
      for await (const page of ledger.resolutions.traces(run.id, { records: reads })) {
        for (const it of page) {
          if (reads) noteSights(known, run.id, operation, it);
          else noteNames(known, run.id, operation, it);
        }
      }
    }
    return new LedgerEvidence(known);
  }

  /** The evidence about one item, which is not counted as another item of itself. */
  of(run: string, { item, attempts }: Pick<UnknownItem, 'item' | 'attempts'>): ItemEvidence {
    const begun = Math.min(...attempts.map((it) => it.startedAt));
    return {
      thing: (key, name, createTime): NamedThing => {
        const { named, seen } = this.#known.get(key) ?? { named: [], seen: [] };
        const before = seen.filter((it) => it.at <= begun);
        const seenBefore = before.find((it) => it.there);
        const missedBefore = seenBefore ? undefined : before.find((it) => !it.there);
        return {
          name,
          createTime,
          others: named.filter((it) => it.run !== run || it.item !== item),
          seenBefore,
          missedBefore,
        };
      },
    };
  }
}

/**
 * True when a run's effects are on the connection's platform: the same address, whatever its name; without an address
 * (the sandbox), the same name. A trial run on another platform proves nothing.
 */
function samePlatform(run: Run, connection: Connection): boolean {
  return scopeOf(unpackSettings(run.settings).connection) === scopeOf(connection);
}

function noteNames(known: Map<ThingKey, Known>, run: string, operation: Operation, it: ItemTrace): void {
  for (const thing of thingsNamedBy(operation, it.envelope, it.body)) {
    known.get(keyOf(thing))?.named.push({ run, row: it.row, item: it.item, status: it.status });
  }
}

/** Notes what an inquiry saw. That it names something doesn't matter, because inquiries change nothing. */
function noteSights(known: Map<ThingKey, Known>, run: string, operation: Operation, it: ItemTrace): void {
  const at = it.endedAt;
  if (at === undefined || operation.lists === undefined) return;
  const there = new Set<ThingKey>();
  for (const record of it.records) {
    const customer = channelCustomer(
      String(record.channelCode ?? ''),
      String(record.channelCustomerId ?? ''),
    );
    there.add(keyOf(operation.lists === 'assets' ? assetThing(String(record.assetNum ?? '')) : customer));
  }
  for (const key of there) known.get(key)?.seen.push({ run, at, there: true });
  // A reply with records of other customers does not show that there is none.
  if (typeof it.message === 'object' && it.message.code === 'operation.other_records') return;
  // Only an inquiry for all customers (§4.5) shows that there is none.
  if (operation.lists !== 'customers' || textOf(it.body, 'defaultCustomer') !== 'N') return;
  const asked = keyOf(channelCustomer(textOf(it.body, 'channelCode'), textOf(it.body, 'channelCustomerId')));
  if (!there.has(asked)) known.get(asked)?.seen.push({ run, at, there: false });
}
