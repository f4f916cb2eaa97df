import type { IncomingMessage } from 'node:http';
import type { Json, JsonObject } from '../../model/json.js';
import { applyEffect } from '../../platform/operations/simulations.js';
import type { JournalEntry, SimulatedDecision } from '../../platform/simulated/simulation.js';
import type { State } from '../../platform/simulated/state.js';
import { exactParse } from '../../util/exact-json.js';
import type { Journal } from '../journal.js';
import { type Gate, isJson, type Nonces, outOfScope, unauthorized } from './gate.js';
import { business, httpRefusal, invalid, type Reply, success } from './reply.js';
import type { Found } from './routes.js';
import { listed, shapeProblems } from './shape.js';

/** Maximum size of a request body, in bytes (the platform's: not shown, §8). */
const BODY_LIMIT = 20 * 1024 * 1024;

export type Received =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'too_large' | 'not_utf8' | 'broken' };

/** The whole body as text; a body above the limit is discarded. */
async function receive(request: IncomingMessage): Promise<Received> {
  const bytes = await collect(request);
  if (!Buffer.isBuffer(bytes)) return { kind: bytes };
  try {
    return { kind: 'text', text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    return { kind: 'not_utf8' };
  }
}

/** By events, as leaving an async iteration early would destroy the socket before the refusal is sent. */
function collect(request: IncomingMessage): Promise<Buffer | 'too_large' | 'broken'> {
  if (Number(request.headers['content-length'] ?? 0) > BODY_LIMIT) return Promise.resolve('too_large');
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= BODY_LIMIT) chunks.push(chunk);
      else resolve('too_large');
    });
    request.on('end', () => resolve(Buffer.concat(chunks)));
    request.on('close', () => resolve('broken'));
    request.on('error', () => resolve('broken'));
  });
}

/** Dependencies of the replies; one per sandbox. */
export interface Platform {
  readonly gate: Gate;
  readonly state: State;
  readonly nonces: Nonces;
  /** Absent if the state is in memory only. */
  readonly journal: Journal | undefined;
}

export interface SandboxAnswer {
  readonly reply: Reply;
  readonly carriedOut: boolean;
}

const LONGEST_NONCE = 128;

/** §4.1 and §5: requirements for every request, checked before its body. */
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

/** The body as JSON; undefined if the endpoint has none. */
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

/** Checks the shape, then the endpoint's rules. Nesting deeper than the stack allows is refused as an invalid shape. */
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
 * Replies to a request to one of the endpoints. An effect is applied immediately; the reply waits until the effect is
 * on disk (if the state is stored in a file).
 */
export async function answer(
  platform: Platform,
  found: Found,
  request: IncomingMessage,
): Promise<SandboxAnswer> {
  const withoutEffect = (reply: Reply): SandboxAnswer => ({ reply, carriedOut: false });
  const at = Date.now();
  const outside = unauthorized(request, platform.gate) ?? outOfScope(found.endpoint.service, platform.gate);
  if (outside) return withoutEffect(outside);
  const problem = entryProblem(found, request, platform.nonces, at);
  if (problem !== undefined) return withoutEffect(invalid(found.endpoint.service, problem));
  const received = await bodyOf(found, request);
  if ('status' in received) return withoutEffect(received);
  const decision = decide(platform, found, received.body);
  if (decision.kind !== 'effect') return withoutEffect(refusal(found, decision));
  const entry: JournalEntry = { effect: decision.effect, at, nonce: found.params.get('g_nonce')! };
  const data = applyEffect(platform.state, entry);
  await platform.journal?.append(entry);
  return { reply: success(found.endpoint, data), carriedOut: true };
}
