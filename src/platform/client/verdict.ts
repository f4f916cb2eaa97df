import { type Message, message } from '../../errors/message.js';
import { isObject, type Json, member } from '../../model/json.js';
import type { Operation, ReplyShape, WireRequest } from '../../model/operation.js';
import type { ItemOutcome } from '../../model/outcome.js';
import { plainText } from '../../util/plain-text.js';
import type { AttemptEvent, LostReason, ReplyHead, UnsentReason } from './attempt-event.js';
import type { ParsedJson } from './lossless.js';
import { askedBy, type PauseAsked, pauseText } from './platform-pause.js';
import { codeOf, refusal, type Said, statusText, whatItSays } from './refusal.js';
import { parseReply } from './reply-json.js';

/**
 * What follows from one attempt.
 * - settled: an outcome by item; undefined ones (repeatable operations only, never on the last attempt) are to be
 *   asked again in a request of their own. `streak`: three settled in a row with the same text stop the run;
 *   `exhausted`: the last attempt would have been retried, so the platform has not given its answer
 * - retry: send the same batch again; `otherwise` is what all items become when no further attempt may be made. Never
 *   on the last attempt, but for a `pause`: the platform asked to be left alone for a while, so the next attempt waits
 *   for that and counts as no retry
 * - stop: all items become `outcome`, and the run stops for the `reason`
 */
export type Verdict =
  | {
      readonly kind: 'settled';
      readonly outcomes: readonly (ItemOutcome | undefined)[];
      readonly warnings: readonly Message[];
      readonly streak?: string;
      readonly exhausted?: true;
      /** Records came, but all of them about something else. */
      readonly noMatch?: Message;
    }
  | {
      readonly kind: 'retry';
      readonly pause?: PauseAsked;
      readonly otherwise: ItemOutcome;
      /** It may have had an effect: a run that stops now must tell `otherwise`, not `not_sent`. */
      readonly doubtful: boolean;
      /** `dns`, `timeout`, `http_429`, `code_500`, … */
      readonly cause: string;
    }
  | { readonly kind: 'stop'; readonly outcome: ItemOutcome; readonly reason: Message };

export interface JudgeOptions {
  /** What business code 500 means to operations that are not repeatable (contract section 5). */
  readonly retryCode500: 'retry' | 'repeatable';
  /** No further attempt may follow. */
  readonly lastAttempt: boolean;
}

/** Whether the platform worked and replied, for one item at least: not if it asked to wait, or nothing is known. */
export function isAnswer(verdict: Verdict): boolean {
  if (verdict.kind !== 'settled') return verdict.kind === 'stop';
  return !verdict.outcomes.every((it) => it?.status === 'failed' || it?.status === 'unknown');
}

/** Carries what every rule below needs. */
interface Case {
  readonly operation: Operation;
  readonly sent: WireRequest;
  readonly items: number;
  readonly options: JudgeOptions;
}

/**
 * Says what one attempt means for its items: the event table (docs/outcomes.md, contract section 5). Pure.
 * `sent`: the request as it was sent; `itemCount`: the items it carried.
 */
export function judge(
  operation: Operation,
  sent: WireRequest,
  itemCount: number,
  event: AttemptEvent,
  options: JudgeOptions,
): Verdict {
  const it: Case = { operation, sent, items: itemCount, options };
  switch (event.kind) {
    case 'unsent':
      return judgeUnsent(it, event.reason, event.detail);
    case 'lost': {
      const { httpStatus } = event;
      const head = httpStatus === undefined ? undefined : { ...event, httpStatus };
      // A status that needs no body to be understood counts although the body was lost.
      const decided = head && judgeStatus(it, head, undefined);
      return decided ?? doubtful(it, lostMessage(event.reason, event.detail), event.reason, head);
    }
    case 'reply':
      return judgeReply(it, event, event.text);
  }
}

function judgeUnsent(it: Case, reason: UnsentReason, detail: string): Verdict {
  const text = message(`platform.unsent_${reason}`, { detail: plainText(detail, 500) });
  if (reason === 'unsendable') return all(it, { status: 'failed', message: text });
  const status = reason === 'aborted' ? 'not_sent' : 'failed';
  return retry(it, { status, message: text }, { cause: reason, doubtful: false });
}

function lostMessage(reason: LostReason, detail: string): Message {
  return message(`platform.lost_${reason}`, { detail: plainText(detail, 500) });
}

