import { type Message, message } from '../../errors/message.js';
import type { Ledger } from '../../ledger/contract/ledger.js';
import type { NamedAsset, NamingItem } from '../../ledger/contract/things.js';
import type { Job } from '../../model/job.js';
import type { Json } from '../../model/json.js';
import { isObject, member } from '../../model/json.js';
import { thingNumber } from '../../model/thing.js';
import { assetNumbers, elements } from '../../platform/operations/shared/rule-report.js';
import { wholeRunOf } from '../../util/run-id.js';
import { isCutOff } from '../live-state.js';
import { assetThing } from '../named-things.js';
import { requireRun } from '../run-checks.js';
import { compareCustomers, customerIds } from './customers.js';

/** An item that should not be sent because of what another item did, or does, to the same lock. */
export interface Conflict {
  readonly item: number;
  readonly reason: Message;
  /** When the other item was sent; of one that is about to be, infinity. */
  readonly since: number;
}

/** `sending`: what another run is about to send is a conflict, too. */
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
  for await (const page of ledger.things.namedElsewhere(run)) {
    for await (const it of find(ledger, run, page, isActive)) {
      // Of an item that names several locks in conflict, the first is reported.
      if (it.item !== last) yield it;
      last = it.item;
    }
  }
}

type IsActive = (run: string) => Promise<boolean>;

/** Whether a run with items still to be sent is being processed. One that was cut off, or stopped, sends nothing until it is resumed. */
function activeRuns(ledger: Ledger, moment: Moment): IsActive {
  const known = new Map<string, boolean>();
  return async (run) => {
    if (moment === 'planning') return false;
    const whole = wholeRunOf(run);
    const before = known.get(whole);
    if (before !== undefined) return before;
    const found = await requireRun(ledger, whole);
    const isActive = ACTIVE.has(found.state) && !(await isCutOff(ledger, found));
    known.set(whole, isActive);
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

/** A lock that was last ordered for another customer, and was not revoked since. */
const orderConflicts: Find = async function* (ledger, run, page, isActive) {
  const named = await namingByAsset(ledger, run, page, 'orders');
  const items = [...new Set(page.map((it) => it.item))];
  const own = new Map((await ledger.things.things(run, items)).map((it) => [it.item, it.things]));
  for (const { item, thing } of page) {
    const id = await ledger.things.idOf(run, item);
    const before = await lastOrder(own.get(item) ?? [], named.get(thing) ?? [], async (it) => {
      // Of another step of the same run: only what comes before this one.
      if (wholeRunOf(it.run) === wholeRunOf(run)) return it.id < id;
      return it.status !== 'pending' || (await isActive(it.run));
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
  own: readonly number[],
  others: readonly NamingItem[],
  counts: (it: NamingItem) => Promise<boolean>,
): Promise<NamingItem | undefined> {
  for (const it of others) {
    if (!(await counts(it))) continue;
    if (it.operation === 'order.delete_asset') {
      // Whether an unknown revocation took effect is not certain.
      if (it.status === 'unknown') continue;
      return undefined;
    }
    const compared = compareCustomers(own, it.things);
    if (compared !== 'not_known') return compared === 'different' ? it : undefined;
  }
  return undefined;
}

/** A row of a revert whose lock was changed after the item that it reverts. */
const revertConflicts: Find = async function* (ledger, run, page, isActive) {
  const named = await namingByAsset(ledger, run, page, 'all');
  const reverted = await ledger.things.reverted(run, [...new Set(page.map((it) => it.item))]);
  for (const { item, thing } of page) {
    const before = reverted.get(item);
    if (!before) continue;
    for (const it of named.get(thing) ?? []) {
      const whole = wholeRunOf(it.run);
      if (whole === wholeRunOf(before.run) || whole === wholeRunOf(run)) continue;
      if (it.at < before.at || (it.at === before.at && it.id < before.id)) continue;
      // It reverted a later change: both together changed nothing.
      if (it.undoes !== undefined && it.undoes >= before.id) continue;
      if (it.status === 'pending' && !(await isActive(it.run))) continue;
      const asset = assetOf((await ledger.plan.content(run, item)).body, thing);
      const params = { asset: asset.name, other: shownItem(it), operation: it.operation };
      yield { item, reason: message('revert.changed_since', params), since: sinceOf(it) };
      break;
    }
  }
};

async function namingByAsset(
  { things }: Ledger,
  run: string,
  page: readonly NamedAsset[],
  operations: 'orders' | 'all',
): Promise<ReadonlyMap<number, readonly NamingItem[]>> {
  const assets = [...new Set(page.map((it) => it.thing))];
  const found = new Map<number, NamingItem[]>();
  for (const it of await things.naming(run, assets, { operations })) {
    const known = found.get(it.thing);
    if (known) known.push(it);
    else found.set(it.thing, [it]);
  }
  return found;
}

function sinceOf({ status, at }: NamingItem): number {
  return status === 'pending' ? Number.POSITIVE_INFINITY : at;
}

function shownItem({ run, row }: NamingItem): Message {
  const whole = wholeRunOf(run);
  return row === undefined
    ? message('ledger.item_of_run', { run: whole })
    : message('ledger.row_of_run', { run: whole, row });
}

/** An item in conflict with others of the same file. */
export interface FileConflict {
  readonly item: number;
  readonly asset: string;
  /** Items that order the lock for another customer, some of them. */
  readonly others: readonly number[];
}

const OTHERS_NAMED = 10;

/** Locks that one file orders for several customers: a row that moves a lock begins anew. In no order. */
export async function* conflictsInFile(ledger: Ledger, run: string): AsyncGenerator<FileConflict> {
  for (const thing of await ledger.things.namedForSeveral(run)) {
    let together: { item: number; things: readonly number[] }[] = [];
    let name = '';
    for (const it of await ledger.things.sharing(run, thing)) {
      const asset = assetOf((await ledger.plan.content(run, it.item)).body, thing);
      name = asset.name;
      if (asset.isMoved) {
        yield* conflictsAmong(together, name);
        together = [];
      }
      together.push(it);
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
    for (const it of groups.values()) {
      if (others.length >= OTHERS_NAMED) break;
      if (compareCustomers(group.things, it.things) === 'different')
        others.push(...it.items.slice(0, OTHERS_NAMED));
    }
    if (others.length === 0) continue;
    for (const item of group.items) yield { item, asset, others: others.slice(0, OTHERS_NAMED) };
  }
}

/** The number of a lock as the item names it, and whether the item moves it to its customer. */
function assetOf(body: Json, thing: number): { readonly name: string; readonly isMoved: boolean } {
  const isThis = (name: string): boolean => thingNumber(assetThing(name)) === thing;
  if (typeof body === 'string') return { name: body, isMoved: false };
  const name = assetNumbers(body).find(isThis) ?? '';
  const isMoved =
    isObject(body) &&
    elements(body, 'assets', '').some(({ value }) => {
      const numbers = member(value, 'assetNos');
      return (
        Array.isArray(numbers) &&
        numbers.map(String).includes(name) &&
        member(value, 'transferedAssetNum') === true
      );
    });
  return { name, isMoved };
}
