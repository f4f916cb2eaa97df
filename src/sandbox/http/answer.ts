import type { IncomingMessage } from 'node:http';
import type { Json, JsonObject } from '../../model/json.js';
import { carryOut } from '../../platform/operations/simulations.js';
import type { JournalEntry, SimulatedDecision } from '../../platform/simulated/simulation.js';
import type { State } from '../../platform/simulated/state.js';
import { exactParse } from '../../util/exact-json.js';
import type { Journal } from '../journal.js';
import { receive } from './body.js';
import { type Gate, isJson, outOfScope, unauthorized } from './gate.js';
import type { Nonces } from './nonces.js';
import { business, httpRefusal, invalid, type Reply, success } from './reply.js';
import type { Found } from './routes.js';
import { listed, shapeProblems } from './shape.js';

/** What answering needs; one per sandbox. */
export interface Platform {
  readonly gate: Gate;
  readonly state: State;
  readonly nonces: Nonces;
  /** Absent when the state lives in memory only. */
  readonly journal: Journal | undefined;
}

export interface SandboxAnswer {
  readonly reply: Reply;
  readonly carriedOut: boolean;
}

const LONGEST_NONCE = 128;

/** §4.1 and §5: what every request must bring, before its body counts. */
function entryProblem(
  found: Found,
  request: IncomingMessage,
  nonces: Nonces,
  at: number,
): string | undefined {
  const nonce = found.params.get('g_nonce') ?? '';
  if (nonce === '') return 'query parameter g_nonce is required';
  if (nonce.length > LONGEST_NONCE)
    return `query parameter g_nonce is longer than ${LONGEST_NONCE} characters`;
  if (!nonces.take(nonce, at)) return 'query parameter g_nonce has been used before';
  if (!isJson(request)) return 'header Content-Type must be application/json';
  if (found.endpoint.needsAppKey && !found.params.get('appKey')) return 'query parameter appKey is required';
  return undefined;
}

/** The body as JSON; undefined where the endpoint takes none. */
async function bodyOf(found: Found, request: IncomingMessage): Promise<{ body: Json } | Reply> {
  if (found.endpoint.method === 'GET') return { body: {} };
  const received = await receive(request);
  switch (received.kind) {
    case 'too_large':
      return httpRefusal(413, 'the body is too large');
    case 'not_utf8':
    case 'broken':
      return invalid(found.endpoint.service, 'the body is not JSON in UTF-8');
    case 'text':
      try {
        return { body: exactParse(received.text) as Json };
      } catch {
        return invalid(found.endpoint.service, 'the body is not JSON');
      }
  }
}

function refusal(found: Found, decision: Exclude<SimulatedDecision, { kind: 'effect' }>): Reply {
  switch (decision.kind) {
    case 'reply':
      return success(found.endpoint, decision.data);
    case 'invalid':
      return invalid(found.endpoint.service, listed(decision.problems));
    case 'business':
      return business(decision.code, decision.message, decision.cause);
  }
}

/** Shape, then the endpoint's own rules. Nesting deeper than the stack allows is refused like any other bad shape. */
function decide(platform: Platform, found: Found, body: Json): SimulatedDecision {
  try {
    const problems = shapeProblems(found.simulation, found.params, body);
    if (problems.length > 0) return { kind: 'invalid', problems };
    return found.simulation.decide(platform.state, { params: found.params, body: body as JsonObject });
  } catch (error) {
    if (error instanceof RangeError) return { kind: 'invalid', problems: ['the body is nested too deeply'] };
    throw error;
  }
}

/**
 * Answers a request to one of the endpoints. Where it has an effect, that is carried out at once, and the answer
 * comes when it is on disk (if the state is kept in a file).
 */
export async function answer(
  platform: Platform,
  found: Found,
  request: IncomingMessage,
): Promise<SandboxAnswer> {
  const no = (reply: Reply): SandboxAnswer => ({ reply, carriedOut: false });
  const at = Date.now();
  const outside = unauthorized(request, platform.gate) ?? outOfScope(found.endpoint.service, platform.gate);
  if (outside) return no(outside);
  const problem = entryProblem(found, request, platform.nonces, at);
  if (problem !== undefined) return no(invalid(found.endpoint.service, problem));
  const received = await bodyOf(found, request);
  if ('status' in received) return no(received);
  const decision = decide(platform, found, received.body);
  if (decision.kind !== 'effect') return no(refusal(found, decision));
  const carried: JournalEntry = { effect: decision.effect, at, nonce: found.params.get('g_nonce')! };
  const data = carryOut(platform.state, carried);
  await platform.journal?.append(carried);
  return { reply: success(found.endpoint, data), carriedOut: true };
}
