import { type Message, message } from '../../errors/message.js';
import type { NamedAsset, NamingItem } from '../../ledger/contract/asset-index.js';
import type { Ledger } from '../../ledger/contract/ledger.js';
import type { Job } from '../../model/job.js';
import { isObject, type Json, member } from '../../model/json.js';
import { CUSTOMERS, kindOfThing, thingNumber } from '../../model/thing.js';
import { assetNumbers, objectElements } from '../../platform/operations/shared/rule-report.js';
import { wholeRunOf } from '../../util/run-id.js';
import { isCutOff } from '../live-state.js';
import { assetThing } from '../named-things.js';
import { requireRun } from '../run-checks.js';

/** An item that should not be sent because another item changed, or will change, the same lock. */
export interface Conflict {
  readonly item: number;
  readonly reason: Message;
  /** When the other item was sent; infinity if it is about to be sent. */
  readonly since: number;
}

/** `sending`: items that another run is about to send are conflicts too. */
type Moment = 'planning' | 'sending';

/** The conflicts of a run's items with items of other runs, and of earlier steps (contract section 4), in order. */
export async function* conflictsElsewhere(
  ledger: Ledger,
  run: string,
  job: Pick<Job, 'operation' | 'undoes'>,
  moment: Moment,
): AsyncGenerator<Conflict> {
  const find = job.undoes ? revertConflicts : job.operation === 'order.new_buy' ? orderConflicts : undefined;
  if (!find) return;
  const isActive = activeRuns(ledger, moment);
  let last = 0;
  for await (const page of ledger.assetIndex.namedElsewhere(run)) {
    for await (const conflict of find(ledger, run, page, isActive)) {
      // If an item names several locks in conflict, the first is reported.
      if (conflict.item !== last) yield conflict;
      last = conflict.item;
    }
  }
}

type IsActive = (run: string) => Promise<boolean>;

/** Whether a run with unsent items is being processed. A stopped run sends nothing until it is resumed. */
function activeRuns(ledger: Ledger, moment: Moment): IsActive {
  const known = new Map<string, boolean>();
  return async (run) => {
    if (moment === 'planning') return false;
    const parent = wholeRunOf(run);
    const cached = known.get(parent);
    if (cached !== undefined) return cached;
    const found = await requireRun(ledger, parent);
    const isActive = ACTIVE.has(found.state) && !(await isCutOff(ledger, found));
    known.set(parent, isActive);
    return isActive;
  };
}

const ACTIVE: ReadonlySet<string> = new Set(['planned', 'queued', 'executing']);

type Find = (
  ledger: Ledger,
  run: string,
  page: readonly NamedAsset[],
  isActive: IsActive,
) => AsyncGenerator<Conflict>;

/** Finds locks whose last order was for another customer and that were not revoked since. */
const orderConflicts: Find = async function* (ledger, run, page, isActive) {
  const naming = await namingByAsset(ledger, run, page, 'orders');
  const items = [...new Set(page.map((line) => line.item))];
  const thingsOf = new Map(
    (await ledger.assetIndex.things(run, items)).map(({ item, things }) => [item, things]),
  );
  for (const { item, thing } of page) {
    const id = await ledger.assetIndex.idOf(run, item);
    const before = await lastOrder(thingsOf.get(item) ?? [], naming.get(thing) ?? [], async (order) => {
      // For another step of the same run: only items before this one.
      if (wholeRunOf(order.run) === wholeRunOf(run)) return order.id < id;
      return order.status !== 'pending' || (await isActive(order.run));
    });
    if (!before) continue;
    const asset = assetOf((await ledger.plan.content(run, item)).body, thing);
    if (asset.isMoved) continue;
    const params = { asset: asset.name, other: shownItem(before) };
    yield { item, reason: message('run.conflict_customer', params), since: sinceOf(before) };
  }
};

/** The last order of the lock whose customer can be compared, if it was for another customer. */
async function lastOrder(
  things: readonly number[],
  others: readonly NamingItem[],
  isRelevant: (order: NamingItem) => Promise<boolean>,
): Promise<NamingItem | undefined> {
  for (const order of others) {
    if (!(await isRelevant(order))) continue;
    if (order.operation === 'order.delete_asset') {
      // It is uncertain whether an unknown revocation took effect.
      if (order.status === 'unknown') continue;
      return undefined;
    }
    const compared = compareCustomers(things, order.things);
    if (compared !== 'not_known') return compared === 'different' ? order : undefined;
  }
  return undefined;
}

/** Finds rows of a revert whose lock was changed after the item that they revert. */
const revertConflicts: Find = async function* (ledger, run, page, isActive) {
  const naming = await namingByAsset(ledger, run, page, 'all');
  const reverted = await ledger.assetIndex.reverted(run, [...new Set(page.map((line) => line.item))]);
  for (const { item, thing } of page) {
    const before = reverted.get(item);
    if (!before) continue;
    for (const other of naming.get(thing) ?? []) {
      const parent = wholeRunOf(other.run);
      if (parent === wholeRunOf(before.run) || parent === wholeRunOf(run)) continue;
      if (other.at < before.at || (other.at === before.at && other.id < before.id)) continue;
      // It reverted a later change: both together changed nothing.
      if (other.undoes !== undefined && other.undoes >= before.id) continue;
      if (other.status === 'pending' && !(await isActive(other.run))) continue;
      const asset = assetOf((await ledger.plan.content(run, item)).body, thing);
      const params = { asset: asset.name, other: shownItem(other), operation: other.operation };
      yield { item, reason: message('revert.changed_since', params), since: sinceOf(other) };
      break;
    }
  }
};

