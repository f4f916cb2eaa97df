import { type Message, message } from '../../errors/message.js';
import type { Ledger, Run, UnknownItem } from '../../ledger/contract.js';
import type { Connection } from '../../model/connection.js';
import { type Answer, Inquiry } from '../../platform/client/inquiry.js';
import { operationNamed } from '../../platform/operations/index.js';
import type { Clock } from '../../util/clock.js';
import { operationOf } from '../existing-run.js';
import { locatePlatform } from '../platform.js';
import { unpackSettings } from '../settings.js';
import { judgeAssets } from './assets.js';
import { judgeCustomer } from './customer.js';
import type { Finding, Timing } from './finding.js';
import { assetNumbers, type Lookup, lookupOf, requestOf } from './lookup.js';

export interface VerifyParts {
  readonly ledger: Ledger;
  readonly stateFolder: string;
  readonly clock: Clock;
  readonly run: Run;
  readonly connection: Connection;
}

export interface FoundItem {
  readonly item: UnknownItem;
  readonly finding: Finding;
}

type Asked = Exclude<Lookup, { kind: 'none' }>;

/** What the platform tells of each item, answer by answer: one request for all items of an enterprise or customer. */
export async function* verifyItems(
  parts: VerifyParts,
  items: readonly UnknownItem[],
): AsyncGenerator<readonly FoundItem[]> {
  const operation = operationOf(parts.run);
  const left: FoundItem[] = [];
  const groups = new Map<string, { item: UnknownItem; lookup: Asked }[]>();
  for (const item of items) {
    const lookup = lookupOf(operation, item);
    if (lookup.kind === 'none') {
      left.push({ item, finding: { kind: 'left', reason: lookup.reason } });
      continue;
    }
    const key = JSON.stringify(requestOf(lookup));
    const group = groups.get(key) ?? [];
    groups.set(key, group);
    group.push({ item, lookup });
  }
  yield left;
  if (groups.size === 0) return;
  const moved = otherAddress(parts);
  if (moved) {
    yield [...groups.values()].flat().map(({ item }) => ({ item, finding: { kind: 'left', reason: moved } }));
    return;
  }
  const platform = await locatePlatform(parts.connection, parts.stateFolder);
  try {
    if (platform.inProcess) {
      const finding = { kind: 'left', reason: message('resolve.sandbox_gone') } as const;
      yield [...groups.values()].flat().map(({ item }) => ({ item, finding }));
      return;
    }
    const { job } = unpackSettings(parts.run.settings);
    const { createClient } = await import('../../platform/client/client.js');
    const client = await createClient({ connection: platform.connection, concurrency: 1 });
    try {
      const inquiry = new Inquiry({ client, connection: platform.connection, job, clock: parts.clock });
      const shared = await sharedNumbers(parts, [...groups.values()].flat());
      for (const group of groups.values()) {
        const { operation, fields } = requestOf(group[0]!.lookup);
        const answer = await inquiry.ask(operationNamed(operation), fields);
        yield group.map(({ item, lookup }) => ({
          item,
          finding: unlessAsync(
            item,
            findingOf(lookup, answer, shared, parts.connection, { ...item, now: parts.clock.now() }),
          ),
        }));
      }
    } finally {
      await client.close();
    }
  } finally {
    await platform.close();
  }
}

/** Another platform under the same name knows nothing of what was sent: absence there would be no proof. */
function otherAddress({ run, connection }: VerifyParts): Message | undefined {
  const { baseUrl: before } = unpackSettings(run.settings).connection;
  const { baseUrl: now } = connection;
  if (before === now || before === undefined || now === undefined) return undefined;
  return message('resolve.other_address', { connection: connection.name, before, now });
}

/** An order that the platform may take its time for isn't settled by its absence. */
function unlessAsync({ envelope }: UnknownItem, finding: Finding): Finding {
  if (envelope.syncMode !== 'async' || finding.kind === 'left' || finding.status !== 'failed') return finding;
  return { kind: 'left', reason: message('resolve.async_absent') };
}

function findingOf(
  lookup: Asked,
  answer: Answer,
  shared: ReadonlySet<string>,
  { timestamps: unit }: Connection,
  timing: Timing,
): Finding {
  if (answer.kind === 'none')
    return { kind: 'left', reason: message('resolve.no_answer'), detail: answer.detail };
  const { records } = answer;
  if (lookup.kind === 'customer') return judgeCustomer(lookup, records, timing);
  return judgeAssets(lookup, { records, unit, shared }, timing);
}

/** Asset numbers of the items asked for that other orders of the run name too. */
async function sharedNumbers(
  { ledger, run }: VerifyParts,
  asked: readonly { readonly lookup: Asked }[],
): Promise<ReadonlySet<string>> {
  const times = new Map<string, number>();
  for (const { lookup } of asked) {
    if (lookup.kind === 'assets') for (const number of lookup.numbers) times.set(number, 0);
  }
  if (times.size === 0) return new Set();
  for await (const { body } of ledger.plan.bodies(run.id)) {
    for (const number of assetNumbers(body)) {
      const before = times.get(number);
      if (before !== undefined) times.set(number, before + 1);
    }
  }
  return new Set([...times].filter(([, n]) => n > 1).map(([number]) => number));
}