function judgeReply(it: Case, head: ReplyHead, text: string): Verdict {
  const { httpStatus } = head;
  const parsed = parseReply(text, it.operation.endpoint);
  // Nobody asks what a success says in words.
  const words = (): Said => whatItSays(parsed, text);
  const contradictory = contradiction(it, httpStatus, parsed);
  if (contradictory) return unbelieved(it, head, contradictory);
  if (httpStatus < 200 || httpStatus > 299) {
    const said = words();
    const decided = judgeStatus(it, head, said);
    if (decided) return decided;
    const params = { status: httpStatus, text: statusText(said, httpStatus) };
    return doubtful(it, message('platform.http_error', params), `http_${httpStatus}`, head);
  }
  if (httpStatus === 299) return judge299(it, head, words());
  if (!parsed.ok) {
    const detail = plainText(parsed.detail, 200);
    return doubtful(it, message('platform.not_json', { detail }), 'not_json', head);
  }
  return it.operation.endpoint.service === 'activity'
    ? judgeActivity(it, head, parsed.value, words)
    : judgeEnvelope(it, head, parsed.value, words);
}

/** Statuses that decide by themselves; undefined for those that need the body, or leave doubt (408, 5xx). */
function judgeStatus(it: Case, head: ReplyHead, said: Said | undefined): Verdict | undefined {
  const status = head.httpStatus;
  const text = statusText(said, status);
  const code = String(status);
  if (status === 401 || status === 403) {
    const scope = it.operation.endpoint.service === 'activity' ? 'auth_activity' : 'auth_order';
    const reason =
      status === 401
        ? message('platform.unauthorized', { text })
        : message('platform.forbidden', { text, scope });
    return { kind: 'stop', outcome: { status: 'not_sent', code, message: reason }, reason };
  }
  if (status >= 300 && status <= 399) {
    const location = plainText(head.location ?? '-', 300);
    const reason = message('platform.redirected', { status, location });
    // Danger: a 303 may follow a POST that was carried out.
    const doubt = it.operation.repeatable ? 'failed' : 'unknown';
    return { kind: 'stop', outcome: { status: doubt, code, message: reason }, reason };
  }
  if (status === 429) {
    const asked = pauseText(head);
    const outcome = {
      status: 'not_sent',
      code,
      message: message('platform.asked_to_wait', { asked }),
    } as const;
    return retry(it, outcome, { cause: 'http_429', doubtful: false, head });
  }
  if (status >= 400 && status <= 499 && status !== 408) {
    const outcome = {
      status: 'rejected',
      code: said?.code ?? code,
      message: message('platform.http_rejected', { status, text }),
    } as const;
    return { ...all(it, outcome), streak: `HTTP ${status}` };
  }
  return undefined;
}

/**
 * Why a reply cannot be believed: an object has a member twice with different values, or the reply refuses the request
 * and proves that it was executed. Danger: reported as refused, an order would be sent again by hand, and by the run
 * itself where the refusal asks for a retry.
 */
function contradiction(it: Case, status: number, parsed: ParsedJson): Message | undefined {
  if (!parsed.ok) return undefined;
  if (parsed.conflict !== undefined)
    return message('platform.conflicting_member', { name: plainText(parsed.conflict, 100) });
  const code = codeOf(parsed.value);
  const successful = code === '0' || code === '0000';
  const refuses = status === 299 || (status >= 400 && status <= 499 && status !== 408);
  const isActivity = it.operation.endpoint.service === 'activity';
  if (!refuses && (code === '0' || (isActivity && successful))) return undefined;
  if (refuses && successful)
    return message('platform.refused_and_done', { refusal: `HTTP ${status}`, proof: `code ${code}` });
  const proof = code === undefined && !refuses ? undefined : provenBy(it, parsed.value);
  if (proof === undefined) return undefined;
  const refused = code === undefined ? `HTTP ${status}` : `code ${code}`;
  return message('platform.refused_and_done', { refusal: refused, proof });
}

/** What in a refusal proves that the request was executed: an id, a number or a record that only a success has. */
function provenBy({ operation, sent, items }: Case, body: Json): string | undefined {
  if (operation.endpoint.method === 'GET') return undefined;
  const { service, reply } = operation.endpoint;
  const data =
    service === 'activity' ? { ...(isObject(body) ? body : {}), resultCode: '0000' } : member(body, 'data');
  if (data === undefined || reply.kind === 'none' || !hasKind(data, reply.kind)) return undefined;
  for (const outcome of operation.read(data, sent, items).outcomes) {
    if (outcome?.licenseOrderId !== undefined) return `licenseOrderId ${outcome.licenseOrderId}`;
    if (outcome?.status === 'rejected' || outcome?.status === 'failed') continue;
    const [column] = Object.entries(outcome?.columns ?? {}).filter(([, value]) => value !== '0');
    if (column) return column.join(' ');
  }
  return undefined;
}

/** A contradictory reply: its status counts where that stops or delays all requests, but says nothing of the items. */
function unbelieved(it: Case, head: ReplyHead, text: Message): Verdict {
  const byStatus = judgeStatus(it, head, undefined);
  if (byStatus && byStatus.kind !== 'settled' && it.operation.repeatable) return byStatus;
  const verdict = doubtful(it, text, 'contradiction', head);
  if (byStatus?.kind !== 'stop') return verdict;
  const code = String(head.httpStatus);
  return { ...byStatus, outcome: { status: 'unknown', code, message: text } };
}

