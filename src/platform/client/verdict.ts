import { type Message, message } from '../../errors/message.js';
import type { ItemOutcome } from '../../model/item.js';
import { isObject, type Json, member } from '../../model/json.js';
import type { Operation, ReplyShape, WireRequest } from '../../model/operation.js';
import { plainText } from '../../util/text.js';
import type { AttemptEvent, LostReason, ReplyHead, UnsentReason } from './attempt-event.js';
import { pauseOf, pauseText, type RequestedPause } from './platform-pause.js';
import {
  codeOf,
  type ParsedJson,
  type PlatformText,
  parseReply,
  refusal,
  refusalText,
  statusText,
} from './reply-json.js';

/**
 * What to do after one attempt.
 * - `settled`: one outcome per item. Items without an outcome (repeatable operations only, never on the last attempt)
 *   are sent again in a separate request. `streak`: three in a row with the same text stop the run. `exhausted`: the
 *   last attempt would have been retried, so the platform gave no definite reply.
 * - retry: send the same batch again. `otherwise` is the outcome of all items if no further attempt is allowed. Never
 *   on the last attempt, except with a `pause`: the next attempt waits for the time that the platform requested and
 *   does not count as a retry.
 * - stop: all items get `outcome`, and the run stops with `reason`.
 */
export type Verdict =
  | {
      readonly kind: 'settled';
      readonly outcomes: readonly (ItemOutcome | undefined)[];
      readonly warnings: readonly Message[];
      readonly streak?: string;
      readonly exhausted?: true;
      /** The reply has records, but none of them matches the request. */
      readonly noMatch?: Message;
    }
  | {
      readonly kind: 'retry';
      readonly pause?: RequestedPause;
      readonly otherwise: ItemOutcome;
      /** The request may have taken effect: if the run stops now, the items get `otherwise`, not `not_sent`. */
      readonly uncertain: boolean;
      /** `dns`, `timeout`, `http_429`, `code_500`, … */
      readonly cause: string;
    }
  | { readonly kind: 'stop'; readonly outcome: ItemOutcome; readonly reason: Message };

export interface JudgeOptions {
  /** How business code 500 is treated for operations that are not repeatable (contract section 5). */
  readonly retryCode500: 'retry' | 'repeatable';
  readonly lastAttempt: boolean;
}

/** Whether the platform gave an answer: a stop, or not all items are `failed` or `unknown`. */
export function isAnswer(verdict: Verdict): boolean {
  if (verdict.kind !== 'settled') return verdict.kind === 'stop';
  return !verdict.outcomes.every((it) => it?.status === 'failed' || it?.status === 'unknown');
}

interface Case {
  readonly operation: Operation;
  readonly sent: WireRequest;
  readonly items: number;
  readonly options: JudgeOptions;
}

/**
 * Determines the verdict on one attempt by the event table (docs/outcomes.md, contract section 5). Pure.
 * `sent`: the request as it was sent; `itemCount`: the number of its items.
 */
export function judge(
  operation: Operation,
  sent: WireRequest,
  itemCount: number,
  event: AttemptEvent,
  options: JudgeOptions,
): Verdict {
  const attempt: Case = { operation, sent, items: itemCount, options };
  switch (event.kind) {
    case 'unsent':
      return judgeUnsent(attempt, event.reason, event.detail);
    case 'lost': {
      const { httpStatus } = event;
      const head = httpStatus === undefined ? undefined : { ...event, httpStatus };
      // Some statuses decide without a body, so they apply although the body was lost.
      const decided = head && judgeStatus(attempt, head, undefined);
      return (
        decided ?? uncertainVerdict(attempt, lostMessage(event.reason, event.detail), event.reason, head)
      );
    }
    case 'reply':
      return judgeReply(attempt, event, event.text);
  }
}

function judgeUnsent(attempt: Case, reason: UnsentReason, detail: string): Verdict {
  const text = message(`platform.unsent_${reason}`, { detail: plainText(detail, 500) });
  if (reason === 'unsendable') return all(attempt, { status: 'failed', message: text });
  const status = reason === 'aborted' ? 'not_sent' : 'failed';
  return retry(attempt, { status, message: text }, { cause: reason, uncertain: false });
}

