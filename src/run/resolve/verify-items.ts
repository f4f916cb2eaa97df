import { type Message, message } from '../../errors/message.js';
import type { Ledger } from '../../ledger/contract/ledger.js';
import type { UnknownItem } from '../../ledger/contract/resolutions.js';
import type { Run } from '../../ledger/contract/runs.js';
import { scopeOf, shownPlatform } from '../../ledger/rules/scopes.js';
import type { Connection } from '../../model/connection.js';
import type { JsonObject } from '../../model/json.js';
import type { ItemContent, Operation, OperationName, VerifyQuestion } from '../../model/operation.js';
import type { Thing } from '../../model/thing.js';
import { type Answer, Inquiry } from '../../platform/client/inquiry.js';
import type { PauseEvent } from '../../platform/client/request-gate.js';
import { operationNamed } from '../../platform/operations/catalogue.js';
import type { Clock } from '../../util/clock.js';
import { groupedBy } from '../../util/grouped-by.js';
import { assetThing, channelCustomer } from '../named-things.js';
import { locatePlatform } from '../open-platform.js';
import { operationOf } from '../run-checks.js';
import { unpackSettings } from '../settings.js';
import { attemptSpans, type Verification } from './created-by-attempt.js';
import { type ItemFacts, judgeAssets, judgeCustomer } from './judge-records.js';
import { LedgerEvidence } from './ledger-evidence.js';

interface VerifyServices {
  readonly ledger: Ledger;
  readonly stateFolder: string;
  readonly clock: Clock;
  /** Source of credentials; default: the process's environment. */
  readonly env?: NodeJS.ProcessEnv;
  readonly run: Run;
  readonly connection: Connection;
  /** Called when the platform requests a wait, and with undefined at its end. */
  readonly paused?: (pause: PauseEvent | undefined) => void;
}

interface FoundItem {
  readonly item: UnknownItem;
  readonly finding: Verification;
}

type AskableQuestion = Exclude<VerifyQuestion, { kind: 'none' }>;

interface Unverified {
  readonly item: UnknownItem;
  readonly question: AskableQuestion;
}

/** Stores only records about the item, because an enterprise may have a hundred thousand assets. */
interface Queried extends Unverified {
  readonly answer: Answer;
}

/** Queries the platform for each item, with one request for all items of an enterprise or customer. */
export async function verifyItems(
  services: VerifyServices,
  items: readonly UnknownItem[],
): Promise<readonly FoundItem[]> {
  const operation = operationOf(services.run);
  const found: FoundItem[] = [];
  const questions: Unverified[] = [];
  for (const item of items) {
    const question = questionOf(operation, item);
    if (question.kind === 'none') {
      found.push({ item, finding: { kind: 'left', reason: question.reason } });
      continue;
    }
    questions.push({ item, question });
  }
  if (questions.length === 0) return found;
  const groups = groupedBy(questions, ({ question }) => JSON.stringify(requestOf(question)));
  const answered = await queryAll(services, [...groups.values()]);
  if (!Array.isArray(answered))
    return [...found, ...[...groups.values()].flat().map(({ item }) => ({ item, finding: answered }))];
  const replied = answered.filter((item) => item.answer.kind === 'records');
  const things = replied.flatMap(({ question }) => thingsOf(question));
  const evidence = await LedgerEvidence.read(services.ledger, services.connection, things);
  return [...found, ...answered.map((it) => ({ item: it.item, finding: findingOf(services, it, evidence) }))];
}

