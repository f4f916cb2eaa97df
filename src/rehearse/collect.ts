import type { Ledger } from '../ledger/contract/ledger.js';
import type { Run } from '../ledger/contract/runs.js';
import { checkedInputOf } from '../ledger/inputs.js';
import { isPlaceholder } from '../mapping/given-value.js';
import type { Connection } from '../model/connection.js';
import type { Job, StepsJob } from '../model/job.js';
import { isObject, type Json, type JsonObject, member } from '../model/json.js';
import type { Operation } from '../model/operation.js';
import type { Header } from '../model/row.js';
import { operationNamed } from '../platform/operations/catalogue.js';
import { rowsAsRead } from '../run/input/input-reading.js';
import { openInput, overlayOf } from '../run/input/opened-input.js';
import { unpackAny } from '../run/settings.js';
import { itemRunsOf } from '../run/step-runs.js';

/** A customer as identified by its channel. */
interface TouchedCustomer {
  readonly channelCode: string;
  readonly channelCustomerId: string;
}

/** The things on the platform that rows and lookups name, each once. */
class TouchedThings {
  readonly #customers = new Map<string, TouchedCustomer>();
  readonly #enterprises = new Set<string>();
  readonly #crmCustomers = new Set<string>();

  get customers(): Iterable<TouchedCustomer> {
    return this.#customers.values();
  }

  get enterprises(): ReadonlySet<string> {
    return this.#enterprises;
  }

  get crmCustomers(): ReadonlySet<string> {
    return this.#crmCustomers;
  }

  /** Adds everything that a request's envelope and body name, at any depth, except placeholders. */
  addContent(envelope: JsonObject, body: Json): void {
    this.#walk(body, textIn(envelope, 'channelCode'));
    this.#walk(envelope, undefined);
  }

  addEnterprise(id: Json | undefined): void {
    const text = textOf(id);
    if (text !== undefined) this.#enterprises.add(text);
  }

  addCrmCustomer(id: Json | undefined): void {
    const text = textOf(id);
    if (text !== undefined) this.#crmCustomers.add(text);
  }

  #walk(value: Json, channel: string | undefined): void {
    if (Array.isArray(value)) {
      for (const element of value as readonly Json[]) this.#walk(element, channel);
      return;
    }
    if (!isObject(value)) return;
    const channelCode = textIn(value, 'channelCode') ?? channel;
    const channelCustomerId = textIn(value, 'channelCustomerId');
    if (channelCode !== undefined && channelCustomerId !== undefined) {
      const customer = { channelCode, channelCustomerId };
      this.#customers.set(JSON.stringify([channelCode, channelCustomerId]), customer);
    }
    this.addEnterprise(member(value, 'enterpriseGlobalId'));
    for (const child of Object.values(value)) if (typeof child === 'object') this.#walk(child, channelCode);
  }
}

function textIn(owner: JsonObject, name: string): string | undefined {
  return textOf(member(owner, name));
}

function textOf(value: Json | undefined): string | undefined {
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  return text === '' || isPlaceholder(text) ? undefined : text;
}

/** Rows that name locks and no enterprise. The locks' enterprises must be found in another way. */
interface LocksWithoutList {
  readonly run: string;
  /** By the lock's item, the first row that names it. */
  readonly items: ReadonlyMap<number, number>;
}

export interface Collected {
  readonly touched: TouchedThings;
  readonly locksWithoutList: readonly LocksWithoutList[];
  /** Runs whose items revoke assets. */
  readonly revoking: readonly string[];
  /** Lookups without a valid reply. */
  readonly unanswered: number;
  /** True if requests name or list assets, so that the assets of customers have to be read too. */
  readonly touchesAssets: boolean;
}

interface Collecting {
  readonly ledger: Ledger;
  readonly job: Job | StepsJob;
  readonly connection: Connection;
  readonly env?: NodeJS.ProcessEnv | undefined;
  /** The column that names enterprises, even if the map does not read it; undefined if there is none. */
  readonly enterpriseColumn: (headers: readonly Header[], sheet: string) => Header | undefined;
}

