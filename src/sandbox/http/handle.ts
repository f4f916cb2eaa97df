import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { changed, isChange } from '../faults/alter.js';
import { earlyReply, retryLater } from '../faults/early.js';
import { FAULT_KINDS, type FaultKind } from '../faults/kinds.js';
import { type FaultPlan, faultOf } from '../faults.js';
import type { Counters } from '../stats.js';
import { answer, type Platform, type SandboxAnswer } from './answer.js';
import { foreign } from './gate.js';
import { inspect } from './inspect.js';
import { httpRefusal, type Reply } from './reply.js';
import { type Found, route } from './routes.js';
import { reset, send, sendDrip, sendHalf, sendPage } from './send.js';

export interface Serving {
  readonly platform: Platform;
  readonly counters: Counters;
  readonly faults: FaultPlan | undefined;
  readonly latencyMs: number;
}

/** A listener for the server: every request gets its answer, or the fault planned for it. */
export function handle(serving: Serving): (request: IncomingMessage, response: ServerResponse) => void {
  return (request, response) => {
    respond(serving, request, response).catch((error: unknown) => {
      const detail = error instanceof Error ? error.message : String(error);
      if (response.headersSent) reset(response);
      else send(response, httpRefusal(500, `the sandbox failed: ${detail}`));
    });
  };
}

/** Where a request leads, or why nowhere. */
function find(request: IncomingMessage, platform: Platform): Found | Reply | { readonly path: string } {
  const outsider = foreign(request, platform.gate);
  if (outsider) return outsider;
  const target = request.url ?? '';
  if (!URL.canParse(target, 'http://sandbox')) return httpRefusal(400, 'the address cannot be read');
  const url = new URL(target, 'http://sandbox');
  return url.pathname.startsWith('/sandbox/') ? { path: url.pathname } : route(request.method ?? '', url);
}

async function respond(serving: Serving, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const found = find(request, serving.platform);
  if ('status' in found) send(response, found);
  else if ('path' in found) inspect(serving, request, response, found.path);
  else await attend(serving, found, request, response);
}

async function attend(
  serving: Serving,
  found: Found,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const number = serving.counters.arrived(found.simulation.name);
  response.once('close', () => serving.counters.left());
  const fault = serving.faults && faultOf(serving.faults, number);
  if (fault && FAULT_KINDS[fault].when === 'before') {
    serving.counters.fault(fault, false);
    const reply = earlyReply(fault, found.endpoint);
    if (reply) await deliver(serving, response, reply);
    else reset(response);
    return;
  }
  const answered = await answer(serving.platform, found, request);
  if (fault) await spoil(serving, response, { fault, answered, found, number });
  else await deliver(serving, response, answered.reply);
}

/** The latency asked for; a closed sandbox doesn't keep its process alive for it. */
async function linger({ latencyMs }: Serving): Promise<void> {
  if (latencyMs > 0) await sleep(latencyMs, undefined, { ref: false });
}

async function deliver(serving: Serving, response: ServerResponse, reply: Reply): Promise<void> {
  serving.counters.refused(reply.refused);
  await linger(serving);
  send(response, reply);
}

interface Spoiling {
  readonly fault: FaultKind;
  readonly answered: SandboxAnswer;
  readonly found: Found;
  readonly number: number;
}

/** The effect stands, its answer goes wrong. A fault that this reply has no place for doesn't count as injected. */
async function spoil(serving: Serving, response: ServerResponse, spoiling: Spoiling): Promise<void> {
  const { fault, answered, found, number } = spoiling;
  const { reply, carriedOut } = answered;
  if (isChange(fault)) {
    const other = changed(fault, reply, number);
    if (other) serving.counters.fault(fault, carriedOut);
    return deliver(serving, response, other ?? reply);
  }
  serving.counters.fault(fault, carriedOut);
  await linger(serving);
  switch (fault) {
    case 'reset-after':
      return reset(response);
    case 'hang':
      return;
    case 'drip':
      return sendDrip(response, reply);
    case 'truncated':
      return sendHalf(response, reply);
    case 'not-json':
      return sendPage(response, reply);
    case 'code-500-after':
      return send(response, retryLater(found.endpoint));
  }
}
