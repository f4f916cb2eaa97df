import { gzipSync } from 'node:zlib';
import type { Happening, Reply } from './relay.js';

/** More than the 10 MB that a reply may have. */
const OVERSIZE = 11_000_000;
const DRIP_MS = 20;

function say(it: Parameters<Happening>[0], status: number, text: string | Buffer, headers = {}): void {
  it.response.writeHead(status, { 'content-type': 'application/json', ...headers });
  it.response.end(text);
}

/** Nothing goes wrong. */
export const fine: Happening = async (it) => {
  const { status, body } = await it.carryOut();
  say(it, status, JSON.stringify(body));
};

/** One happening for each request; the last holds for all that follow. */
export function inTurn(...happenings: readonly Happening[]): Happening {
  return (it) => happenings[Math.min(it.number, happenings.length) - 1]?.(it);
}

export const resetBefore: Happening = (it) => {
  it.response.socket?.resetAndDestroy();
};

export const resetAfter: Happening = async (it) => {
  await it.carryOut();
  it.response.socket?.resetAndDestroy();
};

export const endAfter: Happening = async (it) => {
  await it.carryOut();
  it.response.socket?.end();
};

export const hang: Happening = async (it) => {
  await it.carryOut();
};

/** The whole reply would take seconds, each piece comes in time. */
export const drip: Happening = async (it) => {
  const text = JSON.stringify((await it.carryOut()).body);
  it.response.writeHead(200, { 'content-length': text.length });
  let at = 0;
  const timer = setInterval(() => {
    it.response.write(text.charAt(at));
    at += 1;
    if (at >= text.length) clearInterval(timer);
  }, DRIP_MS);
  it.response.on('close', () => clearInterval(timer));
};

export const truncated: Happening = async (it) => {
  const text = JSON.stringify((await it.carryOut()).body);
  it.response.writeHead(200, { 'content-length': text.length });
  it.response.write(text.slice(0, text.length / 2), () => it.response.socket?.destroySoon());
};

export const oversize: Happening = async (it) => {
  const { body } = await it.carryOut();
  say(it, 200, JSON.stringify({ ...body, padding: 'x'.repeat(OVERSIZE) }));
};

/** A few kilobytes on the wire. */
export const oversizeInflated: Happening = async (it) => {
  const { body } = await it.carryOut();
  const packed = gzipSync(JSON.stringify({ ...body, padding: 'x'.repeat(OVERSIZE) }));
  say(it, 200, packed, { 'content-encoding': 'gzip' });
};

export const badEncoding: Happening = async (it) => {
  const { body } = await it.carryOut();
  say(it, 200, JSON.stringify(body), { 'content-encoding': 'gzip' });
};

/** Executed; what comes back is no HTTP. */
export const notHttp: Happening = async (it) => {
  await it.carryOut();
  it.response.socket?.end('SSH-2.0-gateway\r\n');
};

/** Executed, then that text. */
export function afterwards(text: string, status = 200): Happening {
  return async (it) => {
    await it.carryOut();
    say(it, status, text);
  };
}

/** Executed; the reply is changed. */
export function changed(change: (body: Record<string, unknown>) => Record<string, unknown>): Happening {
  return async (it) => {
    const reply: Reply = await it.carryOut();
    say(it, reply.status, JSON.stringify(change(reply.body)));
  };
}

/** The same with the elements of `data`. */
export function changedData(change: (data: readonly Element[]) => readonly Element[]): Happening {
  return changed((body) => ({ ...body, data: change(body.data as readonly Element[]) }));
}

type Element = Readonly<Record<string, unknown>>;

/** Nothing is done, and the platform reports it with a status and a body. */
export function refuses(
  status: number,
  body: Record<string, unknown> | string = {},
  headers: Record<string, string> = {},
): Happening {
  return (it) => say(it, status, typeof body === 'string' ? body : JSON.stringify(body), headers);
}

/** Executed still. */
export function refusesAfter(status: number, headers: Record<string, string> = {}): Happening {
  return async (it) => {
    await it.carryOut();
    say(it, status, '{}', headers);
  };
}

/** Executed; the reply's text is changed, for what JSON.stringify can't write. */
export function changedText(change: (text: string) => string): Happening {
  return async (it) => {
    const { status, body } = await it.carryOut();
    say(it, status, change(JSON.stringify(body)));
  };
}
