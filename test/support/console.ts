import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type ServedConsole, serveConsole } from '../../src/console/serve.js';
import type { Ledger } from '../../src/ledger/contract/ledger.js';
import { openLedger } from '../../src/ledger/open.js';
import type { Role } from '../../src/model/console.js';

/** A console in a folder of its own, in the process of the test. */
export interface TestConsole {
  readonly folder: string;
  /** `http://127.0.0.1:PORT`, without a slash at its end. */
  readonly origin: string;
  /** What was reported to the user who runs it. */
  readonly reported: readonly string[];
  readonly served: ServedConsole;
  /** Another connection to its ledger. */
  readonly ledger: Ledger;
  /** Requests without a user, unless `headers` say who. */
  ask(path: string, options?: RequestInit): Promise<Response>;
  /** Signs in by the printed address; gives the cookie. */
  signIn(): Promise<string>;
  /** A person with an API token, which is given. */
  addPerson(
    name: string,
    roles: readonly Role[],
    more?: { readonly subject?: string; readonly expiresAt?: number },
  ): Promise<string>;
  close(): Promise<void>;
}

interface Start {
  /** `license-sync.yaml`; none where absent. */
  readonly settings?: string;
  readonly env?: Record<string, string>;
  readonly host?: string;
  /** Where its ledger is, if not in its folder. */
  readonly ledger?: string;
}

export async function startConsole({
  settings,
  env = {},
  host = '127.0.0.1',
  ledger,
}: Start = {}): Promise<TestConsole> {
  const folder = await mkdtemp(path.join(tmpdir(), 'license-sync-console-'));
  if (settings !== undefined) await writeFile(path.join(folder, 'license-sync.yaml'), settings);
  const reported: string[] = [];
  const app = { env, cwd: folder, language: 'en', ...(ledger === undefined ? {} : { ledger }) } as const;
  const log = (text: string): unknown => reported.push(text);
  const served = await serveConsole(app, { port: 0, host, log }).catch(async (error: unknown) => {
    await rm(folder, { recursive: true, force: true });
    throw error;
  });
  const { protocol } = new URL(served.url);
  const origin = `${protocol}//127.0.0.1:${served.port}`;
  const other = await openLedger(ledger ?? path.join(folder, '.license-sync', 'ledger.db'));
  const ask = (at: string, options: RequestInit = {}): Promise<Response> =>
    fetch(origin + at, { redirect: 'manual', ...options });
  return {
    folder,
    origin,
    reported,
    served,
    ledger: other,
    ask,
    async signIn() {
      return cookieOf(await fetch(served.url, { redirect: 'manual' }));
    },
    async addPerson(name, roles, { subject, expiresAt } = {}) {
      const token = randomBytes(32).toString('base64url');
      const sha256 = createHash('sha256').update(token).digest('hex');
      await other.people.add({ name, roles, tokenSha256: sha256, ...(subject ? { subject } : {}) }, 'test');
      if (expiresAt !== undefined) await other.people.setToken(name, { sha256, expiresAt }, 'test');
      return token;
    },
    async close() {
      await served.close();
      await other.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** What a browser would send back of the cookies that an answer sets. */
export function cookieOf(answer: Response): string {
  return answer.headers
    .getSetCookie()
    .map((it) => it.split(';')[0] ?? '')
    .filter((it) => !it.endsWith('='))
    .join('; ');
}

/** A request with headers that `fetch` doesn't let one choose, such as Host. */
export function askAs(
  { served }: TestConsole,
  at: string,
  {
    method = 'GET',
    headers = {},
    body,
  }: { method?: string; headers?: Record<string, string>; body?: string },
): Promise<{ readonly status: number; readonly headers: Record<string, unknown>; readonly text: string }> {
  return new Promise((resolve, reject) => {
    const framed =
      body === undefined ? headers : { 'content-length': String(Buffer.byteLength(body)), ...headers };
    const sent = httpRequest(
      { host: '127.0.0.1', port: served.port, path: at, method, headers: framed },
      (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (more: string) => {
          text += more;
        });
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }));
        answer.on('error', reject);
      },
    );
    sent.on('error', reject).end(body);
  });
}
