import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Json } from '../../model/json.js';
import type { ExecutedOrder } from '../../platform/simulated/order-book.js';
import { alteredReply, earlyReply, isChange, REDIRECT_TARGET, retryLater } from '../alter-reply.js';
import { FAULT_KINDS, type FaultKind, type FaultPlan, faultOf } from '../faults.js';
import type { Counters } from '../stats.js';
import { answer, type Platform, type SandboxAnswer } from './answer.js';
import { foreignHostRefusal, unauthorized } from './gate.js';
import { httpRefusal, type Reply, reset, send, sendDrip, sendHalf, sendPage } from './reply.js';
import { type Found, route } from './routes.js';

const LINES = 1000;

/** Inspection of the sandbox, at `/sandbox/…`; the token is required here, too. */
function inspect(
  { platform, counters }: { readonly platform: Platform; readonly counters: Counters },
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
): void {
  const outside = path === REDIRECT_TARGET ? undefined : unauthorized(request, platform.gate);
  if (!outside && request.method === 'GET' && path === '/sandbox/orders') {
    sendOrders(platform.state.orders.all(), response);
  } else {
    send(response, outside ?? inspected(platform, counters, request.method ?? '', path));
  }
}

function inspected(platform: Platform, counters: Counters, method: string, path: string): Reply {
  if (path === REDIRECT_TARGET) {
    counters.redirectsFollowed += 1;
    return httpRefusal(404, 'nothing is here: a redirect was followed');
  }
  if (method !== 'GET') return httpRefusal(405, 'GET only', { allow: 'GET' });
  if (path !== '/sandbox/stats') return httpRefusal(404, `nothing at ${path}`);
  return { status: 200, body: counters.snapshot(platform.state) as unknown as Json };
}

/** One JSON line per executed order, written as fast as the client reads. */
function sendOrders(orders: readonly ExecutedOrder[], response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/x-ndjson; charset=utf-8' });
  const total = orders.length;
  let next = 0;
  const more = (): void => {
    while (next < total) {
      const part = orders.slice(next, Math.min(next + LINES, total));
      next += part.length;
      if (!response.write(part.map((it) => `${JSON.stringify(it)}\n`).join(''))) {
        response.once('drain', more);
        return;
      }
    }
    response.end();
  };
  more();
}

export interface Serving {
  readonly platform: Platform;
  readonly counters: Counters;
  readonly faults: FaultPlan | undefined;
  readonly latencyMs: number;
}

/** A listener for the server: every request gets its reply, or the fault planned for it. */
export function handle(serving: Serving): (request: IncomingMessage, response: ServerResponse) => void {
  return (request, response) => {
    respond(serving, request, response).catch((error: unknown) => {
      const detail = error instanceof Error ? error.message : String(error);
      if (response.headersSent) reset(response);
      else send(response, httpRefusal(500, `the sandbox failed: ${detail}`));
    });
  };
}

/** The endpoint of a request, or the reason why there is none. */
function find(request: IncomingMessage, platform: Platform): Found | Reply | { readonly path: string } {
  const refused = foreignHostRefusal(request, platform.gate);
  if (refused) return refused;
  const target = request.url ?? '';
  if (!URL.canParse(target, 'http://sandbox')) return httpRefusal(400, 'the address cannot be read');
  const url = new URL(target, 'http://sandbox');
  return url.pathname.startsWith('/sandbox/') ? { path: url.pathname } : route(request.method ?? '', url);
}

async function respond(serving: Serving, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const found = find(request, serving.platform);
  if ('status' in found) send(response, found);
  else if ('path' in found) inspect(serving, request, response, found.path);
  else await replyOrFault(serving, found, request, response);
}

async function replyOrFault(
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
    if (reply) await sendReply(serving, response, reply);
    else reset(response);
    return;
  }
  const answered = await answer(serving.platform, found, request);
  if (fault) await injectFault(serving, response, { fault, answered, found, number });
  else await sendReply(serving, response, answered.reply);
}

/** The configured latency; its timer does not keep the process of a closed sandbox alive. */
async function waitLatency({ latencyMs }: Serving): Promise<void> {
  if (latencyMs > 0) await sleep(latencyMs, undefined, { ref: false });
}

async function sendReply(serving: Serving, response: ServerResponse, reply: Reply): Promise<void> {
  serving.counters.refused(reply.refused);
  await waitLatency(serving);
  send(response, reply);
}

interface FaultInjection {
  readonly fault: FaultKind;
  readonly answered: SandboxAnswer;
  readonly found: Found;
  readonly number: number;
}

/** The effect is applied and its reply is altered. An injected fault that does not fit this reply is not counted as injected. */
async function injectFault(
  serving: Serving,
  response: ServerResponse,
  injection: FaultInjection,
): Promise<void> {
  const { fault, answered, found, number } = injection;
  const { reply, carriedOut } = answered;
  if (isChange(fault)) {
    const altered = alteredReply(fault, reply, number);
    if (altered) serving.counters.fault(fault, carriedOut);
    return sendReply(serving, response, altered ?? reply);
  }
  serving.counters.fault(fault, carriedOut);
  await waitLatency(serving);
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
