import { type Message, message } from '../../errors/message.js';
import type { Ledger } from '../../ledger/contract/ledger.js';
import type { UnknownItem } from '../../ledger/contract/resolutions.js';
import type { Run } from '../../ledger/contract/run.js';
import type { Connection } from '../../model/connection.js';
import type { Lookup } from '../../model/lookup.js';
import { type Answer, Inquiry } from '../../platform/client/inquiry.js';
import type { PauseNews } from '../../platform/client/request-gate.js';
import { operationNamed } from '../../platform/operations/index.js';
import type { Clock } from '../../util/clock.js';
import { groupedBy } from '../../util/grouped-by.js';
import { locatePlatform } from '../open-platform.js';
import { operationOf } from '../run-checks.js';
import { unpackSettings } from '../settings.js';
import { type ItemFacts, judgeAssets } from './assets.js';
import { attemptSpans } from './attempt-span.js';
import { judgeCustomer } from './customer.js';
import { LedgerEvidence } from './ledger-evidence.js';
import { lookupOf, requestOf } from './lookup.js';
import { assetKey, customerKey, type ThingKey } from './named-things.js';
import type { Verification } from './verification.js';

interface VerifyServices {
  readonly ledger: Ledger;
  readonly stateFolder: string;
  readonly clock: Clock;
  /** Where credentials are looked for; the process's own when absent. */
  readonly env?: NodeJS.ProcessEnv;
  readonly run: Run;
  readonly connection: Connection;
  /** Called when the platform asks for a pause, and with undefined when the pause is over. */
  readonly paused?: (pause: PauseNews | undefined) => void;
}

interface FoundItem {
  readonly item: UnknownItem;
  readonly finding: Verification;
}

type PlatformLookup = Exclude<Lookup, { kind: 'none' }>;

interface Question {
  readonly item: UnknownItem;
  readonly lookup: PlatformLookup;
}

/** Only records about the item are kept: an enterprise may have a hundred thousand assets. */
interface Answered extends Question {
  readonly answer: Answer;
}

/** Asks the platform about each item, once for all items of an enterprise or customer. */
export async function verifyItems(
  services: VerifyServices,
  items: readonly UnknownItem[],
): Promise<readonly FoundItem[]> {
  const operation = operationOf(services.run);
  const found: FoundItem[] = [];
  const questions: Question[] = [];
  for (const item of items) {
    const lookup = lookupOf(operation, item);
    if (lookup.kind === 'none') {
      found.push({ item, finding: { kind: 'left', reason: lookup.reason } });
      continue;
    }
    questions.push({ item, lookup });
  }
  if (questions.length === 0) return found;
  const groups = groupedBy(questions, ({ lookup }) => JSON.stringify(requestOf(lookup)));
  const answered = await askAll(services, [...groups.values()]);
  if (!Array.isArray(answered)) {
    return [...found, ...[...groups.values()].flat().map(({ item }) => ({ item, finding: answered }))];
  }
  const told = answered.filter((it) => it.answer.kind === 'records');
  const wanted = new Set(told.flatMap(({ lookup }) => keysOf(lookup)));
  const evidence = await LedgerEvidence.read(services.ledger, services.connection, wanted);
  return [...found, ...answered.map((it) => ({ item: it.item, finding: findingOf(services, it, evidence) }))];
}

/** The answer to each question, or why the platform can't be asked. */
async function askAll(
  services: VerifyServices,
  groups: readonly (readonly Question[])[],
): Promise<Answered[] | Verification> {
  const moved = otherAddress(services);
  if (moved) return { kind: 'left', reason: moved };
  const platform = await locatePlatform(services.connection, services.stateFolder);
  try {
    if (platform.inProcess) return { kind: 'left', reason: message('resolve.sandbox_gone') };
    const { job } = unpackSettings(services.run.settings);
    const { createClient } = await import('../../platform/client/client.js');
    const client = await createClient({
      connection: platform.connection,
      concurrency: 1,
      env: services.env,
    });
    const answered: Answered[] = [];
    try {
      const inquiry = new Inquiry({
        client,
        connection: platform.connection,
        job,
        clock: services.clock,
        tell: services.paused,
      });
      for (const group of groups) {
        const { operation, fields } = requestOf(group[0]!.lookup);
        const answer = await inquiry.ask(operationNamed(operation), fields);
        for (const it of group) answered.push({ ...it, answer: answerFor(it.lookup, answer) });
      }
    } finally {
      await client.close();
    }
    return answered;
  } finally {
    await platform.close();
  }
}

/**
 * Why the platform can't be asked: the connection leads to another address now, and that platform knows nothing of what
 * was sent.
 */
function otherAddress({ run, connection }: VerifyServices): Message | undefined {
  const { baseUrl: before } = unpackSettings(run.settings).connection;
  const { baseUrl: now } = connection;
  if (before === now || before === undefined || now === undefined) return undefined;
  return message('resolve.other_address', { connection: connection.name, before, now });
}

function keysOf(lookup: PlatformLookup): readonly ThingKey[] {
  if (lookup.kind === 'assets') return lookup.numbers.map(assetKey);
  return [customerKey(lookup.channelCode, lookup.channelCustomerId)];
}

function answerFor(lookup: PlatformLookup, answer: Answer): Answer {
  if (answer.kind === 'none' || lookup.kind === 'customer') return answer;
  const numbers = new Set(lookup.numbers);
  return { ...answer, records: answer.records.filter((it) => numbers.has(String(it.assetNum ?? ''))) };
}

function findingOf(
  { run, connection, clock }: VerifyServices,
  { item, lookup, answer }: Answered,
  evidence: LedgerEvidence,
): Verification {
  if (answer.kind === 'none') {
    return { kind: 'left', reason: message('resolve.no_answer'), detail: answer.detail };
  }
  const facts: ItemFacts = {
    attempts: attemptSpans(item, unpackSettings(run.settings).job.run.timeoutMs),
    unit: connection.timestamps,
    evidence: evidence.of(run.id, item),
    now: clock.now(),
  };
  const { records } = answer;
  return lookup.kind === 'customer'
    ? judgeCustomer(lookup, records, facts)
    : judgeAssets(lookup, records, facts);
}