function lostMessage(reason: LostReason, detail: string): Message {
  return message(`platform.lost_${reason}`, { detail: plainText(detail, 500) });
}

function judgeReply(attempt: Case, head: ReplyHead, text: string): Verdict {
  const { httpStatus } = head;
  const parsed = parseReply(text, attempt.operation.endpoint);
  // Computed only if necessary: the texts of a success are not used.
  const readTexts = (): PlatformText => refusalText(parsed, text);
  const contradictory = contradiction(attempt, httpStatus, parsed, text);
  if (contradictory) return unbelieved(attempt, head, contradictory);
  if (httpStatus < 200 || httpStatus > 299) {
    const texts = readTexts();
    const decided = judgeStatus(attempt, head, texts);
    if (decided) return decided;
    const params = { status: httpStatus, text: statusText(texts, httpStatus) };
    return uncertainVerdict(attempt, message('platform.http_error', params), `http_${httpStatus}`, head);
  }
  if (httpStatus === 299) return judge299(attempt, head, readTexts());
  if (!parsed.ok) {
    const detail = plainText(parsed.detail, 200);
    return uncertainVerdict(attempt, message('platform.not_json', { detail }), 'not_json', head);
  }
  return attempt.operation.endpoint.service === 'activity'
    ? judgeActivity(attempt, head, parsed.value, readTexts)
    : judgeEnvelope(attempt, head, parsed.value, readTexts);
}

/** Statuses that decide without the body; undefined for those that need it or are uncertain (408, 5xx). */
function judgeStatus(attempt: Case, head: ReplyHead, texts: PlatformText | undefined): Verdict | undefined {
  const status = head.httpStatus;
  const text = statusText(texts, status);
  const code = String(status);
  if (status === 401 || status === 403) {
    const scope = attempt.operation.endpoint.service === 'activity' ? 'auth_activity' : 'auth_order';
    const reason =
      status === 401
        ? message('platform.unauthorized', { text })
        : message('platform.forbidden', { text, scope });
    return { kind: 'stop', outcome: { status: 'not_sent', code, message: reason }, reason };
  }
  if (status >= 300 && status <= 399) {
    const location = plainText(head.location ?? '-', 300);
    const reason = message('platform.redirected', { status, location });
    // Danger: a 303 may follow a POST that was executed.
    const outcomeStatus = attempt.operation.repeatable ? 'failed' : 'unknown';
    return { kind: 'stop', outcome: { status: outcomeStatus, code, message: reason }, reason };
  }
  if (status === 429) {
    const asked = pauseText(head);
    const outcome = {
      status: 'not_sent',
      code,
      message: message('platform.asked_to_wait', { asked }),
    } as const;
    return retry(attempt, outcome, { cause: 'http_429', uncertain: false, head });
  }
  if (status >= 400 && status <= 499 && status !== 408) {
    const outcome = {
      status: 'rejected',
      code: texts?.code ?? code,
      message: message('platform.http_rejected', { status, text }),
    } as const;
    return { ...all(attempt, outcome), streak: `HTTP ${status}` };
  }
  return undefined;
}

/**
 * Why a reply conflicts with itself: an object has a member twice with different values, or the reply refuses the request
 * and proves that it was executed. Danger: if the item were reported as rejected, a user would send the order again, or
 * the run itself would, if the refusal asks for a retry.
 */
function contradiction(attempt: Case, status: number, parsed: ParsedJson, text: string): Message | undefined {
  const refuses = status === 299 || (status >= 400 && status <= 499 && status !== 408);
  if (!parsed.ok) return refuses ? brokenProof(attempt, status, text) : undefined;
  if (parsed.conflict !== undefined)
    return message('platform.conflicting_member', { name: plainText(parsed.conflict, 100) });
  const code = codeOf(parsed.value);
  const successful = code === '0' || code === '0000';
  const isActivity = attempt.operation.endpoint.service === 'activity';
  if (!refuses && (code === '0' || (isActivity && successful))) return undefined;
  if (refuses && successful) return conflict(attempt, `HTTP ${status}`, `code ${code}`);
  const proof = code === undefined && !refuses ? undefined : provenBy(attempt, parsed.value);
  if (proof === undefined) return undefined;
  const refused = code === undefined ? `HTTP ${status}` : `code ${code}`;
  return conflict(attempt, refused, proof);
}

