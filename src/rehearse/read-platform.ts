import { type Message, message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import { type JsonObject, member } from '../model/json.js';
import type { OperationName } from '../model/operation.js';
import type { Inquiry } from '../platform/client/inquiry.js';
import { operationNamed } from '../platform/operations/index.js';
import type { StopSignal } from '../util/stop-signal.js';
import type { Collected } from './collect.js';
import type { ReadThings } from './fill-sandbox.js';

/** Things without an answer that are named. */
const NAMED = 10;

interface Reading {
  readonly inquiry: Inquiry;
  readonly concurrency: number;
  readonly stop: StopSignal;
  readonly progress: (done: number) => void;
}

/**
 * Reads what the rows touch: by inquiries alone, each thing once.
 * @returns undefined where it was interrupted
 * @throws ProductError usage where something could not be read: what was carried out then would tell nothing
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
  const over = (): boolean => reading.stop.cause !== undefined || reading.inquiry.stopped !== undefined;
  await forEach(touched.customers, reading.concurrency, over, async (customer) => {
    const request = { ...customer, defaultCustomer: 'N' };
    const name = `${customer.channelCode} ${customer.channelCustomerId}`;
    for (const record of await ask('enterprise.query', request, name)) {
      // It was asked for by these: the sandbox must find it so again.
      customers.push({ ...record, ...customer });
      if (touchesAssets) touched.addEnterprise(member(record, 'enterpriseGlobalId'));
    }
  });
  if (touchesAssets) {
    await forEach(touched.enterprises, reading.concurrency, over, async (enterprise) => {
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

/** So many at a time; what is added to a set meanwhile is taken too. */
async function forEach<T>(
  things: Iterable<T>,
  concurrency: number,
  over: () => boolean,
  work: (thing: T) => Promise<void>,
): Promise<void> {
  const rest = things[Symbol.iterator]();
  const worker = async (): Promise<void> => {
    while (!over()) {
      const next = rest.next();
      if (next.done) return;
      await work(next.value);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
}