/** The reply to each question, or why the platform cannot be queried. */
async function queryAll(
  services: VerifyServices,
  groups: readonly (readonly Unverified[])[],
): Promise<Queried[] | Verification> {
  const moved = otherAddress(services);
  if (moved) return { kind: 'left', reason: moved };
  const platform = await locatePlatform(services.connection, services.stateFolder);
  try {
    if (platform.inProcess) return { kind: 'left', reason: message('resolve.sandbox_gone') };
    const { job } = unpackSettings(services.run.settings);
    const { createClient } = await import('../../platform/client/client.js');
    const client = await createClient({ connection: platform.connection, concurrency: 1, env: services.env });
    const answered: Queried[] = [];
    try {
      const inquiry = new Inquiry({
        client,
        connection: platform.connection,
        job,
        clock: services.clock,
        onPause: services.paused,
      });
      for (const group of groups) {
        const { operation, fields } = requestOf(group[0]!.question);
        const answer = await inquiry.ask(operationNamed(operation), fields);
        for (const asked of group) answered.push({ ...asked, answer: answerFor(asked.question, answer) });
      }
    } finally {
      await client.close();
    }
    return answered;
  } finally {
    await platform.close();
  }
}

/** Why the platform cannot be queried: the connection has another address now, without any of the items. */
function otherAddress({ run, connection }: VerifyServices): Message | undefined {
  const planned = unpackSettings(run.settings).connection;
  if (planned.baseUrl === undefined || connection.baseUrl === undefined) return undefined;
  if (scopeOf(planned) === scopeOf(connection)) return undefined;
  const [before, now] = [shownPlatform(planned), shownPlatform(connection)];
  return message('resolve.other_address', { connection: connection.name, before, now });
}

function thingsOf(question: AskableQuestion): readonly Thing[] {
  if (question.kind === 'assets') return question.numbers.map(assetThing);
  return [channelCustomer(question.channelCode, question.channelCustomerId)];
}

function answerFor(question: AskableQuestion, answer: Answer): Answer {
  if (answer.kind === 'none' || question.kind === 'customer') return answer;
  const numbers = new Set(question.numbers);
  return { ...answer, records: answer.records.filter(({ assetNum }) => numbers.has(String(assetNum ?? ''))) };
}

function findingOf(
  { run, connection, clock }: VerifyServices,
  { item, question, answer }: Queried,
  evidence: LedgerEvidence,
): Verification {
  if (answer.kind === 'none')
    return { kind: 'left', reason: message('resolve.no_answer'), detail: answer.detail };
  const facts: ItemFacts = {
    attempts: attemptSpans(item, unpackSettings(run.settings).job.run.timeoutMs),
    unit: connection.timestamps,
    timezone: connection.timezone,
    evidence: evidence.of(run.id, item),
    now: clock.now(),
  };
  const { records } = answer;
  return question.kind === 'customer'
    ? judgeCustomer(question, records, facts)
    : judgeAssets(question, records, facts);
}

/** The question to the platform about an item, or why there is none. Pure. */
export function questionOf(operation: Operation, { body }: Pick<ItemContent, 'body'>): VerifyQuestion {
  return (
    operation.verifyBy?.(body) ?? {
      kind: 'none',
      reason: message('resolve.no_lookup', { operation: operation.name }),
    }
  );
}

/** Whether the platform can be queried about any item. Orders differ by licence type. Stops at the first. */
export async function isAnyVerifiable(
  operation: Operation,
  items: Iterable<Pick<ItemContent, 'body'>> | AsyncIterable<Pick<ItemContent, 'body'>>,
): Promise<boolean> {
  for await (const item of items) if (questionOf(operation, item).kind !== 'none') return true;
  return false;
}

/** The request for a question. Equal requests are sent once. */
function requestOf(question: Exclude<VerifyQuestion, { kind: 'none' }>): {
  readonly operation: OperationName;
  readonly fields: JsonObject;
} {
  if (question.kind === 'assets')
    return { operation: 'asset.list', fields: { enterpriseGlobalId: question.enterpriseGlobalId } };
  const { channelCode, channelCustomerId } = question;
  // N: all customers, not only the default one (§4.5).
  const fields = { channelCode, channelCustomerId, defaultCustomer: 'N' };
  return { operation: 'enterprise.query', fields };
}
