import { type ServerType, serve } from '@hono/node-server';
import { Assets } from '../../src/console/assets.js';
import { secured } from '../../src/console/http.js';

/** A request to the fake's API, its body read. */
export interface FakeRequest {
  readonly params: readonly string[];
  readonly query: URLSearchParams;
  readonly body: Record<string, unknown>;
  readonly headers: Headers;
}

/** What the fake answers to `GET /runs/([^/]+)` and the like, below `/api/v1`: JSON with 200, or a whole answer. */
export type FakeRoutes = Readonly<Record<string, (request: FakeRequest) => unknown>>;

export interface FakeConsole {
  readonly origin: string;
  /** `POST /imports` and so on, in their order. */
  readonly asked: string[];
  /** Without it no client gets an answer: connections are cut. */
  online: boolean;
  /** From now on it answers by these routes, is online, and no request was made. */
  use(routes: FakeRoutes): void;
  close(): Promise<void>;
}

const SESSION = {
  who: 'Wang',
  roles: ['maker'],
  signedInBy: 'token',
  ledger: { kind: 'sqlite', people: true },
  languages: ['en', 'zh'],
  version: '0.1.0',
};

/** The built pages over an API that the test gives: states that a real console is hard to bring to. */
export async function startFakeConsole(routes: FakeRoutes): Promise<FakeConsole> {
  const assets = new Assets(process.env.LICENSE_SYNC_TEST_PAGES);
  let all: FakeRoutes;
  const fake = {
    online: true,
    asked: [] as string[],
    use(routes: FakeRoutes) {
      all = { 'GET /session': () => SESSION, 'GET /runs': () => ({ items: [] }), ...routes };
      fake.online = true;
      fake.asked = [];
    },
  };
  fake.use(routes);
  const answer = async (request: Request): Promise<Response> => {
    const { pathname, searchParams } = new URL(request.url);
    if (!pathname.startsWith('/api/v1')) return (await assets.answer(request)) ?? problem(404, 'not there');
    const wanted = `${request.method} ${pathname.slice('/api/v1'.length)}`;
    fake.asked.push(wanted);
    if (!fake.online) throw new Error('cut');
    for (const [pattern, handle] of Object.entries(all)) {
      const found = new RegExp(`^${pattern}$`).exec(wanted);
      if (!found) continue;
      const isJson = request.headers.get('content-type') === 'application/json';
      const body = isJson ? ((await request.json()) as Record<string, unknown>) : {};
      if (!isJson) await request.arrayBuffer();
      const said = await handle({
        params: found.slice(1),
        query: searchParams,
        body,
        headers: request.headers,
      });
      if (!fake.online) throw new Error('cut');
      return said instanceof Response ? said : Response.json(said ?? {});
    }
    return problem(404, `${wanted} is not part of this fake`);
  };
  const { server, port } = await new Promise<{ server: ServerType; port: number }>((resolve) => {
    const server = serve(
      {
        port: 0,
        hostname: '127.0.0.1',
        fetch: async (request, env) => {
          try {
            return secured(await answer(request), 'http');
          } catch {
            (env as { outgoing: { destroy(): void } }).outgoing.destroy();
            return new Response();
          }
        },
      },
      (info) => resolve({ server, port: info.port }),
    );
  });
  return Object.assign(fake, {
    origin: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise<void>((resolve) => {
        (server as { closeAllConnections?: () => void }).closeAllConnections?.();
        server.close(() => resolve());
      }),
  });
}

export function problem(status: number, detail: string, code = 'test.refused'): Response {
  const text = JSON.stringify({ type: 'about:blank', title: detail, status, detail, code });
  return new Response(text, { status, headers: { 'content-type': 'application/problem+json' } });
}