/** HTTP 299 is a refusal whatever its body looks like, unless that proves success. */
function judge299(it: Case, head: ReplyHead, said: Said): Verdict {
  if (said.code === '500') return code500(it, head, said);
  return rejected(it, said, said.code ?? '299');
}

/** Order service: `code`, `message`, `data` (§4.1.6). */
function judgeEnvelope(it: Case, head: ReplyHead, body: Json, words: () => Said): Verdict {
  const code = member(body, 'code') === undefined ? undefined : codeOf(body);
  if (code === undefined) return wrongShape(it, head, 'code');
  if (code === '500') return code500(it, head, words());
  if (code !== '0') return rejected(it, words(), code);
  const { reply } = it.operation.endpoint;
  const data = member(body, 'data');
  if (reply.kind === 'none') return read(it, head, data ?? null);
  if (data === undefined) {
    const status = it.operation.repeatable ? 'failed' : 'unknown';
    return all(it, { status, code, message: message('platform.no_data') });
  }
  return hasKind(data, reply.kind) ? read(it, head, data) : wrongShape(it, head, `data: ${reply.kind}`);
}

/** Activity service: a result object of its own, HTTP 200 whatever the outcome (§4.9). */
function judgeActivity(it: Case, head: ReplyHead, body: Json, words: () => Said): Verdict {
  if (member(body, 'resultCode') !== undefined) return read(it, head, body);
  const said = words();
  // A gateway before both services may refuse in the order service's words.
  if (said.code === undefined || said.code === '0') return wrongShape(it, head, 'resultCode');
  return said.code === '500' ? code500(it, head, said) : rejected(it, said, said.code);
}

function hasKind(data: Json, kind: ReplyShape['kind']): boolean {
  const isArray = Array.isArray(data);
  return kind === 'object' ? typeof data === 'object' && !isArray : isArray;
}

function read(it: Case, head: ReplyHead, reply: Json): Verdict {
  const { operation, sent, items, options } = it;
  const reading = operation.read(reply, sent, items);
  if (reading.malformed !== undefined) return wrongShape(it, head, reading.malformed);
  if (reading.unbelievable) return doubtful(it, reading.unbelievable, 'unbelievable', head);
  const outcomes: (ItemOutcome | undefined)[] = [];
  for (let index = 0; index < items; index += 1) {
    outcomes.push(reading.outcomes[index] ?? missing(operation, options));
  }
  const { warnings, noMatch } = reading;
  return { kind: 'settled', outcomes, warnings, ...(noMatch ? { noMatch } : {}) };
}

/** An item that the reply says nothing of; undefined: ask again. */
function missing({ repeatable }: Operation, { lastAttempt }: JudgeOptions): ItemOutcome | undefined {
  if (repeatable && !lastAttempt) return undefined;
  return { status: repeatable ? 'failed' : 'unknown', message: message('platform.missing_in_reply') };
}

function code500(it: Case, head: ReplyHead, said: Said): Verdict {
  const text = message('platform.busy', { text: said.text || said.cause || '-' });
  const { repeatable } = it.operation;
  const outcome: ItemOutcome = { status: repeatable ? 'failed' : 'unknown', code: '500', message: text };
  if (!repeatable && it.options.retryCode500 === 'repeatable') return all(it, outcome);
  return retry(it, outcome, { cause: 'code_500', doubtful: true, head });
}

function rejected(it: Case, said: Said, code: string): Verdict {
  return all(it, { status: 'rejected', code, message: refusal(said, code) });
}

function wrongShape(it: Case, head: ReplyHead, detail: string): Verdict {
  return doubtful(
    it,
    message('platform.wrong_shape', { detail: plainText(detail, 300) }),
    'wrong_shape',
    head,
  );
}

/** It left, and no one knows what became of it: only where a repeat is harmless is it sent again. */
function doubtful(it: Case, text: Message, cause: string, head: ReplyHead | undefined): Verdict {
  const code = head === undefined ? {} : { code: String(head.httpStatus) };
  if (!it.operation.repeatable) return all(it, { status: 'unknown', ...code, message: text });
  return retry(it, { status: 'failed', ...code, message: text }, { cause, doubtful: true, head });
}

interface Again {
  readonly cause: string;
  readonly doubtful: boolean;
  /** What came of the reply, where anything did. */
  readonly head?: ReplyHead | undefined;
}

function retry(it: Case, otherwise: ItemOutcome, { cause, doubtful, head }: Again): Verdict {
  const pause = head && askedBy(head);
  if (pause) return { kind: 'retry', otherwise, cause, doubtful, pause };
  if (it.options.lastAttempt) return { ...all(it, otherwise), exhausted: true };
  return { kind: 'retry', otherwise, cause, doubtful };
}

function all(it: Case, outcome: ItemOutcome): Extract<Verdict, { kind: 'settled' }> {
  return { kind: 'settled', outcomes: Array.from({ length: it.items }, () => outcome), warnings: [] };
}
