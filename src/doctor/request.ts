import { randomBytes } from 'node:crypto';
import { type Message, message } from '../errors/message.js';
import type { Connection } from '../model/connection.js';
import type { AttemptEvent, PlatformClient } from '../platform/client/client.js';
import { newNonce } from '../platform/client/nonce.js';
import { judge } from '../platform/client/verdict.js';
import { operationNamed } from '../platform/operations/index.js';
import type { Clock } from '../util/clock.js';
import { type DoctorFinding, faultOf, finding, type StepState } from './step.js';

const TIMEOUT_MS = 15_000;
const SLOW_MS = 5_000;
const CLOCK_WARN_MS = 60_000;

/**
 * Asks for the customers of a channel that can't exist (endpoint 3, §4.5). The request changes nothing and needs the
 * token and the scope `auth_order`. Its reply shows whether token, scope and address are right, and the platform's
 * clock.
 */
export async function checkRequest(
  connection: Connection,
  env: NodeJS.ProcessEnv,
  clock: Clock,
): Promise<readonly DoctorFinding[]> {
  const query = operationNamed('enterprise.query');
  const nobody = `license-sync-doctor-${randomBytes(8).toString('hex')}`;
  const fields = { channelCode: 'license-sync-doctor', channelCustomerId: nobody, defaultCustomer: 'N' };
  const request = query.compose({}, [fields], { channelOrderId: '' });
  let client: PlatformClient;
  try {
    const { createClient } = await import('../platform/client/client.js');
    client = await createClient({ connection, concurrency: 1, env });
  } catch (error) {
    return [faultOf('request', error)];
  }
  try {
    const began = clock.monotonic();
    const event = await client.send(request, { nonce: newNonce(), timeoutMs: TIMEOUT_MS });
    const ms = Math.round(clock.monotonic() - began);
    const judged = judge(query, request, 1, event, { retryCode500: 'retry', lastAttempt: true });
    const outcome = judged.kind === 'settled' ? judged.outcomes[0] : undefined;
    const said = outcome?.message;
    const words = typeof said === 'string' ? message('platform.said', { text: said }) : said;
    return [findingOfReply(event, ms, outcome?.status, outcome?.code, words), checkClock(event, ms, clock)];
  } finally {
    await client.close();
  }
}

function findingOfReply(
  event: AttemptEvent,
  ms: number,
  status: string | undefined,
  code: string | undefined,
  words: Message | undefined,
): DoctorFinding {
  const answer = (state: StepState, say: Message): DoctorFinding => finding('request', state, say);
  const http = event.kind === 'unsent' ? undefined : event.httpStatus;
  const text = words === undefined ? '' : String(words.params.text ?? '');
  if (http === 401) return answer('fault', message('doctor.token_refused'));
  if (http === 403) return answer('fault', message('doctor.scope_missing'));
  if (http === 407) return answer('fault', message('doctor.proxy_answers'));
  if (http === 404 || http === 405) return answer('fault', message('doctor.wrong_path', { status: http }));
  if (http !== undefined && http >= 300 && http <= 399) {
    const location = event.kind === 'unsent' ? '' : (event.location ?? '-');
    return answer('fault', message('doctor.redirected', { status: http, location }));
  }
  if (http === 429) return answer('warning', message('doctor.busy', { what: 'HTTP 429', ms }));
  if (code === '500')
    return answer('warning', message('doctor.busy', { what: `code 500 ${text}`.trim(), ms }));
  if (status === 'succeeded') {
    return ms > SLOW_MS
      ? answer('warning', message('doctor.slow', { ms }))
      : answer('ok', message('doctor.request', { ms }));
  }
  if (status === 'rejected' && (http === 200 || http === 299)) {
    return answer('ok', message('doctor.request_refused', { code: code ?? '-', text, ms }));
  }
  if (event.kind === 'reply' && /^\s*</u.test(event.text)) {
    return answer('fault', message('doctor.web_page', { status: event.httpStatus }));
  }
  if (words !== undefined) return answer('fault', words);
  return answer('fault', message('doctor.no_answer'));
}

/** The header `Date` has whole seconds, and was written at some time between our request and its reply. */
function checkClock(event: AttemptEvent, ms: number, clock: Clock): DoctorFinding {
  const date = event.kind === 'unsent' ? undefined : event.date;
  if (date === undefined) return finding('clock', 'skipped', message('doctor.no_clock'));
  const ahead = clock.now() - ms / 2 - date;
  const seconds = Math.round(Math.abs(ahead) / 1000);
  if (Math.abs(ahead) <= CLOCK_WARN_MS) return finding('clock', 'ok', message('doctor.clock', { seconds }));
  const code = ahead > 0 ? 'doctor.clock_ahead' : 'doctor.clock_behind';
  return finding('clock', 'warning', message(code, { seconds }));
}
