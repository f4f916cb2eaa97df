import { type Message, message } from '../../errors/message.js';
import type { Ledger } from '../../ledger/contract/ledger.js';
import type { UnknownItem } from '../../ledger/contract/resolutions.js';
import type { Run } from '../../ledger/contract/run.js';
import { scopeOf, shownPlatform } from '../../ledger/rules/scopes.js';
import type { Connection } from '../../model/connection.js';
import type { VerifyQuestion } from '../../model/verify-question.js';
import { type Answer, Inquiry } from '../../platform/client/inquiry.js';
import type { PauseNews } from '../../platform/client/request-gate.js';
import { operationNamed } from '../../platform/operations/index.js';
import type { Clock } from '../../util/clock.js';
import { groupedBy } from '../../util/grouped-by.js';
import { assetThing, channelCustomer, keyOf, type ThingKey } from '../named-things.js';
import { locatePlatform } from '../open-platform.js';
import { operationOf } from '../run-checks.js';
import { unpackSettings } from '../settings.js';
import { type ItemFacts, judgeAssets } from './assets.js';
import { attemptSpans } from './attempt-span.js';
import { judgeCustomer } from './customer.js';
import { LedgerEvidence } from './ledger-evidence.js';
import type { Verification } from './verification.js';
import { questionOf, requestOf } from './verify-question.js';

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

type AskableQuestion = Exclude<VerifyQuestion, { kind: 'none' }>;

interface Unverified {
  readonly item: UnknownItem;
  readonly question: AskableQuestion;
}

/** Only records about the item are kept: an enterprise may have a hundred thousand assets. */
interface Answered extends Unverified {
  readonly answer: Answer;
}

/** Asks the platform about each item, once for all items of an enterprise or customer. */
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
  const answered = await askAll(services, [...groups.values()]);
  if (!Array.isArray(answered)) {
    return [...found, ...[...groups.values()].flat().map(({ item }) => ({ item, finding: answered }))];
  }
  const told = answered.filter((it) => it.answer.kind === 'records');
  const wanted = new Set(told.flatMap(({ question }) => keysOf(question)));
  const evidence = await LedgerEvidence.read(services.ledger, services.connection, wanted);
  return [...found, ...answered.map((it) => ({ item: it.item, finding: findingOf(services, it, evidence) }))];
}

/** The answer to each question, or why the platform can't be asked. */
async function askAll(
  services: VerifyServices,
  groups: readonly (readonly Unverified[])[],
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
        const { operation, fields } = requestOf(group[0]!.question);
        const answer = await inquiry.ask(operationNamed(operation), fields);
        for (const it of group) answered.push({ ...it, answer: answerFor(it.question, answer) });
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
  const kept = unpackSettings(run.settings).connection;
  if (kept.baseUrl === undefined || connection.baseUrl === undefined) return undefined;
  if (scopeOf(kept) === scopeOf(connection)) return undefined;
  const [before, now] = [shownPlatform(kept), shownPlatform(connection)];
  return message('resolve.other_address', { connection: connection.name, before, now });
}

function keysOf(question: AskableQuestion): readonly ThingKey[] {
  if (question.kind === 'assets') return question.numbers.map((it) => keyOf(assetThing(it)));
  return [keyOf(channelCustomer(question.channelCode, question.channelCustomerId))];
}

function answerFor(question: AskableQuestion, answer: Answer): Answer {
  if (answer.kind === 'none' || question.kind === 'customer') return answer;
  const numbers = new Set(question.numbers);
  return { ...answer, records: answer.records.filter((it) => numbers.has(String(it.assetNum ?? ''))) };
}

function findingOf(
  { run, connection, clock }: VerifyServices,
  { item, question, answer }: Answered,
  evidence: LedgerEvidence,
): Verification {
  if (answer.kind === 'none') {
    return { kind: 'left', reason: message('resolve.no_answer'), detail: answer.detail };
  }
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
