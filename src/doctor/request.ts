import { randomBytes } from 'node:crypto';
import { type Message, message } from '../errors/message.js';
import type { Connection } from '../model/connection.js';
import type { AttemptEvent, PlatformClient } from '../platform/client/client.js';
import { newNonce } from '../platform/client/request-target.js';
import { judge } from '../platform/client/verdict.js';
import { operationNamed } from '../platform/operations/catalogue.js';
import type { Clock } from '../util/clock.js';
import { type DoctorFinding, faultOf, finding, type StepState } from './step.js';

const TIMEOUT_MS = 15_000;
const SLOW_MS = 5_000;
const CLOCK_WARN_MS = 60_000;

/**
 * Requests a customer that cannot exist (endpoint 3, §4.5). The request changes nothing and requires the token and the scope
 * `auth_order`. Its reply shows whether token, scope and address are correct, and the platform's clock.
 */
export async function checkRequest(
  connection: Connection,
  env: NodeJS.ProcessEnv,
  clock: Clock,
): Promise<readonly DoctorFinding[]> {
  const query = operationNamed('enterprise.query');
  const unknownCustomer = `license-sync-doctor-${randomBytes(8).toString('hex')}`;
  const fields = {
    channelCode: 'license-sync-doctor',
    channelCustomerId: unknownCustomer,
    defaultCustomer: 'N',
  };
  const request = query.compose({}, [fields], { channelOrderId: '' });
  let client: PlatformClient;
  try {
    const { createClient } = await import('../platform/client/client.js');
    client = await createClient({ connection, concurrency: 1, env });
  } catch (error) {
    return [faultOf('request', error)];
  }
  try {
    const startedAt = clock.monotonic();
    const event = await client.send(request, { nonce: newNonce(), timeoutMs: TIMEOUT_MS });
    const ms = Math.round(clock.monotonic() - startedAt);
    const judged = judge(query, request, 1, event, { retryCode500: 'retry', lastAttempt: true });
    const outcome = judged.kind === 'settled' ? judged.outcomes[0] : undefined;
    const text = outcome?.message;
    const detail = typeof text === 'string' ? message('platform.said', { text }) : text;
    return [findingOfReply(event, ms, outcome?.status, outcome?.code, detail), checkClock(event, ms, clock)];
  } finally {
    await client.close();
  }
}

function findingOfReply(
  event: AttemptEvent,
  ms: number,
  status: string | undefined,
  code: string | undefined,
  detail: Message | undefined,
): DoctorFinding {
  const result = (state: StepState, text: Message): DoctorFinding => finding('request', state, text);
  const http = event.kind === 'unsent' ? undefined : event.httpStatus;
  const text = detail === undefined ? '' : String(detail.params.text ?? '');
  if (http === 401) return result('fault', message('doctor.token_refused'));
  if (http === 403) return result('fault', message('doctor.scope_missing'));
  if (http === 407) return result('fault', message('doctor.proxy_answers'));
  if (http === 404 || http === 405) return result('fault', message('doctor.wrong_path', { status: http }));
  if (http !== undefined && http >= 300 && http <= 399) {
    const location = event.kind === 'unsent' ? '' : (event.location ?? '-');
    return result('fault', message('doctor.redirected', { status: http, location }));
  }
  if (http === 429) return result('warning', message('doctor.busy', { what: 'HTTP 429', ms }));
  if (code === '500')
    return result('warning', message('doctor.busy', { what: `code 500 ${text}`.trim(), ms }));
  if (status === 'succeeded') {
    return ms > SLOW_MS
      ? result('warning', message('doctor.slow', { ms }))
      : result('ok', message('doctor.request', { ms }));
  }
  if (status === 'rejected' && (http === 200 || http === 299)) {
    return result('ok', message('doctor.request_refused', { code: code ?? '-', text, ms }));
  }
  if (event.kind === 'reply' && /^\s*</u.test(event.text)) {
    return result('fault', message('doctor.web_page', { status: event.httpStatus }));
  }
  if (detail !== undefined) return result('fault', detail);
  return result('fault', message('doctor.no_answer'));
}

/** Compares clocks. The header `Date` has whole seconds and is from some time between the request and its reply. */
function checkClock(event: AttemptEvent, ms: number, clock: Clock): DoctorFinding {
  const date = event.kind === 'unsent' ? undefined : event.date;
  if (date === undefined) return finding('clock', 'skipped', message('doctor.no_clock'));
  const ahead = clock.now() - ms / 2 - date;
  const seconds = Math.round(Math.abs(ahead) / 1000);
  if (Math.abs(ahead) <= CLOCK_WARN_MS) return finding('clock', 'ok', message('doctor.clock', { seconds }));
  const code = ahead > 0 ? 'doctor.clock_ahead' : 'doctor.clock_behind';
  return finding('clock', 'warning', message(code, { seconds }));
}
