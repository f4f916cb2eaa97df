import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Json } from '../../model/json.js';
import type { CarriedOrder } from '../../platform/simulated/order-book.js';
import { ELSEWHERE } from '../faults/alter.js';
import type { Counters } from '../stats.js';
import type { Platform } from './answer.js';
import { unauthorized } from './gate.js';
import { httpRefusal, type Reply } from './reply.js';
import { send } from './send.js';

const LINES = 1000;

/** What tests and the curious ask of the sandbox itself, at `/sandbox/…`; the token is needed here too. */
export function inspect(
  { platform, counters }: { readonly platform: Platform; readonly counters: Counters },
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
): void {
  const outside = path === ELSEWHERE ? undefined : unauthorized(request, platform.gate);
  if (!outside && request.method === 'GET' && path === '/sandbox/orders') {
    sendOrders(platform.state.orders.all(), response);
  } else {
    send(response, outside ?? inspected(platform, counters, request.method ?? '', path));
  }
}

function inspected(platform: Platform, counters: Counters, method: string, path: string): Reply {
  if (path === ELSEWHERE) {
    counters.redirectsFollowed += 1;
    return httpRefusal(404, 'nothing is here: a redirect was followed');
  }
  if (method !== 'GET') return httpRefusal(405, 'GET only', { allow: 'GET' });
  if (path !== '/sandbox/stats') return httpRefusal(404, `nothing at ${path}`);
  return { status: 200, body: counters.snapshot(platform.state) as unknown as Json };
}

/** One JSON line per order carried out, in pieces as fast as they are taken. */
function sendOrders(orders: readonly CarriedOrder[], response: ServerResponse): void {
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