/** Collects the things on the platform that the rows of a checked run, and its lookups, name. */
export async function collectTouched(checked: Run, collecting: Collecting): Promise<Collected> {
  const { ledger } = collecting;
  const touched = new TouchedThings();
  const locksWithoutList: LocksWithoutList[] = [];
  const revoking: string[] = [];
  let unanswered = 0;
  let touchesAssets = false;
  for (const run of await itemRunsOf(ledger, checked)) {
    if (run.operation === 'steps' || run.operation.startsWith('reconcile.')) continue;
    const operation = operationNamed(run.operation as Operation['name']);
    touchesAssets ||= /^(?:order\.|asset\.(?:lock|unlock|list)$)/.test(operation.name);
    if (operation.revokes !== undefined) revoking.push(run.id);
    await addItems(ledger, run.id, operation, touched);
    unanswered += (await ledger.lookups.counts(run.id)).unanswered;
    for await (const page of ledger.lookups.requests(run.id)) {
      for (const { operation: name, request } of page) {
        touched.addContent({}, request);
        touchesAssets ||= name === 'asset.list';
      }
    }
    if (operation.place.kind === 'strings') {
      const items = await locksWithoutEnterprise(run.id, checked, collecting, touched);
      if (items.size > 0) locksWithoutList.push({ run: run.id, items });
    }
  }
  return { touched, locksWithoutList, revoking, unanswered, touchesAssets };
}

async function addItems(
  ledger: Ledger,
  run: string,
  operation: Operation,
  touched: TouchedThings,
): Promise<void> {
  // For orders the channel is in the envelope.
  const needsEnvelope = operation.envelope.includes('channelCode');
  for await (const { item, body } of ledger.plan.bodies(run)) {
    const envelope = needsEnvelope ? (await ledger.plan.content(run, item)).envelope : {};
    touched.addContent(envelope, body);
    if (operation.name === 'enterprise.update' && typeof body === 'object' && body !== null) {
      touched.addCrmCustomer((body as Readonly<Record<string, string>>).crmCustomerId);
    }
  }
}

/**
 * Adds the enterprises that rows name in addition to their locks.
 * @returns the locks of the other rows
 */
async function locksWithoutEnterprise(
  run: string,
  checked: Run,
  { ledger, job, connection, env, enterpriseColumn }: Collecting,
  touched: TouchedThings,
): Promise<ReadonlyMap<number, number>> {
  const alone = new Map<number, number>();
  const withEnterprise = new Set<number>();
  const input = await openInput(
    job,
    await checkedInputOf(ledger.inputs, checked),
    env,
    await overlayOf(ledger.inputs, unpackAny(checked.settings)),
  );
  try {
    const { headers, sheet } = input.table;
    const column = enterpriseColumn(headers, sheet.name)?.column;
    const rows = await rowsAsRead(job, connection, input);
    const gains = itemsByRow(ledger, run);
    let next = await gains.next();
    for await (const page of rows.main()) {
      for (const row of page) {
        if (next.done) return alone;
        if (next.value.row !== row.number) continue;
        const enterprise = column === undefined ? '' : (row.cell(column)?.text.trim() ?? '');
        touched.addEnterprise(enterprise);
        for (const item of next.value.items) {
          if (enterprise !== '') withEnterprise.add(item);
          else if (!alone.has(item)) alone.set(item, row.number);
        }
        next = await gains.next();
      }
    }
  } finally {
    await input.source.close();
  }
  for (const item of withEnterprise) alone.delete(item);
  return alone;
}

async function* itemsByRow(ledger: Ledger, run: string) {
  for await (const page of ledger.report.gains(run)) yield* page;
}

/** Locks that are in none of the lists that were read, each with its row. They may or may not exist. */
export async function unlistedLocks(
  ledger: Ledger,
  alone: readonly LocksWithoutList[],
  isListed: (assetNum: string) => boolean,
): Promise<readonly { readonly row: number; readonly lock: string }[]> {
  const found: { row: number; lock: string }[] = [];
  for (const { run, items } of alone) {
    for await (const { item, body } of ledger.plan.bodies(run)) {
      const row = items.get(item);
      if (row === undefined || typeof body !== 'string' || isPlaceholder(body) || isListed(body)) continue;
      found.push({ row, lock: body });
    }
  }
  return found;
}

/** Assets to be revoked that are in none of the lists that were read: the number, and the first few. */
export async function unlistedRevocations(
  ledger: Ledger,
  revoking: readonly string[],
  isListed: (assetNum: string) => boolean,
): Promise<{ readonly count: number; readonly first: readonly string[] }> {
  const first: string[] = [];
  let count = 0;
  const visit = (value: Json, name: string): void => {
    if (Array.isArray(value)) for (const element of value as readonly Json[]) visit(element, name);
    else if (isObject(value)) for (const [member, child] of Object.entries(value)) visit(child, member);
    else if (name === 'assetNos' && typeof value === 'string' && !isPlaceholder(value) && !isListed(value)) {
      count += 1;
      if (first.length < MAX_NAMED) first.push(value);
    }
  };
  for (const run of revoking) for await (const { body } of ledger.plan.bodies(run)) visit(body, '');
  return { count, first };
}

const MAX_NAMED = 5;
