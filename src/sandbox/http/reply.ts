import type { ServerResponse } from 'node:http';
import type { Json } from '../../model/json.js';
import type { Endpoint } from '../../model/operation.js';
import { exactStringify } from '../../util/exact-json.js';

export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: Json;
  /** Name of a refusal in `stats`: an HTTP status, or a code. */
  readonly refused?: string;
}

type Service = Endpoint['service'];

/** Parameter validation failure of either service (§7.1, §7.2). */
export function invalid(service: Service, detail: string): Reply {
  if (service === 'activity') {
    return { status: 200, body: { resultCode: '1001', resultMessage: detail }, refused: '1001' };
  }
  return {
    status: 200,
    body: { code: '13004', message: detail, cause: 'ParameterValidation' },
    refused: '13004',
  };
}

/** A business exception with HTTP 299. */
export function business(code: string, detail: string, cause: string): Reply {
  return { status: 299, body: { code, message: detail, cause }, refused: code };
}

/** A refusal without a code of the interface: the HTTP status alone. */
export function httpRefusal(status: number, detail: string, headers?: Record<string, string>): Reply {
  return {
    status,
    ...(headers && { headers }),
    body: { code: String(status), message: detail, cause: 'Http' },
    refused: String(status),
  };
}

/** Success: the order service's envelope (§4.1), or the plain activity result (§4.9). */
export function success(endpoint: Endpoint, data: Json): Reply {
  if (endpoint.service === 'activity') return { status: 200, body: data };
  const envelope = { code: 0, message: 'success' };
  return { status: 200, body: endpoint.reply.kind === 'none' ? envelope : { ...envelope, data } };
}

const DRIP_MS = 100;
const PAGE = '<!doctype html><title>Gateway</title><p>The service is being maintained.';

function head(response: ServerResponse, reply: Reply, type: string, length: number): void {
  response.writeHead(reply.status, {
    ...reply.headers,
    'content-type': type,
    'content-length': length,
    // An unread request body would be read as the next request.
    ...(reply.status === 413 && { connection: 'close' }),
  });
}

function jsonBytes(reply: Reply): Buffer {
  return Buffer.from(exactStringify(reply.body));
}

export function send(response: ServerResponse, reply: Reply): void {
  const bytes = jsonBytes(reply);
  head(response, reply, 'application/json; charset=utf-8', bytes.length);
  response.end(bytes);
}

/** Resets the connection (RST) without a reply. */
export function reset(response: ServerResponse): void {
  response.socket?.resetAndDestroy();
}

export function sendPage(response: ServerResponse, reply: Reply): void {
  head(response, reply, 'text/html; charset=utf-8', Buffer.byteLength(PAGE));
  response.end(PAGE);
}

/** Sends half of the body and ends the connection, although the header announced all of it. */
export function sendHalf(response: ServerResponse, reply: Reply): void {
  const bytes = jsonBytes(reply);
  head(response, reply, 'application/json; charset=utf-8', bytes.length);
  response.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => response.socket?.destroySoon());
}

/** Sends the body one byte at a time until the client closes the connection. */
export function sendDrip(response: ServerResponse, reply: Reply): void {
  const bytes = jsonBytes(reply);
  head(response, reply, 'application/json; charset=utf-8', bytes.length);
  response.flushHeaders();
  let sent = 0;
  const timer = setInterval(() => {
    response.write(bytes.subarray(sent, sent + 1));
    sent += 1;
    if (sent < bytes.length) return;
    clearInterval(timer);
    response.end();
  }, DRIP_MS);
  response.on('close', () => clearInterval(timer));
}