async function namingByAsset(
  { assetIndex }: Ledger,
  run: string,
  page: readonly NamedAsset[],
  operations: 'orders' | 'all',
): Promise<ReadonlyMap<number, readonly NamingItem[]>> {
  const assets = [...new Set(page.map((line) => line.thing))];
  return groupNaming(await assetIndex.naming(run, assets, { operations }));
}

/** Items by thing, in order. */
export function groupNaming(items: readonly NamingItem[]): ReadonlyMap<number, readonly NamingItem[]> {
  const found = new Map<number, NamingItem[]>();
  for (const item of items) {
    const known = found.get(item.thing);
    if (known) known.push(item);
    else found.set(item.thing, [item]);
  }
  return found;
}

function sinceOf({ status, at }: NamingItem): number {
  return status === 'pending' ? Number.POSITIVE_INFINITY : at;
}

export function shownItem({ run, row }: Pick<NamingItem, 'run' | 'row'>): Message {
  const parent = wholeRunOf(run);
  return row === undefined
    ? message('ledger.item_of_run', { run: parent })
    : message('ledger.row_of_run', { run: parent, row });
}

/** An item in conflict with others of the same file. */
export interface FileConflict {
  readonly item: number;
  readonly asset: string;
  /** Some of the items that order the lock for another customer. */
  readonly others: readonly number[];
}

const OTHERS_NAMED = 10;

/** Finds locks that one file orders for several customers. A row that moves a lock starts a new group. Unordered. */
export async function* conflictsInFile(ledger: Ledger, run: string): AsyncGenerator<FileConflict> {
  for (const thing of await ledger.assetIndex.namedForSeveral(run)) {
    let together: { item: number; things: readonly number[] }[] = [];
    let name = '';
    for (const order of await ledger.assetIndex.sharing(run, thing)) {
      const asset = assetOf((await ledger.plan.content(run, order.item)).body, thing);
      name = asset.name;
      if (asset.isMoved) {
        yield* conflictsAmong(together, name);
        together = [];
      }
      together.push(order);
    }
    yield* conflictsAmong(together, name);
  }
}

function* conflictsAmong(
  items: readonly { readonly item: number; readonly things: readonly number[] }[],
  asset: string,
): Generator<FileConflict> {
  const groups = new Map<string, { readonly things: readonly number[]; readonly items: number[] }>();
  for (const { item, things } of items) {
    const customer = customerIds(things);
    const group = groups.get(customer);
    if (group) group.items.push(item);
    else groups.set(customer, { things, items: [item] });
  }
  for (const group of groups.values()) {
    const others: number[] = [];
    for (const other of groups.values()) {
      if (others.length >= OTHERS_NAMED) break;
      if (compareCustomers(group.things, other.things) === 'different')
        others.push(...other.items.slice(0, OTHERS_NAMED));
    }
    if (others.length === 0) continue;
    for (const item of group.items) yield { item, asset, others: others.slice(0, OTHERS_NAMED) };
  }
}

/** The lock's number in the item, and whether the item moves it to its customer. */
function assetOf(body: Json, thing: number): { readonly name: string; readonly isMoved: boolean } {
  const isThis = (name: string): boolean => thingNumber(assetThing(name)) === thing;
  if (typeof body === 'string') return { name: body, isMoved: false };
  const name = assetNumbers(body).find(isThis) ?? '';
  const isMoved =
    isObject(body) &&
    objectElements(body, 'assets', '').some(({ value }) => {
      const numbers = member(value, 'assetNos');
      return (
        Array.isArray(numbers) &&
        numbers.map(String).includes(name) &&
        member(value, 'transferedAssetNum') === true
      );
    });
  return { name, isMoved };
}

/**
 * Whether two items name the same customer. The first kind of id that both have decides: `customerId`, then
 * `crmCustomerId`, then `channelCustomerId`. `not_known`: no kind of id is in both.
 * @param things all things that an item names
 * @param otherThings those of the other item
 */
export function compareCustomers(
  things: readonly number[],
  otherThings: readonly number[],
): 'same' | 'different' | 'not_known' {
  for (const id of things.filter(isCustomer).sort((a, b) => a - b)) {
    const same = otherThings.filter((thing) => kindOfThing(thing) === kindOfThing(id));
    if (same.length > 0) return same.includes(id) ? 'same' : 'different';
  }
  return 'not_known';
}

/** The ids of the customer that an item names, as text. */
export function customerIds(things: readonly number[]): string {
  return things
    .filter(isCustomer)
    .sort((a, b) => a - b)
    .join(' ');
}

function isCustomer(thing: number): boolean {
  return thing >= CUSTOMERS.from && thing < CUSTOMERS.end;
}
