import { type Message, message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import { type Json, type JsonObject, member } from '../model/json.js';
import type { OperationName } from '../model/operation.js';
import type { Inquiry } from '../platform/client/inquiry.js';
import { operationNamed } from '../platform/operations/catalogue.js';
import type { Asset, State } from '../platform/simulated/state.js';
import type { StopSignal } from '../util/stop-signal.js';
import type { Collected } from './collect.js';

/** Maximum number of things without a reply that are named. */
const NAMED = 10;

interface Reading {
  readonly inquiry: Inquiry;
  readonly concurrency: number;
  readonly stop: StopSignal;
  readonly progress: (done: number) => void;
}

/**
 * Reads the things that the rows touch, with queries only, each thing once.
 * @returns undefined if interrupted
 * @throws ProductError usage if something could not be read, because the rehearsal would be meaningless
 */
export async function readPlatform(
  { touched, touchesAssets }: Pick<Collected, 'touched' | 'touchesAssets'>,
  reading: Reading,
): Promise<ReadThings | undefined> {
  const customers: JsonObject[] = [];
  const assets: { enterprise: string; record: JsonObject }[] = [];
  const unread: Message[] = [];
  let done = 0;
  const ask = async (
    operation: OperationName,
    request: JsonObject,
    name: string,
  ): Promise<readonly JsonObject[]> => {
    const answer = await reading.inquiry.ask(operationNamed(operation), request);
    done += 1;
    reading.progress(done);
    if (answer.kind === 'records') return answer.records;
    unread.push(message('rehearse.unread_one', { operation, name, why: answer.detail }));
    return [];
  };
  const isStopped = (): boolean => reading.stop.cause !== undefined || reading.inquiry.stopped !== undefined;
  await forEach(touched.customers, reading.concurrency, isStopped, async (customer) => {
    const request = { ...customer, defaultCustomer: 'N' };
    const name = `${customer.channelCode} ${customer.channelCustomerId}`;
    for (const record of await ask('enterprise.query', request, name)) {
      // The record gets the ids of the query, so that the sandbox finds it by them.
      customers.push({ ...record, ...customer });
      if (touchesAssets) touched.addEnterprise(member(record, 'enterpriseGlobalId'));
    }
  });
  if (touchesAssets) {
    await forEach(touched.enterprises, reading.concurrency, isStopped, async (enterprise) => {
      const found = await ask('asset.list', { enterpriseGlobalId: enterprise }, enterprise);
      for (const record of found) assets.push({ enterprise, record });
    });
  }
  if (reading.stop.cause) return undefined;
  const { stopped } = reading.inquiry;
  if (stopped) throw new ProductError('usage', message('rehearse.refused', { why: stopped.why }));
  if (unread.length > 0) {
    const more = unread.slice(0, NAMED);
    throw new ProductError('usage', message('rehearse.unread', { count: unread.length }), { others: more });
  }
  return { customers, assets, crmCustomers: [...touched.crmCustomers] };
}

/** Runs `work` for all things, at most `concurrency` at a time. Includes things added in the meantime. */
async function forEach<T>(
  things: Iterable<T>,
  concurrency: number,
  isStopped: () => boolean,
  work: (thing: T) => Promise<void>,
): Promise<void> {
  const rest = things[Symbol.iterator]();
  const worker = async (): Promise<void> => {
    while (!isStopped()) {
      const next = rest.next();
      if (next.done) return;
      await work(next.value);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
}

/** The platform's data of everything that a job's rows touch. */
export interface ReadThings {
  /** Customers that rows name, as the platform's query returned them. */
  readonly customers: readonly JsonObject[];
  /** Assets, each with the enterprise whose list contains it. */
  readonly assets: readonly { readonly enterprise: string; readonly record: JsonObject }[];
  /** CRM numbers of customers that rows update. No query finds them, so they are assumed to exist. */
  readonly crmCustomers: readonly string[];
}

const text = (value: Json | undefined): string =>
  value === undefined || typeof value === 'object' ? '' : String(value).trim();
const isTrue = (value: Json | undefined): boolean => value === true || /^(?:true|1)$/i.test(text(value));

/** Fills a new sandbox with this data only. */
export function fillSandbox(state: State, { customers, assets, crmCustomers }: ReadThings): void {
  for (const record of customers) addCustomer(state, record);
  for (const { enterprise, record } of assets) {
    const asset = assetOf(record, enterprise);
    // An asset is in one list. An asset without a number cannot be named by a row.
    if (asset.assetNum !== '' && !state.assets.has(asset.assetNum)) state.addAsset(asset);
  }
  for (const [index, crmCustomerId] of crmCustomers.entries()) {
    const unknown = { channelCode: '', channelCustomerId: '', enterpriseGlobalId: '', isDefault: true };
    const described = { name: '', branchName: '', address: '' };
    state.addCustomer({ customerId: `CRM-GIVEN-${index + 1}`, crmCustomerId, ...unknown, ...described });
  }
}

function addCustomer(state: State, record: JsonObject): void {
  const field = (name: string): string => text(member(record, name));
  const customerId = field('customerId');
  const known = state.customers.get(customerId);
  const [channelCode, channelCustomerId] = [field('channelCode'), field('channelCustomerId')];
  if (known?.channelCode === channelCode && known.channelCustomerId === channelCustomerId) return;
  const enterpriseGlobalId = field('enterpriseGlobalId');
  const name = field('enterpriseName');
  if (enterpriseGlobalId !== '' && !state.enterprises.has(enterpriseGlobalId)) {
    state.addEnterprise({ id: enterpriseGlobalId, name, members: [] });
  }
  state.addCustomer({
    customerId,
    crmCustomerId: '',
    channelCode,
    channelCustomerId,
    enterpriseGlobalId,
    isDefault: isTrue(member(record, 'isDefault')),
    name,
    branchName: '',
    address: '',
  });
}

function assetOf(record: JsonObject, enterpriseGlobalId: string): Asset {
  const extended = member(record, 'assetExtends');
  return {
    assetNum: text(member(record, 'assetNum')),
    licenseType: text(member(record, 'licenseType')),
    licenseOrderId: '',
    createdAt: 0,
    updatedAt: 0,
    customerId: text(member(record, 'customerId')),
    enterpriseGlobalId,
    locked: isTrue(member(record, 'locked')),
    freezing: isTrue(member(record, 'freezing')),
    borrowed: isTrue(member(record, 'borrowedUsbKey')),
    limitStart: member(record, 'limitStartTime') ?? undefined,
    limitEnd: member(record, 'limitEndTime') ?? undefined,
    extends: (Array.isArray(extended) ? (extended as readonly Json[]) : []).map((extension) => ({
      extendCode: text(member(extension, 'extendCode')),
      extendValue: text(member(extension, 'extendValue')),
    })),
    products: [],
    asRead: record,
  };
}