/** A refusal in broken JSON, or JSON followed by other text, that still shows a success (`{"code":0,"data":[{"seq`). */
function brokenProof(attempt: Case, status: number, text: string): Message | undefined {
  const proof = /^\s*\{.*?"(?:code|resultCode)"\s*:\s*("?)(0+)\1\s*[,}]/su.exec(text)?.[2];
  if (proof === undefined) return undefined;
  return conflict(attempt, `HTTP ${status}`, `code ${proof}`);
}

function conflict({ operation }: Case, refusal: string, proof: string): Message {
  const code = operation.repeatable ? 'platform.refused_and_done_repeatable' : 'platform.refused_and_done';
  return message(code, { refusal, proof });
}

/** The part of a refusal that proves execution: an id, a number or a record that only a success has. */
function provenBy({ operation, sent, items }: Case, body: Json): string | undefined {
  if (operation.endpoint.method === 'GET') return undefined;
  const { service, reply } = operation.endpoint;
  const found =
    service === 'activity' ? { ...(isObject(body) ? body : {}), resultCode: '0000' } : member(body, 'data');
  // Some gateways return the object itself for a single order.
  const data = reply.kind === 'object array' && isObject(found) ? [found] : found;
  if (data === undefined || reply.kind === 'none' || !hasKind(data, reply.kind)) return undefined;
  for (const outcome of operation.read(data, sent, items).outcomes) {
    if (outcome?.licenseOrderId !== undefined) return `licenseOrderId ${outcome.licenseOrderId}`;
    if (outcome?.status === 'rejected' || outcome?.status === 'failed') continue;
    const [column] = Object.entries(outcome?.columns ?? {}).filter(([, value]) => value !== '0');
    if (column) return column.join(' ');
  }
  return undefined;
}

/** A contradictory reply: its status applies if it stops or delays all requests, but says nothing about the items. */
function unbelieved(attempt: Case, head: ReplyHead, text: Message): Verdict {
  const byStatus = judgeStatus(attempt, head, undefined);
  if (byStatus && byStatus.kind !== 'settled' && attempt.operation.repeatable) return byStatus;
  const verdict = uncertainVerdict(attempt, text, 'contradiction', head);
  if (byStatus?.kind !== 'stop') return verdict;
  const code = String(head.httpStatus);
  return { ...byStatus, outcome: { status: 'unknown', code, message: text } };
}

/** HTTP 299 is a refusal whatever its body contains, unless the body proves success. */
function judge299(attempt: Case, head: ReplyHead, texts: PlatformText): Verdict {
  if (texts.code === '500') return code500(attempt, head, texts);
  return rejected(attempt, texts, texts.code ?? '299');
}

/** Order service: `code`, `message`, `data` (§4.1.6). */
function judgeEnvelope(attempt: Case, head: ReplyHead, body: Json, readTexts: () => PlatformText): Verdict {
  const code = member(body, 'code') === undefined ? undefined : codeOf(body);
  if (code === undefined) return wrongShape(attempt, head, 'code');
  if (code === '500') return code500(attempt, head, readTexts());
  // `0000` written as a number becomes 0. Treated as a refusal, an executed order would be sent again by a user.
  if (code !== '0' && Number(code) === 0) return wrongShape(attempt, head, 'code: 0');
  if (code !== '0') return rejected(attempt, readTexts(), code);
  const { reply } = attempt.operation.endpoint;
  const data = member(body, 'data');
  if (reply.kind === 'none') return read(attempt, head, data ?? null);
  if (data === undefined) {
    const status = attempt.operation.repeatable ? 'failed' : 'unknown';
    return all(attempt, { status, code, message: message('platform.no_data') });
  }
  return hasKind(data, reply.kind)
    ? read(attempt, head, data)
    : wrongShape(attempt, head, `data: ${reply.kind}`);
}

/** Activity service: a separate result object, HTTP 200 for every outcome (§4.9). */
function judgeActivity(attempt: Case, head: ReplyHead, body: Json, readTexts: () => PlatformText): Verdict {
  if (member(body, 'resultCode') !== undefined) return read(attempt, head, body);
  const texts = readTexts();
  // A gateway in front of both services may refuse in the format of the order service.
  if (texts.code === undefined || texts.code === '0') return wrongShape(attempt, head, 'resultCode');
  return texts.code === '500' ? code500(attempt, head, texts) : rejected(attempt, texts, texts.code);
}

function hasKind(data: Json, kind: ReplyShape['kind']): boolean {
  const isArray = Array.isArray(data);
  return kind === 'object' ? typeof data === 'object' && !isArray : isArray;
}

function read(attempt: Case, head: ReplyHead, reply: Json): Verdict {
  const { operation, sent, items, options } = attempt;
  const reading = operation.read(reply, sent, items);
  if (reading.malformed !== undefined) return wrongShape(attempt, head, reading.malformed);
  if (reading.unbelievable) return uncertainVerdict(attempt, reading.unbelievable, 'unbelievable', head);
  const outcomes: (ItemOutcome | undefined)[] = [];
  for (let index = 0; index < items; index += 1) {
    outcomes.push(reading.outcomes[index] ?? missing(operation, options));
  }
  const { warnings, noMatch } = reading;
  return { kind: 'settled', outcomes, warnings, ...(noMatch ? { noMatch } : {}) };
}

/** The outcome of an item that the reply does not mention; undefined: request it again. */
function missing({ repeatable }: Operation, { lastAttempt }: JudgeOptions): ItemOutcome | undefined {
  if (repeatable && !lastAttempt) return undefined;
  return { status: repeatable ? 'failed' : 'unknown', message: message('platform.missing_in_reply') };
}

function code500(attempt: Case, head: ReplyHead, texts: PlatformText): Verdict {
  const text = message('platform.busy', { text: texts.text || texts.cause || '-' });
  const { repeatable } = attempt.operation;
  const outcome: ItemOutcome = { status: repeatable ? 'failed' : 'unknown', code: '500', message: text };
  if (!repeatable && attempt.options.retryCode500 === 'repeatable') return all(attempt, outcome);
  return retry(attempt, outcome, { cause: 'code_500', uncertain: true, head });
}

function rejected(attempt: Case, texts: PlatformText, code: string): Verdict {
  return all(attempt, { status: 'rejected', code, message: refusal(texts, code) });
}

function wrongShape(attempt: Case, head: ReplyHead, detail: string): Verdict {
  return uncertainVerdict(
    attempt,
    message('platform.wrong_shape', { detail: plainText(detail, 300) }),
    'wrong_shape',
    head,
  );
}

/** The request was sent and its outcome is uncertain: it is sent again only if the operation is repeatable. */
function uncertainVerdict(attempt: Case, text: Message, cause: string, head: ReplyHead | undefined): Verdict {
  const code = head === undefined ? {} : { code: String(head.httpStatus) };
  if (!attempt.operation.repeatable) return all(attempt, { status: 'unknown', ...code, message: text });
  return retry(attempt, { status: 'failed', ...code, message: text }, { cause, uncertain: true, head });
}

interface Again {
  readonly cause: string;
  readonly uncertain: boolean;
  /** Status line and headers, if they were received. */
  readonly head?: ReplyHead | undefined;
}

function retry(attempt: Case, otherwise: ItemOutcome, { cause, uncertain, head }: Again): Verdict {
  const pause = head && pauseOf(head);
  if (pause) return { kind: 'retry', otherwise, cause, uncertain, pause };
  if (attempt.options.lastAttempt) return { ...all(attempt, otherwise), exhausted: true };
  return { kind: 'retry', otherwise, cause, uncertain };
}

function all(attempt: Case, outcome: ItemOutcome): Extract<Verdict, { kind: 'settled' }> {
  return { kind: 'settled', outcomes: Array.from({ length: attempt.items }, () => outcome), warnings: [] };
}
