import type { ServerResponse } from 'node:http';
import { exactStringify } from '../../util/exact-json.js';
import type { Reply } from './reply.js';

const DRIP_MS = 100;
const PAGE = '<!doctype html><title>Gateway</title><p>The service is being maintained.';

function head(response: ServerResponse, reply: Reply, type: string, length: number): void {
  response.writeHead(reply.status, {
    ...reply.headers,
    'content-type': type,
    'content-length': length,
    // A body that was refused unread would be taken for the next request.
    ...(reply.status === 413 && { connection: 'close' }),
  });
}

function jsonBytes(reply: Reply): Buffer {
  return Buffer.from(exactStringify(reply.body));
}

/** Writes the reply. */
export function send(response: ServerResponse, reply: Reply): void {
  const bytes = jsonBytes(reply);
  head(response, reply, 'application/json; charset=utf-8', bytes.length);
  response.end(bytes);
}

/** The connection is reset (RST), with nothing said. */
export function reset(response: ServerResponse): void {
  response.socket?.resetAndDestroy();
}

/** An HTML page in place of the reply. */
export function sendPage(response: ServerResponse, reply: Reply): void {
  head(response, reply, 'text/html; charset=utf-8', Buffer.byteLength(PAGE));
  response.end(PAGE);
}

/** Half of the body, then the connection ends, though the header promised all of it. */
export function sendHalf(response: ServerResponse, reply: Reply): void {
  const bytes = jsonBytes(reply);
  head(response, reply, 'application/json; charset=utf-8', bytes.length);
  response.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => response.socket?.destroySoon());
}

/** The body a byte at a time, until the client has had enough. */
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
